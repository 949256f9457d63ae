// From the plan of a file to its motion, inputs and tensions: what kind of problem it is, how long it takes, how inputs
// share, and whether limits are kept. `davit plan` plays it back (planning), runs track it (tracked_plans.hpp).
#pragma once

#include "davit/inverse_dynamics/analysis.hpp"
#include "davit/scenario/shared_inputs.hpp"

namespace davit {

// A limit of the plan and how far it was used.
struct PlanUse {
  std::string what, unit;
  double bound = 0, largest = 0, at = 0;  // s
  bool below = true;                      // false: a least value
  std::vector<double> values;             // at the plan's points
  bool kept() const { return below ? largest <= bound * (1 + 1e-9) : largest >= bound; }
};

// A stretch of time in which a rope would have to push.
struct Push {
  std::string rope;
  double from, to, most;  // s, s, N
};

// A plan with what it was made from.
struct LiftPlan {
  PlanModel model;
  std::optional<SharedInputs> shared;  // where there are more inputs than outputs
  inverse_dynamics::Analysis analysis;
  inverse_dynamics::Plan plan;
  Course course;
  bool shortest = false;  // the time was found, not given
  double polynomial = 0;  // the shortest time of the polynomial, s
  std::string method;
  std::vector<PlanUse> uses;
  std::vector<Push> pushes;
  std::vector<std::string> warnings;
  double growth = 0;  // of the fastest motion that runs away with planned forces alone, 1/s; 0: none does
  std::vector<inverse_dynamics::AlternativeOutput> alternatives;  // where an output is missing
};

// Rope given out by a winch, or the joint coordinate of an input.
double travel(const PlannedInput&, const inverse_dynamics::Instant&);

// What is known before a plan is made: its model, what kind of problem it is, and whether it can begin where the crane
// is. Nothing after a mistake, which is reported.
std::optional<LiftPlan> pose_lift(const Scenario&, input::Problems&);

// Nothing after a mistake, which is reported; a plan that does not come to its end is returned with its reason.
std::optional<LiftPlan> plan_lift(const Scenario&, input::Problems&);

}  // namespace davit
