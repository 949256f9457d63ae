#include "davit/scenario/tracked_plans.hpp"

#include <fmt/format.h>

#include "davit/constraint/joint_specs.hpp"
#include "davit/scenario/lift_plan.hpp"
#include "davit/tracking/track_spec.hpp"

namespace davit {

namespace {

using tracking::TrackedPlan;
using tracking::TrackSpec;

// Constraints that would drive what the plan drives by forces.
void check_drives(const Specification& spec, const TrackSpec& track, const LiftPlan& plan, input::Problems& problems) {
  for (const auto& [name, motion] : spec.elements.of<constraint::MotionSpec>())
    for (const PlannedInput& input : plan.model.inputs)
      if (motion.joint.name == input.name)
        problems.error(
            track.where, fmt::format("'{}' is driven by the constraint '{}' and by the plan", input.name, name),
            fmt::format("leave the constraint out, or take it away in a case: constraints: {{{}: null}}", name));
}

// The force or torque that the plan's limits and those of its winches allow.
double largest(const LiftPlan& plan, const PlannedInput& input) {
  double most = std::numeric_limits<double>::infinity();
  for (const PlanUse& use : plan.uses)
    if (use.what == input.name + (input.angle ? ": torque" : ": force")) most = std::min(most, use.bound);
  return most;
}

std::shared_ptr<const TrackedPlan> tracked(const Scenario& planned, const TrackSpec& track, input::Problems& problems) {
  for (const auto& [vessel, motion] : planned.specification.plan->hulls)
    if (motion.from != track.from)
      problems.error(track.where,
                     fmt::format("the plan begins at {:.4g} s of the run, and at {:.4g} s of the recorded motion of "
                                 "'{}'",
                                 track.from, motion.from, vessel),
                     "give both the same 'from'");
  auto made = plan_lift(planned, problems);
  if (!made) return nullptr;
  if (!made->plan.complete) {
    problems.error(track.where, "the plan does not come to its end: " + made->plan.why,
                   "see what `davit plan` says of it");
    return nullptr;
  }
  if (track.law != inverse_dynamics::Law::none && made->analysis.massless_motions > 0) {
    problems.error(track.where, "the crane has motions without mass, which feedback cannot take",
                   "give the bodies that move without mass some, or law: none");
    return nullptr;
  }
  for (const std::string& warning : made->warnings) problems.warning(track.where, "the plan: " + warning, "");
  const auto owned = std::make_shared<const LiftPlan>(std::move(*made));
  auto out = std::make_shared<TrackedPlan>(owned, owned->model.problem, owned->plan);
  out->prescribed = owned->model.prescribed;
  for (const PlannedInput& input : owned->model.inputs)
    out->inputs.push_back(
        {input.name, input.unit, input.at, input.feedforward, input.winch, input.ratio, largest(*owned, input)});
  return out;
}

}  // namespace

std::shared_ptr<const tracking::TrackedPlans> plans_to_track(const Scenario& scenario, input::Problems& problems) {
  auto plans = std::make_shared<tracking::TrackedPlans>();
  for (const auto& [name, track] : scenario.specification.elements.of<TrackSpec>()) {
    std::optional<Scenario> other;
    if (track.plan) {
      if (!std::filesystem::is_regular_file(track.plan->resolved())) {
        problems.error(track.plan->where, "there is no file '" + track.plan->text + "'",
                       "check the path: it is relative to this file");
        continue;
      }
      other = resolve_scenario(track.plan->resolved(), problems);
      if (!other) continue;
    }
    const Scenario& planned = other ? *other : scenario;
    if (!planned.specification.plan) {
      problems.error(track.where, track.plan ? "'" + track.plan->text + "' has no plan" : "there is no plan to track",
                     "add a section 'plan', or name a scenario that has one: plan: gantry_plan.yaml");
      continue;
    }
    if (const auto plan = tracked(planned, track, problems)) {
      plans->of[name] = plan;
      check_drives(scenario.specification, track, *static_cast<const LiftPlan*>(plan->owner.get()), problems);
    }
  }
  return plans;
}

}  // namespace davit
