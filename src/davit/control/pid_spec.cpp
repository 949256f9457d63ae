#include "davit/control/pid_spec.hpp"

#include <set>

#include "davit/control/drive.hpp"
#include "davit/control/joint_pid.hpp"

namespace davit::control {

using input::Record;
using input::Reference;

const Record<PidSpec>& PidSpec::record() {
  static const auto r =
      Record<PidSpec>("pid", "PD or PID control of joints about the moves of the operation")
          .field("joints", &PidSpec::joints, "joints or joint coordinates to drive")
          .example("[king, inner, outer]")
          .field("kp", &PidSpec::kp, "proportional gain (N m/rad, or N/m)")
          .field("ki", &PidSpec::ki, "integral gain (N m/(rad s), or N/(m s)), 0 if not given")
          .field("kd", &PidSpec::kd, "derivative gain (N m s/rad, or N s/m), 0 if not given")
          .choice("derivative_of", &PidSpec::derivative_of_error, {{"error", true}, {"speed", false}},
                  "what kd acts on: the rate of the error, or the speed alone, which only damps")
          .by_default()
          .field("limit", &PidSpec::limit, "largest torque or force (N m, or N), without bound if not given")
          .field("integral_limit", &PidSpec::integral_limit,
                 "largest torque or force of the integral part, against wind-up")
          .field("sample_time", &PidSpec::sample_time, "s",
                 "if given, the controller is sampled and holds its command in between")
          .above(0)
          .located(&PidSpec::where);
  return r;
}

namespace {

void add_observables(const std::string& name, const JointPid::Axis& axis, Assembly& assembly) {
  const JointCoordinate& at = axis.coordinate;
  const std::string drive = drive_name(name, at, assembly), source = "controller " + name;
  const char* unit = at.angle ? "rad" : "m";
  assembly.observables().add_scalars(
      {{drive + ".target", unit, "target of " + at.name, source, "targets"},
       {drive + ".error", unit, at.name + " less its target", source, "tracking errors"}},
      [target = axis.target, q = at.q](const State& s, const Workspace& w, double* values) {
        values[0] = target.value(w.kin);
        values[1] = s.q[q] - values[0];
      });
}

}  // namespace

void PidSpec::build(const std::string& name, Assembly& assembly) const {
  if (joints.empty())
    assembly.problems().error(where, "'joints' is empty", "name the joints to drive, e.g. [king, inner]");
  // Rotations and slides have gains of different units: a controller for each.
  std::vector<JointPid::Axis> rotations, slides;
  std::set<std::string> driven;
  for (const Reference& joint : joints) {
    const auto at = assembly.coordinate(joint);
    if (!at) continue;
    if (!driven.insert(at->name).second) {
      assembly.problems().error(joint.where, "'" + at->name + "' is named twice", "name each joint once");
      continue;
    }
    const int port = add_drive(name, *at, limit, assembly);
    (at->angle ? rotations : slides).push_back({*at, assembly.take_signal(*at), port});
    assembly.add(std::make_shared<JointActuator>(name + "." + at->name, *at, port));
    add_observables(name, (at->angle ? rotations : slides).back(), assembly);
  }
  for (auto* axes : {&rotations, &slides})
    if (!axes->empty()) {
      const JointCoordinate& at = axes->front().coordinate;
      JointPid::Gains gains;
      gains.kp = assembly.joint_quantity(kp, at, "N m/rad", "N/m");
      gains.ki = assembly.joint_quantity(ki, at, "N m/rad/s", "N/m/s");
      gains.kd = assembly.joint_quantity(kd, at, "N m s/rad", "N s/m");
      gains.derivative_of_error = derivative_of_error;
      gains.integral_limit = drive_limit(integral_limit, at, assembly);
      assembly.add(std::make_shared<JointPid>(name, *axes, gains, sample_time.value_or(0)));
    }
}

}  // namespace davit::control
