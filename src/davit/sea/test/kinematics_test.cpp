#include "davit/sea/kinematics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "davit/sea/dispersion.hpp"

namespace davit::sea {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<Component> some_sea(const Water& water) {
  IrregularSea sea{jonswap(3, 0.9, 2), 0.4};
  sea.short_crested = ShortCrested{Spreading(Spreading::Kind::cos_n, 2), 5};
  sea.frequencies = 12;
  Random random(2);
  return realise(sea, water, random);
}

// The potential as linear theory has it.
double potential(const std::vector<Component>& waves, const Water& water, const Vec3& p, double t) {
  double sum = 0;
  for (const Component& c : waves) {
    const double fade = std::isinf(water.depth)
                            ? std::exp(c.wave_number * p.z())
                            : std::cosh(c.wave_number * (p.z() + water.depth)) / std::cosh(c.wave_number * water.depth);
    const double theta =
        c.frequency * t - c.wave_number * (p.x() * std::cos(c.heading) + p.y() * std::sin(c.heading)) + c.phase;
    sum -= water.gravity * c.amplitude / c.frequency * fade * std::sin(theta);
  }
  return sum;
}

// Fourth-order difference.
template <class Function>
std::invoke_result_t<Function, double> slope(const Function& f, double h) {
  return ((8.0 / (12 * h)) * (f(h) - f(-h)) - (1.0 / (12 * h)) * (f(2 * h) - f(-2 * h)));
}

TEST(Kinematics, VelocityIsTheGradientOfAPotentialWithoutSources) {
  for (const double depth : {infinite, 15.0}) {
    const Water water{1025, 9.80665, depth};
    const auto waves = some_sea(water);
    for (const Vec3& p : {Vec3(0, 0, 0), Vec3(13, -7, -2), Vec3(-200, 55, -9)}) {
      const double t = 31, h = 2e-3;
      const Flow here = flow(waves, water, p, t, Stretching::none);
      double divergence = 0;
      for (int i = 0; i < 3; ++i) {
        const Vec3 e = Vec3::Unit(i);
        EXPECT_NEAR(here.velocity[i], slope([&](double d) { return potential(waves, water, p + d * e, t); }, h), 1e-8);
        divergence +=
            slope([&](double d) { return flow(waves, water, p + d * e, t, Stretching::none).velocity[i]; }, h);
        EXPECT_NEAR(here.acceleration[i],
                    slope([&](double d) { return flow(waves, water, p, t + d, Stretching::none).velocity[i]; }, h),
                    1e-8);
      }
      EXPECT_NEAR(divergence, 0, 1e-8);
      EXPECT_NEAR(here.pressure, -water.density * slope([&](double d) { return potential(waves, water, p, t + d); }, h),
                  1e-5);
    }
  }
}

TEST(Kinematics, SurfaceAndBedToFirstOrder) {
  const Water water{1025, 9.80665, 15};
  const auto waves = some_sea(water);
  for (const double t : {0.0, 5.0, 77.0}) {
    const Vec3 p(4, 9, 0);
    const Flow surface = flow(waves, water, p, t, Stretching::none);
    // Kinematic: the surface rises as the water does. Dynamic: no pressure on it.
    EXPECT_NEAR(surface.velocity.z(), slope([&](double d) { return elevation(waves, p.head<2>(), t + d); }, 2e-3),
                1e-8);
    EXPECT_NEAR(surface.pressure, water.density * water.gravity * surface.elevation, 1e-8);
    EXPECT_NEAR(flow(waves, water, {4, 9, -15}, t, Stretching::none).velocity.z(), 0, 1e-13);
  }
}

TEST(Kinematics, WheelerBringsTheSurfaceToStillWater) {
  for (const double depth : {infinite, 15.0}) {
    const Water water{1025, 9.80665, depth};
    const auto waves = some_sea(water);
    for (const double t : {0.0, 4.0, 9.0}) {
      const double up = elevation(waves, {1, 2}, t);
      const Flow wheeler = flow(waves, water, {1, 2, up}, t),
                 linear = flow(waves, water, {1, 2, 0}, t, Stretching::none);
      EXPECT_LT((wheeler.velocity - linear.velocity).norm(), 1e-12);
      EXPECT_LT((wheeler.acceleration - linear.acceleration).norm(), 1e-12);
      // Static and dynamic pressure together vanish at the surface.
      EXPECT_NEAR(wheeler.pressure - water.density * water.gravity * up, 0, 1e-7);
      EXPECT_LT((flow(waves, water, {1, 2, up + 3}, t).velocity - wheeler.velocity).norm(), 1e-12);
      if (depth == 15) EXPECT_NEAR(flow(waves, water, {1, 2, -15}, t).velocity.z(), 0, 1e-12);
    }
  }
}

TEST(Kinematics, ExtrapolationFollowsTheTangent) {
  const Water water{1025, 9.80665, 15};
  const auto waves = some_sea(water);
  double t = 0;
  while (elevation(waves, {0, 0}, t) < 1.5) t += 0.1;
  const auto at = [&](double z, Stretching s) { return flow(waves, water, {0, 0, z}, t, s).velocity; };
  EXPECT_EQ(at(-3, Stretching::extrapolated), at(-3, Stretching::none));
  const Vec3 tangent = slope([&](double d) { return Vec3(at(d, Stretching::none)); }, 1e-2);
  EXPECT_LT((at(1.2, Stretching::extrapolated) - at(0, Stretching::none) - 1.2 * tangent).norm(), 1e-7);
}

}  // namespace
}  // namespace davit::sea
