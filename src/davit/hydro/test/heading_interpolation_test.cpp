// Interpolation over headings: exact for as many orders as there can be, and rules that say how far headings follow.
#include "davit/hydro/heading_interpolation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "davit/math/constants.hpp"

namespace davit::hydro {
namespace {

std::vector<double> even(int count, double first) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(first + 2 * pi * i / count);
  return out;
}

double at(const HeadingInterpolation& interpolation, const std::vector<double>& headings, double heading,
          double (*function)(double)) {
  const Eigen::RowVectorXd weights = interpolation.weights(heading);
  double sum = 0;
  for (size_t i = 0; i < headings.size(); ++i) sum += weights[static_cast<Eigen::Index>(i)] * function(headings[i]);
  return sum;
}

TEST(HeadingInterpolation, as_many_orders_as_headings) {
  const auto fifth = [](double x) { return 1 + std::cos(5 * x - 0.3) - 2 * std::sin(x); };
  for (const int count : {11, 12, 40}) {
    const auto headings = even(count, -3.0);
    const HeadingInterpolation interpolation(headings);
    for (const double x : {-3.1, 0.0, 0.4, 1.234, 3.0, 9.0})
      EXPECT_NEAR(at(interpolation, headings, x, fifth), fifth(x), 1e-12) << count;
    EXPECT_NEAR(at(interpolation, headings, headings[3], fifth), fifth(headings[3]), 1e-12);
  }
}

TEST(HeadingInterpolation, uneven_headings_have_a_spline) {
  std::vector<double> headings = even(36, -3.0);
  headings.erase(headings.begin() + 7);
  EXPECT_FALSE(evenly_round(headings));
  const HeadingInterpolation interpolation(headings);
  const auto smooth = [](double x) { return std::cos(x - 0.2); };
  for (const double x : {-3.1, 0.4, -1.75, 3.0}) EXPECT_NEAR(at(interpolation, headings, x, smooth), smooth(x), 3e-4);
  EXPECT_EQ(HeadingInterpolation({0.7}).weights(2)[0], 1);
}

// exp(i ka cos β), the wave at the end of a hull, at the gap that the rule asks for and at one that is a quarter wider.
TEST(HeadingInterpolation, the_rule_follows_within_two_per_cent) {
  for (const double ka : {3.0, 10.0, 30.0, 60.0}) {
    const auto error = [&](double gap) {
      const auto headings = even(static_cast<int>(std::ceil(2 * pi / gap)), -pi + 0.1);
      const HeadingInterpolation interpolation(headings);
      double worst = 0;
      for (int i = 0; i < 500; ++i) {
        const double x = 2 * pi * i / 500;
        const Eigen::RowVectorXd weights = interpolation.weights(x);
        std::complex<double> sum = 0;
        for (size_t h = 0; h < headings.size(); ++h)
          sum += weights[static_cast<Eigen::Index>(h)] * std::polar(1.0, ka * std::cos(headings[h]));
        worst = std::max(worst, std::abs(sum - std::polar(1.0, ka * std::cos(x))));
      }
      return worst;
    };
    const double gap = heading_gap_for(ka, 1);
    EXPECT_NEAR(followed_wave_number(gap, 1), ka, 1e-9);
    EXPECT_NEAR(followed_wave_number(gap, 1, true), 0.5 * ka, 1e-9);
    EXPECT_LT(error(gap), 0.07) << ka;  // all of the force at the very ends: hulls have a third of that
    EXPECT_GT(error(1.3 * gap), 0.1) << ka;
  }
}

}  // namespace
}  // namespace davit::hydro
