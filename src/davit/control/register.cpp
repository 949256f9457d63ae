#include "davit/control/register.hpp"

#include <limits>
#include <set>

#include "davit/control/joint_pid.hpp"

namespace davit::control {

namespace {

using input::Quantity;
using input::Record;
using input::Reference;

struct PidSpec {
  std::vector<Reference> joints;
  Quantity kp;
  std::optional<Quantity> ki, kd, limit, integral_limit;
  bool derivative_of_error = true;
  std::optional<double> sample_time;
  input::Where where;

  static const Record<PidSpec>& record() {
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

  void build(const std::string& name, Assembly& assembly) const {
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
      Input input{name + "." + at->name, at->angle ? "N m" : "N"};
      input.upper = bound(limit, *at, assembly);
      input.lower = -input.upper;
      const int port = assembly.add_input(std::move(input));
      (at->angle ? rotations : slides).push_back({*at, assembly.take_motion(*at), port});
      assembly.add(std::make_shared<JointActuator>(name + "." + at->name, *at, port));
      add_channels(name, (at->angle ? rotations : slides).back(), assembly);
    }
    for (auto* axes : {&rotations, &slides})
      if (!axes->empty()) {
        const JointCoordinate& at = axes->front().coordinate;
        JointPid::Gains gains;
        gains.kp = assembly.joint_quantity(kp, at, "N m/rad", "N/m");
        gains.ki = assembly.joint_quantity(ki, at, "N m/rad/s", "N/m/s");
        gains.kd = assembly.joint_quantity(kd, at, "N m s/rad", "N s/m");
        gains.derivative_of_error = derivative_of_error;
        gains.integral_limit = bound(integral_limit, at, assembly);
        assembly.add(std::make_shared<JointPid>(name, *axes, gains, sample_time.value_or(0)));
      }
  }

 private:
  // Infinite when not given, and after a mistake.
  static double bound(const std::optional<Quantity>& given, const JointCoordinate& at, Assembly& assembly) {
    constexpr double none = std::numeric_limits<double>::infinity();
    if (!given) return none;
    const size_t errors = assembly.problems().error_count();
    const double value = assembly.joint_quantity(given, at, "N m", "N");
    if (value > 0) return value;
    if (assembly.problems().error_count() == errors)
      assembly.problems().error(
          given->where, "the limit must be above zero",
          at.angle ? "give the largest torque, e.g. 50 kN m" : "give the largest force, e.g. 50 kN");
    return none;
  }

  static void add_channels(const std::string& name, const JointPid::Axis& axis, Assembly& assembly) {
    const JointCoordinate& at = axis.coordinate;
    // A joint of one coordinate goes by the name of its body.
    const std::string body = at.name.substr(0, at.name.find('.'));
    const bool one = coordinates(assembly.tree().body(body).body.joint.kind).size() == 1;
    const std::string prefix = name + "." + (one ? body : at.name) + ".";
    const auto channel = [&](const char* what, const char* unit, const std::string& description, const char* group,
                             bool main, auto value) {
      Channel c;
      c.name = prefix + what;
      c.unit = unit;
      c.description = description;
      c.source = "controller " + name;
      c.group = group;
      c.main = main;
      c.value = std::move(value);
      assembly.add_channel(std::move(c));
    };
    const char* unit = at.angle ? "rad" : "m";
    channel(at.angle ? "torque" : "force", at.angle ? "N m" : "N", "commanded on " + at.name,
            at.angle ? "actuator torques" : "actuator forces", true,
            [port = static_cast<size_t>(axis.input)](const State&, const Workspace& w) { return w.w[port]; });
    channel("target", unit, "target of " + at.name, "targets", false,
            [target = axis.target](const State& s, const Workspace&) { return target.value(s.t); });
    channel("error", unit, at.name + " less its target", "tracking errors", false,
            [target = axis.target, q = at.q](const State& s, const Workspace&) { return s.q[q] - target.value(s.t); });
  }
};

}  // namespace

void register_elements(Registry& registry) { registry.controllers.add_kind<PidSpec>("pid"); }

}  // namespace davit::control
