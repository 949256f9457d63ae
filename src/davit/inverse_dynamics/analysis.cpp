#include "davit/inverse_dynamics/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "davit/inverse_dynamics/algebraic.hpp"
#include "davit/inverse_dynamics/scaling.hpp"
#include "davit/inverse_dynamics/servo_constraint.hpp"
#include "davit/inverse_dynamics/servo_equations.hpp"

namespace davit::inverse_dynamics {

namespace {

constexpr double rank_part = 1e-10;       // singular values below this part of the largest are zero
constexpr double small_component = 1e-6;  // of unit vectors of a null space
constexpr int largest_order = 7;

// Beside a size that it could have.
int rank_of(const MatX& A, double size = 0) {
  if (A.size() == 0) return 0;
  const VecX values = singular_values(A);
  const double least = rank_part * std::max({values[0], size, 1e-300});
  return static_cast<int>((values.array() > least).count());
}

// An orthonormal basis of {x: A x = 0}.
MatX null_space(const MatX& A) {
  if (A.rows() == 0) return MatX::Identity(A.cols(), A.cols());
  PivotedQr qr;
  MatX Q;
  qr.compute_transposed(A, rank_part, Q);
  return Q.rightCols(A.cols() - qr.rank());
}

// Whether unknowns are the same in all that the equations leave open.
bool determined(const MatX& open, int first, int count) {
  return open.cols() == 0 || count == 0 || open.middleRows(first, count).rowwise().norm().maxCoeff() < small_component;
}

// An array at an instant, with its null space.
struct Ranks {
  bool state = false, inputs = false;  // follow from the desired motion
  bool inputs_of_state = false;        // follow from it and the state
  MatX open;                           // null space, columns unscaled
};
Ranks ranks_at(DerivativeArray& array, const DerivativeArray::Point& at, int n, int inputs) {
  MatX A;
  array.matrix(at, A);
  VecX rows, columns;
  equilibrate(A, rows, columns);
  Ranks out;
  const MatX open = null_space(A);
  out.state = determined(open, array.d(0), 2 * n);
  out.inputs = determined(open, array.w(0), inputs);
  out.inputs_of_state = out.inputs;
  if (!out.inputs) {
    // Among those that leave the state alone: combinations whose part of it is next to nothing.
    const SymmetricEigen parts = symmetric_eigen(MatX(open.topRows(2 * n).transpose() * open.topRows(2 * n)));
    const auto still = (parts.values.array() < small_component * small_component).count();
    out.inputs_of_state = determined(open * parts.vectors.leftCols(still), array.w(0), inputs);
  }
  out.open = columns.asDiagonal() * open;
  return out;
}

// A point of one array in another of fewer orders.
DerivativeArray::Point lowered(const DerivativeArray& from, const DerivativeArray::Point& at, const DerivativeArray& to,
                               int n, int m, int p) {
  DerivativeArray::Point out{at.t, at.q, VecX::Zero(to.unknowns())};
  for (int k = 0; k <= to.order(); ++k) out.x.segment(to.d(k), n) = at.x.segment(from.d(k), n);
  for (int k = 0; k <= to.order() - 2; ++k) {
    out.x.segment(to.lambda(k), m) = at.x.segment(from.lambda(k), m);
    out.x.segment(to.w(k), p) = at.x.segment(from.w(k), p);
  }
  return out;
}

void count(const ServoProblem& problem, Analysis& out) {
  ServoEquations equations(problem);
  const int n = equations.speeds();
  Instant at{problem.start.t,
             problem.start.q,
             problem.start.u,
             VecX::Zero(n),
             VecX::Zero(equations.constraints()),
             VecX::Zero(equations.inputs())};
  equations.evaluate(at);
  equations.linearise(at);
  const MatX allowed = null_space(equations.constraint_tangent.gradient);
  out.speeds = n;
  out.independent_constraints = n - static_cast<int>(allowed.cols());
  out.degrees_of_freedom = static_cast<int>(allowed.cols());
  out.inputs = equations.inputs();
  out.outputs = equations.outputs();
  const MatX S = equations.output_tangent.gradient * allowed, B = allowed.transpose() * equations.B;
  out.input_rank = rank_of(B);
  out.output_rank = rank_of(S);
  const MatX M = allowed.transpose() * equations.M * allowed;
  out.massless_motions = out.degrees_of_freedom - rank_of(M);
  // What inputs accelerate, among the motions that have mass.
  MatX answers(M.cols(), B.cols());
  for (Eigen::Index j = 0; j < B.cols(); ++j) answers.col(j) = shortest_least_squares(M, VecX(B.col(j)), rank_part);
  out.coupling_rank = rank_of(MatX(S * answers), S.norm() * answers.norm());
  out.realisation = out.coupling_rank == out.outputs ? Realisation::orthogonal
                    : out.coupling_rank == 0         ? Realisation::tangential
                                                     : Realisation::mixed;
}

// With the state fixed, which orders of the outputs an input appears in.
void find_relative_degrees(DerivativeArray& array, const DerivativeArray::Point& at, const ServoProblem& problem,
                           Analysis& out) {
  const int n = problem.model->nu(), m = problem.model->rows(), p = static_cast<int>(problem.inputs.size()),
            K = array.order(), rows = problem.rows();
  MatX A;
  array.matrix(at, A);
  // Unknowns d_2 … d_K and multipliers, for the motion and the constraints from their second rate on.
  const int moving = n * (K - 1), forces = m * (K - 1);
  MatX equations(n * (K - 1) + m * (K - 1), moving + forces), given(equations.rows(), p);
  equations << A.block(array.motion(0), array.d(2), n * (K - 1), moving),
      A.block(array.motion(0), array.lambda(0), n * (K - 1), forces),
      A.block(array.constraints(2), array.d(2), m * (K - 1), moving), MatX::Zero(m * (K - 1), forces);
  given << A.block(array.motion(0), array.w(0), n * (K - 1), p), MatX::Zero(m * (K - 1), p);
  VecX row_scale, column_scale;
  equilibrate(equations, row_scale, column_scale);
  ShortestLeastSquares solver;
  solver.compute(equations, rank_part);
  out.relative_degrees.assign(static_cast<size_t>(rows), 0);
  for (int j = 0; j < p; ++j) {
    const VecX x = -column_scale.cwiseProduct(solver.solve(VecX(row_scale.cwiseProduct(given.col(j)))));
    const double size = x.head(moving).cwiseAbs().maxCoeff();
    for (int k = 2; k <= K; ++k) {
      const VecX s = A.block(array.outputs(k), array.d(2), rows, moving) * x.head(moving);
      for (int i = 0; i < rows; ++i) {
        int& degree = out.relative_degrees[static_cast<size_t>(i)];
        if (std::abs(s[i]) > 1e-7 * size && (degree == 0 || k < degree)) degree = k;
      }
    }
  }
  for (int i = 0; i < rows; ++i)
    if (out.relative_degrees[static_cast<size_t>(i)] == 0) out.unreachable.push_back(i);
}

// All that the array leaves open of the state are beginnings of motions x(t) that the outputs do not show; about a
// place of rest they obey x' = Λ x, and the null space has x_0 and x_1 of each: Λ = x_0⁺ x_1.
void find_internal_dynamics(DerivativeArray& array, const MatX& open, int n, Analysis& out) {
  MatX now(2 * n, open.cols()), rate(2 * n, open.cols());
  const double T = array.time_scale();
  now << open.middleRows(array.d(0), n), open.middleRows(array.d(1), n) / T;
  rate << open.middleRows(array.d(1), n) / T, 2 * open.middleRows(array.d(2), n) / (T * T);
  const SingularValues svd = singular_value_decomposition(now);
  int states = 0;
  while (states < svd.values.size() && svd.values[states] > 1e-8 * std::max(svd.values[0], 1e-300)) ++states;
  out.internal_states = states;
  if (states == 0) return;
  const MatX combine = svd.V.leftCols(states), x0 = now * combine, x1 = rate * combine;
  const VecXc poles = complex_eigenvalues(least_squares(x0, x1));
  out.internal_poles.assign(poles.begin(), poles.end());
}

// Points of the motion, where one can be found; else the start.
std::vector<DerivativeArray::Point> sample_points(AlgebraicSolver& solver, const ServoProblem& problem) {
  std::vector<DerivativeArray::Point> points;
  solver.begin(problem.start);
  const double length = problem.end - problem.start.t;
  for (const double part : {0.17, 0.31, 0.53, 0.71, 0.83})
    if (solver.solve(problem.start.t + part * length)) points.push_back(solver.point());
  if (points.empty()) {
    solver.begin(problem.start);
    points.push_back(solver.point());
  }
  return points;
}

}  // namespace

const char* name_of(Realisation realisation) {
  switch (realisation) {
    case Realisation::orthogonal:
      return "orthogonal";
    case Realisation::mixed:
      return "mixed orthogonal-tangential";
    case Realisation::tangential:
      break;
  }
  return "tangential";
}

bool Analysis::internal_stable() const {
  return std::all_of(internal_poles.begin(), internal_poles.end(),
                     [](const std::complex<double>& pole) { return pole.real() < 1e-6 * (1 + std::abs(pole)); });
}

double time_scale_of(const ServoProblem& problem) { return (problem.end - problem.start.t) / 15; }

Analysis analyse(const ServoProblem& problem) {
  Analysis out;
  count(problem, out);
  const int n = out.speeds, m = problem.model->rows(), p = out.inputs;
  const double scale = time_scale_of(problem);
  AlgebraicSolver solver(problem, 6, scale);
  const auto points = sample_points(solver, problem);
  for (const auto& at : points) out.looked_at.push_back(at.t);

  // The order at which inputs are determined, at each instant; what most say counts.
  std::vector<int> orders;
  std::map<int, int> votes;
  bool flat = false;
  for (const auto& at : points) {
    int order = 0;
    for (int K = 2; K <= 6 && order == 0; ++K) {
      DerivativeArray array(problem, K, scale);
      const Ranks ranks = ranks_at(array, lowered(solver.array(), at, array, n, m, p), n, p);
      if (ranks.inputs_of_state) order = K;
      if (order > 0) flat = flat || (ranks.inputs && ranks.state);
    }
    orders.push_back(order);
    ++votes[order];
  }
  const int order = std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) {
                      return a.second < b.second;
                    })->first;
  if (order > 0) out.index = order + 1;
  out.flat = flat;
  for (size_t i = 0; i < orders.size(); ++i)
    if (orders[i] != order) out.singular_times.push_back(points[i].t);

  solver.begin(problem.start);
  find_relative_degrees(solver.array(), points.front(), problem, out);
  if (!out.flat && out.index) {
    // Slow and fast internal motions are told apart by several scales of time; what one misses another has.
    for (const double part : {1.0, 0.5, 0.25, 0.125}) {
      DerivativeArray array(problem, largest_order, part * scale);
      DerivativeArray::Point start{problem.start.t, problem.start.q, VecX::Zero(array.unknowns())};
      start.x.segment(array.lambda(0), m) = solver.point().x.segment(solver.array().lambda(0), m);
      start.x.segment(array.w(0), p) = solver.point().x.segment(solver.array().w(0), p);
      Analysis by_scale;
      find_internal_dynamics(array, ranks_at(array, start, n, p).open, n, by_scale);
      if (by_scale.internal_states <= out.internal_states) continue;
      out.internal_states = by_scale.internal_states;
      out.internal_poles = by_scale.internal_poles;
    }
    out.flat = out.internal_states == 0;
  }
  return out;
}

std::vector<AlternativeOutput> alternative_outputs(const ServoProblem& problem) {
  std::vector<AlternativeOutput> out;
  const std::vector<std::string> names = problem.model->speed_names();
  // Speeds that are rates of plain coordinates: blocks with as many coordinates as speeds.
  for (const auto& b : problem.model->blocks()) {
    if (b.block->nq() != b.block->nu()) continue;
    for (int i = 0; i < b.block->nu(); ++i) {
      const CoordinateIndex at{b.first_q + i, b.first_u + i};
      ServoProblem with = problem;
      with.outputs.push_back({names[static_cast<size_t>(at.u)],
                              std::make_shared<CoordinateServo>(std::vector<CoordinateServo::Term>{{at, 1}},
                                                                Motion(problem.start.q[at.q])),
                              1000});
      if (with.rows() != static_cast<int>(with.inputs.size())) return {};
      const Analysis found = analyse(with);
      out.push_back(
          {names[static_cast<size_t>(at.u)], found.flat && found.index && found.unreachable.empty(), found.index});
    }
  }
  return out;
}

}  // namespace davit::inverse_dynamics
