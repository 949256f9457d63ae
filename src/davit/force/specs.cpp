#include "davit/force/specs.hpp"

#include "davit/assembly/element_channel.hpp"
#include "davit/constraint/compliant_constraint.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/spring_law.hpp"
#include "davit/force/joint_forces.hpp"

namespace davit::force {

using input::Record;

const Record<JointSpringSpec>& JointSpringSpec::record() {
  static const auto r =
      Record<JointSpringSpec>("joint_spring", "A spring in a joint: τ = -k (q - q0) - k3 (q - q0)^3")
          .field("joint", &JointSpringSpec::joint, "the joint, or one of its coordinates")
          .example("king or vessel.roll")
          .field("stiffness", &JointSpringSpec::stiffness, "linear stiffness k (N m/rad, or N/m in a slide)")
          .field("cubic", &JointSpringSpec::cubic, "cubic stiffness k3 (N m/rad^3, or N/m^3)")
          .field("rest", &JointSpringSpec::rest, "coordinate q0 at which its force is zero (rad or m), 0 if not given");
  return r;
}

void JointSpringSpec::build(const std::string& name, Assembly& assembly) const {
  const auto at = assembly.coordinate(joint);
  if (!at) return;
  JointSpring::Data data;
  data.stiffness = assembly.joint_quantity(stiffness, *at, "N m/rad", "N/m");
  data.cubic = assembly.joint_quantity(cubic, *at, "N m/rad^3", "N/m^3");
  data.rest = assembly.joint_quantity(rest, *at, "rad", "m");
  assembly.add(std::make_shared<JointSpring>(name, *at, data));
}

const Record<JointDamperSpec>& JointDamperSpec::record() {
  static const auto r =
      Record<JointDamperSpec>("joint_damper", "Damping and dry friction in a joint: τ = -b u - b3 u^3 - τc tanh(u/uc)")
          .field("joint", &JointDamperSpec::joint, "the joint, or one of its coordinates")
          .field("damping", &JointDamperSpec::damping, "viscous damping b (N m s/rad, or N s/m)")
          .field("cubic", &JointDamperSpec::cubic, "cubic damping b3 (N m s^3/rad^3, or N s^3/m^3)")
          .field("coulomb", &JointDamperSpec::coulomb, "Coulomb friction τc (N m, or N)")
          .field("creep_speed", &JointDamperSpec::creep_speed,
                 "speed uc over which Coulomb friction builds up (rad/s or m/s), 0.001 if not given");
  return r;
}

void JointDamperSpec::build(const std::string& name, Assembly& assembly) const {
  const auto at = assembly.coordinate(joint);
  if (!at) return;
  JointDamper::Data data;
  data.damping = assembly.joint_quantity(damping, *at, "N m s/rad", "N s/m");
  data.cubic = assembly.joint_quantity(cubic, *at, "N m s^3/rad^3", "N s^3/m^3");
  data.coulomb = assembly.joint_quantity(coulomb, *at, "N m", "N");
  if (creep_speed) data.creep_speed = assembly.joint_quantity(creep_speed, *at, "rad/s", "m/s");
  if (!(data.creep_speed > 0)) {
    assembly.problems().error(creep_speed->where, "the creep speed must be above zero", "give e.g. 0.001 rad/s");
    return;
  }
  assembly.add(std::make_shared<JointDamper>(name, *at, data));
}

const Record<BearingFrictionSpec>& BearingFrictionSpec::record() {
  static const auto r =
      Record<BearingFrictionSpec>(
          "bearing_friction",
          "Friction proportional to the force that the joint itself carries, solved with the motion")
          .field("joint", &BearingFrictionSpec::joint, "a joint, or one of its coordinates")
          .field("coefficient", &BearingFrictionSpec::coefficient, "1", "coefficient of friction")
          .at_least(0)
          .at_most(1)
          .field("radius", &BearingFrictionSpec::radius, "m", "radius of the bearing of a rotating joint")
          .above(0)
          .field("creep_speed", &BearingFrictionSpec::creep_speed,
                 "speed over which friction builds up (rad/s or m/s), 0.001 if not given")
          .located(&BearingFrictionSpec::where);
  return r;
}

void BearingFrictionSpec::build(const std::string& name, Assembly& assembly) const {
  const auto at = assembly.coordinate(joint);
  if (!at) return;
  BearingFriction::Data data;
  data.coefficient = coefficient;
  if (at->angle && !radius) {
    assembly.problems().error(where, "'radius' is missing: the joint rotates",
                              "give the radius of the bearing, e.g. 0.2 m");
    return;
  }
  data.radius = radius.value_or(1);
  if (creep_speed) data.creep_speed = assembly.joint_quantity(creep_speed, *at, "rad/s", "m/s");
  const auto friction = std::make_shared<BearingFriction>(name, *at, at->segment, data);
  const int index = assembly.add(std::shared_ptr<const ReactionForce>(friction));
  const char* const source = "bearing friction, solved with the accelerations";
  assembly.observables().add_scalars(
      {{name + ".load", "N", "force that the bearing of " + at->name + " carries", source, "bearing loads"},
       {name + (at->angle ? ".torque" : ".force"), at->angle ? "N m" : "N", "friction in " + at->name, source,
        "friction"}},
      [index, friction](const State&, const Workspace& w, double* values) {
        values[0] = w.reaction_load[index];
        values[1] = -friction->factor(w.kin) * w.reaction_load[index];
      });
}

const Record<WrenchSpec>& WrenchSpec::record() {
  static const auto r =
      Record<WrenchSpec>("wrench",
                         "A given force and moment at a point of a body: constant, for a time, or oscillating")
          .field("on", &WrenchSpec::on, "a body, or a point of one (boom.tip)")
          .field("force", &WrenchSpec::force, "N", "force")
          .by_default()
          .field("moment", &WrenchSpec::moment, "N m", "moment")
          .by_default()
          .choice("axes", &WrenchSpec::axes,
                  {{"world", AppliedWrench::Axes::world}, {"body", AppliedWrench::Axes::body}},
                  "axes in which force and moment are given")
          .by_default()
          .field("from", &WrenchSpec::from, "s", "time from which it acts")
          .by_default()
          .field("until", &WrenchSpec::until, "s", "time at which it has gone; it acts to the end if not given")
          .field("ramp", &WrenchSpec::ramp, "s", "time over which it comes, after 'from', and goes, before 'until'")
          .at_least(0)
          .by_default()
          .field("period", &WrenchSpec::period, "s", "if given, it is multiplied by sin(2π (t - from)/period)")
          .above(0)
          .check([](const WrenchSpec& w, const input::Where& where, input::Problems& problems) {
            if (w.until && *w.until < w.from + 2 * std::max(w.ramp, 1e-3))
              problems.error(where, "'until' leaves the wrench no time to come and go",
                             "give a later 'until' or a shorter 'ramp'");
          });
  return r;
}

void WrenchSpec::build(const std::string& name, Assembly& assembly) const {
  const auto at = assembly.frame(on);
  if (!at || (!moment.isZero(0) && !assembly.can_rotate(*at, on))) return;
  assembly.add(std::make_shared<AppliedWrench>(
      name, *at, AppliedWrench::Data{force, moment, axes, from, until.value_or(-1), ramp, period.value_or(0)}));
}

const Record<LineSpec>& LineSpec::record() {
  static const auto r = Record<LineSpec>("line", "A light elastic line or spring between two points")
                            .field("from", &LineSpec::from, "a body or a point of one")
                            .example("boom.tip")
                            .field("to", &LineSpec::to, "a body or a point of one")
                            .example("load.lug")
                            .field("length", &LineSpec::length, "m", "unstressed length")
                            .at_least(0)
                            .field("stiffness", &LineSpec::stiffness, "N/m", "stiffness (EA/length)")
                            .at_least(0)
                            .field("damping", &LineSpec::damping, "N s/m", "damping along the line")
                            .at_least(0)
                            .by_default()
                            .field("tension_only", &LineSpec::tension_only,
                                   "true: a line, slack when short; false: a spring that also pushes")
                            .by_default();
  return r;
}

void LineSpec::build(const std::string& name, Assembly& assembly) const {
  const auto a = assembly.frame(from), b = assembly.frame(to);
  if (!a || !b) return;
  const ConstraintEquation row =
      elastic_row(std::make_shared<PointDistance>(*a, *b), {stiffness, damping, length, tension_only});
  assembly.add(std::make_shared<CompliantConstraint>(name, row));
  const auto channel = [&](const char* what, const char* unit, const char* description, auto value) {
    add_element_channel(assembly, "line", name, what, unit, description, true, value);
  };
  channel("length", "m", "distance between its ends", [a = *a, b = *b](const State&, const Workspace& w) {
    return (position(w.kin, b) - position(w.kin, a)).norm();
  });
  channel("tension", "N", "tension with damping, negative when it pushes",
          [row, a = *a, b = *b](const State&, const Workspace& w) {
            const Vec3 d = position(w.kin, b) - position(w.kin, a), v = velocity(w.kin, b) - velocity(w.kin, a);
            return -row.laws[0]->force(d.norm(), d.normalized().dot(v));
          });
  add_element_channel(assembly, "line", name, "tension_elastic", "N", "tension by its stretch alone: without damping",
                      false, [row, a = *a, b = *b](const State&, const Workspace& w) {
                        return -row.laws[0]->force((position(w.kin, b) - position(w.kin, a)).norm(), 0.0);
                      });
}

}  // namespace davit::force
