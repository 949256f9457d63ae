#include "davit/inverse/plan.hpp"

#include <cmath>

#include "davit/inverse/algebraic.hpp"

namespace davit::inverse_dynamics {

namespace {

// Between two points that were found: coordinates by their differences, the rest in proportion.
void interpolate(const Model& model, const Instant& a, const Instant& b, Instant& at) {
  const double s = (at.t - a.t) / (b.t - a.t);
  VecX d(model.nu());
  at.q.resize(model.nq());
  for (const auto& block : model.blocks())
    block.block->difference(a.q.data() + block.first_q, b.q.data() + block.first_q, d.data() + block.first_u);
  d *= s;
  for (const auto& block : model.blocks())
    block.block->retract(a.q.data() + block.first_q, d.data() + block.first_u, at.q.data() + block.first_q);
  at.u = (1 - s) * a.u + s * b.u;
  at.a = (1 - s) * a.a + s * b.a;
  at.lambda = (1 - s) * a.lambda + s * b.lambda;
  at.w = (1 - s) * a.w + s * b.w;
}

}  // namespace

std::vector<double> plan_times(const ServoProblem& problem, double step) {
  const double begin = problem.start.t, length = problem.end - begin;
  const auto steps = static_cast<long>(std::ceil(length / step - 1e-9));
  std::vector<double> times;
  for (long i = 0; i < steps; ++i) times.push_back(begin + static_cast<double>(i) * step);
  times.push_back(problem.end);
  return times;
}

// Points that have no solution (singular places) are passed over and interpolated; a plan must end with one that has.
Plan plan_algebraic(const ServoProblem& problem, const PlanOptions& options) {
  Plan plan;
  AlgebraicSolver solver(problem, options.array_order, options.time_scale);
  solver.begin(problem.start);
  size_t found = 0;  // points up to here are final
  constexpr size_t most_missing = 200;
  for (const double t : plan_times(problem, options.step)) {
    Instant now;
    now.t = t;
    const bool solved = solver.solve(t);
    if (solved) {
      const auto v = solver.values();
      now.q = solver.point().q;
      now.u = v.u, now.a = v.a, now.lambda = v.lambda, now.w = v.w;
      plan.points.push_back(std::move(now));
      plan.input_rates.push_back(v.w_rate);
      const size_t last = plan.points.size() - 1;
      if (last > found + 1) {
        plan.singular.push_back({plan.points[found].t, plan.points[last].t});
        for (size_t i = found + 1; i < last; ++i) {
          interpolate(*problem.model, plan.points[found], plan.points[last], plan.points[i]);
          plan.input_rates[i] = VecX::Zero(v.w_rate.size());
        }
      }
      found = last;
      continue;
    }
    if (plan.points.empty() || plan.points.size() - found > most_missing) break;
    plan.points.push_back(std::move(now));
    plan.input_rates.emplace_back();
  }
  plan.iterations = solver.iterations();
  plan.matrices = solver.matrices();
  plan.complete = !plan.points.empty() && found + 1 == plan.points.size() && plan.points.back().t >= problem.end;
  if (!plan.complete) {
    plan.why = "no motion of the model does what is asked from t = " +
               std::to_string(plan.points.empty() ? problem.start.t : plan.points[found].t) + " s on";
    plan.points.resize(std::min(plan.points.size(), found + 1));
  }
  return plan;
}

Plan make_plan(const ServoProblem& problem, const PlanOptions& options) {
  return options.method == Method::algebraic ? plan_algebraic(problem, options) : plan_by_steps(problem, options);
}

}  // namespace davit::inverse_dynamics
