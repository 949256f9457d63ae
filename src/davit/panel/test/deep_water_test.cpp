// The wave part of the Green function in deep water: against its definition, in every part of its tables.
#include "davit/panel/deep_water.hpp"

#include <gtest/gtest.h>

#include <random>

#include "davit/panel/bessel.hpp"
#include "davit/panel/quadrature.hpp"

using namespace davit::panel;

namespace {

// The definition 2 PV∫ exp(−κY) J₀(κX)/(κ−1) dκ itself: a symmetric rule about the pole takes the principal value.
double by_definition(double x, double y) {
  double sum = 0;
  const auto add = [&](double k, double weight) { sum += 2 * weight * std::exp(-k * y) * ::j0(k * x) / (k - 1); };
  quadrature<20>(0, 2, 1, add);
  quadrature<20>(2, 2 + 40 / y, 200, add);
  return sum;
}

}  // namespace

TEST(DeepWater, the_closed_form_is_the_definition) {
  for (const double x : {0.0, 0.3, 2.0, 7.0})
    for (const double y : {0.5, 1.0, 3.0, 9.0})
      EXPECT_NEAR(DeepWater::by_quadrature(x, y)[0], by_definition(x, y), 1e-10) << x << " " << y;
}

TEST(DeepWater, tables_are_accurate_to_1e_7) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  double worst = 0, worst_slope = 0;
  for (int i = 0; i < 20000; ++i) {
    const double d = std::pow(10.0, -3 + 4.7 * uniform(random)), theta = 0.5 * M_PI * uniform(random);
    const double x = d * std::sin(theta), y = d * std::cos(theta);
    const auto exact = DeepWater::by_quadrature(x, y);
    const DeepWave table = DeepWater::tables()(x, y);
    const double scale = 1 + 1 / d;  // the slope grows as 1/d towards the origin
    worst = std::max({worst, std::abs(table.value - exact[0]), std::abs(table.wave_j0 - std::exp(-y) * ::j0(x)),
                      std::abs(table.wave_j1 - std::exp(-y) * ::j1(x))});
    worst_slope = std::max(worst_slope, std::abs(table.slope_x - exact[1]) / scale);
  }
  EXPECT_LT(worst, 1e-7);
  EXPECT_LT(worst_slope, 1e-7);
  RecordProperty("worst", std::to_string(worst * 1e9) + "e-9");
  RecordProperty("worst_slope", std::to_string(worst_slope * 1e9) + "e-9");
}

TEST(DeepWater, on_the_edges_of_the_quadrant) {
  for (const double d : {0.01, 1.0, 2.49, 2.51, 10.0, 19.99, 20.01, 60.0}) {
    EXPECT_NEAR(DeepWater::tables()(0, d).value, DeepWater::by_quadrature(0, d)[0], 1e-7) << d;
    EXPECT_NEAR(DeepWater::tables()(d, 0).value, DeepWater::by_quadrature(d, 0)[0], 1e-7) << d;
  }
}

TEST(Bessel, far_expansion) {
  for (const double x : {20.0, 25.0, 100.0, 900.0}) {
    const Bessel b = bessel_far(x);
    EXPECT_NEAR(b.j0, ::j0(x), 1e-10);
    EXPECT_NEAR(b.j1, ::j1(x), 1e-10);
    EXPECT_NEAR(b.y0, ::y0(x), 1e-10);
    EXPECT_NEAR(b.y1, ::y1(x), 1e-10);
  }
}
