#include "davit/inverse_dynamics/consistent_start.hpp"

#include <cmath>

#include "davit/inverse_dynamics/algebraic.hpp"
#include "davit/inverse_dynamics/plan_track.hpp"

namespace davit::inverse_dynamics {

std::optional<ConsistentStart> find_consistent_start(const ServoProblem& problem, int array_order) {
  AlgebraicSolver solver(problem, array_order, time_scale_of(problem));
  solver.begin(problem.start);
  if (!solver.solve(problem.start.t)) return std::nullopt;
  ConsistentStart out;
  out.state = problem.start;
  out.state.q = solver.point().q;
  out.state.u = solver.values().u;
  const VecX d = difference_of(*problem.model, problem.start.q, out.state.q);
  const VecX& units = solver.array().units().coordinates;
  Eigen::Index most = 0;
  out.beside = d.cwiseQuotient(units).cwiseAbs().maxCoeff(&most);
  out.coordinate = problem.model->speed_names()[static_cast<size_t>(most)];
  out.by = d[most];
  return out;
}

double unrest_at_start(const ServoProblem& problem) {
  ServoEquations equations(problem);
  const Units units = units_of(problem, time_scale_of(problem));
  equations.evaluate(held_at(equations, problem.start));
  return equations.R.cwiseQuotient(units.motion).cwiseAbs().maxCoeff();
}

}  // namespace davit::inverse_dynamics
