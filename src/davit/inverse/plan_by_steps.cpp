// Plans by time steps from the problem's start.
#include "davit/inverse/minimal_extension.hpp"
#include "davit/inverse/plan.hpp"
#include "davit/inverse/projection.hpp"

namespace davit::inverse_dynamics {

namespace {

// Multipliers and inputs that come nearest to keeping the model as it is at its start.
Instant start_of(ServoEquations& equations) {
  const State& start = equations.problem().start;
  const int n = equations.speeds(), m = equations.constraints(), p = equations.inputs();
  Instant at{start.t, start.q, start.u, VecX::Zero(n), VecX::Zero(m), VecX::Zero(p)};
  equations.evaluate(at);
  equations.linearise(at);
  MatX forces(n, m + p);
  forces << equations.constraint_tangent.gradient.transpose(), equations.B;
  const VecX held = shortest_least_squares(forces, equations.R, 1e-11);
  at.lambda = held.head(m);
  at.w = held.tail(p);
  return at;
}

template <class Stepper, class Look>
Plan step_through(ServoEquations& equations, Stepper& stepper, double step, Look&& look) {
  const ServoProblem& problem = equations.problem();
  Plan plan;
  Instant now = start_of(equations);
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
