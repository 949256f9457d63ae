// The plan of a scenario from its file to figures: what kind of problem it is, how inputs and ropes go, whether limits
// are kept, and how far outputs are off when the plan is played back on the model with rigid and with elastic ropes.
#pragma once

#include "davit/inverse_dynamics/replay.hpp"
#include "davit/scenario/lift_plan.hpp"

namespace davit {

// A plan, and how far outputs are off when it is played back.
struct PlanResult : LiftPlan {
  std::optional<inverse_dynamics::Replay> rigid, elastic;
  std::string rigid_method, elastic_method;
};

// Nothing after a mistake, which is reported; a plan that does not come to its end is returned with its reason.
std::optional<PlanResult> plan_scenario(const Scenario&, input::Problems&);

// The plan as an operation of the scenario with elastic ropes: every input follows what was planned.
std::optional<Scenario> playback_scenario(const Scenario&, const PlanResult&, input::Problems&);

}  // namespace davit
