#include "davit/inverse_dynamics/allocation.hpp"

#include <cmath>

namespace davit::inverse_dynamics {

namespace {

constexpr double open_part = 1e-9;     // of columns of about one, below which they are dependent
constexpr double small_cost = 1e-13;   // of forces that cost nothing, so that they are definite
constexpr double small_change = 1e-9;  // likewise, beside what is exceeded
constexpr double kept_part = 1e-9;     // of a limit

// One over the size of each column.
VecX column_scale(const MatX& forces) {
  VecX scale = VecX::Ones(forces.cols());
  for (Eigen::Index j = 0; j < forces.cols(); ++j)
    if (const double size = forces.col(j).norm(); size > 0) scale[j] = 1 / size;
  return scale;
}

// λ and w that balance nothing but each other.
MatX balanced(const MatX& forces) {
  const VecX scale = column_scale(forces);
  return scale.asDiagonal() * kernel(MatX(forces * scale.asDiagonal()), open_part);
}

}  // namespace

ServoProblem with_inputs(const ServoProblem& problem, const std::vector<int>& places) {
  ServoProblem out = problem;
  out.inputs.clear();
  for (const int i : places) out.inputs.push_back(problem.inputs[static_cast<size_t>(i)]);
  return out;
}

// Inputs may be left out if the balanced forces in them are independent: what they do, the others can do.
Redundancy redundancy_of(const ServoProblem& problem) {
  ServoEquations equations(problem);
  const int n = equations.speeds(), m = equations.constraints(), p = equations.inputs();
  const Instant at{problem.start.t, problem.start.q, problem.start.u, VecX::Zero(n), VecX::Zero(m), VecX::Zero(p)};
  equations.evaluate(at);
  equations.linearise(at);
  MatX forces(n, m + p);
  forces << equations.constraint_tangent.gradient.transpose(), equations.B;
  const MatX of_inputs = balanced(forces).bottomRows(p);
  Redundancy out;
  std::vector<bool> left_out(static_cast<size_t>(p), false);
  if (of_inputs.cols() > 0 && of_inputs.cwiseAbs().maxCoeff() > 0) {
    const VecX parts = singular_values(of_inputs);
    out.internal = static_cast<int>((parts.array() > 1e-7 * parts[0]).count());
    const std::vector<int> order = pivot_columns(MatX(of_inputs.transpose()));
    for (int k = 0; k < out.internal; ++k) left_out[static_cast<size_t>(order[static_cast<size_t>(k)])] = true;
  }
  for (int i = 0; i < p; ++i)
    if (!left_out[static_cast<size_t>(i)]) out.base.push_back(i);
  return out;
}

Allocation::Allocation(const ServoProblem& problem, AllocationOptions options)
    : equations_(problem), options_(std::move(options)) {
  for (size_t i = 0; i < options_.limits.size(); ++i) {
    if (std::isfinite(options_.limits[i].most)) sides_.push_back({static_cast<int>(i), 1});
    if (std::isfinite(options_.limits[i].least)) sides_.push_back({static_cast<int>(i), -1});
  }
}

void Allocation::find_forces(const Instant& now) {
  const int n = equations_.speeds(), m = equations_.constraints(), p = equations_.inputs();
  Instant at{now.t, now.q, now.u, now.a, VecX::Zero(m), VecX::Zero(p)};
  equations_.evaluate(at);
  needed_ = equations_.R;
  forces_.resize(n, m + p);
  forces_.leftCols(m) = equations_.constraint_gradient().transpose();
  for (int i = 0; i < p; ++i) {
    at.w.setZero();
    at.w[i] = 1;
    equations_.evaluate(at);
    forces_.col(m + i) = needed_ - equations_.R;
  }
}

void Allocation::find_balanced() {
  balanced_ = balanced(forces_);
  const VecX scale = column_scale(forces_);
  some_ = scale.cwiseProduct(shortest_least_squares(MatX(forces_ * scale.asDiagonal()), needed_, open_part));
  largest_ = std::max(some_.cwiseAbs().maxCoeff(), 1e-300);
}

// With x = x₀ + Z ξ the least Σ w_i²/s_i over ξ, both in units of the largest force.
QuadraticProgramme Allocation::programme() const {
  const int m = equations_.constraints(), p = equations_.inputs();
  const VecX cost = options_.shares.minCoeff() * options_.shares.cwiseInverse();
  const MatX of_inputs = balanced_.bottomRows(p);
  QuadraticProgramme out;
  out.H = of_inputs.transpose() * cost.asDiagonal() * of_inputs + small_cost * balanced_.transpose() * balanced_;
  out.c = (of_inputs.transpose() * cost.cwiseProduct(some_.tail(p)) + small_cost * balanced_.transpose() * some_) /
          largest_;
  out.A.resize(static_cast<Eigen::Index>(sides_.size()), balanced_.cols());
  out.b.resize(out.A.rows());
  for (Eigen::Index r = 0; r < out.A.rows(); ++r) {
    const Side& side = sides_[static_cast<size_t>(r)];
    const ForceLimit& limit = options_.limits[static_cast<size_t>(side.limit)];
    const Eigen::Index at = limit.input >= 0 ? m + limit.input : limit.row;
    out.A.row(r) = side.sign * balanced_.row(at);
    out.b[r] = side.sign * ((side.sign > 0 ? limit.most : limit.least) - some_[at]) / largest_;
  }
  return out;
}

// The ξ with the least v of A ξ ≤ b + v scale.
VecX Allocation::least_excess(const QuadraticProgramme& strict) const {
  const Eigen::Index free = strict.c.size(), rows = strict.b.size();
  QuadraticProgramme relaxed;
  relaxed.H = small_change * MatX::Identity(free + 1, free + 1);
  relaxed.c = VecX::Unit(free + 1, free);
  relaxed.A = MatX::Zero(rows + 1, free + 1);
  relaxed.A.topLeftCorner(rows, free) = strict.A;
  for (Eigen::Index r = 0; r < rows; ++r)
    relaxed.A(r, free) =
        -scale_of(options_.limits[static_cast<size_t>(sides_[static_cast<size_t>(r)].limit)]) / largest_;
  relaxed.A(rows, free) = -1;
  relaxed.b = VecX::Zero(rows + 1);
  relaxed.b.head(rows) = strict.b;
  return solve(relaxed).x.head(free);
}

std::optional<Allocation::Miss> Allocation::worst_miss(const Instant& at) const {
  Miss miss{at.t, -1, kept_part};
  for (const Side& side : sides_) {
    const ForceLimit& limit = options_.limits[static_cast<size_t>(side.limit)];
    const double force = limit.input >= 0 ? at.w[limit.input] : at.lambda[limit.row];
    const double by = (side.sign > 0 ? force - limit.most : limit.least - force) / scale_of(limit);
    if (by > miss.by) miss.by = by, miss.limit = side.limit;
  }
  if (miss.limit < 0) return std::nullopt;
  return miss;
}

std::optional<Allocation::Miss> Allocation::share(Instant& now) {
  find_forces(now);
  find_balanced();
  VecX all = some_;
  if (balanced_.cols() > 0) {
    const QuadraticProgramme strict = programme();
    const QuadraticOptimum best = solve(strict);
    all += largest_ * (balanced_ * (best.found ? best.x : least_excess(strict)));
  }
  now.lambda = all.head(equations_.constraints());
  now.w = all.tail(equations_.inputs());
  return worst_miss(now);
}

std::optional<Allocation::Miss> Allocation::share(Plan& plan) {
  std::optional<Miss> first;
  for (Instant& at : plan.points)
    if (const auto miss = share(at); miss && !first) first = miss;
  plan.input_rates.clear();
  return first;
}

}  // namespace davit::inverse_dynamics
