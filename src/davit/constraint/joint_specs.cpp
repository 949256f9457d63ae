#include "davit/constraint/joint_specs.hpp"

#include "davit/constraint/channels.hpp"
#include "davit/constraint/joint_combination.hpp"
#include "davit/constraint/joint_speed.hpp"

namespace davit::constraint {

using input::Quantity;
using input::Record;

namespace {

template <class Spec>
void add_joint_soft_keys(Record<Spec>& record) {
  record
      .field("compliance", static_cast<std::optional<Quantity> Spec::*>(&JointSoftKeys::compliance),
             "compliance (rad/(N m), or m/N); 0 or not given: rigid")
      .field("damping", static_cast<std::optional<Quantity> Spec::*>(&JointSoftKeys::damping),
             "damping if it is compliant (N m s/rad, or N s/m)");
}

// A joint of one coordinate goes by the name of its body.
std::string short_name(const JointCoordinate& at, const Assembly& assembly) {
  const std::string body = at.name.substr(0, at.name.find('.'));
  return assembly.tree().body(body).body.joint.type().coordinates.size() == 1 ? body : at.name;
}

}  // namespace

std::optional<Softness> JointSoftKeys::softness(const JointCoordinate& at, Assembly& assembly) const {
  const size_t errors = assembly.problems().error_count();
  const Softness out{assembly.joint_quantity(compliance, at, "rad/N/m", "m/N"),
                     assembly.joint_quantity(damping, at, "N m s/rad", "N s/m")};
  if (assembly.problems().error_count() > errors) return std::nullopt;
  for (const auto* given : {&compliance, &damping})
    if (*given && (*given)->number < 0)
      assembly.problems().error((*given)->where, "'" + (*given)->text + "' is below zero", "give zero or more");
  if (damping && out.damping > 0 && out.compliance == 0)
    assembly.problems().error(damping->where, "'damping' needs 'compliance': what is held exactly has no rate",
                              "give 'compliance' above zero, or leave 'damping' out");
  return assembly.problems().error_count() > errors ? std::nullopt : std::optional(out);
}

const input::Record<GearSpec>& GearSpec::record() {
  static const auto r = [] {
    auto record =
        Record<GearSpec>("gear_constraint", "The second joint moves `ratio` times as far as the first: a gear, a rack")
            .field("joints", &GearSpec::joints, "two joints or joint coordinates")
            .example("[motor, drum]")
            .field("ratio", &GearSpec::ratio,
                   "motion of the second per motion of the first (1, or m/rad and rad/m of a rack)")
            .example("-0.05");
    add_joint_soft_keys(record);
    return record.located(&GearSpec::where);
  }();
  return r;
}

void GearSpec::build(const std::string& name, Assembly& assembly) const {
  if (joints.size() != 2) {
    assembly.problems().error(where, "a gear has two joints", "name two, e.g. [motor, drum]");
    return;
  }
  const auto a = assembly.coordinate(joints[0]), b = assembly.coordinate(joints[1]);
  if (!a || !b) return;
  if (a->name == b->name) {
    assembly.problems().error(joints[1].where, "'" + a->name + "' is named twice", "name two different joints");
    return;
  }
  const char* unit = a->angle == b->angle ? "1" : a->angle ? "m/rad" : "rad/m";
  const auto value = input::require(ratio, input::unit(unit), assembly.problems());
  const auto soft = softness(*b, assembly);
  if (!value || !soft) return;
  if (*value == 0) {
    assembly.problems().error(ratio.where, "the ratio is zero",
                              "give the motion of the second joint per motion of the first");
    return;
  }
  const VecX start = assembly.start_coordinates();
  const auto geometry =
      std::make_shared<JointCombination>(std::vector<JointCombination::Term>{{a->q, a->u, -*value}, {b->q, b->u, 1}},
                                         start[b->q] - *value * start[a->q], b->angle);
  const HeldRows rows = hold(name, geometry, *soft, assembly);
  for (const auto& [at, coefficient] : {std::pair(*a, -*value), std::pair(*b, 1.0)})
    add_joint_channel(name + "." + short_name(at, assembly) + (at.angle ? ".torque" : ".force"), name, at, coefficient,
                      rows, assembly);
}

const input::Record<MotionSpec>& MotionSpec::record() {
  static const auto r = [] {
    auto record = Record<MotionSpec>("motion_constraint",
                                     "A joint follows the moves of the operation exactly, whatever force that takes")
                      .field("joint", &MotionSpec::joint, "a joint or joint coordinate")
                      .example("drum");
    add_joint_soft_keys(record);
    return record;
  }();
  return r;
}

void MotionSpec::build(const std::string& name, Assembly& assembly) const {
  const auto at = assembly.coordinate(joint);
  if (!at) return;
  const auto soft = softness(*at, assembly);
  if (!soft) return;
  const Signal target = assembly.take_signal(*at);
  if (soft->compliance == 0) assembly.hold_exactly(target);
  const auto geometry =
      std::make_shared<JointCombination>(std::vector<JointCombination::Term>{{at->q, at->u, 1}}, target, at->angle);
  add_joint_channel(name + ".force", name, *at, 1, hold(name, geometry, *soft, assembly), assembly);
}

const input::Record<SpeedSpec>& SpeedSpec::record() {
  static const auto r = Record<SpeedSpec>("speed_constraint", "A joint keeps a speed, whatever force that takes")
                            .field("joint", &SpeedSpec::joint, "a joint or joint coordinate")
                            .example("drum")
                            .field("speed", &SpeedSpec::speed, "the speed (rad/s, or m/s)")
                            .example("0.5 rad/s");
  return r;
}

void SpeedSpec::build(const std::string& name, Assembly& assembly) const {
  const auto at = assembly.coordinate(joint);
  if (!at) return;
  const size_t errors = assembly.problems().error_count();
  const double value = assembly.joint_quantity(speed, *at, "rad/s", "m/s");
  if (assembly.problems().error_count() > errors) return;
  const auto geometry = std::make_shared<JointSpeed>(at->u, value, at->angle);
  add_joint_channel(name + ".force", name, *at, 1, hold(name, geometry, {}, assembly), assembly);
}

}  // namespace davit::constraint
