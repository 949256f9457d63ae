#include "davit/inverse_dynamics/derivative_array.hpp"

#include "davit/inverse_dynamics/scaling.hpp"

namespace davit::inverse_dynamics {

DerivativeArray::DerivativeArray(const ServoProblem& problem, int K, double time_scale)
    : n_(problem.model->nu()),
      m_(problem.model->rows()),
      p_(static_cast<int>(problem.inputs.size())),
      outputs_(problem.rows()),
      K_(K),
      scale_(time_scale),
      units_(units_of(problem, time_scale)),
      model_(problem),
      motion_(model_.make_motion()),
      long_model_(problem),
      long_motion_(long_model_.make_motion()) {}

template <class S>
void DerivativeArray::spread(const VecX& x, typename SeriesModel<S>::Motion& out) const {
  const auto fill = [&](std::vector<S>& series, int count, int orders, auto&& place) {
    for (int i = 0; i < count; ++i) {
      S& y = series[static_cast<size_t>(i)];
      y = S(0);
      for (int k = 0; k < orders; ++k) y.c[static_cast<size_t>(k)] = x[place(k) + i];
    }
  };
  fill(out.d, n_, K_ + 1, [&](int k) { return d(k); });
  fill(out.lambda, m_, K_ - 1, [&](int k) { return lambda(k); });
  fill(out.w, p_, K_ - 1, [&](int k) { return w(k); });
}

void DerivativeArray::residual(const Point& at, VecX& out) {
  spread<Series>(at.x, motion_);
  model_.place(at.t, scale_, at.q, motion_.d);
  model_.evaluate(motion_.lambda, motion_.w);
  out.resize(equations());
  for (int k = 0; k <= K_ - 2; ++k)
    for (int i = 0; i < n_; ++i) out[motion(k) + i] = model_.F[static_cast<size_t>(i)].c[static_cast<size_t>(k)];
  for (int k = 0; k <= K_; ++k) {
    for (int i = 0; i < m_; ++i) out[constraints(k) + i] = model_.g[static_cast<size_t>(i)].c[static_cast<size_t>(k)];
    for (int i = 0; i < outputs_; ++i) out[outputs(k) + i] = model_.s[static_cast<size_t>(i)].c[static_cast<size_t>(k)];
  }
}

// A change φ(τ) of one increment changes the equations of motion by A₂ φ″ + A₁ φ′ + A₀ φ, with series A(τ). The
// answers r to φ = τ^m, τ^(m+1), τ^(m+2) give them:
//   r_(m+2) - 2 τ r_(m+1) + τ² r_m = 2 A₂ τ^m,
//   τ r_(m+1) - τ² r_m = 2 m A₂ τ^m + A₁ τ^(m+1),   τ² r_m = m (m - 1) A₂ τ^m + m A₁ τ^(m+1) + A₀ τ^(m+2).
// With m = K + 3 what they do by their squares comes later than all that is looked at. The changes are of one unit of
// the coordinate or force (to a power of two), since what they do is found beside what is there.
void DerivativeArray::matrix(const Point& at, MatX& out) {
  using Coefficients = std::array<double, long_series_length>;
  const int m = K_ + 3, orders = K_ - 1;
  out.setZero(equations(), unknowns());
  spread<LongSeries>(at.x, long_motion_);
  long_model_.place(at.t, scale_, at.q, long_motion_.d);
  const std::vector<LongSeries> q0 = long_model_.q, u0 = long_model_.u, a0 = long_model_.a;
  long_model_.evaluate(long_motion_.lambda, long_motion_.w);
  const std::vector<LongSeries> F0 = long_model_.F, g0 = long_model_.g, s0 = long_model_.s;

  std::array<std::vector<LongSeries>, 3> answer;
  for (int i = 0; i < n_; ++i) {
    LongSeries& changed = long_motion_.d[static_cast<size_t>(i)];
    const double unit = power_of_two(units_.coordinates[i]);
    for (int e = 0; e < 3; ++e) {
      const double is = changed.c[static_cast<size_t>(m + e)];
      changed.c[static_cast<size_t>(m + e)] += unit;
      long_model_.place(at.t, scale_, at.q, long_motion_.d);
      long_model_.evaluate(long_motion_.lambda, long_motion_.w);
      changed.c[static_cast<size_t>(m + e)] = is;
      answer[static_cast<size_t>(e)] = long_model_.F;
      if (e > 0) continue;
      // Constraints and outputs are of the places alone.
      const auto add_rows = [&](const std::vector<LongSeries>& rows, const std::vector<LongSeries>& before,
                                auto&& row) {
        for (size_t r = 0; r < rows.size(); ++r)
          for (int lag = 0; lag <= K_; ++lag) {
            const auto c = static_cast<size_t>(m + lag);
            const double slope = (rows[r].c[c] - before[r].c[c]) / unit;
            for (int j = 0; j + lag <= K_; ++j) out(row(j + lag) + static_cast<int>(r), d(j) + i) = slope;
          }
      };
      add_rows(long_model_.g, g0, [&](int k) { return constraints(k); });
      add_rows(long_model_.s, s0, [&](int k) { return outputs(k); });
    }
    for (int r = 0; r < n_; ++r) {
      const auto at_row = static_cast<size_t>(r);
      const auto c = [&](int e, int order) {
        return (answer[static_cast<size_t>(e)][at_row].c[static_cast<size_t>(order)] -
                F0[at_row].c[static_cast<size_t>(order)]) /
               unit;
      };
      Coefficients A2{}, A1{}, A0{};
      for (int k = 0; k <= K_; ++k)
        A2[static_cast<size_t>(k)] = 0.5 * (c(2, m + k) - 2 * c(1, m + k - 1) + c(0, m + k - 2));
      for (int k = 0; k < K_; ++k)
        A1[static_cast<size_t>(k)] = c(1, m + k) - c(0, m + k - 1) - 2 * m * A2[static_cast<size_t>(k + 1)];
      for (int k = 0; k < orders; ++k)
        A0[static_cast<size_t>(k)] =
            c(0, m + k) - m * (m - 1) * A2[static_cast<size_t>(k + 2)] - m * A1[static_cast<size_t>(k + 1)];
      for (int k = 0; k < orders; ++k)
        for (int j = 0; j <= k + 2; ++j) {
          double slope = j * (j - 1) * A2[static_cast<size_t>(k - j + 2)];
          if (j <= k + 1) slope += j * A1[static_cast<size_t>(k - j + 1)];
          if (j <= k) slope += A0[static_cast<size_t>(k - j)];
          out(motion(k) + r, d(j) + i) = slope;
        }
    }
  }

  long_model_.q = q0, long_model_.u = u0, long_model_.a = a0;
  const auto add_forces = [&](std::vector<LongSeries>& series, const VecX& units, auto&& column) {
    for (size_t i = 0; i < series.size(); ++i) {
      const double unit = power_of_two(units[static_cast<Eigen::Index>(i)]), is = series[i].c[static_cast<size_t>(m)];
      series[i].c[static_cast<size_t>(m)] += unit;
      long_model_.evaluate(long_motion_.lambda, long_motion_.w);
      series[i].c[static_cast<size_t>(m)] = is;
      for (int r = 0; r < n_; ++r)
        for (int lag = 0; lag < orders; ++lag) {
          const double slope = (long_model_.F[static_cast<size_t>(r)].c[static_cast<size_t>(m + lag)] -
                                F0[static_cast<size_t>(r)].c[static_cast<size_t>(m + lag)]) /
                               unit;
          for (int j = 0; j + lag < orders; ++j) out(motion(j + lag) + r, column(j) + static_cast<int>(i)) = slope;
        }
    }
  };
  add_forces(long_motion_.lambda, units_.multipliers, [&](int k) { return lambda(k); });
  add_forces(long_motion_.w, units_.inputs, [&](int k) { return w(k); });
}

// Coefficients in τ have the units of what is expanded.
VecX DerivativeArray::row_units() const {
  VecX out(equations());
  out << units_.motion.replicate(K_ - 1, 1), units_.constraints.replicate(K_ + 1, 1),
      units_.outputs.replicate(K_ + 1, 1);
  return out;
}
VecX DerivativeArray::column_units() const {
  VecX out(unknowns());
  out << units_.coordinates.replicate(K_ + 1, 1), units_.multipliers.replicate(K_ - 1, 1),
      units_.inputs.replicate(K_ - 1, 1);
  return out;
}

DerivativeArray::Values DerivativeArray::values(const Point& at) const {
  Values v;
  // With d_0 = 0 the speeds are the rates of the increments; the velocity products of rotations, θ × θ̇, begin later.
  v.u = at.x.segment(d(1), n_) / scale_;
  v.a = 2 * at.x.segment(d(2), n_) / (scale_ * scale_);
  v.lambda = at.x.segment(lambda(0), m_);
  v.w = at.x.segment(w(0), p_);
  v.w_rate = VecX::Zero(p_);
  if (K_ > 2) v.w_rate = at.x.segment(w(1), p_) / scale_;
  return v;
}

}  // namespace davit::inverse_dynamics
