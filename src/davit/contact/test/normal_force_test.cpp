// What presses: a spring and a damper along the normal, which only push.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "davit/contact/test/touching.hpp"
#include "davit/mesh/shapes.hpp"

namespace davit::contact {
namespace {

using test::at_height;
using test::kinematics;
using test::on_ground;
using test::points_at;
using test::Touching;

constexpr double stiffness = 2e6, damper = 3e4, damping_time = 0.02;

ContactLaw damped_law() {
  ContactLaw law;
  law.spring = OneSidedSpring(stiffness);
  law.damping = damper;
  law.damping_time = damping_time;
  return law;
}
ContactLaw elastic_law() {
  ContactLaw law;
  law.spring = OneSidedSpring(stiffness);
  return law;
}

TEST(NormalForce, IsThatOfSpringAndDamper) {
  const Touching touching(damped_law());
  for (const double depth : {1e-3, 0.01, 0.2})
    for (const double approach : {-1e-2, 0.0, 0.3}) {
      test::BodyMotion motion = at_height(-depth);
      motion.speed = Vec3(0.7, -0.2, -approach);
      const double expected = std::max(0.0, stiffness * depth + (damper + damping_time * stiffness) * approach);
      EXPECT_LT((touching.force(motion) - Vec3(0, 0, expected)).norm(), 1e-9 * stiffness) << depth << ", " << approach;
    }
}

RC_GTEST_PROP(NormalForce, NeverPulls, (int depth, int approach)) {
  const Touching touching(damped_law());
  test::BodyMotion motion = at_height(-1e-4 * (depth % 1000));
  motion.speed = Vec3(0, 0, -1e-2 * (approach % 1000));
  const double force = touching.force(motion).z();
  RC_ASSERT(force >= 0);
  RC_ASSERT(motion.at.z() < 0 || force == 0);
}

TEST(NormalForce, FollowsATableWithTheDampingOfItsSlope) {
  ContactLaw law;
  law.spring = OneSidedSpring({{0.1, 5e4}, {0.3, 4e5}});  // a fender: 0.5 and then 1.75 MN/m
  law.damping_time = damping_time;
  const Touching fender(law);
  test::BodyMotion motion = at_height(-0.2);
  motion.speed = Vec3(0, 0, -0.4);
  EXPECT_NEAR(fender.force(motion).z(), 5e4 + 0.1 * 1.75e6 + damping_time * 1.75e6 * 0.4, 1e-6);
  EXPECT_NEAR(fender.energy(at_height(-0.3)), 0.5 * 0.1 * 5e4 + 0.2 * 0.5 * (5e4 + 4e5), 1e-6);
}

TEST(NormalForce, ActsAtItsPointAndBackOnWhatIsTouched) {
  // A plane on a body that is turned, moves and spins; friction too.
  test::BodyMotion other, motion;
  other.at = Vec3(4, -2, 1);
  other.turned = rotation_from_z(Vec3(0.3, -0.2, 1).normalized());
  other.speed = Vec3(0.1, 0.2, -0.1);
  other.spin = Vec3(0.2, -0.1, 0.3);
  motion.at = other.at + other.turned * Vec3(0.5, 0.7, 0.95);
  motion.turned = rotation_from_z(Vec3(-0.1, 0.2, 1).normalized());
  motion.speed = Vec3(-0.2, 0.1, 0);
  ContactLaw law = damped_law();
  law.friction = 0.4;
  law.tangential_stiffness = 0.8 * stiffness;
  law.tangential_damping = 1e4;
  const std::vector<ContactSide> sides = {on_ground(points_at({{0.3, 0.2, -1}, {-0.3, 0.1, -1}}, 0.25), Frame{2, {}})};
  const Touching touching(law, sides, motion, other);
  const std::vector<Wrench> w = touching.loads(kinematics<double>(motion, 0, other));
  EXPECT_GT(w[1].f.norm(), 1e3);
  EXPECT_LT((w[1].f + w[2].f).norm(), 1e-9 * w[1].f.norm());
  const Vec3 about_world = w[1].n + motion.at.cross(w[1].f) + w[2].n + other.at.cross(w[2].f);
  EXPECT_LT(about_world.norm(), 1e-8 * w[1].f.norm());
}

TEST(NormalForce, IsTheGradientOfItsEnergy) {
  const Touching touching(elastic_law(), {on_ground(points_at({{1, 0, 0}, {-1, 0.5, 0}}, 0.5))});
  constexpr double depth = 0.03, small = 1e-5;
  const double slope =
      (touching.energy(at_height(-depth - small)) - touching.energy(at_height(-depth + small))) / 2 / small;
  EXPECT_NEAR(touching.force(at_height(-depth)).z(), slope, 1e-6 * slope);
  EXPECT_NEAR(touching.energy(at_height(-depth)), 0.5 * stiffness * depth * depth, 1e-9);
  EXPECT_EQ(touching.energy(at_height(0.01)), 0);
}

// ΔV/Δδ: over any step what is stored is the work, also where it begins or ends in the air.
RC_GTEST_PROP(NormalForceOverAStep, StoresTheWorkThatIsDoneOnIt, (int from, int to)) {
  const Touching touching(elastic_law());
  const test::BodyMotion before = at_height(1e-4 * (from % 500)), after = at_height(1e-4 * (to % 500));
  const double work = touching.step_force(before, after, 0.01).dot(after.at - before.at);
  const double stored = touching.energy(after) - touching.energy(before);
  RC_ASSERT(std::abs(work + stored) <= 1e-9 * (1 + std::abs(stored)));
}

RC_GTEST_PROP(NormalForceOverAStep, DampedOnlyLosesAndNeverPulls, (int from, int to)) {
  const Touching touching(damped_law());
  const test::BodyMotion before = at_height(1e-4 * (from % 500)), after = at_height(1e-4 * (to % 500));
  const Vec3 force = touching.step_force(before, after, 0.01);
  const double stored = touching.energy(after) - touching.energy(before);
  RC_ASSERT(force.z() >= 0);
  RC_ASSERT(force.dot(after.at - before.at) + stored <= 1e-9 * (1 + std::abs(stored)));
}

// Of the way, the part inside is damped: N = ΔV/Δδ + c Δδ/h.
TEST(NormalForceOverAStep, IsDampedWhereItIsInside) {
  ContactLaw law = elastic_law();
  law.damping = damper;
  const Touching touching(law);
  const double h = 0.01, outside = 2e-3, inside = 5e-3;
  const double expected = 0.5 * stiffness * inside * inside / (inside + outside) + damper * inside / h;
  EXPECT_NEAR(touching.step_force(at_height(outside), at_height(-inside), h).z(), expected, 1e-9 * expected);
}

TEST(NormalForce, BrakesFeetThatRock) {
  const double b = 1.5, depth = 0.01, spin = 0.01;
  const Touching touching(damped_law(), {on_ground(points_at({{b, 0, 0}, {-b, 0, 0}}))});
  test::BodyMotion motion = at_height(-depth);
  motion.spin = Vec3(0, spin, 0);
  const Wrench w = touching.loads(kinematics<double>(motion))[1];
  EXPECT_NEAR(w.f.z(), 2 * stiffness * depth, 1e-6);
  EXPECT_NEAR(w.n.y(), -2 * (damper + damping_time * stiffness) * b * b * spin, 1e-6);
}

// A round body that rolls presses points in ahead and lets them go behind; damped one by one they would brake it.
TEST(NormalForce, DoesNotBrakeWhatRolls) {
  const double radius = 1, depth = 1e-3, spin = 0.5;
  std::vector<Vec3> rim;
  for (int i = -200; i <= 200; ++i) rim.push_back(radius * Vec3(std::sin(5e-4 * i), 0, -std::cos(5e-4 * i)));
  for (int i = 1; i < 20; ++i) rim.push_back(radius * Vec3(std::sin(0.3 * i + 0.2), 0, -std::cos(0.3 * i + 0.2)));
  const Touching touching(damped_law(), {on_ground(points_at(rim))});
  test::BodyMotion motion = at_height(radius - depth);
  const Wrench still = touching.loads(kinematics<double>(motion))[1];
  motion.spin = Vec3(0, spin, 0);
  motion.speed = Vec3(spin * radius, 0, 0);
  const Wrench rolls = touching.loads(kinematics<double>(motion))[1];
  EXPECT_NEAR(rolls.f.z(), still.f.z(), 1e-6 * still.f.z());
  EXPECT_NEAR(rolls.n.y(), still.n.y(), 1e-9 * still.f.z() * radius);
}

TEST(NormalForce, OfAMeshPushesTheShortestWayOut) {
  const auto box = std::make_shared<BodySurface>("box", Frame{}, box_mesh(Vec3(2, 2, 2)));
  const Touching touching(elastic_law(), {{Frame{}, std::make_shared<MeshSurface>(box), points_at({Vec3::Zero()})}});
  EXPECT_LT((touching.force(test::at_place(0.95, 0.2, -0.1)) - Vec3(0.05 * stiffness, 0, 0)).norm(), 1e-6);
  EXPECT_LT((touching.force(test::at_place(0.1, -0.9, 0.3)) - Vec3(0, -0.1 * stiffness, 0)).norm(), 1e-6);
  EXPECT_EQ(touching.force(test::at_place(1.05, 0.2, -0.1)), Vec3::Zero());
}

TEST(NormalForce, EndsBesideAPlaneThatEnds) {
  const Touching touching(elastic_law(), {{Frame{}, std::make_shared<PlaneSurface>(4, 2), points_at({Vec3::Zero()})}});
  EXPECT_GT(touching.force(test::at_place(1.99, 0.99, -0.01)).z(), 0);
  EXPECT_EQ(touching.force(test::at_place(2.01, 0, -0.01)), Vec3::Zero());
  EXPECT_EQ(touching.force(test::at_place(0, 1.01, -0.01)), Vec3::Zero());
}

TEST(ContactView, IsTheSumOfItsPoints) {
  const Touching touching(elastic_law(), {on_ground(points_at({{0, 0, 0}, {1, 0, 0.02}, {2, 0, 0.1}}, 0.5))});
  const ContactView view = touching.view(at_height(-0.05));
  EXPECT_EQ(view.touching, 2);
  ASSERT_EQ(view.point_normal.size(), 3u);
  EXPECT_NEAR(view.point_normal[0], 0.5 * stiffness * 0.05, 1e-6);
  EXPECT_NEAR(view.point_normal[1], 0.5 * stiffness * 0.03, 1e-6);
  EXPECT_EQ(view.point_normal[2], 0);
  EXPECT_NEAR(view.normal, touching.force(at_height(-0.05)).z(), 1e-6);
  EXPECT_NEAR(view.gap, -0.05, 1e-15);
  EXPECT_NEAR(touching.view(at_height(0.4)).gap, 0.4, 1e-15);
  EXPECT_EQ(touching.view(at_height(0.4)).touching, 0);
}

TEST(ContactView, BesideAPlaneTheGapIsTheWayToIt) {
  const Touching touching(elastic_law(), {{Frame{}, std::make_shared<PlaneSurface>(4, 2), points_at({Vec3::Zero()})}});
  EXPECT_NEAR(touching.view(test::at_place(5, 0, 4)).gap, 5, 1e-12);
}

}  // namespace
}  // namespace davit::contact
