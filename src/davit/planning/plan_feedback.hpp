// The feedback of a scenario's plan: the plan is played back on a crane that is not quite the planned one, without and
// with feedback.
#pragma once

#include "davit/inverse_dynamics/closed_loop.hpp"
#include "davit/planning/planning.hpp"

namespace davit {

struct PlanFeedback {
  std::string law;
  double sample_time = 0;
  int delay = 0;                    // samples
  std::vector<std::string> design;  // in words: orders of error dynamics, gains
  inverse_dynamics::Poles poles;    // of the linear closed loop at the end of the plan
  double largest_multiplier = 0;    // |z| of the sampled loop with its delay, there
  std::vector<std::string> disturbances, warnings;
  inverse_dynamics::LoopResult without, with;
  std::optional<inverse_dynamics::LoopResult> elastic;  // with feedback and elastic ropes
};

// Errors and inputs at every sample, with feedback and without.
std::string feedback_csv(const PlanFeedback&, const PlanResult&);

// Of a complete plan whose file has feedback. Nothing after a mistake, which is reported.
std::optional<PlanFeedback> play_with_feedback(const Scenario&, const PlanResult&, input::Problems&);

}  // namespace davit
