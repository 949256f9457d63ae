// How what has a drive goes on from where it is.
#include "davit/operation/drive_motion.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "davit/model/signal.hpp"

namespace davit::operation {
namespace {

constexpr DriveLimits drive{0.5, 0.2};

std::array<double, 3> sampled(const Motion& motion, double t) {
  std::array<double, 3> x{};
  motion.derivatives(t, x);
  return x;
}

// Over a minute from t on.
double largest(const Motion& motion, int derivative, double t) {
  double out = 0;
  for (int i = 0; i <= 60000; ++i) out = std::max(out, std::abs(motion.derivative(derivative, t + 1e-3 * i)));
  return out;
}

void expect_goes_on(const Motion& before, const Motion& after, double t) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(after.derivative(k, t), before.derivative(k, t), 1e-12) << "derivative " << k;
}

// One that is under way at 0.3 m/s and 1.7 m at t = 4.
Motion under_way(double speed = 0.3) { return Motion::to_speed(0, std::array{1.7 - 4 * speed, speed, 0.0}, 1, speed); }

TEST(MotionAtSpeed, IsReachedWithTheAccelerationOfTheDriveAndKept) {
  for (const double speed : {0.4, -0.4}) {
    const Motion motion = motion_at_speed(Motion(3), 2, drive, speed);
    expect_goes_on(Motion(3), motion, 2);
    EXPECT_NEAR(largest(motion, 2, 2), drive.acceleration, 1e-6);
    EXPECT_NEAR(largest(motion, 1, 2), 0.4, 1e-12);
    // The speed rises as a cubic in 1.5 v/a, in which half its way is made.
    EXPECT_NEAR(motion.value(32), 3 + speed * (30 - 1.5), 1e-12);
    EXPECT_EQ(motion.ends(), INFINITY);
  }
}

TEST(MotionAtSpeed, IsNeverFasterThanTheDrive) {
  EXPECT_NEAR(motion_at_speed(Motion(0), 0, drive, 7).derivative(1, 50), 0.5, 1e-12);
  EXPECT_NEAR(motion_at_speed(Motion(0), 0, drive, -7).derivative(1, 50), -0.5, 1e-12);
}

TEST(MotionAtSpeed, ChangesFromOneSpeedToAnother) {
  const Motion motion = motion_at_speed(under_way(), 4, drive, -0.2);
  expect_goes_on(under_way(), motion, 4);
  EXPECT_NEAR(largest(motion, 2, 4), drive.acceleration, 1e-6);
  EXPECT_NEAR(motion.derivative(1, 30), -0.2, 1e-12);
}

TEST(MotionAtSpeed, ComesToRestAtTheEndOfItsTravel) {
  for (const double speed : {0.5, 0.3, -0.1, -0.5}) {
    const double end = speed > 0 ? 10 : -8;
    const Motion motion = motion_at_speed(under_way(), 4, drive, speed, -8, 10);
    EXPECT_NEAR(motion.end_value(), end, 1e-12) << speed;
    EXPECT_TRUE(std::isfinite(motion.ends())) << speed;
    EXPECT_LE(largest(motion, 2, 4), drive.acceleration * (1 + 1e-6)) << speed;
    for (double t = 4; t < motion.ends(); t += 0.01) {
      EXPECT_LE(motion.value(t), 10 + 1e-12);
      EXPECT_GE(motion.value(t), -8 - 1e-12);
    }
  }
}

TEST(MotionAtSpeed, GoesToAnEndThatIsTooNearForTheSpeed) {
  const Motion motion = motion_at_speed(Motion(9.9), 4, drive, 0.5, -8, 10);
  EXPECT_NEAR(motion.end_value(), 10, 1e-12);
  EXPECT_LE(largest(motion, 2, 4), drive.acceleration * (1 + 1e-6));
  EXPECT_LE(motion.value(4.5), 10);
}

TEST(MotionAtSpeed, OfATravelWithoutEndsIsKept) {
  EXPECT_EQ(motion_at_speed(Motion(0), 0, drive, 0.3, -INFINITY, INFINITY).ends(), INFINITY);
  EXPECT_EQ(motion_at_speed(Motion(0), 0, drive, 0.3, -1, INFINITY).ends(), INFINITY);
  EXPECT_TRUE(std::isfinite(motion_at_speed(Motion(0), 0, drive, -0.3, -1, INFINITY).ends()));
}

TEST(MotionTo, GoesFromRestWithinTheLimits) {
  for (const double value : {13.0, 3.05, -9.0}) {
    const Motion motion = motion_to(Motion(3), 2, drive, value);
    expect_goes_on(Motion(3), motion, 2);
    EXPECT_EQ(sampled(motion, 60), (std::array{value, 0.0, 0.0}));
    EXPECT_LE(largest(motion, 1, 2), drive.speed * (1 + 1e-9));
    EXPECT_LE(largest(motion, 2, 2), drive.acceleration * (1 + 1e-9));
    EXPECT_GT(largest(motion, 2, 2), drive.acceleration * 0.99) << "as fast as it can";
  }
}

TEST(MotionTo, BringsWhatMovesToRestFirst) {
  for (const double value : {8.0, 1.75, -5.0}) {
    const Motion motion = motion_to(under_way(), 4, drive, value);
    expect_goes_on(under_way(), motion, 4);
    EXPECT_NEAR(motion.value(60), value, 1e-12);
    EXPECT_EQ(motion.derivative(1, 60), 0);
    EXPECT_LE(largest(motion, 2, 4), drive.acceleration * (1 + 1e-6));
  }
}

TEST(MotionTo, JumpsWithoutLimits) {
  const Motion motion = motion_to(Motion(1), 3, {}, 0);
  EXPECT_EQ(motion.value(3), 0);
  EXPECT_EQ(motion.value(just_before(3)), 1);
  EXPECT_TRUE(motion_to(Motion(1), 3, {}, 1).jumps().empty());
}

TEST(TimeToChange, IsNeverShorterThanATenthOfASecond) {
  EXPECT_DOUBLE_EQ(time_to_change(-0.4, drive), 3);
  EXPECT_DOUBLE_EQ(time_to_change(1e-6, drive), 0.1);
  EXPECT_DOUBLE_EQ(time_to_change(5, {0.5, INFINITY}), 0.1);
}

}  // namespace
}  // namespace davit::operation
