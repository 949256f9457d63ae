#include "davit/scenario/tracked_plans.hpp"

#include <fmt/format.h>

#include "davit/constraint/joint_specs.hpp"
#include "davit/inverse_dynamics/analysis.hpp"
#include "davit/scenario/plan_model.hpp"
#include "davit/tracking/track_spec.hpp"

namespace davit {

namespace {

using tracking::TrackedPlan;
using tracking::TrackSpec;

// What a tracked plan refers to.
struct OwnedPlan {
  PlanModel model;
  inverse_dynamics::Plan plan;
};

// Constraints that would drive what the plan drives by forces.
void check_drives(const Specification& spec, const TrackSpec& track, const PlanModel& model,
                  input::Problems& problems) {
  for (const auto& [name, motion] : spec.elements.of<constraint::MotionSpec>())
    for (const PlannedInput& input : model.inputs)
      if (motion.joint.name == input.name)
        problems.error(
            track.where, fmt::format("'{}' is driven by the constraint '{}' and by the plan", input.name, name),
            fmt::format("leave the constraint out, or take it away in a case: constraints: {{{}: null}}", name));
}

std::shared_ptr<const TrackedPlan> tracked(const Scenario& planned, const TrackSpec& track, input::Problems& problems) {
  auto owned = std::make_shared<OwnedPlan>();
  const auto& spec = *planned.specification.plan;
  for (const auto& [vessel, motion] : spec.hulls)
    if (motion.from != track.from)
      problems.error(track.where,
                     fmt::format("the plan begins at {:.4g} s of the run, and at {:.4g} s of the recorded motion of "
                                 "'{}'",
                                 track.from, motion.from, vessel),
                     "give both the same 'from'");
  auto model = build_plan_model(planned, {spec.over.value_or(10), spec.smoothness.value_or(4), {}}, problems);
  if (!model) return nullptr;
  const auto analysis = inverse_dynamics::analyse(model->problem);
  inverse_dynamics::PlanOptions options;
  options.method = spec.method;
  options.step = spec.step;
  options.array_order = std::min(7, std::max(3, analysis.derivatives() + 1));
  options.time_scale = inverse_dynamics::time_scale_of(model->problem);
  owned->model = std::move(*model);
  owned->plan = make_plan(owned->model.problem, options);
  if (!owned->plan.complete) {
    problems.error(track.where, "the plan does not come to its end: " + owned->plan.why, "see davit plan");
    return nullptr;
  }
  auto out = std::make_shared<TrackedPlan>(owned, owned->model.problem, owned->plan);
  out->prescribed = owned->model.prescribed;
  for (const PlannedInput& input : owned->model.inputs)
    out->inputs.push_back({input.name, input.unit, input.at, input.feedforward, input.winch, input.ratio});
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
      check_drives(scenario.specification, track, static_cast<const OwnedPlan*>(plan->owner.get())->model, problems);
    }
  }
  return plans;
}

}  // namespace davit
