#include "davit/inverse_dynamics/plan.hpp"

#include <algorithm>
#include <cmath>

#include "davit/inverse_dynamics/algebraic.hpp"

namespace davit::inverse_dynamics {

namespace {

constexpr double same_place = 1e-9;

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

std::vector<double> plan_times_with_breakpoints(const ServoProblem& problem, double step) {
  std::vector<double> times = plan_times(problem, step);
  for (const double t : problem.breakpoints()) {
    const auto near = std::lower_bound(times.begin(), times.end(), t - 1e-6 * step);
    if (near != times.end() && *near < t + 1e-6 * step) times.erase(near);
    const auto after = std::lower_bound(times.begin(), times.end(), t);
    times.insert(after, {t, t});
  }
  return times;
}

// Points that have no solution (singular places) are passed over and interpolated; a plan must end with one that has.
Plan plan_algebraic(const ServoProblem& problem, const PlanOptions& options) {
  Plan plan;
  AlgebraicSolver solver(problem, options.array_order, options.time_scale);
  solver.find_regular_rank();
  size_t found = 0;  // points up to here are final
  constexpr size_t most_missing = 200;
  const std::vector<double> times =
      options.times.empty() ? plan_times_with_breakpoints(problem, options.step) : options.times;
  for (size_t i = 0; i < times.size(); ++i) {
    Instant now;
    now.t = times[i];
    // Of a time that comes twice, the first is just before it.
    const bool before = i + 1 < times.size() && times[i] == times[i + 1];
    // After a place without solution it is looked for from where one was found last, at once.
    const bool lost = plan.points.size() > found + 1;
    const double t = before ? std::nextafter(now.t, -1e300) : now.t;
    const bool away_from_start = found == 0 && i > 0;
    if (solver.solve(t, lost ? 0 : 6) || (away_from_start && solver.solve_along_steps(t))) {
      const auto v = solver.values();
      now.q = solver.point().q;
      // The start as it is, where it is found again.
      if (i == 0 && solver.beside(problem.start) < same_place) now.q = problem.start.q;
      now.u = v.u, now.a = v.a, now.lambda = v.lambda, now.w = v.w;
      plan.points.push_back(std::move(now));
      plan.input_rates.push_back(v.w_rate);
      const size_t last = plan.points.size() - 1;
      if (last > found + 1) {
        plan.singular.push_back({plan.points[found].t, plan.points[last].t});
        for (size_t j = found + 1; j < last; ++j) {
          interpolate(*problem.model, plan.points[found], plan.points[last], plan.points[j]);
          plan.input_rates[j] =
              (plan.points[last].w - plan.points[found].w) / (plan.points[last].t - plan.points[found].t);
        }
      }
      found = last;
      continue;
    }
    if (plan.points.size() > found + most_missing) break;
    // A start without solution (a pulley whose height is 0/0) is what the problem says it is.
    if (plan.points.empty()) {
      const auto v = solver.values();
      now.q = problem.start.q;
      now.u = problem.start.u, now.a = VecX::Zero(v.a.size()), now.lambda = v.lambda, now.w = v.w;
    }
    plan.points.push_back(std::move(now));
    plan.input_rates.push_back(VecX::Zero(static_cast<Eigen::Index>(problem.inputs.size())));
  }
  plan.iterations = solver.iterations();
  plan.matrices = solver.matrices();
  plan.complete = !plan.points.empty() && found + 1 == plan.points.size() && plan.points.back().t >= times.back();
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
