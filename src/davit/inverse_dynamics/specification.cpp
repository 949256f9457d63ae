#include "davit/inverse_dynamics/specification.hpp"

namespace davit::inverse_dynamics {

using input::Record;

const Record<OutputSpec>& OutputSpec::record() {
  static const auto r =
      Record<OutputSpec>("planned output", "What shall move as desired: one of point, turn, combination and offset")
          .field("point", &OutputSpec::point, "a body or a point whose place shall follow")
          .example("load")
          .field("along", &OutputSpec::along, "along which axes of the world: letters of xyz")
          .by_default()
          .field("to", &OutputSpec::to, "m",
                 "where it shall come to, in the world; axes that are not followed are not looked at")
          .field("by", &OutputSpec::by, "m", "or how far it shall go from where it is")
          .field("via", &OutputSpec::via, "m", "places in the world on the way, at which it comes to rest")
          .by_default()
          .field("turn", &OutputSpec::turn, "a body whose orientation shall follow, all three rotations")
          .field("axis", &OutputSpec::axis, "axis of the world about which it turns")
          .by_default()
          .field("angle", &OutputSpec::angle, "rad", "how far it turns; it keeps its orientation if not given")
          .field("combination", &OutputSpec::combination,
                 "joint coordinates or winches (rope given out), each with a factor, whose sum shall follow")
          .example("{trolley1: 1, trolley2: -1}")
          .field("offset", &OutputSpec::offset,
                 "two bodies or points: how far the second is from the first along 'axis'")
          .by_default()
          .field("change", &OutputSpec::change,
                 "how far a combination or an offset shall change; it is kept if not given")
          .located(&OutputSpec::where)
          .check([](const OutputSpec& o, const input::Where& place, input::Problems& problems) {
            const int kinds = o.point.has_value() + o.turn.has_value() + o.combination.has_value() + !o.offset.empty();
            if (kinds != 1)
              problems.error(place, kinds == 0 ? "the output is of nothing" : "the output is of several things",
                             "give one of point, turn, combination and offset");
            if (o.to && o.by) problems.error(place, "'to' and 'by' are both given", "give one of them");
            if (o.along.empty() || o.along.find_first_not_of("xyz") != std::string::npos)
              problems.error(place, "'along' is not made of x, y and z", "give e.g. along: xz");
            if (!o.offset.empty() && o.offset.size() != 2)
              problems.error(place, "an offset is that of two points", "name two, e.g. offset: [hook, load]");
            if (o.axis.direction.norm() < 1e-9) problems.error(place, "the axis has no direction", "give e.g. axis: z");
          });
  return r;
}

const Record<PlanLimitSpec>& PlanLimitSpec::record() {
  static const auto r =
      Record<PlanLimitSpec>("plan limit", "What an input or a rope may do in a plan")
          .field("force", &PlanLimitSpec::force, "largest force or torque of an input")
          .example("20 kN")
          .field("speed", &PlanLimitSpec::speed, "largest speed of its joint, or of the rope of a winch")
          .field("acceleration", &PlanLimitSpec::acceleration, "largest acceleration of it")
          .field("tension", &PlanLimitSpec::tension, "largest tension of a rope")
          .field("least_tension", &PlanLimitSpec::least_tension, "least tension of a rope")
          .field("sway", &PlanLimitSpec::sway, "rad", "largest angle of a rope's last piece from the vertical")
          .above(0)
          .located(&PlanLimitSpec::where);
  return r;
}

const Record<AllocationSpec>& AllocationSpec::record() {
  static const auto r =
      Record<AllocationSpec>("allocation", "How inputs share what they can do together: weighted least norm")
          .field("weights", &AllocationSpec::weights, "1",
                 "how much of a force in common an input takes beside the others: the pull of a winch, the force or "
                 "torque of a joint; 1 for those that are not named")
          .by_default()
          .located(&AllocationSpec::where)
          .check([](const AllocationSpec& a, const input::Where& place, input::Problems& problems) {
            for (const auto& [name, weight] : a.weights)
              if (!(weight > 0))
                problems.error(place, "the weight of '" + name + "' is not above 0",
                               "leave out an input that shall do nothing");
          });
  return r;
}

const Record<HullMotionSpec>& HullMotionSpec::record() {
  static const auto r =
      Record<HullMotionSpec>("motion of a hull", "How a vessel moves while the plan goes on")
          .field("motion", &HullMotionSpec::motion,
                 "result of a run in which the vessel moves so, relative to this file: its folder or result.h5")
          .example("results/barge_in_waves")
          .field("from", &HullMotionSpec::from, "s", "time of that run at which the plan begins")
          .at_least(0)
          .by_default();
  return r;
}

const Record<PlanSpec>& PlanSpec::record() {
  static const auto r =
      Record<PlanSpec>("plan", "Inputs that make outputs go where they should: `davit plan`")
          .field("inputs", &PlanSpec::inputs, "what is driven: joints, joint coordinates and winches")
          .example("[trolley, hoist]")
          .field("outputs", &PlanSpec::outputs, "what shall move as desired, by name")
          .field("hold", &PlanSpec::hold, "joints that stay where they are, beside those that nothing can move")
          .by_default()
          .field("massless", &PlanSpec::massless,
                 "bodies whose mass the plan leaves out, such as a pulley that is light beside the load; a run and the "
                 "playback with elastic ropes have it")
          .by_default()
          .field("hulls", &PlanSpec::hulls,
                 "vessels that move on the way, as they were measured or simulated beforehand; others stay where they "
                 "are at the start")
          .by_default()
          .field("over", &PlanSpec::over, "s",
                 "time of the motion; if not given, the shortest that keeps all limits of the plan and of its winches")
          .above(0)
          .choice("profile", &PlanSpec::profile,
                  {{"polynomial", PlanProfile::polynomial}, {"shortest", PlanProfile::shortest}},
                  "of the shortest motion: a polynomial, or for each output the splines with which it takes least time")
          .by_default()
          .field("smoothness", &PlanSpec::smoothness,
                 "derivatives of the motion that are continuous; if not given, as many as the inputs need")
          .at_least(1)
          .at_most(9)
          .field("ramp", &PlanSpec::ramp, "s", "time of speeding up and slowing down, with constant speed between")
          .at_least(0)
          .by_default()
          .field("rest", &PlanSpec::rest, "s", "time at rest after the motion")
          .at_least(0)
          .by_default()
          .field("step", &PlanSpec::step, "s", "time between points of the plan")
          .above(0)
          .by_default()
          .choice("method", &PlanSpec::method,
                  {{"algebraic", Method::algebraic},
                   {"minimal_extension", Method::minimal_extension},
                   {"projection", Method::projection},
                   {"projection_constrained", Method::projection_constrained}},
                  "algebraic is exact at any step and takes flat problems; the others go by time steps")
          .by_default()
          .choice("scheme", &PlanSpec::scheme,
                  {{"backward_euler", Scheme::backward_euler}, {"bdf2", Scheme::bdf2}, {"radau", Scheme::radau}},
                  "of minimal_extension: order 1, 2 or 5; backward_euler if not given")
          .choice(
              "start", &PlanSpec::start, {{"as_given", Start::as_given}, {"consistent", Start::consistent}},
              "a crane that does not rest where the motion begins is told, or set to the nearest place where it does")
          .by_default()
          .field(
              "allocation", &PlanSpec::allocation,
              "how inputs share where there are more of them than rows of outputs; limits of forces and tensions are "
              "kept where some sharing does")
          .field("limits", &PlanSpec::limits, "what inputs and ropes may do, by their names")
          .by_default()
          .field("feedback", &PlanSpec::feedback, "what corrects the planned inputs by the measured state")
          .field("disturb", &PlanSpec::disturb, "what is not as planned when the plan is played back with feedback")
          .located(&PlanSpec::where)
          .check([](const PlanSpec& p, const input::Where& place, input::Problems& problems) {
            if (p.allocation && p.feedback)
              problems.error(place, "'feedback' takes as many inputs as outputs, and 'allocation' is for more",
                             "leave one of them out");
            if (p.scheme && p.method != Method::minimal_extension)
              problems.error(place, "'scheme' is given, and the method has none",
                             "use method: minimal_extension, or leave 'scheme' out");
            if (p.profile != PlanProfile::shortest) return;
            if (p.over) problems.error(place, "'over' and 'profile: shortest' are both given", "leave one of them out");
            if (p.ramp > 0) problems.error(place, "'ramp' is of a polynomial", "leave out 'ramp' or 'profile'");
            if (p.method != Method::algebraic)
              problems.error(place, "'profile: shortest' takes the algebraic method", "leave out 'method'");
          });
  return r;
}

}  // namespace davit::inverse_dynamics
