// Rows that hold exactly, against mechanics by hand: multipliers, what they do to energy, rows that follow from others
// or contradict them, and the way back onto them.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/dynamics/conflicts.hpp"
#include "small_models.hpp"

namespace davit {
namespace {

using namespace testing;

// A bob on a rod from the origin, at an angle from the vertical and turning at a rate.
struct Pendulum {
  double length = 1.7, angle = 0.8, rate = 1.3, mass = 2.5;
  std::shared_ptr<const Particles> bob;
  ModelParts parts(int rods) {
    const Vec3 out(std::sin(angle), 0, -std::cos(angle)), along(std::cos(angle), 0, std::sin(angle));
    ModelParts parts = of_particles({{"bob", mass, length * out, length * rate * along}}, bob);
    for (int i = 0; i < rods; ++i)
      parts.constraints.push_back({"rod" + std::to_string(i), std::make_shared<Rod>(Frame{}, bob->frame(0), length)});
    return parts;
  }
  double tension() const { return mass * (gravity * std::cos(angle) + length * rate * rate); }
};

TEST(Rows, OfAPendulumPullByItsTension) {
  Pendulum p;
  Lab lab(p.parts(1));
  ASSERT_TRUE(lab.system->evaluate(lab.state));
  EXPECT_NEAR(-lab.work().rows.lambda[0] * p.length, p.tension(), 1e-12 * p.tension());
  const Vec3 out(std::sin(p.angle), 0, -std::cos(p.angle)), along(std::cos(p.angle), 0, std::sin(p.angle));
  const Vec3 expected = -gravity * std::sin(p.angle) * along - p.length * p.rate * p.rate * out;
  EXPECT_LT((Vec3(lab.work().a) - expected).norm(), 1e-12 * expected.norm());
}

TEST(Rows, ThatFollowFromOthersAreFoundAndCarryNothing) {
  Pendulum p;
  Lab lab(p.parts(3));
  EXPECT_EQ(lab.system->redundant_rows(lab.state).size(), 2u);
  EXPECT_EQ(lab.system->rows_at(lab.state).rank, 1);
  ASSERT_TRUE(lab.system->evaluate(lab.state));
  const VecX& lambda = lab.work().rows.lambda;
  EXPECT_EQ((lambda.array() == 0).count(), 2);
  EXPECT_NEAR(-lambda.sum() * p.length, p.tension(), 1e-12 * p.tension());
}

// The nearest configuration in the metric of mass: both give way along the rod, the light one more, and their centre
// stays. Of speeds only that along the rod is lost.
TEST(Rows, AreMetByTheLeastMotion) {
  std::shared_ptr<const Particles> two;
  const double m1 = 1, m2 = 3, length = 2;
  ModelParts parts = of_particles({{"a", m1, {0, 0, 0}, {1, 2, 3}}, {"b", m2, {2.1, 0.3, 0}, {-1, 0.5, 0}}}, two);
  parts.constraints = {{"rod", std::make_shared<Rod>(two->frame(0), two->frame(1), length)}};
  Lab lab(std::move(parts));
  const State before = lab.state;
  EXPECT_GT(lab.system->violation(before, 0), 0.1);
  ASSERT_TRUE(lab.system->satisfy_constraints(lab.state));
  EXPECT_LT(lab.system->violation(lab.state, 0), 1e-12);
  const Vec3 a0 = before.q.head<3>(), b0 = before.q.tail<3>(), a = lab.state.q.head<3>(), b = lab.state.q.tail<3>();
  EXPECT_LT((m1 * a + m2 * b - m1 * a0 - m2 * b0).norm(), 1e-12);
  EXPECT_LT((b - a - length * (b0 - a0).normalized()).norm(), 1e-9);
  const Vec3 e = (b - a).normalized();
  const Vec3 u0 = before.u.tail<3>() - before.u.head<3>(), u = lab.state.u.tail<3>() - lab.state.u.head<3>();
  EXPECT_LT((u - (u0 - e * e.dot(u0))).norm(), 1e-12);
  EXPECT_LT((m1 * (lab.state.u - before.u).head<3>() + m2 * (lab.state.u - before.u).tail<3>()).norm(), 1e-12);
}

TEST(Rows, ThatCannotBeMetAreNamed) {
  std::shared_ptr<const Particles> one;
  ModelParts parts = of_particles({{"a", 1, {0, 0, 1}}}, one);
  parts.constraints = {{"short", std::make_shared<Rod>(Frame{}, one->frame(0), 1)},
                       {"far", std::make_shared<Rod>(Frame{0, {Mat3::Identity(), {5, 0, 0}}}, one->frame(0), 1)}};
  Lab lab(std::move(parts));
  EXPECT_FALSE(lab.system->satisfy_constraints(lab.state));
  EXPECT_EQ(lab.system->failure().element, "far, row 1 of 1");
  EXPECT_NE(lab.system->failure().why.find("cannot be met"), std::string::npos);
}

// A slide is moved and carries another, which a spring's force pushes: what moves it takes the inertia of both.
TEST(Rows, ThatMoveDoWork) {
  std::shared_ptr<const Tree> tree;
  ModelParts parts = of_slides({2, 3}, tree);
  parts.constraints = {{"drive", std::make_shared<Moved>(CoordinateIndex{0, 0}, Course{0, 1.5, 0.7})}};
  parts.forces = {std::make_shared<PointForces>(PointForces::Forces{{tree->frame("slide1"), Vec3(4, 0, 0)}})};
  Lab lab(std::move(parts));
  lab.state.u << 1.5, -0.2;
  ASSERT_TRUE(lab.system->evaluate(lab.state));
  EXPECT_NEAR(lab.work().a[0], 0.7, 1e-14);
  EXPECT_NEAR(lab.work().a[0] + lab.work().a[1], 4.0 / 3, 1e-14);
  EXPECT_NEAR(lab.work().rows.lambda[0], 2 * 0.7, 1e-13);
  const Energy energy = lab.system->energy(lab.state);
  EXPECT_NEAR(energy.kinetic, 0.5 * 2 * 1.5 * 1.5 + 0.5 * 3 * 1.3 * 1.3, 1e-13);
  EXPECT_NEAR(energy.power, 4 * 1.3 + 2 * 0.7 * 1.5, 1e-13);
}

// Where the speed of a row jumps a step ends with the one and the next begins with the other.
TEST(Rows, ThatJumpHaveTwoSides) {
  std::shared_ptr<const Tree> tree;
  ModelParts parts = of_slides({2}, tree);
  parts.constraints = {{"drive", std::make_shared<Moved>(CoordinateIndex{0, 0}, Course{0, 1, 0, 2, -3})}};
  Lab lab(std::move(parts));
  lab.state.t = 2;
  lab.state.q[0] = 2;
  State before = lab.state, after = lab.state;
  ASSERT_TRUE(lab.system->satisfy_constraints(before, System::Side::before));
  ASSERT_TRUE(lab.system->satisfy_constraints(after, System::Side::after));
  EXPECT_NEAR(before.u[0], 1, 1e-13);
  EXPECT_NEAR(after.u[0], -3, 1e-13);
  // By an impulse of the mass times the jump.
  ASSERT_TRUE(lab.system->satisfy_speeds(before));
  EXPECT_NEAR(before.u[0], -3, 1e-13);
  EXPECT_NEAR(lab.work().rows.correction[0], 2 * -4, 1e-12);
}

TEST(Rows, OnSpeedsHaveNoPlaceToGoTo) {
  std::shared_ptr<const Particles> one;
  const Vec3 across = Vec3(1, 1, 0).normalized();
  ModelParts parts = of_particles({{"a", 2, {3, 4, 0}, {1, 0, 0}}}, one);
  parts.constraints = {{"skate", std::make_shared<Skate>(one->frame(0), across)}};
  Lab lab(std::move(parts));
  const State before = lab.state;
  EXPECT_EQ(lab.system->violation(before, 0), 0);
  ASSERT_TRUE(lab.system->satisfy_constraints(lab.state));
  EXPECT_EQ(lab.state.q, before.q);
  EXPECT_LT((Vec3(lab.state.u) - Vec3(0.5, -0.5, 0)).norm(), 1e-13);
  // It takes no energy when it glides.
  ASSERT_TRUE(lab.system->evaluate(lab.state));
  EXPECT_NEAR(lab.work().a.head<3>().dot(across), 0, 1e-13);
  EXPECT_NEAR(lab.system->energy(lab.state).power, 0, 1e-12);
}

// Two drives of one slide, which agree or not.
std::vector<Conflict> conflicts_of(const Course& a, const Course& b) {
  std::shared_ptr<const Tree> tree;
  ModelParts parts = of_slides({2}, tree);
  parts.constraints = {{"one", std::make_shared<Moved>(CoordinateIndex{0, 0}, a)},
                       {"two", std::make_shared<Moved>(CoordinateIndex{0, 0}, b)}};
  Lab lab(std::move(parts));
  lab.state.q[0] = a.offset;
  lab.state.u[0] = a.speed;
  return find_conflicts(*lab.system, lab.state);
}

TEST(Conflicts, AreOfPlaceSpeedOrAccelerationNowOrLater) {
  EXPECT_TRUE(conflicts_of({1, 2, 3}, {1, 2, 3}).empty());
  const auto place = conflicts_of({1, 2, 3}, {1.5, 2, 3});
  ASSERT_EQ(place.size(), 1u);
  EXPECT_EQ(place[0].of, Conflict::Of::position);
  EXPECT_NE(place[0].constraint, place[0].partners.at(0));
  const auto speed = conflicts_of({1, 2, 3}, {1, 2.5, 3});
  ASSERT_EQ(speed.size(), 1u);
  EXPECT_EQ(speed[0].of, Conflict::Of::speed);
  EXPECT_EQ(speed[0].time, 0);
  const auto acceleration = conflicts_of({1, 2, 3}, {1, 2, 4});
  ASSERT_EQ(acceleration.size(), 1u);
  EXPECT_EQ(acceleration[0].of, Conflict::Of::acceleration);
  const auto later = conflicts_of({1, 2, 0, 5, 3}, {1, 2, 0, 5, -1});
  ASSERT_EQ(later.size(), 1u);
  EXPECT_EQ(later[0].of, Conflict::Of::speed);
  EXPECT_GT(later[0].time, 5);
}

}  // namespace
}  // namespace davit
