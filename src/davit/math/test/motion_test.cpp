// Reference motions: end conditions, breakpoints, derivatives, and the published polynomials.
#include "davit/math/motion.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace davit {
namespace {

TEST(SmoothStep, KnownPolynomials) {
  EXPECT_EQ(smooth_step(1), (std::vector<double>{0, 0, 3, -2}));
  EXPECT_EQ(smooth_step(2), (std::vector<double>{0, 0, 0, 10, -15, 6}));  // minimum jerk
  // 5-6-7-8-9 of the servo-constraint thesis
  EXPECT_EQ(smooth_step(4), (std::vector<double>{0, 0, 0, 0, 0, 126, -420, 540, -315, 70}));
}

TEST(Motion, RestToRestWithZeroDerivatives) {
  for (int k = 1; k <= 6; ++k) {
    const Motion m = Motion(2).move(1, 3, -5, {.smoothness = k});
    double at_start[8], before_end[8];
    m.derivatives(1, at_start);
    m.derivatives(4 - 1e-9, before_end);
    EXPECT_EQ(at_start[0], 2);
    EXPECT_NEAR(before_end[0], -5, 1e-12);
    for (int i = 1; i <= k; ++i) {
      EXPECT_EQ(at_start[i], 0);
      EXPECT_NEAR(before_end[i], 0, 1e-3) << "order " << k << " derivative " << i;
    }
    EXPECT_NE(at_start[k + 1], 0);
    EXPECT_EQ(m.value(0.5), 2);
    EXPECT_EQ(m.value(9), -5);
  }
}

TEST(Motion, PublishedThreePhaseMotion) {
  // Servo-constraint thesis (4.126)-(4.128) with the errata: coefficients -5/2, 10, -14, 7; τ = 20, τ₀ = 5.
  const double tau = 20, tau0 = 5;
  const auto c1 = [&](double t) {
    const double x = t / tau0;
    return tau0 / (tau - tau0) *
           (-2.5 * std::pow(x, 8) + 10 * std::pow(x, 7) - 14 * std::pow(x, 6) + 7 * std::pow(x, 5));
  };
  const Motion m = Motion(0).move(0, tau, 1, {.smoothness = 4, .ramp = tau0});
  for (double t = 0; t <= 5; t += 0.25) EXPECT_NEAR(m.value(t), c1(t), 1e-15);
  for (double t = 5; t <= 15; t += 0.5) EXPECT_NEAR(m.value(t), (t - tau0 / 2) / (tau - tau0), 1e-15);
  for (double t = 15; t <= 20; t += 0.25) EXPECT_NEAR(m.value(t), 1 - c1(tau - t), 1e-15);
  EXPECT_EQ(m.breakpoints(), (std::vector<double>{0, 5, 15, 20}));
  for (double join : {5.0, 15.0}) {
    double left[6], right[6];
    m.derivatives(join - 1e-9, left);
    m.derivatives(join + 1e-9, right);
    for (int k = 0; k <= 4; ++k) EXPECT_NEAR(left[k], right[k], 1e-8) << join << " " << k;
  }
}

TEST(Motion, DerivativesMatchDifferences) {
  const Motion m = Motion(1).move(0, 2, 3, {.smoothness = 5}).move(2.5, 4, -1, {.smoothness = 4, .ramp = 1});
  for (double t : {0.3, 1.1, 1.9, 2.7, 3.3, 4.4, 6.2}) {
    double at[6], minus[6], plus[6];
    const double h = 1e-5;
    m.derivatives(t, at);
    m.derivatives(t - h, minus);
    m.derivatives(t + h, plus);
    for (int k = 0; k < 5; ++k)
      EXPECT_NEAR(at[k + 1], (plus[k] - minus[k]) / (2 * h), 1e-6 * (1 + std::abs(at[k + 1])));
    EXPECT_EQ(m.value(Dual8::variable(t, 3)).d[3], at[1]);
  }
}

TEST(Motion, RefusesWhatCannotBe) {
  EXPECT_THROW(Motion().move(0, 0, 1), std::invalid_argument);
  EXPECT_THROW(Motion().move(0, 1, 1, {.smoothness = 2, .ramp = 0.6}), std::invalid_argument);
  EXPECT_THROW(Motion().move(0, 2, 1).move(1, 1, 0), std::invalid_argument);
}

TEST(Motion, StopsSmoothlyFromAnywhere) {
  const Motion whole = Motion(1).move(0, 4, 9);
  for (double at : {0.5, 1.7, 2.0, 3.1}) {
    Motion m = whole;
    m.stop(at, 1.5);
    double before[3], after[3], end[3];
    whole.derivatives(at, before);
    m.derivatives(at, after);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(after[k], before[k], 1e-12) << at << " " << k;
    EXPECT_NEAR(m.value(at - 0.1), whole.value(at - 0.1), 1e-15);
    m.derivatives(at + 1.5 - 1e-9, end);
    EXPECT_NEAR(end[0], before[0] + 1.5 * before[1] / 2 + 1.5 * 1.5 * before[2] / 12, 1e-8);
    EXPECT_NEAR(end[1], 0, 1e-7);
    EXPECT_NEAR(end[2], 0, 1e-6);
    EXPECT_EQ(m.value(100), m.end_value());
    EXPECT_EQ(m.ends(), at + 1.5);
    EXPECT_EQ(m.breakpoints().back(), at + 1.5);
  }
}

TEST(Motion, JumpsAndGoesThroughPoints) {
  const Motion jump = Motion(2).jump(1, 5).jump(3, 4);
  EXPECT_EQ(jump.value(0.999), 2);
  EXPECT_EQ(jump.value(1), 5);
  EXPECT_EQ(jump.value(3), 4);
  EXPECT_EQ(jump.derivative(1, 1), 0);

  const std::vector<double> times{1, 2, 4, 5}, values{3, 4, 1, 2};
  const Motion linear = Motion::through(times, values, Motion::Interpolation::linear);
  EXPECT_EQ(linear.value(0), 3);
  EXPECT_DOUBLE_EQ(linear.value(3), 2.5);
  EXPECT_DOUBLE_EQ(linear.derivative(1, 3), -1.5);
  EXPECT_EQ(linear.value(6), 2);
  const Motion hold = Motion::through(times, values, Motion::Interpolation::hold);
  EXPECT_EQ(hold.value(3.9), 4);
  EXPECT_EQ(hold.value(4), 1);

  const Motion smooth = Motion::through(times, values, Motion::Interpolation::smooth);
  for (size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(smooth.value(times[i]), values[i], 1e-14);
  for (double join : {2.0, 4.0})
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(smooth.derivative(k, join - 1e-9), smooth.derivative(k, join + 1e-9), 1e-7) << join << " " << k;
  EXPECT_NEAR(smooth.derivative(1, 1), 0, 1e-14);
  EXPECT_NEAR(smooth.derivative(1, 5 - 1e-9), 0, 1e-7);
  EXPECT_THROW(Motion::through(std::vector<double>{1, 1}, std::vector<double>{0, 1}, Motion::Interpolation::linear),
               std::invalid_argument);
  EXPECT_EQ(smooth.shifted(2).value(5.5), smooth.value(3.5));
}

TEST(Motion, SmoothKeepsTheSpeedsThatItsPointsShow) {
  using Interpolation = Motion::Interpolation;
  std::vector<double> times, record, from_rest;
  for (int i = 0; i <= 40; ++i) {
    times.push_back(0.1 * i);
    record.push_back(std::sin(1.3 * times.back()));
    from_rest.push_back(1 - std::cos(1.3 * times.back()));
  }
  const Motion moving = Motion::through(times, record, Interpolation::smooth);
  for (double t : {0.0, 0.05, 0.12, 2.0, 3.95, 4 - 1e-9})
    EXPECT_NEAR(moving.derivative(1, t), 1.3 * std::cos(1.3 * t), 1e-3) << t;
  EXPECT_EQ(moving.derivative(1, 4), 0);  // and rests from there on
  EXPECT_EQ(Motion::through(times, from_rest, Interpolation::smooth).derivative(1, 0), 0);
  // Far apart they show none.
  const std::vector<double> few{0, 5, 10, 15}, values{0, 10, 20, 20};
  const Motion coarse = Motion::through(few, values, Interpolation::smooth);
  EXPECT_NEAR(coarse.derivative(1, 0), 0, 1e-15);
  EXPECT_NEAR(coarse.derivative(1, 15 - 1e-9), 0, 1e-7);
  const Motion given = Motion::through(few, values, Interpolation::smooth, {2.0, -1.0});
  EXPECT_NEAR(given.derivative(1, 0), 2, 1e-14);
  EXPECT_NEAR(given.derivative(1, 15 - 1e-9), -1, 1e-7);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(given.derivative(k, 5 - 1e-9), given.derivative(k, 5 + 1e-9), 1e-7);
}

TEST(Motion, TellsItsJumps) {
  const std::vector<double> times{1, 2, 4}, values{3, 4, 4};
  const auto corners = Motion::through(times, values, Motion::Interpolation::linear).jumps();
  ASSERT_EQ(corners.size(), 2u);
  EXPECT_EQ(corners[0].t, 1);
  EXPECT_NEAR(corners[0].speed, 1, 1e-14);
  EXPECT_EQ(corners[1].t, 2);
  EXPECT_NEAR(corners[1].speed, -1, 1e-14);
  EXPECT_NEAR(corners[1].value, 0, 1e-14);
  const auto steps = Motion::through(times, values, Motion::Interpolation::hold).jumps();
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].value, 1);
  EXPECT_TRUE(Motion::through(times, values, Motion::Interpolation::smooth).jumps().empty());
  EXPECT_TRUE(Motion(1).move(0, 2, 5).stop(1, 3).jumps().empty());
  EXPECT_EQ(Motion(1).move(0, 2, 5, {0, 0}).jumps().size(), 2u);
}

