// Plans that controllers of a run track, made before its model is built (scenario/tracked_plans.hpp).
#pragma once

#include <limits>
#include <map>
#include <memory>

#include "davit/inverse_dynamics/plan_track.hpp"

namespace davit::tracking {

struct TrackedPlan {
  TrackedPlan(std::shared_ptr<const void> owner_, const inverse_dynamics::ServoProblem& problem_,
              const inverse_dynamics::Plan& plan_)
      : owner(std::move(owner_)), problem(problem_), plan(plan_), track(*problem_.model, plan_) {}

  std::shared_ptr<const void> owner;  // of the problem and the plan
  const inverse_dynamics::ServoProblem& problem;
  const inverse_dynamics::Plan& plan;
  inverse_dynamics::PlanTrack track;

  struct Input {
    std::string name, unit;
    CoordinateIndex at;  // in the plan's model
    Signal feedforward;  // of its force, there
    bool winch = false;
    double ratio = 1;                                       // of a winch: rope given out by its coordinate
    double most = std::numeric_limits<double>::infinity();  // the largest force or torque that the plan allows
  };
  std::vector<Input> inputs;
  std::vector<std::string> prescribed;  // bodies of the plan's model that move as recorded
};

// By controller. The Assembly shares them with the controllers.
struct TrackedPlans {
  std::map<std::string, std::shared_ptr<const TrackedPlan>> of;
};

}  // namespace davit::tracking
