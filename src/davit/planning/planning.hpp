// The plan of a scenario from its file to figures: what kind of problem it is, how inputs and ropes go, whether limits
// are kept, and how far outputs are off when the plan is played back on the model with rigid and with elastic ropes.
#pragma once

#include "davit/inverse_dynamics/analysis.hpp"
#include "davit/inverse_dynamics/consistent_start.hpp"
#include "davit/inverse_dynamics/replay.hpp"
#include "davit/scenario/plan_model.hpp"

namespace davit {

// A limit of the plan and how far it was used.
struct PlanUse {
  std::string what, unit;
  double bound = 0, largest = 0, at = 0;  // s
  bool below = true;                      // false: a least value
  bool kept() const { return below ? largest <= bound * (1 + 1e-9) : largest >= bound; }
};

// A stretch of time in which a rope would have to push.
struct Push {
  std::string rope;
  double from, to, most;  // s, s, N
};

struct PlanResult {
  PlanModel model;
  inverse_dynamics::Analysis analysis;
  inverse_dynamics::Plan plan;
  double over = 0;
  bool shortest = false;  // the time was found, not given
  int smoothness = 0;
  std::string method;
  std::vector<PlanUse> uses;
  std::vector<Push> pushes;
  std::vector<std::string> warnings;
  std::optional<inverse_dynamics::Replay> rigid, elastic;
  std::string rigid_method, elastic_method;
  double growth = 0;  // of the fastest motion that runs away with planned forces alone, 1/s; 0: none does
  std::vector<inverse_dynamics::AlternativeOutput> alternatives;  // where an output is missing
};

// What is known before a plan is made: its model, what kind of problem it is, and whether it can begin where the crane
// is. Nothing after a mistake, which is reported.
std::optional<PlanResult> pose_plan(const Scenario&, input::Problems&);

// Nothing after a mistake, which is reported; a plan that does not come to its end is returned with its reason.
std::optional<PlanResult> plan_scenario(const Scenario&, input::Problems&);

// The plan as an operation of the scenario with elastic ropes: every input follows what was planned.
std::optional<Scenario> playback_scenario(const Scenario&, const PlanResult&, input::Problems&);

}  // namespace davit
