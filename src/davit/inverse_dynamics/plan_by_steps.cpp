// Plans by time steps from the problem's start.
#include "davit/inverse_dynamics/minimal_extension.hpp"
#include "davit/inverse_dynamics/plan.hpp"
#include "davit/inverse_dynamics/projection.hpp"

namespace davit::inverse_dynamics {

namespace {

template <class Stepper, class Look>
Plan step_through(ServoEquations& equations, Stepper& stepper, double step, Look&& look) {
  const ServoProblem& problem = equations.problem();
  Plan plan;
  Instant now = held_at(equations, problem.start);
  for (const double t : plan_times(problem, step)) {
    if (t > now.t) {
      if (!stepper.step(now, t)) {
        plan.why = "the equations of a step have no solution that Newton's method finds at t = " + std::to_string(t) +
                   " s: try a shorter step, or the algebraic method";
        break;
      }
      look(plan);
    }
    plan.points.push_back(now);
  }
  plan.complete = plan.why.empty();
  plan.iterations = stepper.newton().iterations();
  plan.matrices = stepper.newton().matrices();
  return plan;
}

}  // namespace

Plan plan_by_steps(const ServoProblem& problem, const PlanOptions& options) {
  ServoEquations equations(problem);
  if (options.method == Method::minimal_extension) {
    MinimalExtension stepper(equations, options.scheme);
    return step_through(equations, stepper, options.step, [&](Plan& plan) {
      if (stepper.chosen_anew()) plan.dummies.push_back(stepper.dummies());
    });
  }
  Projection stepper(equations, options.method == Method::projection_constrained);
  return step_through(equations, stepper, options.step, [](Plan&) {});
}

}  // namespace davit::inverse_dynamics
