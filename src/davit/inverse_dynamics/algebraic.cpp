#include "davit/inverse_dynamics/algebraic.hpp"

#include <cmath>

#include "davit/inverse_dynamics/scaling.hpp"

namespace davit::inverse_dynamics {

namespace {
// Pivots below this part of the largest, after scaling, are zero, unless the gap between pivots says otherwise.
constexpr double usual_threshold = 1e-9;
// Of changes, beside what changes; round-off may not let it be met.
constexpr double tolerance = 1e-14, good_enough = 1e-8;
constexpr double good_enough_for_kept = 1e-11;  // factors: new ones may do better
constexpr double near_enough = 1e-4;            // to go on with the same factors
constexpr int most_iterations = 20;
constexpr double steps_of_guide = 100;
}  // namespace

AlgebraicSolver::AlgebraicSolver(const ServoProblem& problem, int K, double time_scale)
    : problem_(problem),
      equations_(problem),
      array_(problem, K, time_scale),
      row_units_(array_.row_units()),
      column_units_(array_.column_units()),
      threshold_(usual_threshold) {}

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
  equilibrate(matrix_, row_units_, column_units_, row_scale_, column_scale_);
  if (by_gap_) {
    const Rank rank = rank_of_matrix();
    threshold_ = rank.clear() ? rank.threshold : usual_threshold;
  }
  factor_.compute(matrix_, threshold_);
  factored_ = true;
  ++matrices_;
}

Rank AlgebraicSolver::rank_of_matrix() {
  PivotedQr qr;
  MatX Q;
  qr.compute(matrix_, usual_threshold, Q);
  return rank_by_gap(qr.pivots());
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
  double size = relative_size(change.segment(array_.w(0), p), at_.x.segment(array_.w(0), p), array_.units().inputs);
  for (int i = 0; i < 3 * n; ++i) size = std::max(size, std::abs(change[i]) / (column_units_[i] + std::abs(at_.x[i])));
  return size;
}

// By the kept factors, or with new ones at every iteration.
bool AlgebraicSolver::iterate(bool anew) {
  double last = std::numeric_limits<double>::infinity(), last_misfit = last;
  bool renew = true;
  for (int i = 0; i < most_iterations; ++i) {
    ++iterations_;
    array_.residual(at_, residual_);
    if (!residual_.allFinite()) return false;
    if (anew && (renew || last > near_enough)) factor();
    renew = false;
    const VecX scaled = row_scale_.cwiseProduct(residual_);
    const double size = update(-column_scale_.cwiseProduct(factor_.solve(scaled)));
    if (!(size < 1e6)) return false;
    const bool stalled = size > 0.3 * last;
    // What the next change would be, by the rate at which they shrink.
    const double next = stalled || std::isinf(last) ? size : size * size / last;
    last = size;
    if (next < tolerance || (stalled && size < (anew ? good_enough : good_enough_for_kept))) {
      // What is asked for has come to rest; the coefficients behind it may need a little longer.
      const double left = misfit();
      if (left < good_enough) return factor_.rank() >= regular_rank_;
      if (!(left < 0.5 * last_misfit)) return false;
      last_misfit = left;
      renew = true;
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

void AlgebraicSolver::decide_by_gap(bool yes) {
  by_gap_ = yes;
  threshold_ = usual_threshold;
}

void AlgebraicSolver::find_regular_rank() {
  regular_rank_ = 0;
  Eigen::Index most = 0;
  double threshold = usual_threshold;
  for (const bool by_gap : {false, true}) {
    decide_by_gap(by_gap);
    for (const double part : {0.31, 0.53, 0.71}) {
      begin(problem_.start);
      const double t = problem_.start.t + part * (problem_.end - problem_.start.t);
      if (!solve(t, 2) && !solve_along_steps(t)) continue;
      factor();
      const Rank rank = rank_of_matrix();
      most = std::max(most, rank.clear() ? rank.rank : factor_.rank());
      if (rank.clear() && rank.rank != factor_.rank()) threshold = std::min(threshold, rank.threshold);
    }
    if (most > 0) break;
  }
  by_gap_ = false;
  regular_rank_ = most;
  threshold_ = threshold;
  begin(problem_.start);
}

bool AlgebraicSolver::solve_along_steps(double t) {
  if (!guide_) {
    PlanOptions options;
    options.method = Method::minimal_extension;
    options.step = (problem_.end - problem_.start.t) / steps_of_guide;
    guide_ = plan_by_steps(problem_, options);
  }
  const Instant* near = nullptr;
  for (const Instant& at : guide_->points)
    if (at.t > problem_.start.t && (!near || std::abs(at.t - t) < std::abs(near->t - t))) near = &at;
  if (!near) return false;
  const DerivativeArray::Point before = at_;
  const double T = array_.time_scale();
  at_.t = near->t;
  at_.q = near->q;
  at_.x.setZero();
  at_.x.segment(array_.d(1), near->u.size()) = T * near->u;
  at_.x.segment(array_.d(2), near->a.size()) = 0.5 * T * T * near->a;
  at_.x.segment(array_.lambda(0), near->lambda.size()) = near->lambda;
  at_.x.segment(array_.w(0), near->w.size()) = near->w;
  factored_ = false;
  if (iterate(true) && solve(t)) return true;
  factored_ = false;
  at_ = before;
  return false;
}

double AlgebraicSolver::beside(const State& state) const {
  VecX d(problem_.model->nu());
  for (const auto& b : problem_.model->blocks())
    b.block->difference(state.q.data() + b.first_q, at_.q.data() + b.first_q, d.data() + b.first_u);
  return d.cwiseQuotient(array_.units().coordinates).cwiseAbs().maxCoeff();
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
