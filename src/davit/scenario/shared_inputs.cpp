#include "davit/scenario/shared_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace davit {

namespace {

using inverse_dynamics::AllocationOptions;
using inverse_dynamics::AllocationSpec;
using inverse_dynamics::ForceLimit;
using inverse_dynamics::PlanSpec;

constexpr double inside = 1e-9;  // of a limit, so that round-off keeps it too

// A winch's share is that of its rope's pull, w/ratio.
VecX shares_of(const AllocationSpec& spec, const PlanModel& model, input::Problems& problems) {
  VecX shares(static_cast<Eigen::Index>(model.inputs.size()));
  for (size_t i = 0; i < model.inputs.size(); ++i)
    shares[static_cast<Eigen::Index>(i)] = model.inputs[i].ratio * model.inputs[i].ratio;
  for (const auto& [name, weight] : spec.weights) {
    bool known = false;
    for (size_t i = 0; i < model.inputs.size(); ++i)
      if (model.inputs[i].name == name) shares[static_cast<Eigen::Index>(i)] *= weight, known = true;
    if (!known) problems.error(spec.where, "'" + name + "' is no input of the plan", "name one of its inputs");
  }
  return shares;
}

void add_input(const PlannedInput& input, size_t i, double most, std::vector<ForceLimit>& limits) {
  most *= 1 - inside;
  limits.push_back({input.name + (input.angle ? ": torque" : ": force"), -1, static_cast<int>(i), -most, most, most});
}

// Ropes pull; tension is -λ of their row.
void add_rope(const PlanSpec& plan, const rope::BuiltRope& rope, std::vector<ForceLimit>& limits,
              input::Problems& problems) {
  double least = 0, most = std::numeric_limits<double>::infinity();
  for (const auto& [name, limit] : plan.limits) {
    if (name != rope.name) continue;
    if (limit.least_tension) least = input::require(*limit.least_tension, input::unit("N"), problems).value_or(0);
    if (limit.tension) most = input::require(*limit.tension, input::unit("N"), problems).value_or(most);
  }
  const double none = -std::numeric_limits<double>::infinity();
  if (std::isfinite(most)) limits.push_back({rope.name + ": tension", rope.row, -1, -most * (1 - inside), -none, most});
  limits.push_back({rope.name + ": least tension", rope.row, -1, none, -least * (1 + inside), least});
}

std::vector<ForceLimit> limits_of(const Scenario& scenario, const PlanModel& model, input::Problems& problems) {
  const PlanSpec& plan = *scenario.specification.plan;
  std::vector<ForceLimit> limits;
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    const PlannedInput& input = model.inputs[i];
    for (const auto& [name, limit] : plan.limits)
      if (name == input.name && limit.force)
        if (const auto most = input::require(*limit.force, input::unit(input.unit), problems))
          add_input(input, i, *most, limits);
    if (const auto* winch = scenario.specification.elements.find<rope::WinchSpec>(input.name);
        winch && winch->limits.torque)
      add_input(input, i, *winch->limits.torque, limits);
  }
  for (const rope::BuiltRope& rope : model.ropes) add_rope(plan, rope, limits, problems);
  return limits;
}

}  // namespace

std::optional<SharedInputs> shared_inputs(const Scenario& scenario, const PlanModel& model, input::Problems& problems) {
  const PlanSpec& plan = *scenario.specification.plan;
  const int inputs = static_cast<int>(model.problem.inputs.size()), rows = model.problem.rows();
  if (!plan.allocation) return std::nullopt;
  if (inputs <= rows) {
    problems.error(plan.allocation->where,
                   fmt::format("there are {} inputs and {} outputs: nothing is to be shared", inputs, rows),
                   "leave out 'allocation'");
    return std::nullopt;
  }
  const inverse_dynamics::Redundancy found = inverse_dynamics::redundancy_of(model.problem);
  if (static_cast<int>(found.base.size()) != rows) {
    const int open = inputs - rows - found.internal;
    problems.error(
        plan.allocation->where,
        open > 0
            ? fmt::format("of the {} inputs that are more than outputs {} only balance others and can be shared; {} "
                          "{} free to move something that no output says",
                          inputs - rows, found.internal, open, open == 1 ? "is" : "are")
            : fmt::format("there are {} outputs, and the inputs can do {} things only", rows, found.base.size()),
        open > 0 ? fmt::format("add {} output{}, or leave inputs out", open, open == 1 ? "" : "s")
                 : "leave outputs out, or drive more");
    return std::nullopt;
  }
  SharedInputs out{found.base, {shares_of(*plan.allocation, model, problems), limits_of(scenario, model, problems)}};
  if (problems.has_errors()) return std::nullopt;
  return out;
}

inverse_dynamics::ServoProblem square_problem(const PlanModel& model, const std::optional<SharedInputs>& shared) {
  return shared ? inverse_dynamics::with_inputs(model.problem, shared->base) : model.problem;
}

SharedPlan make_shared_plan(const PlanModel& model, const std::optional<SharedInputs>& shared,
                            const inverse_dynamics::PlanOptions& options) {
  const inverse_dynamics::ServoProblem square = square_problem(model, shared);
  SharedPlan out{inverse_dynamics::make_plan(square, options), std::nullopt};
  if (shared) out.miss = inverse_dynamics::Allocation(model.problem, shared->options).share(out.plan);
  return out;
}

}  // namespace davit
