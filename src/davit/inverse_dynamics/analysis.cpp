#include "davit/inverse_dynamics/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "davit/inverse_dynamics/algebraic.hpp"
#include "davit/inverse_dynamics/internal_dynamics.hpp"
#include "davit/inverse_dynamics/scaling.hpp"
#include "davit/inverse_dynamics/servo_constraint.hpp"
#include "davit/inverse_dynamics/servo_equations.hpp"

namespace davit::inverse_dynamics {

namespace {

constexpr double rank_part = 1e-10;       // pivots below this part of the largest are zero where no gap shows
constexpr double small_component = 1e-6;  // of unit vectors of a null space

// Of rows and columns brought to the same size; round-off beside the largest entry is not.
Rank rank_of(MatX A) {
  VecX rows, columns;
  const double nothing = A.size() == 0 ? 0 : 1e-13 * A.cwiseAbs().maxCoeff();
  A = A.unaryExpr([nothing](double x) { return std::abs(x) < nothing ? 0 : x; });
  equilibrate(A, rows, columns);
  return A.size() == 0 ? Rank{} : rank_by_gap(singular_values(A));
}

// An orthonormal basis of {x: A x = 0}, and how wide the gap is that it is found by.
struct NullSpace {
  MatX basis;
  Rank rank;
};
NullSpace null_space(const MatX& A) {
  if (A.rows() == 0) return {MatX::Identity(A.cols(), A.cols()), {}};
  PivotedQr qr;
  MatX Q;
  qr.compute_transposed(A, rank_part, Q);
  const Rank rank = rank_by_gap(qr.pivots());
  return {Q.rightCols(A.cols() - rank.rank), rank};
}

// Whether unknowns are the same in all that the equations leave open.
bool determined(const MatX& open, int first, int count) {
  return open.cols() == 0 || count == 0 || open.middleRows(first, count).rowwise().norm().maxCoeff() < small_component;
}

// An array at an instant, with its null space.
struct Ranks {
  bool state = false, inputs = false;  // follow from the desired motion
  bool inputs_of_state = false;        // follow from it and the state
  double gap = 0;
};
Ranks ranks_at(DerivativeArray& array, const DerivativeArray::Point& at, int n, int inputs) {
  MatX A;
  array.matrix(at, A);
  VecX rows, columns;
  equilibrate(A, array.row_units(), array.column_units(), rows, columns);
  Ranks out;
  const auto [open, rank] = null_space(A);
  out.gap = rank.gap;
  out.state = determined(open, array.d(0), 2 * n);
  out.inputs = determined(open, array.w(0), inputs);
  out.inputs_of_state = out.inputs;
  if (!out.inputs) {
    // Among those that leave the state alone: combinations whose part of it is next to nothing.
    const SymmetricEigen parts = symmetric_eigen(MatX(open.topRows(2 * n).transpose() * open.topRows(2 * n)));
    const auto still = (parts.values.array() < small_component * small_component).count();
    out.inputs_of_state = determined(open * parts.vectors.leftCols(still), array.w(0), inputs);
  }
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

// What inputs accelerate of the outputs, as cosines, among motions that have mass.
Eigen::Index coupling_rank(const MatX& S, const MatX& M, const MatX& B) {
  const Rank of_mass = rank_of(M);
  MatX answers(M.cols(), B.cols());
  for (Eigen::Index j = 0; j < B.cols(); ++j)
    answers.col(j) = shortest_least_squares(M, VecX(B.col(j)), of_mass.threshold).normalized();
  MatX P = S * answers;
  for (Eigen::Index i = 0; i < S.rows(); ++i)
    if (const double size = S.row(i).norm(); size > 0) P.row(i) /= size;
  if (P.size() == 0) return 0;
  VecX values(1 + std::min(P.rows(), P.cols()));
  values << 1, singular_values(P) / std::sqrt(static_cast<double>(P.size()));
  return rank_by_gap(values).rank - 1;
}

void count(const ServoProblem& problem, const Units& units, Analysis& out) {
  ServoEquations equations(problem);
  const int n = equations.speeds();
  Instant at{problem.start.t,
             problem.start.q,
             problem.start.u,
             VecX::Zero(n),
             VecX::Zero(equations.constraints()),
             VecX::Zero(equations.inputs())};
  equations.linearise(at);
  const auto of_rows = [&](const MatX& gradient, const VecX& row_units) {
    return MatX(row_units.cwiseInverse().asDiagonal() * gradient * units.coordinates.asDiagonal());
  };
  const MatX allowed = null_space(of_rows(equations.constraint_tangent.gradient, units.constraints)).basis;
  out.speeds = n;
  out.independent_constraints = n - static_cast<int>(allowed.cols());
  out.degrees_of_freedom = static_cast<int>(allowed.cols());
  out.inputs = equations.inputs();
  out.outputs = equations.outputs();
  const MatX S = of_rows(equations.output_tangent.gradient, units.outputs) * allowed;
  const MatX B =
      allowed.transpose() * units.motion.cwiseInverse().asDiagonal() * equations.B * units.inputs.asDiagonal();
  const MatX M =
      allowed.transpose() * units.coordinates.asDiagonal() * equations.M * units.coordinates.asDiagonal() * allowed;
  out.input_rank = static_cast<int>(rank_of(B).rank);
  out.output_rank = static_cast<int>(rank_of(S).rank);
  out.massless_motions = out.degrees_of_freedom - static_cast<int>(rank_of(M).rank);
  out.coupling_rank = static_cast<int>(coupling_rank(S, M, B));
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
  const VecX of_rows = array.row_units(), of_columns = array.column_units();
  VecX row_units(equations.rows()), column_units(equations.cols());
  row_units << of_rows.segment(array.motion(0), n * (K - 1)), of_rows.segment(array.constraints(2), m * (K - 1));
  column_units << of_columns.segment(array.d(2), moving), of_columns.segment(array.lambda(0), forces);
  equilibrate(equations, row_units, column_units, row_scale, column_scale);
  PivotedQr qr;
  MatX Q;
  qr.compute(equations, rank_part, Q);
  ShortestLeastSquares solver;
  solver.compute(equations, rank_by_gap(qr.pivots()).threshold);
  out.relative_degrees.assign(static_cast<size_t>(rows), 0);
  for (int j = 0; j < p; ++j) {
    const VecX x = -column_scale.cwiseProduct(solver.solve(VecX(row_scale.cwiseProduct(given.col(j)))));
    const double size = x.head(moving).cwiseQuotient(column_units.head(moving)).cwiseAbs().maxCoeff();
    for (int k = 2; k <= K; ++k) {
      const VecX s =
          (A.block(array.outputs(k), array.d(2), rows, moving) * x.head(moving)).cwiseQuotient(array.units().outputs);
      for (int i = 0; i < rows; ++i) {
        int& degree = out.relative_degrees[static_cast<size_t>(i)];
        if (std::abs(s[i]) > 1e-7 * size && (degree == 0 || k < degree)) degree = k;
      }
    }
  }
  for (int i = 0; i < rows; ++i)
    if (out.relative_degrees[static_cast<size_t>(i)] == 0) out.unreachable.push_back(i);
}

Instant instant_of(const DerivativeArray& array, const DerivativeArray::Point& at) {
  const DerivativeArray::Values v = array.values(at);
  return {at.t, at.q, v.u, v.a, v.lambda, v.w};
}

// Points of the motion, where one can be found; else the start.
std::vector<DerivativeArray::Point> sample_points(AlgebraicSolver& solver, const ServoProblem& problem) {
  std::vector<DerivativeArray::Point> points;
  const double length = problem.end - problem.start.t;
  for (const bool by_gap : {false, true}) {
    solver.decide_by_gap(by_gap);
    solver.begin(problem.start);
    for (const double part : {0.17, 0.31, 0.53, 0.71, 0.83}) {
      const double t = problem.start.t + part * length;
      if (solver.solve(t) || (points.empty() && solver.solve_along_steps(t))) points.push_back(solver.point());
    }
    if (!points.empty()) break;
  }
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

Analysis analyse(const ServoProblem& problem) {
  Analysis out;
  const double scale = time_scale_of(problem);
  AlgebraicSolver solver(problem, 6, scale);
  count(problem, solver.array().units(), out);
  const int n = out.speeds, m = problem.model->rows(), p = out.inputs;
  const auto points = sample_points(solver, problem);
  for (const auto& at : points) out.looked_at.push_back(at.t);

  // The order at which inputs are determined, at each instant; what most say counts.
  std::vector<int> orders;
  std::map<int, int> votes;
  bool flat = false;
  const auto order_at = [&](const DerivativeArray::Point& at) {
    for (int K = 2; K <= 6; ++K) {
      DerivativeArray array(problem, K, scale);
      const Ranks ranks = ranks_at(array, lowered(solver.array(), at, array, n, m, p), n, p);
      if (!ranks.inputs_of_state) continue;
      out.least_gap = out.least_gap > 0 ? std::min(out.least_gap, ranks.gap) : ranks.gap;
      flat = flat || (ranks.inputs && ranks.state);
      return K;
    }
    return 0;
  };
  for (const auto& at : points) {
    const int order = order_at(at);
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
  if (out.flat || !out.index) return out;
  ServoEquations equations(problem);
  std::optional<Poles> poles = internal_poles(equations, solver.array().units(), held_at(equations, problem.start));
  // At a start that is singular itself, those of an instant of the motion.
  if (!poles) poles = internal_poles(equations, solver.array().units(), instant_of(solver.array(), points.front()));
  if (!poles) return out;
  out.internal_poles = *poles;
  out.internal_states = static_cast<int>(poles->size());
  if (!poles->empty()) return out;
  // What the linear model about rest shows at all, and the motion in a degenerate way alone: as at rest.
  solver.begin(problem.start);
  out.flat = out.flat_about_rest = true;
  if (const int at_rest = order_at(solver.point()); at_rest > 0) out.index = at_rest + 1;
  out.unreachable.clear();
  find_relative_degrees(solver.array(), solver.point(), problem, out);
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
          {names[static_cast<size_t>(at.u)], at, found.flat && found.index && found.unreachable.empty(), found.index});
    }
  }
  return out;
}

}  // namespace davit::inverse_dynamics
