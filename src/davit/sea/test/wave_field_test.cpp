// The flow at many points against the plain sum of kinematics.hpp.
#include "davit/sea/wave_field.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "davit/sea/kinematics.hpp"

namespace davit::sea {
namespace {

std::vector<Component> sea_of(const Water& water, int frequencies) {
  IrregularSea sea{jonswap(3, 0.9, 2), 0.4};
  sea.short_crested = ShortCrested{Spreading(Spreading::Kind::cos_n, 2), 3};
  sea.frequencies = frequencies;
  Random random(5);
  return realise(sea, water, random);
}

TEST(WaveField, IsTheSumOfItsComponents) {
  for (const double depth : {20.0, std::numeric_limits<double>::infinity()}) {
    Water water;
    water.depth = depth;
    const auto components = sea_of(water, 15);
    const WaveField field(components, water, 0);
    for (const Vec3& p : {Vec3(3, -5, -2), Vec3(-400, 250, -0.1), Vec3(7, 1, 1.5), Vec3(1000, 3, -15)})
      for (const double t : {0.3, 77.7, 4321.0}) {
        const Flow exact = flow(components, water, p, t);
        const WaveField::Sample found = field.at(t, p);
        EXPECT_NEAR(found.elevation, exact.elevation, 1e-3) << p.transpose();
        // Waves that do not reach down there are left out.
        EXPECT_LT((found.velocity - exact.velocity).norm(), 2e-3) << p.transpose();
        EXPECT_LT((found.acceleration - exact.acceleration).norm(), 2e-3) << p.transpose();
      }
  }
}

TEST(WaveField, ComesUpWithItsRamp) {
  const Water water;
  const auto components = sea_of(water, 10);
  const WaveField field(components, water, 20), risen(components, water, 0);
  EXPECT_EQ(field.at(0, Vec3(1, 2, -1)).velocity.norm(), 0);
  EXPECT_EQ(field.at(25, Vec3(1, 2, -1)).velocity, risen.at(25, Vec3(1, 2, -1)).velocity);
  EXPECT_NEAR(field.at(10, Vec3(1, 2, 5)).elevation, 0.5 * risen.at(10, Vec3(1, 2, 5)).elevation, 1e-12);
}

// Over its window a cubic through four instants follows it, at a place that is always under water: where a point comes
// out of the water and goes in again the flow jumps.
TEST(WaveField, IsFollowedOverAWindow) {
  const Water water;
  const auto components = sea_of(water, 60);
  const WaveField field(components, water, 0);
  const double part = field.window() / 3;
  double square = 0, miss = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec3 p(0.7 * i, 0, -4);
    const double t = 10 + 1.3 * i, s = 0.5;  // in the first third
    const double w[4] = {-(s - 1) * (s - 2) * (s - 3) / 6, s * (s - 2) * (s - 3) / 2, -s * (s - 1) * (s - 3) / 2,
                         s * (s - 1) * (s - 2) / 6};
    Vec3 v = Vec3::Zero();
    for (int j = 0; j < 4; ++j) v += w[j] * field.at(t + j * part, p).velocity;
    const Vec3 exact = field.at(t + s * part, p).velocity;
    square += exact.squaredNorm();
    miss += (v - exact).squaredNorm();
  }
  EXPECT_LT(std::sqrt(miss / square), 4e-3);
}

}  // namespace
}  // namespace davit::sea
