// Plans with more inputs than outputs, as the file's allocation has it: motion by as many inputs as outputs, then all
// of them shared at every point.
#pragma once

#include "davit/inverse_dynamics/allocation.hpp"
#include "davit/scenario/plan_model.hpp"

namespace davit {

struct SharedInputs {
  std::vector<int> base;  // inputs by which the motion is found
  inverse_dynamics::AllocationOptions options;
};

// Nothing after a mistake, or where inputs are as many as outputs.
std::optional<SharedInputs> shared_inputs(const Scenario&, const PlanModel&, input::Problems&);

// The problem by which the motion is found.
inverse_dynamics::ServoProblem square_problem(const PlanModel&, const std::optional<SharedInputs>&);

struct SharedPlan {
  inverse_dynamics::Plan plan;
  std::optional<inverse_dynamics::Allocation::Miss> miss;  // the first instant at which no sharing keeps the limits
};
SharedPlan make_shared_plan(const PlanModel&, const std::optional<SharedInputs>&, const inverse_dynamics::PlanOptions&);

}  // namespace davit
