// Legs between points and sheaves against closed forms and differences of their measure.
#include "davit/rope/leg.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "davit/math/rotation.hpp"

namespace davit::rope {
namespace {

using End = LegEndT<double>;

struct Random {
  std::mt19937 engine{20261116};
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3 vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
};

Mat3 turned(const Vec3& by) {
  const double angle = by.norm();
  return angle > 0 ? Mat3(Eigen::AngleAxisd(angle, by / angle)) : Mat3(Mat3::Identity());
}

End sheave(const Vec3& at, const Mat3& R, double radius) { return {at, radius, R.col(2), R.col(0)}; }

// The waypoint moved with its body: a translation, and a rotation about the waypoint itself.
End moved(const End& e, const Vec3& shift, const Vec3& turn) {
  const Mat3 R = turned(turn);
  return {e.at + shift, e.radius, R * e.axis, R * e.reference};
}

double near(double angle, double to) {
  return angle + 2 * std::numbers::pi * std::round((to - angle) / (2 * std::numbers::pi));
}

// Λ with angles on the branch of a leg nearby.
double measure_near(const End& a, const End& b, const LegT<double>& at) {
  const auto l = leg(a, b);
  return l.length + a.radius * near(l.angle_from, at.angle_from) - b.radius * near(l.angle_to, at.angle_to);
}

TEST(Leg, PullsAreMinusTheGradientOfTheMeasure) {
  Random random;
  int tried = 0;
  for (int i = 0; i < 400; ++i) {
    const double ra = i % 3 == 0 ? 0 : random.number(0.1, 0.6), rb = i % 3 == 1 ? 0 : random.number(0.1, 0.6);
    const End a = sheave(random.vector(0.3), turned(random.vector(3)), ra);
    const End b = sheave(Vec3(0, 0, 4) + random.vector(1), turned(random.vector(3)), rb);
    const auto l = leg(a, b);
    if (!l.tangent) continue;
    // Near the axis of a sheave the tangent turns quickly and differences are no measure of it.
    const Vec3 d = (l.to - l.from).normalized();
    if ((ra > 0 && std::abs(d.dot(a.axis)) > 0.95) || (rb > 0 && std::abs(d.dot(b.axis)) > 0.95)) continue;
    ++tried;
    const Vec3 moment_a = l.moment_from + (l.from - a.at).cross(l.pull_from);
    const Vec3 moment_b = l.moment_to + (l.to - b.at).cross(l.pull_to);
    const double h = 1e-5;
    for (int k = 0; k < 3; ++k) {
      const Vec3 step = h * Vec3::Unit(k), none = Vec3::Zero();
      const auto slope = [&](const Vec3& shift_a, const Vec3& turn_a, const Vec3& shift_b, const Vec3& turn_b) {
        const auto at = [&](double s) {
          return measure_near(moved(a, s * shift_a, s * turn_a), moved(b, s * shift_b, s * turn_b), l);
        };
        return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h);
      };
      EXPECT_NEAR(slope(step, none, none, none), -l.pull_from[k], 1e-7);
      EXPECT_NEAR(slope(none, none, step, none), -l.pull_to[k], 1e-7);
      EXPECT_NEAR(slope(none, step, none, none), -moment_a[k], 1e-7);
      EXPECT_NEAR(slope(none, none, none, step), -moment_b[k], 1e-7);
    }
    // Nothing from nothing: forces and moments of a leg are in balance.
    EXPECT_LT((l.pull_from + l.pull_to).norm(), 1e-14);
    EXPECT_LT((moment_a + a.at.cross(l.pull_from) + moment_b + b.at.cross(l.pull_to)).norm(), 1e-12);
    // A sheave that turns about its own axis takes in its radius, out of plane too.
    EXPECT_TRUE(ra == 0 || std::abs(moment_a.dot(a.axis) - ra) < 1e-12);
    EXPECT_TRUE(rb == 0 || std::abs(moment_b.dot(b.axis) + rb) < 1e-12);
  }
  EXPECT_GT(tried, 250);
}

TEST(Leg, DerivativesOnDualNumbersAreThoseOfThePlainLeg) {
  Random random;
  for (int i = 0; i < 50; ++i) {
    const End a = sheave(random.vector(0.3), turned(random.vector(0.5)), 0.4);
    const End b = sheave(Vec3(4, 0, 0) + random.vector(1), turned(random.vector(0.5)), i % 2 ? 0.3 : 0);
    const Vec3 shift = random.vector(1);
    const auto with = [&](double s) { return leg(End{a.at + s * shift, a.radius, a.axis, a.reference}, b); };
    LegEndT<Dual8> da{a.at.cast<Dual8>(), a.radius, a.axis.cast<Dual8>(), a.reference.cast<Dual8>()};
    const LegEndT<Dual8> db{b.at.cast<Dual8>(), b.radius, b.axis.cast<Dual8>(), b.reference.cast<Dual8>()};
    da.at += Dual8::variable(0, 0) * shift.cast<Dual8>();
    const auto dual = leg(da, db);
    const auto l = with(0);
    ASSERT_TRUE(l.tangent);
    const double h = 1e-5;
    const auto low = with(-h), high = with(h);
    EXPECT_NEAR(dual.measure.d[0], -l.pull_from.dot(shift), 1e-12);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(dual.pull_from[k].value, l.pull_from[k], 1e-14);
      EXPECT_NEAR(dual.pull_from[k].d[0], (high.pull_from[k] - low.pull_from[k]) / (2 * h), 1e-8);
      EXPECT_NEAR(dual.moment_to[k].d[0], (high.moment_to[k] - low.moment_to[k]) / (2 * h), 1e-8);
      EXPECT_NEAR(dual.moment_from[k].d[0], (high.moment_from[k] - low.moment_from[k]) / (2 * h), 1e-8);
    }
  }
}

