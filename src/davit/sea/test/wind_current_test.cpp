#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "davit/math/constants.hpp"
#include "davit/sea/current.hpp"
#include "davit/sea/wind.hpp"

namespace davit::sea {
namespace {

TEST(Wind, NpdHasTheVarianceOfItsFormula) {
  // By arbitrary-precision quadrature (mpmath).
  EXPECT_NEAR(gust_variance(npd_wind(20), 10, 1.0 / 600, 0.5), 5.20441296960772, 1e-10);
  EXPECT_NEAR(gust_variance(npd_wind(30), 50, 1.0 / 600, 0.5), 10.78947910951675, 1e-10);
  // All frequencies: ∫ (1 + xⁿ)^(−5/3n) dx = Γ(1/n) Γ(2/3n)/(n Γ(5/3n)).
  const double n = 0.468, scale = 172 * std::pow(2.0, -0.75);
  const double all = 1280 / scale * std::tgamma(1 / n) * std::tgamma(2 / (3 * n)) / (n * std::tgamma(5 / (3 * n)));
  EXPECT_NEAR(gust_variance(npd_wind(20), 10, 1e-13, 1e15) / all, 1, 1e-8);
}

TEST(Wind, NpdProfileAndAveragingTime) {
  const WindModel wind = npd_wind(20);
  EXPECT_DOUBLE_EQ(wind.mean(10), 20);
  EXPECT_NEAR(wind.mean(50), 20 * (1 + 0.0573 * 2 * std::log(5.0)), 1e-12);
  EXPECT_DOUBLE_EQ(npd_hourly_speed(20, 3600), 20);
  const double u = npd_hourly_speed(25, 60);
  EXPECT_NEAR(u * (1 - 0.41 * 0.06 * (1 + 0.043 * u) * std::log(60.0 / 3600)), 25, 1e-12);
  EXPECT_LT(u, 25);
}

TEST(Wind, KaimalHasItsIntensity) {
  const WindModel wind = kaimal_wind(18, 10, 0.12, 0.14);
  EXPECT_NEAR(wind.mean(80), 18 * std::pow(8.0, 0.14), 1e-12);
  for (const double z : {5.0, 10.0, 90.0})
    EXPECT_NEAR(gust_variance(wind, z, 1e-15, 1e16), std::pow(0.12 * 18, 2), 1e-8);
  // Closed: the part above a frequency is (1 + 6 f L/U)^(−2/3).
  const double time = 56.7 / 18;
  EXPECT_NEAR(gust_variance(wind, 10, 0.01, 0.5) / std::pow(0.12 * 18, 2),
              std::pow(1 + 0.06 * time, -2.0 / 3) - std::pow(1 + 3 * time, -2.0 / 3), 1e-12);
}

TEST(Wind, RealisationHasMeanAndVariance) {
  Random random(9);
  const WindField wind(npd_wind(20), pi / 2, 10, 300, {1.0 / 600, 0.5}, random);
  for (const double z : {10.0, 60.0}) {
    double mean = 0, square = 0;
    const int count = 40000;
    for (int i = 0; i < count; ++i) {
      const double u = wind.speed(z, 2.7 * i) - wind.mean(z);
      mean += u / count;
      square += u * u / count;
    }
    const double variance = gust_variance(npd_wind(20), z, 1.0 / 600, 0.5);
    EXPECT_NEAR(mean / std::sqrt(variance), 0, 0.01);
    // 30 h: the sums of harmonics have settled; at the height of reference the bands have their variance.
    EXPECT_NEAR(square / variance, 1, 0.02) << z;
  }
  EXPECT_NEAR(wind.velocity(10, 3).x(), 0, 1e-14);
  EXPECT_NEAR(wind.velocity(10, 3).y(), wind.speed(10, 3), 1e-14);
  Random same(9);
  EXPECT_EQ(WindField(npd_wind(20), 0, 10, 300, {1.0 / 600, 0.5}, same).speed(10, 33), wind.speed(10, 33));
}

TEST(Wind, AtOneHeightAndFromTheStart) {
  Random random(9);
  const WindField wind(kaimal_wind(15, 10, 0.2, 0.14), 1, 10, 100, {1.0 / 600, 0.5}, random, 20);
  const WindAtHeight there = wind.at(35);
  for (const double t : {12.0, 50.0}) EXPECT_DOUBLE_EQ(there.mean() + there.gust(t), wind.speed(35, t));
  // The mean wind up to the start; then gusts come up.
  EXPECT_EQ(wind.speed(35, 0), wind.mean(35));
  Random same(9);
  const WindField sudden(kaimal_wind(15, 10, 0.2, 0.14), 1, 10, 100, {1.0 / 600, 0.5}, same);
  EXPECT_NEAR(there.gust(10), 0.5 * sudden.at(35).gust(10), 1e-12);
  EXPECT_NEAR(there.gust(30), sudden.at(35).gust(30), 1e-12);
}

TEST(Wind, SteadyWindIsSteady) {
  const WindField wind(steady_wind(12, 10, 0.1), 0);
  EXPECT_DOUBLE_EQ(wind.speed(10, 0), 12);
  EXPECT_DOUBLE_EQ(wind.speed(20, 77), 12 * std::pow(2.0, 0.1));
  EXPECT_DOUBLE_EQ(wind.speed(-3, 5), wind.speed(1, 5));
  EXPECT_EQ(gust_variance(steady_wind(12, 10, 0), 10, 0.1, 1), 0);
}

TEST(Current, Profiles) {
  const Current uniform = Current::uniform(1.5, pi / 2);
  EXPECT_NEAR((uniform.velocity(-40) - Vec3(0, 1.5, 0)).norm(), 0, 1e-15);
  const Current tide = Current::power_law(1, 0, 50);
  EXPECT_EQ(tide.velocity(2), Vec3(1, 0, 0));
  EXPECT_NEAR(tide.velocity(-25).x(), std::pow(0.5, 1.0 / 7), 1e-15);
  EXPECT_EQ(tide.velocity(-50).x(), 0);
  const Current table = Current::table({{0, 2, 0}, {10, 1, 0}, {30, 1, pi / 2}});
  EXPECT_NEAR(table.velocity(-5).x(), 1.5, 1e-15);
  EXPECT_NEAR((table.velocity(-20) - Vec3(0.5, 0.5, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR(table.velocity(-10).x(), 1, 1e-15);
  EXPECT_NEAR((table.velocity(-99) - Vec3(0, 1, 0)).norm(), 0, 1e-15);
  EXPECT_THROW(Current::table({{10, 1, 0}, {5, 1, 0}}), std::invalid_argument);
  EXPECT_THROW(Current::table({}), std::invalid_argument);
  EXPECT_THROW(Current::power_law(1, 0, std::numeric_limits<double>::infinity()), std::invalid_argument);
}

}  // namespace
}  // namespace davit::sea
