#include "davit/math/bspline.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "davit/math/motion.hpp"

namespace davit {
namespace {

// All polynomials of its degree are among the splines, with all their derivatives.
TEST(BSpline, has_the_derivatives_of_a_polynomial) {
  for (const auto& [degree, smoothness] : {std::pair{1, 0}, {2, 1}, {4, 3}, {5, 2}, {6, 5}, {6, 3}}) {
    std::vector<double> x, y;
    for (int i = 0; i <= 200; ++i) x.push_back(i / 200.0), y.push_back(std::pow(x.back(), degree));
    const BSpline s = fitted(BSpline(degree, smoothness, 7), 0, x, y);
    for (int span = 0; span < 7; ++span)
      for (const double at : {span / 7.0, (span + 0.4) / 7, (span + 1) / 7.0}) {
        const std::vector<double> d = s.derivatives(span, at);
        double factor = 1;
        for (int k = 0; k <= degree; factor *= degree - k, ++k)
          EXPECT_NEAR(d[static_cast<size_t>(k)], factor * std::pow(at, degree - k), 1e-8 * std::pow(10, k)) << degree;
      }
  }
}

TEST(BSpline, is_continuous_in_as_many_derivatives_as_its_smoothness) {
  BSpline s(4, 2, 6);
  for (int i = 0; i < s.c.size(); ++i) s.c[i] = std::sin(3.0 * i);
  for (int span = 1; span < 6; ++span) {
    const auto before = s.derivatives(span - 1, span / 6.0), after = s.derivatives(span, span / 6.0);
    for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(before[k], after[k], 1e-9 * (1 + std::abs(before[k])));
    EXPECT_GT(std::abs(before[3] - after[3]), 1);
  }
}

// Equal coefficients, one more than derivatives are continuous, make it rest at an end.
TEST(BSpline, rests_where_its_coefficients_do) {
  BSpline s(3, 2, 8);
  s.c = VecX{{0.0, 0.0, 0.0, 0.1, 0.3, 0.7, 0.9, 0.95, 1.0, 1.0, 1.0}};
  const auto first = s.derivatives(0, 0), last = s.derivatives(7, 1);
  EXPECT_EQ(first[0], 0);
  EXPECT_EQ(last[0], 1);
  for (size_t k = 1; k < 3; ++k) {
    EXPECT_EQ(first[k], 0);
    EXPECT_EQ(last[k], 0);
  }
  EXPECT_NE(first[3], 0);
}

}  // namespace
}  // namespace davit
