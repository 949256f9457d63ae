// The derivative array of a servo problem (Campbell; Kunkel & Mehrmann, Differential-Algebraic Equations, ch. 6): the
// equations of motion with their time derivatives up to order K - 2, constraints and outputs with theirs up to K, as
// plain equations for the Taylor coefficients
//   d_0 … d_K of increments,  λ_0 … λ_{K-2},  w_0 … w_{K-2}.
// Of a flat problem it determines the first of them, whatever the rest is: motion and inputs follow from the desired
// motion at that instant alone. Unknowns that it leaves open are changed as little as can be.
//
// With K = 4 it holds the equations (5.25) that minimal extension leads to when it is applied twice.
#pragma once

#include "davit/inverse_dynamics/series_model.hpp"
#include "davit/inverse_dynamics/units.hpp"
#include "davit/math/linear_algebra.hpp"

namespace davit::inverse_dynamics {

class DerivativeArray {
 public:
  // K from 2 to 7. Coefficients are those of τ = (t - t₀)/time_scale.
  DerivativeArray(const ServoProblem&, int K, double time_scale);

  int order() const { return K_; }
  int unknowns() const { return n_ * (K_ + 1) + (m_ + p_) * (K_ - 1); }
  int equations() const { return n_ * (K_ - 1) + (m_ + outputs_) * (K_ + 1); }
  // Places among the unknowns.
  int d(int k) const { return n_ * k; }
  int lambda(int k) const { return n_ * (K_ + 1) + m_ * k; }
  int w(int k) const { return n_ * (K_ + 1) + m_ * (K_ - 1) + p_ * k; }
  // … and among the equations.
  int motion(int k) const { return n_ * k; }
  int constraints(int k) const { return n_ * (K_ - 1) + m_ * k; }
  int outputs(int k) const { return n_ * (K_ - 1) + m_ * (K_ + 1) + outputs_ * k; }

  // A point: coordinates, and the unknowns about them (d_0 is zero).
  struct Point {
    double t = 0;
    VecX q, x;
  };
  void residual(const Point&, VecX& out);
  // ∂residual/∂x, exact.
  void matrix(const Point&, MatX& out);

  // u, a, λ and w at the point.
  struct Values {
    VecX u, a, lambda, w, w_rate;
  };
  Values values(const Point&) const;
  double time_scale() const { return scale_; }
  // Of equations and unknowns.
  const Units& units() const { return units_; }
  VecX row_units() const;
  VecX column_units() const;

 private:
  template <class S>
  void spread(const VecX& x, typename SeriesModel<S>::Motion& out) const;

  int n_, m_, p_, outputs_, K_;
  double scale_;
  Units units_;
  SeriesModel<Series> model_;
  SeriesModel<Series>::Motion motion_;
  SeriesModel<LongSeries> long_model_;
  SeriesModel<LongSeries>::Motion long_motion_;
};

}  // namespace davit::inverse_dynamics
