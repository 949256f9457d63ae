#include "davit/inverse_dynamics/algebraic.hpp"

#include <cmath>

#include "davit/inverse_dynamics/scaling.hpp"

namespace davit::inverse_dynamics {

namespace {
// Singular values below this part of the largest, after scaling, are zero.
constexpr double rank_threshold = 1e-9;
// Of changes, beside what changes; round-off may not let it be met.
constexpr double tolerance = 1e-12, good_enough = 1e-8;
constexpr double near_enough = 1e-4;  // to go on with the same factors
constexpr int most_iterations = 20;
}  // namespace

AlgebraicSolver::AlgebraicSolver(const ServoProblem& problem, int K, double time_scale)
    : problem_(problem), equations_(problem), array_(problem, K, time_scale) {}

void AlgebraicSolver::begin(const State& near) {
  at_.t = near.t;
  at_.q = near.q;
  at_.x.setZero(array_.unknowns());
  at_.x.segment(array_.d(1), near.u.size()) = array_.time_scale() * near.u;
  factored_ = false;
  const Instant held = held_at(equations_, near);
  at_.x.segment(array_.lambda(0), held.lambda.size()) = held.lambda;
  at_.x.segment(array_.w(0), held.w.size()) = held.w;
}

void AlgebraicSolver::factor() {
  array_.matrix(at_, matrix_);
  equilibrate(matrix_, row_scale_, column_scale_);
  factor_.compute(matrix_, rank_threshold);
  factored_ = true;
  ++matrices_;
}

// The series continued to a time, as far as its coefficients are determined: the last of them are whatever is shortest.
void AlgebraicSolver::predict(double t) {
  const double step = (t - at_.t) / array_.time_scale();
  const int K = array_.order(), n = problem_.model->nu();
  const auto shift = [&](int count, int orders, auto&& place) {
    for (int k = 0; k < orders; ++k)
      for (int i = 0; i < count; ++i) {
        double sum = 0;
        for (int j = orders - 1; j >= k; --j) {
          double binomial = 1;
          for (int b = 1; b <= k; ++b) binomial *= double(j - k + b) / b;
          sum += binomial * at_.x[place(j) + i] * std::pow(step, j - k);
        }
        at_.x[place(k) + i] = sum;
      }
  };
  shift(n, K - 1, [&](int k) { return array_.d(k); });
  shift(problem_.model->rows(), K - 3, [&](int k) { return array_.lambda(k); });
  shift(static_cast<int>(problem_.inputs.size()), K - 3, [&](int k) { return array_.w(k); });
  at_.t = t;
}

// Adds a change and takes d_0 into the coordinates. How large it was in what is asked for, scaled.
double AlgebraicSolver::update(const VecX& change) {
  const int n = problem_.model->nu(), p = static_cast<int>(problem_.inputs.size());
  at_.x += change;
  const VecX moved = at_.x.segment(array_.d(0), n);
  VecX q(at_.q.size());
  for (const auto& b : problem_.model->blocks())
    b.block->retract(at_.q.data() + b.first_q, moved.data() + b.first_u, q.data() + b.first_q);
  at_.q = q;
  at_.x.segment(array_.d(0), n).setZero();
  double size = 0;
  for (int i = 0; i < 3 * n; ++i) size = std::max(size, std::abs(change[i]) / (1 + std::abs(at_.x[i])));
  for (int i = 0; i < p; ++i) {
    const double most = at_.x.segment(array_.w(0), p).cwiseAbs().maxCoeff();
    size = std::max(size, std::abs(change[array_.w(0) + i]) / (1 + most));
  }
  return size;
}

// By the kept factors, or with new ones at every iteration.
bool AlgebraicSolver::iterate(bool anew) {
  double last = std::numeric_limits<double>::infinity(), last_misfit = last;
  for (int i = 0; i < most_iterations; ++i) {
    ++iterations_;
    array_.residual(at_, residual_);
    if (!residual_.allFinite()) return false;
    if (anew && (i == 0 || last > near_enough)) factor();
    const VecX scaled = row_scale_.cwiseProduct(residual_);
    const double size = update(-column_scale_.cwiseProduct(factor_.solve(scaled)));
    if (!(size < 1e6)) return false;
    const bool stalled = size > 0.3 * last;
    // What the next change would be, by the rate at which they shrink.
    const double next = stalled || std::isinf(last) ? size : size * size / last;
    last = size;
    if (next < tolerance || (stalled && size < good_enough)) {
      // What is asked for has come to rest; the coefficients behind it may need a little longer.
      const double left = misfit();
      if (left < good_enough) return factor_.rank() >= regular_rank_;
      if (!(left < 0.5 * last_misfit)) return false;
      last_misfit = left;
      continue;
    }
    if (stalled && !anew) return false;
  }
  return false;
}

// What is left of the equations, beside the size of their terms.
double AlgebraicSolver::misfit() {
  array_.residual(at_, residual_);
  const VecX scaled = at_.x.cwiseQuotient(column_scale_).cwiseAbs();
  const int n = problem_.model->nu(), m = problem_.model->rows(), p = static_cast<int>(problem_.inputs.size());
  double terms = 1 + std::max(scaled.head(3 * n).maxCoeff(), scaled.segment(array_.w(0), p).maxCoeff());
  if (m > 0) terms = std::max(terms, scaled.segment(array_.lambda(0), m).maxCoeff());
  return row_scale_.cwiseProduct(residual_).cwiseAbs().maxCoeff() / terms;
}

void AlgebraicSolver::find_regular_rank() {
  regular_rank_ = 0;
  Eigen::Index most = 0;
  for (const double part : {0.31, 0.53, 0.71}) {
    begin(problem_.start);
    if (solve(problem_.start.t + part * (problem_.end - problem_.start.t), 2)) most = std::max(most, factor_.rank());
  }
  regular_rank_ = most;
  begin(problem_.start);
}

bool AlgebraicSolver::solve(double t, int halvings) {
  const DerivativeArray::Point before = at_;
  const auto from_before = [&](bool anew) {
    at_ = before;
    if (t != at_.t) predict(t);
    return iterate(anew);
  };
  if ((factored_ && from_before(false)) || from_before(true)) return true;
  factored_ = false;
  at_ = before;
  if (halvings > 0 && t != before.t && solve(0.5 * (before.t + t), halvings - 1) && solve(t, halvings - 1)) return true;
  factored_ = false;
  at_ = before;
  return false;
}

}  // namespace davit::inverse_dynamics
