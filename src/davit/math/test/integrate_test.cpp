#include "davit/math/integrate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace davit {
namespace {

TEST(Integrate, IsExactForPolynomialsOfDegreeTwentyTwo) {
  // The degree of exactness of the 15-point rule.
  const auto f = [](double x) { return std::pow(x, 22); };
  EXPECT_NEAR(integrate_piece(f, 0, 2).value / (std::pow(2.0, 23) / 23), 1, 1e-14);
}

TEST(Integrate, HalvesWhereTheFunctionIsSharp) {
  const double pi = std::numbers::pi;
  EXPECT_NEAR(integrate([](double x) { return 1 / (1e-6 + x * x); }, -1, 1, 1e-9), 2e3 * std::atan(1e3), 1e-9);
  EXPECT_NEAR(integrate([](double x) { return std::sqrt(x); }, 0, 1, 1e-12), 2.0 / 3, 1e-12);
  EXPECT_NEAR(integrate([](double x) { return std::abs(x - 1 / 3.0); }, 0, 1, 1e-12), 5.0 / 18, 1e-12);
  EXPECT_NEAR(integrate([](double x) { return std::exp(-x * x / 2); }, -40, 40, 1e-12), std::sqrt(2 * pi), 1e-12);
}

}  // namespace
}  // namespace davit
