// B-splines on [0, 1] with knots evenly apart: polynomials of one degree in each of so many spans, joined with so many
// derivatives continuous.
#pragma once

#include <vector>

#include "davit/math/linear_algebra.hpp"

namespace davit {

struct BSpline {
  int degree = 1, smoothness = 0, spans = 1;  // smoothness is below the degree
  VecX c;

  BSpline() = default;
  BSpline(int degree_, int smoothness_, int spans_)
      : degree(degree_), smoothness(smoothness_), spans(spans_), c(VecX::Zero(first(spans_ - 1) + degree_ + 1)) {}

  // All that the polynomial of a span depends on is c[first(span)] … c[first(span) + degree].
  int first(int span) const { return span * (degree - smoothness); }
  // Derivatives 0 … degree of that polynomial at x.
  std::vector<double> derivatives(int span, double x) const;
  double value(double x) const;
};

// The spline whose coefficients fit values at places best, the first and last `fixed` ones being those of `like`.
BSpline fitted(const BSpline& like, int fixed, const std::vector<double>& places, const std::vector<double>& values);

}  // namespace davit
