// Thrusters make the slow motion of a vessel the one that was asked for.
#include "davit/vessel/position_keeping.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <complex>

namespace davit::vessel {
namespace {

using Complex = std::complex<double>;

constexpr double omega = 0.1, damping_ratio = 0.7;

PositionKeeping::Data keeping() {
  PositionKeeping::Data data;
  data.mass = Vec3(2e7, 3e7, 4e10);
  data.frequency = omega;
  data.damping = damping_ratio;
  return data;
}

struct Drifting {
  Vec2 place = Vec2::Zero(), speed = Vec2::Zero();
  double heading = 0, turn = 0;
};
Kin kinematics_of(const Drifting& d) {
  Kin kin;
  kin.body.resize(2);
  kin.body[1].R = Eigen::AngleAxisd(d.heading, Vec3::UnitZ()).toRotationMatrix();
  kin.body[1].p = Vec3(d.place.x(), d.place.y(), 0.3);
  kin.body[1].v = Vec3(d.speed.x(), d.speed.y(), 0.1);
  kin.body[1].w = Vec3(0.01, -0.02, d.turn);
  return kin;
}
Vec3 thrust(const PositionKeeping::Data& data, const Drifting& d, const std::vector<double>& z = {}) {
  return PositionKeeping("keeping", Frame{1, {}}, data, "").thrust<double>(kinematics_of(d), z.data());
}

TEST(PositionKeeping, IsSpringAndDamperOfThePeriodAskedFor) {
  const Drifting d{Vec2(3, -2), Vec2(0.2, 0.1), 0.05, -0.002};
  const Vec3 x(3, -2, 0.05), v(0.2, 0.1, -0.002);
  const Vec3 expected = -keeping().mass.cwiseProduct(omega * omega * x + 2 * damping_ratio * omega * v);
  EXPECT_LT((thrust(keeping(), d) - expected).norm(), 1e-9 * expected.norm());
}

TEST(PositionKeeping, IsInTheAxesOfTheWantedHeadingAboutTheWantedPlace) {
  PositionKeeping::Data data = keeping();
  data.heading = M_PI / 2;
  data.place = Vec2(100, 50);
  // 3 m to the north is 3 m ahead, and 2 m to the west is 2 m to port.
  const Vec3 F = thrust(data, {Vec2(98, 53), Vec2::Zero(), M_PI / 2, 0});
  EXPECT_NEAR(F.x(), -2e7 * omega * omega * 3, 1e-3);
  EXPECT_NEAR(F.y(), -3e7 * omega * omega * 2, 1e-3);
  EXPECT_NEAR(F.z(), 0, 1e-3);
}

TEST(PositionKeeping, TurnsTheShortWayAcrossTheSouth) {
  PositionKeeping::Data data = keeping();
  data.heading = 170 * M_PI / 180;
  EXPECT_NEAR(thrust(data, {Vec2::Zero(), Vec2::Zero(), -170 * M_PI / 180, 0}).z(),
              -4e10 * omega * omega * 20 * M_PI / 180, 1);
}

TEST(PositionKeeping, ActsOnTheHullInWorldAxes) {
  PositionKeeping::Data data = keeping();
  data.heading = 0.6;
  const PositionKeeping force("keeping", Frame{1, Pose{Mat3::Identity(), Vec3(5, 0, 0)}}, data, "");
  const Kin kin = kinematics_of({Vec2(3, -2), Vec2::Zero(), 0.6, 0});
  Loads loads;
  loads.resize(2, 0, false);
  const DiscreteState none;
  force.add_loads<double>({kin, nullptr, nullptr, none, 0}, loads, nullptr);
  const Vec3 F = force.thrust<double>(kin, nullptr);
  const Vec3 in_world = Eigen::AngleAxisd(0.6, Vec3::UnitZ()) * Vec3(F.x(), F.y(), 0);
  EXPECT_LT((loads.wrench[1].f - in_world).norm(), 1e-6);
  const Vec3 arm = Eigen::AngleAxisd(0.6, Vec3::UnitZ()) * Vec3(5, 0, 0);
  EXPECT_LT((loads.wrench[1].n - arm.cross(in_world) - Vec3(0, 0, F.z())).norm(), 1e-3);
}

// In each of three motions: (s² + 2ζωs + ω²)(s + r), as a free mass of place, speed and the load that it finds.
TEST(PositionKeeping, PolesAreThoseAskedForAndThatOfTheSteadyLoad) {
  constexpr double rate = 0.004;
  PositionKeeping::Data data = keeping();
  data.load_rate = rate;
  data.balances_load = true;
  const PositionKeeping force("keeping", Frame{1, {}}, data, "");
  ASSERT_EQ(force.auxiliary_states(), 3);
  for (int motion = 0; motion < 3; ++motion) {
    Mat3 A = Mat3::Zero();
    for (int j = 0; j < 3; ++j) {
      const double small = 1e-3;
      Vec3 x = Vec3::Zero(), v = Vec3::Zero(), z = Vec3::Zero(), zdot;
      (j == 0 ? x : j == 1 ? v : z)[motion] = small;
      Drifting d{x.head<2>(), v.head<2>(), x.z(), v.z()};
      const Vec3 F = force.thrust<double>(kinematics_of(d), z.data(), zdot.data());
      A.col(j) = Vec3(v[motion], F[motion] / data.mass[motion], zdot[motion]) / small;
    }
    for (const Complex s : {Complex(0.1, 0), Complex(-0.05, 0.3), Complex(0.2, 0.9)}) {
      const Complex found = (s * Mat3::Identity() - A.cast<Complex>()).eval().determinant();
      const Complex asked = (s * s + 2 * damping_ratio * omega * s + omega * omega) * (s + rate);
      EXPECT_LT(std::abs(found - asked), 1e-6 * std::abs(asked)) << motion << ", " << s;
    }
  }
}

// The thrust that a steady load takes is found, at the wanted place, also where thrusters were at their limit before.
TEST(PositionKeeping, BalancesASteadyLoad) {
  PositionKeeping::Data data = keeping();
  data.load_rate = 0.004;
  data.balances_load = true;
  data.force_limit = 4e5;
  const PositionKeeping force("keeping", Frame{1, {}}, data, "");
  Drifting d{Vec2(-400, 0), Vec2::Zero(), 0, 0};
  Vec3 z = Vec3::Zero(), F;
  const double h = 0.1, load = 1e5;
  double farthest = -400;
  for (int i = 0; i < 40000; ++i) {
    Vec3 zdot;
    F = force.thrust<double>(kinematics_of(d), z.data(), zdot.data());
    EXPECT_LE(std::abs(F.x()), data.force_limit * (1 + 1e-12));
    d.speed.x() += h * (F.x() + load) / data.mass.x();
    d.place.x() += h * d.speed.x();
    z += h * zdot;
    farthest = std::max(farthest, d.place.x());
  }
  EXPECT_NEAR(d.place.x(), 0, 1e-3);
  EXPECT_NEAR(F.x(), -load, 1);
  EXPECT_LT(farthest, 100) << "nothing winds up";
}

TEST(PositionKeeping, IsNeverMoreThanItsLimitsAndKeepsItsDirection) {
  PositionKeeping::Data data = keeping();
  data.mass.y() = data.mass.x();
  data.force_limit = 1e5;
  data.moment_limit = 1e6;
  const Vec3 F = thrust(data, {Vec2(0, 0), Vec2(3, 4), 0, 0.1});
  EXPECT_NEAR(F.head<2>().norm(), 1e5, 1e-6);
  EXPECT_NEAR(F.x() / F.y(), 0.75, 1e-12);
  EXPECT_EQ(F.z(), -1e6);
}

// Beyond x₁ = 2ζ²f/ω² it coasts with v = √(f(|x| − x₁/2)), which half of the thrust can stop.
TEST(PositionKeeping, ComesBackFromFarAwayNoFasterThanItCanStop) {
  PositionKeeping::Data data = keeping();
  data.force_limit = 2e5;
  const double f = data.force_limit / data.mass.x(), from = 2 * damping_ratio * damping_ratio * f / (omega * omega);
  for (const double x : {1.5 * from, 10 * from, 400 * from}) {
    const double v = std::sqrt(f * (x - from / 2));
    EXPECT_NEAR(thrust(data, {Vec2(x, 0), Vec2(-v, 0), 0, 0}).x(), 0, 1e-6 * data.force_limit) << x;
    EXPECT_LE(v * v / 2 / x, f / 2) << "of the thrust, over the way there is";
  }
  const auto at = [&](double x) { return thrust(data, {Vec2(x, 0), Vec2(-omega * from / 2, 0), 0, 0}).x(); };
  EXPECT_NEAR(at(from * (1 - 1e-6)), at(from * (1 + 1e-6)), 1e-5 * data.force_limit) << "and joins smoothly";
}

}  // namespace
}  // namespace davit::vessel
