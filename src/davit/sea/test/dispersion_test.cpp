#include "davit/sea/dispersion.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace davit::sea {
namespace {

TEST(Dispersion, SolvesItsEquationAndItsLimits) {
  const double g = 9.81;
  for (const double depth : {0.1, 3.0, 50.0, 1e4})
    for (double w = 1e-3; w < 20; w *= 1.7) {
      const double k = wave_number(w, depth, g);
      EXPECT_NEAR(g * k * std::tanh(k * depth) / (w * w), 1, 1e-12) << w << " " << depth;
      const double dk = 1e-4 * k;
      const auto frequency = [&](double kk) { return std::sqrt(g * kk * std::tanh(kk * depth)); };
      EXPECT_NEAR(group_velocity(w, k, depth) / ((frequency(k + dk) - frequency(k - dk)) / (2 * dk)), 1, 1e-7);
    }
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(wave_number(0.8, infinite, g), 0.64 / g);
  EXPECT_DOUBLE_EQ(group_velocity(0.8, 0.64 / g, infinite), g / 1.6);
  EXPECT_EQ(wave_number(0, 10, g), 0);
}

TEST(Dispersion, LongWavesTravelAtTheRootOfGravityTimesDepth) {
  const double g = 9.81, depth = 5, w = 1e-3;
  EXPECT_NEAR(w / wave_number(w, depth, g) / std::sqrt(g * depth), 1, 1e-6);
}

TEST(DepthProfile, IsTheHyperbolicCosine) {
  for (const double z : {0.0, -1.0, -7.0, -10.0}) {
    const double k = 0.3, h = 10;
    const DepthProfile p = depth_profile(k, h, z);
    EXPECT_NEAR(p.value, std::cosh(k * (z + h)) / std::cosh(k * h), 1e-14);
    EXPECT_NEAR(p.slope, k * std::sinh(k * (z + h)) / std::cosh(k * h), 1e-14);
  }
  EXPECT_EQ(depth_profile(10, 500, -1).value, std::exp(-10.0));  // where cosh would overflow
}

}  // namespace
}  // namespace davit::sea