TEST(Leg, BeltsInOnePlane) {
  const double ra = 0.7, rb = 0.4, distance = 3;
  const End a = sheave(Vec3::Zero(), Mat3::Identity(), ra), b = sheave(Vec3(distance, 0, 0), Mat3::Identity(), rb);
  // Open: both turn the same way.
  const auto open = leg(a, b);
  EXPECT_TRUE(open.tangent);
  EXPECT_NEAR(open.length, std::sqrt(distance * distance - (ra - rb) * (ra - rb)), 1e-14);
  EXPECT_NEAR(std::cos(open.angle_from), (ra - rb) / distance, 1e-14);
  EXPECT_NEAR(open.angle_from, open.angle_to, 1e-14);
  EXPECT_LT(open.from.y(), 0);  // counter-clockwise: it leaves to +x from below
  // Crossed: the other way round b.
  const Mat3 over = turned(Vec3(std::numbers::pi, 0, 0));
  const auto crossed = leg(a, sheave(Vec3(distance, 0, 0), over, rb));
  EXPECT_TRUE(crossed.tangent);
  EXPECT_NEAR(crossed.length, std::sqrt(distance * distance - (ra + rb) * (ra + rb)), 1e-14);
  EXPECT_NEAR(std::cos(crossed.angle_from), (ra + rb) / distance, 1e-14);
  EXPECT_GT(crossed.to.y(), 0);
}

TEST(Leg, PointOutOfPlane) {
  // From a sheave in the plane z = 0 to a point 1 m beside it: the projection is tangent.
  const double radius = 0.5;
  const Vec3 point(2, 0.3, 1);
  const auto l = leg(sheave(Vec3::Zero(), Mat3::Identity(), radius), End{point, 0, Vec3::Zero(), Vec3::Zero()});
  EXPECT_NEAR(l.length, std::sqrt(2.0 * 2.0 + 0.3 * 0.3 - radius * radius + 1), 1e-14);
  EXPECT_NEAR((point - l.from).dot(l.from), 0, 1e-14);
  EXPECT_NEAR(l.from.norm(), radius, 1e-14);
  // What pulls the point is not quite along the rope: the flank of the groove holds it.
  EXPECT_GT((l.pull_to + (point - l.from).normalized()).norm(), 1e-3);
}

TEST(Leg, AStationInsideASheaveHasNoTangent) {
  const End a = sheave(Vec3::Zero(), Mat3::Identity(), 0.5);
  EXPECT_FALSE(leg(a, End{Vec3(0.2, 0, 3), 0, Vec3::Zero(), Vec3::Zero()}).tangent);
  // A crossed belt between sheaves that overlap.
  EXPECT_FALSE(leg(a, sheave(Vec3(0.9, 0, 0), turned(Vec3(std::numbers::pi, 0, 0)), 0.5)).tangent);
}

}  // namespace
}  // namespace davit::rope
