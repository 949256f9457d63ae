#include "davit/control/tip_spec.hpp"

#include <fmt/format.h>

#include <numbers>
#include <set>

#include "davit/control/drive.hpp"
#include "davit/control/tip_control.hpp"

namespace davit::control {

namespace {

constexpr const char* axes[] = {"x", "y", "z"};
// Below this the three drives hardly span all directions, and their torques grow without bound.
constexpr double low_dexterity = 0.1;

struct Reach {
  Vec3 from;      // the first joint
  double length;  // with all links stretched out
};

// Nothing where a drive slides: it reaches as far as it travels.
std::optional<Reach> reach_of(const TipControl::Data& data, const Kin& kin) {
  Vec3 outer = position(kin, data.tip);
  double length = 0;
  for (auto at = data.joints.rbegin(); at != data.joints.rend(); ++at) {
    if (!at->angle) return std::nullopt;
    const Vec3& joint = kin.body[static_cast<size_t>(at->segment)].p;
    length += (outer - joint).norm();
    outer = joint;
  }
  return Reach{outer, length};
}

// The places that the operation asks for, as the crane stands at the start.
void check_reach(const TipSpec& spec, const TipControl::Data& data, Assembly& assembly) {
  const Kin kin = assembly.start_kinematics();
  const auto reach = reach_of(data, kin);
  if (!reach) return;
  std::set<double> times{0};
  const auto move = [&](size_t axis) -> const Motion& { return assembly.motion(data.moves[axis]); };
  for (size_t i = 0; i < 3; ++i) times.insert(move(i).breakpoints().begin(), move(i).breakpoints().end());
  const Vec3 start = data.start.value_or(position(kin, data.tip));
  for (const double t : times) {
    const Vec3 target = start + Vec3(move(0).value(t), move(1).value(t), move(2).value(t));
    const double distance = (target - reach->from).norm();
    if (distance <= reach->length * (1 + 1e-9)) continue;
    assembly.problems().error(
        spec.where,
        fmt::format(
            "at {:.4g} s the tip shall be at ({:.4g}, {:.4g}, {:.4g}) m, {:.4g} m from its first joint, and the crane "
            "reaches {:.4g} m",
            t, target.x(), target.y(), target.z(), distance, reach->length),
        "let 'from' and the moves of the operation end nearer, and leave some reach for the motion of the base");
    return;
  }
}

}  // namespace

const input::Record<TipSpec>& TipSpec::record() {
  static const auto r =
      input::Record<TipSpec>("tip",
                             "Control of a crane's tip in the world by three joints, with the torques that the motion "
                             "of the ship and of the load asks for (computed torque); moves are about NAME.x, NAME.y "
                             "and NAME.z, from where the tip is at the start")
          .field("point", &TipSpec::point, "the tip")
          .example("outer.tip")
          .field("joints", &TipSpec::joints, "the three joints that move it")
          .example("[king, inner, outer]")
          .field("base", &TipSpec::base,
                 "body in whose axes the error is taken; the one that carries the first joint if not given")
          .field("period", &TipSpec::period, "s", "undamped natural period of the error of the tip")
          .example("2 s")
          .above(0)
          .field("damping", &TipSpec::damping, "1", "of that, as a part of critical")
          .above(0)
          .by_default()
          .field("from", &TipSpec::from, "m",
                 "place in the world where the tip shall be at the start; where it is if "
                 "not given")
          .field("limit", &TipSpec::limit, "largest torque or force of each drive (N m, or N)")
          .field("sample_time", &TipSpec::sample_time, "s",
                 "if given, the torques are found at these intervals and held in between")
          .above(0)
          .located(&TipSpec::where);
  return r;
}

void TipSpec::declare(const std::string& name, Assembly& assembly) const {
  for (const char* axis : axes) assembly.add_target(name + "." + axis, "m");
}

void TipSpec::build(const std::string& name, Assembly& assembly) const {
  TipControl::Data data;
  for (size_t i = 0; i < 3; ++i) data.moves[i] = assembly.take_signal(name + "." + axes[i], 0);
  if (joints.size() != 3) {
    assembly.problems().error(where, "the tip is moved by " + std::to_string(joints.size()) + " joints",
                              "name three joints: a place in space needs as many");
    return;
  }
  const auto tip = assembly.frame(point);
  std::set<std::string> driven;
  for (const input::Reference& joint : joints) {
    const auto at = assembly.coordinate(joint);
    if (!at) return;
    if (!driven.insert(at->name).second) {
      assembly.problems().error(joint.where, "'" + at->name + "' is named twice", "name each joint once");
      return;
    }
    data.joints.push_back(*at);
  }
  const std::string first = data.joints[0].name.substr(0, data.joints[0].name.find('.'));
  const auto standing = assembly.frame(base.value_or(input::Reference{assembly.tree().body(first).body.on, where}));
  if (!tip || !standing) return;
  for (const JointCoordinate& at : data.joints) data.inputs.push_back(add_drive(name, at, limit, assembly));
  data.tip = *tip;
  data.base = *standing;
  data.start = from;
  check_reach(*this, data, assembly);
  const double rate = 2 * std::numbers::pi / period;
  data.stiffness = rate * rate;
  data.damping = 2 * damping * rate;
  data.sample_time = sample_time.value_or(0);

  const auto control = std::make_shared<TipControl>(name, std::move(data));
  const int row = assembly.add(std::shared_ptr<const Servo>(control));
  const std::string source = "controller " + name;
  std::vector<ScalarInfo> errors;
  for (const char* axis : axes)
    errors.push_back({name + ".error_" + axis, "m", std::string("tip less its target, along ") + axis + " of the base",
                      source, "tracking errors"});
  assembly.observables().add_scalars(std::move(errors), [row](const State&, const Workspace& w, double* values) {
    for (int i = 0; i < 3; ++i) values[i] = w.servo.error[row + i];
  });
  ScalarInfo dexterity{name + ".dexterity", "1", "1: each drive moves the tip across the others; 0: at full reach",
                       source, "dexterity"};
  dexterity.alarm = {low_dexterity, "the drives of '" + name +
                                        "' come near a position in which they cannot move the tip in all directions "
                                        "(full reach, folded, or above the king): expect large torques"};
  assembly.observables().add_scalar(std::move(dexterity), [control, row](const State&, const Workspace& w) {
    return control->dexterity(w.servo.S, row);
  });
}

}  // namespace davit::control
