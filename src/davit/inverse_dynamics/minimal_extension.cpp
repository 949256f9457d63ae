#include "davit/inverse_dynamics/minimal_extension.hpp"

#include <cmath>

namespace davit::inverse_dynamics {

namespace {

// Hairer & Wanner, Solving Ordinary Differential Equations II, IV.5: Radau IIA of order five.
Mat3 radau_matrix() {
  const double r = std::sqrt(6.0);
  Mat3 A;
  A << (88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225, (296 + 169 * r) / 1800, (88 + 7 * r) / 360,
      (-2 - 3 * r) / 225, (16 - r) / 36, (16 + r) / 36, 1.0 / 9;
  return A;
}

// Dummies are chosen anew when the block of the gradient that they have is this much worse than the best one.
constexpr double much_worse = 20;

}  // namespace

MinimalExtension::MinimalExtension(ServoEquations& equations, Scheme scheme)
    : equations_(equations),
      units_(units_of(equations.problem(), time_scale_of(equations.problem()))),
      scheme_(scheme),
      n_(equations.speeds()),
      m_(equations.constraints()),
      p_(equations.outputs()),
      width_(n_ + 2 * p_ + m_ + equations.inputs()),
      stages_(scheme == Scheme::radau ? 3 : 1),
      newton_(scheme == Scheme::radau ? 1e-9 : 1e-10) {
  beta_.resize(stages_, stages_);
  stage_.resize(static_cast<size_t>(stages_));
  constexpr double next_to_none = 1e-6;
  of_equal_energy_ = units_.coordinates.cwiseQuotient(units_.inertias.cwiseMax(next_to_none).cwiseSqrt());
  u0_.assign(static_cast<size_t>(stages_), VecX::Zero(n_));
  a0_ = u0_;
  c_ = stages_ == 3 ? VecX(radau_matrix().rowwise().sum()) : VecX::Ones(1);
}

// The coordinates by which outputs are moved most, with the same energy in each, and independently, kept while they are
// good enough: their block is looked at in every step by its least pivot, and the choice again when that has become
// smaller.
void MinimalExtension::choose_dummies(MatX gradient) {
  gradient = units_.outputs.cwiseInverse().asDiagonal() * gradient * of_equal_energy_.asDiagonal();
  const auto take = [&](const std::vector<int>& columns) -> const MatX& {
    block_.resize(p_, p_);
    for (int j = 0; j < p_; ++j) block_.col(j) = gradient.col(columns[static_cast<size_t>(j)]);
    return block_;
  };
  const auto least_pivot = [&](const std::vector<int>& columns) {
    block_factor_.compute(take(columns));
    return block_factor_.least_pivot();
  };
  const auto least_value = [&](const std::vector<int>& columns) { return singular_values(take(columns))[p_ - 1]; };
  chosen_anew_ = false;
  if (!dummies_.empty() && 2 * least_pivot(dummies_) > pivot_when_looked_at_) return;
  std::vector<int> best = pivot_columns(gradient);
  best.resize(static_cast<size_t>(p_));
  if (dummies_.empty() || least_value(dummies_) * much_worse < least_value(best)) {
    chosen_anew_ = true;
    dummies_ = best;
    is_dummy_.assign(static_cast<size_t>(n_), 0);
    for (const int i : dummies_) is_dummy_[static_cast<size_t>(i)] = 1;
    newton_.forget();
  }
  pivot_when_looked_at_ = least_pivot(dummies_);
}

void MinimalExtension::set_scheme(const Instant& now, double h) {
  if (std::abs(h - h_) > 1e-9 * h) newton_.forget();
  if (scheme_ == Scheme::radau) {
    beta_ = radau_matrix().inverse() / h;
    for (int s = 0; s < 3; ++s) a0_[static_cast<size_t>(s)] = -beta_.row(s).sum() * now.u;
  } else if (scheme_ == Scheme::bdf2 && has_before_ && std::abs(h - h_before_) < 1e-9 * h) {
    if (std::abs(beta_(0, 0) * h - 1.5) > 1e-6) newton_.forget();
    beta_(0, 0) = 1.5 / h;
    u0_[0] = -0.5 / h * d_before_;
    a0_[0] = (0.5 * u_before_ - 2 * now.u) / h;
  } else {
    beta_(0, 0) = 1 / h;
    u0_[0].setZero();
    a0_[0] = -now.u / h;
  }
  beta2_ = beta_ * beta_;
  h_ = h;
}

// Fills the instants of the stages.
void MinimalExtension::spread(const VecX& x) {
  const Model& model = *equations_.problem().model;
  for (int s = 0; s < stages_; ++s) {
    Instant& at = stage_[static_cast<size_t>(s)];
    at.t = start_t_ + c_[s] * h_;
    at.q.resize(model.nq());
    for (const auto& b : model.blocks())
      b.block->retract(start_q_.data() + b.first_q, x.data() + d(s) + b.first_u, at.q.data() + b.first_q);
    at.u = u0_[static_cast<size_t>(s)];
    for (int j = 0; j < stages_; ++j) at.u += beta_(s, j) * x.segment(d(j), n_);
    at.lambda = x.segment(lambda(s), m_);
    at.w = x.segment(w(s), equations_.inputs());
  }
  for (int s = 0; s < stages_; ++s) {
    Instant& at = stage_[static_cast<size_t>(s)];
    at.a = a0_[static_cast<size_t>(s)];
    for (int j = 0; j < stages_; ++j) at.a += beta_(s, j) * stage_[static_cast<size_t>(j)].u;
  }
  for (int s = 0; s < stages_; ++s)
    for (int k = 0; k < p_; ++k) {
      const int i = dummies_[static_cast<size_t>(k)];
      stage_[static_cast<size_t>(s)].u[i] = x[speed(s) + k];
      stage_[static_cast<size_t>(s)].a[i] = x[acceleration(s) + k];
    }
}

void MinimalExtension::residual(const VecX& x, VecX& r) {
  spread(x);
  r.resize(width_ * stages_);
  for (int s = 0; s < stages_; ++s) {
    equations_.evaluate(stage_[static_cast<size_t>(s)]);
    r.segment(d(s), width_) << equations_.R, equations_.constraint.value, equations_.output.value,
        equations_.output.rate, equations_.output.second;
  }
}

void MinimalExtension::matrix(const VecX& x, MatX& J) {
  spread(x);
  const int size = width_ * stages_;
  J.setZero(size, size);
  for (int s = 0; s < stages_; ++s) {
    equations_.linearise(stage_[static_cast<size_t>(s)]);
    const RowTangent &G = equations_.constraint_tangent, &S = equations_.output_tangent;
    // Rows: motion, constraints, outputs, their rates, their second rates.
    const int motion = d(s), holds = motion + n_, output = holds + m_, rate = output + p_, second = rate + p_;
    for (int j = 0; j < stages_; ++j)
      for (int i = 0; i < n_; ++i) {
        const int column = d(j) + i;
        if (j == s) {
          J.col(column).segment(motion, n_) += equations_.K.col(i);
          J.col(column).segment(holds, m_) += G.gradient.col(i);
          J.col(column).segment(output, p_) += S.gradient.col(i);
          J.col(column).segment(rate, p_) += S.rate_q.col(i);
          J.col(column).segment(second, p_) += S.second_q.col(i);
        }
        if (is_dummy_[static_cast<size_t>(i)]) continue;
        J.col(column).segment(motion, n_) += beta_(s, j) * equations_.D.col(i) + beta2_(s, j) * equations_.M.col(i);
        J.col(column).segment(rate, p_) += beta_(s, j) * S.gradient.col(i);
        J.col(column).segment(second, p_) += beta_(s, j) * S.second_u.col(i) + beta2_(s, j) * S.gradient.col(i);
      }
    for (int k = 0; k < p_; ++k) {
      const int i = dummies_[static_cast<size_t>(k)];
      J.col(speed(s) + k).segment(motion, n_) = equations_.D.col(i);
      J.col(speed(s) + k).segment(rate, p_) = S.gradient.col(i);
      J.col(speed(s) + k).segment(second, p_) = S.second_u.col(i);
      J.col(acceleration(s) + k).segment(motion, n_) = equations_.M.col(i);
      J.col(acceleration(s) + k).segment(second, p_) = S.gradient.col(i);
    }
    J.block(motion, lambda(s), n_, m_) = -G.gradient.transpose();
    J.block(motion, w(s), n_, equations_.inputs()) = -equations_.B;
  }
}

VecX MinimalExtension::of_dummies(const VecX& all) const {
  VecX out(p_);
  for (int k = 0; k < p_; ++k) out[k] = all[dummies_[static_cast<size_t>(k)]];
  return out;
}

void MinimalExtension::units(VecX& rows, VecX& columns) const {
  const double T = units_.time;
  const VecX dummies = of_dummies(units_.coordinates);
  VecX row(width_), column(width_);
  row << units_.motion, units_.constraints, units_.outputs, units_.outputs / T, units_.outputs / (T * T);
  column << units_.coordinates, dummies / T, dummies / (T * T), units_.multipliers, units_.inputs;
  rows = row.replicate(stages_, 1);
  columns = column.replicate(stages_, 1);
}

double MinimalExtension::size(const VecX& change, const VecX& x) const {
  const double T = units_.time;
  const VecX dummies = of_dummies(units_.coordinates);
  double most = 0;
  for (int s = 0; s < stages_; ++s) {
    const auto part = [&](int first, const VecX& unit) {
      most = std::max(most, relative_size(change.segment(first, unit.size()), x.segment(first, unit.size()), unit));
    };
    part(d(s), units_.coordinates);
    part(speed(s), dummies / T);
    part(acceleration(s), dummies / (T * T));
    part(lambda(s), units_.multipliers);
    part(w(s), units_.inputs);
  }
  return most;
}

bool MinimalExtension::step(Instant& now, double t) {
  const double h = t - now.t;
  equations_.evaluate(now);
  choose_dummies(equations_.output_gradient());
  set_scheme(now, h);
  start_q_ = now.q;
  start_t_ = now.t;
  VecX x = VecX::Zero(width_ * stages_);
  for (int s = 0; s < stages_; ++s) {
    const double part = c_[s] * h;
    const VecX ahead = part * now.u + 0.5 * part * part * now.a;
    x.segment(d(s), n_) = ahead;
    for (int k = 0; k < p_; ++k) {
      const int i = dummies_[static_cast<size_t>(k)];
      x[speed(s) + k] = now.u[i] + part * now.a[i];
      x[acceleration(s) + k] = now.a[i];
    }
    x.segment(lambda(s), m_) = now.lambda;
    x.segment(w(s), equations_.inputs()) = now.w;
  }
  if (!newton_.solve(*this, x)) return false;
  spread(x);
  d_before_ = x.segment(d(stages_ - 1), n_);
  u_before_ = now.u;
  h_before_ = h;
  has_before_ = true;
  now = stage_[static_cast<size_t>(stages_ - 1)];
  return true;
}

}  // namespace davit::inverse_dynamics
