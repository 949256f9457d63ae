// The low-frequency position of a hull: what is slow goes through, waves do not.
#include "davit/hydro/low_frequency_position.hpp"

#include <gtest/gtest.h>

#include <complex>

#include "davit/math/constants.hpp"

namespace davit::hydro {
namespace {

constexpr double cut = 0.08;

HullStateT<double> hull_at(double x, double y, double heading) {
  HullStateT<double> hull;
  hull.p = Vec3(x, y, 0);
  hull.R = Eigen::AngleAxisd(heading, Vec3::UnitZ()).toRotationMatrix();
  return hull;
}

// Follows a way by small steps of the midpoint rule.
template <class Way, class See>
void follow(const LowFrequencyPosition& slow, double until, const Way& way, const See& see) {
  std::array<double, 6> z{}, rate{}, half{};
  slow.initial(z.data());
  const double h = 0.02;
  for (int n = 0; n * h < until; ++n) {
    slow.rates<double>(z.data(), way(n * h), rate.data());
    for (size_t i = 0; i < 6; ++i) half[i] = z[i] + 0.5 * h * rate[i];
    slow.rates<double>(half.data(), way((n + 0.5) * h), rate.data());
    for (size_t i = 0; i < 6; ++i) z[i] += h * rate[i];
    see((n + 1) * h, slow.value<double>(z.data(), way((n + 1) * h)));
  }
}

// s/p = ω²/(ω + iw)² at a frequency w, and a steady way is followed 2/ω behind.
TEST(LowFrequencyPosition, WavesAreLeftOutAndAWayIsFollowed) {
  const LowFrequencyPosition slow{Vec2(5, -3), {{cut}, 0.4}};
  const double w = 0.8, period = 2 * pi / w;
  std::complex<double> sum = 0;
  double lag = 0;
  int count = 0;
  follow(
      slow, 400 + 10 * period, [&](double t) { return hull_at(5 + std::cos(w * t), -3 + 0.2 * t, 0.4); },
      [&](double t, const std::array<double, 3>& place) {
        if (t <= 400) return;
        sum += (place[0] - 5) * std::polar(2.0, -w * t);
        lag = -3 + 0.2 * t - place[1];
        EXPECT_NEAR(place[2], 0.4, 1e-9);
        ++count;
      });
  const std::complex<double> exact = cut * cut / std::pow(std::complex<double>(cut, w), 2);
  EXPECT_LT(std::abs(sum / static_cast<double>(count) - exact), 0.02 * std::abs(exact));
  EXPECT_LT(std::abs(exact), 0.01);
  EXPECT_NEAR(lag, 0.2 * 2 / cut, 1e-6);
}

TEST(LowFrequencyPosition, GoesOnBeyondHalfATurn) {
  const LowFrequencyPosition slow{Vec2::Zero(), {{cut}, 0}};
  double heading = 0;
  follow(
      slow, 1000, [](double t) { return hull_at(0, 0, 0.02 * t); },
      [&](double, const std::array<double, 3>& place) { heading = place[2]; });
  EXPECT_NEAR(heading, 20 - 0.02 * 2 / cut, 1e-3);  // three turns and more
}

TEST(LowFrequencyPosition, WithoutAFrequencyIsTheHullsOwn) {
  const LowFrequencyPosition slow;
  EXPECT_EQ(slow.states(), 0);
  const auto place = slow.value<double>(nullptr, hull_at(7, 8, 0.9));
  EXPECT_EQ(place[0], 7);
  EXPECT_EQ(place[1], 8);
  EXPECT_NEAR(place[2], 0.9, 1e-15);
}

}  // namespace
}  // namespace davit::hydro