TEST(Motion, FastestTravelUsesTheLimitsUp) {
  for (int k : {0, 1, 2, 4})
    for (double distance : {-20.0, 0.05, 3.0}) {
      const DriveLimits limits{0.5, 0.2};
      const Travel travel = fastest_travel(distance, limits, k);
      const Motion m = Motion(0).move(0, travel.over, distance, travel.profile);
      double speed = 0, acceleration = 0;
      for (int i = 0; i <= 4000; ++i) {
        const double t = travel.over * (i + 0.25) / 4001;
        speed = std::max(speed, std::abs(m.derivative(1, t)));
        acceleration = std::max(acceleration, std::abs(m.derivative(2, t)));
      }
      EXPECT_LE(speed, 0.5 * (1 + 1e-12));
      EXPECT_LE(acceleration, 0.2 * (1 + 1e-12));
      EXPECT_GT(std::max(speed / 0.5, acceleration / 0.2), 0.999) << k << " " << distance;
    }
  const Travel unbounded = fastest_travel(4, {2, std::numeric_limits<double>::infinity()}, 2);
  EXPECT_DOUBLE_EQ(unbounded.over, 4 * 1.875 / 2);
}

// x = t³ until 2, then t² + 4 t - 4 until 3: value and speed are those of the pieces, and it rests after them.
TEST(Motion, goes_in_given_pieces) {
  const std::vector<double> times{0, 2, 3};
  const Motion m = Motion::in_pieces(0, times, {{8, 12, 12, 6}, {17, 10, 2}});
  std::array<double, 4> x{};
  m.derivatives(1.5, x);
  EXPECT_NEAR(x[0], 1.5 * 1.5 * 1.5, 1e-14);
  EXPECT_NEAR(x[1], 3 * 1.5 * 1.5, 1e-14);
  EXPECT_NEAR(x[2], 6 * 1.5, 1e-13);
  EXPECT_NEAR(x[3], 6, 1e-13);
  m.derivatives(2.25, x);
  EXPECT_NEAR(x[0], 2.25 * 2.25 + 4 * 2.25 - 4, 1e-13);
  EXPECT_NEAR(x[1], 2 * 2.25 + 4, 1e-13);
  m.derivatives(4, x);
  EXPECT_EQ(x[0], 17);
  EXPECT_EQ(x[1], 0);
  EXPECT_EQ(m.value(-1), 0);
}

}  // namespace
}  // namespace davit
