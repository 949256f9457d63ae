// Paths whose length is known: unfolded over boxes, round cylinders, through falls and over sheaves; and the rope that
// does not stretch.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "davit/rope/rigid_rope.hpp"
#include "davit/rope/self_check.hpp"
#include "davit/rope/two_block.hpp"
#include "lone_rope.hpp"

namespace davit::rope {
namespace {

using testing::LoneRope;
using testing::point_at;
using testing::sheave_at;

RopeSetup over_a_body(const Vec3& from, const std::vector<Vec3>& around, const Vec3& to, const TriangleMesh& body) {
  std::vector<Waypoint> waypoints{point_at(0, from)};
  for (const Vec3& p : around) waypoints.push_back(point_at(0, p, false));
  waypoints.push_back(point_at(0, to));
  RopeSetup setup = testing::through(std::move(waypoints), 1e6, 1e4);
  setup.rope.layout.surfaces = {testing::surface_of(body, 0)};
  return setup;
}

// Over two parallel edges the shortest way is straight when the faces are unfolded about them.
TEST(ShortestPath, OverABoxIsStraightWhenUnfolded) {
  for (const double skew : {0.0, 0.5, 1.5, -2.0}) {
    SCOPED_TRACE(skew);
    LoneRope scene(0);
    const Vec3 from(-4, -skew, -1), to(3, skew, 0.2);
    scene.lay(over_a_body(from, {{-1.5, 0, 4}, {1.5, 0, 4}}, to, box_mesh(Vec3(2, 8, 2))));
    const double across = std::hypot(3, 2) + 2 + std::hypot(2, 0.8);
    const auto view = scene.view();
    EXPECT_EQ(self_check(*scene.rope, view), "");
    ASSERT_EQ(scene.nodes(), 2);
    EXPECT_NEAR(view.tensions.total_length, std::hypot(across, 2 * skew), 1e-9);
    // At every edge it goes on in the unfolded direction: as far along the edge per length on both sides.
    const double slope = 2 * skew / std::hypot(across, 2 * skew);
    for (const auto& leg : view.tensions.legs) EXPECT_NEAR((leg.to.y() - leg.from.y()) / leg.length, slope, 1e-7);
  }
}

// Of a prism of many sides, nearly that over a cylinder: two tangents and an arc.
TEST(ShortestPath, OverACylinderIsTangentsAndAnArc) {
  const double radius = 1, out = 3;
  LoneRope scene(0);
  scene.lay(over_a_body({-out, 0, 0}, {{-1.5, 2.5, 0}, {1.5, 2.5, 0}}, {out, 0, 0}, cylinder_mesh(radius, 2, 96)));
  const double wrap = std::numbers::pi - 2 * std::acos(radius / out);
  const double expected = 2 * std::sqrt(out * out - radius * radius) + radius * wrap;
  EXPECT_NEAR(scene.view().tensions.total_length, expected, 2e-3 * expected);
  EXPECT_LT(scene.view().tensions.total_length, expected + 1e-9);
  EXPECT_GT(scene.nodes(), 10);
}

TEST(ShortestPath, GoesNowhereWhereNothingIsInItsWay) {
  LoneRope scene(0);
  scene.lay(over_a_body({-4, 0, 3}, {{0, 1, 5}}, {4, 0, 3}, box_mesh(Vec3(2, 2, 2))));
  EXPECT_EQ(scene.nodes(), 0);
  EXPECT_NEAR(scene.view().tensions.total_length, 8, 1e-9);
}

// The load on a block of n falls is that of n ropes, and going down by x takes n x of rope.
TEST(Reeving, MultipliesByItsFalls) {
  for (const int sheaves : {1, 2, 3}) {
    SCOPED_TRACE(sheaves);
    LoneRope scene(1);
    const double radius = 0.4, drop = 20;
    scene.kin.body[1].p = Vec3(0, 0, -drop);
    std::vector<Waypoint> waypoints{point_at(0, {-radius, 0, 0})};
    for (int i = 0; i < sheaves; ++i) {
      const double x = 4 * radius * i;
      waypoints.push_back(sheave_at(1, {x, 0, 0}, -Vec3::UnitY(), radius));  // below, from left to right
      if (i + 1 < sheaves) waypoints.push_back(sheave_at(0, {x + 2 * radius, 0, 0}, Vec3::UnitY(), radius));
    }
    waypoints.push_back(point_at(0, {4 * radius * (sheaves - 1) + radius, 0, 0}));
    scene.lay(testing::through(waypoints, 1e7, 5e4));
    const double at_first = scene.view().tensions.total_length;
    scene.apply();
    EXPECT_NEAR(scene.loads.wrench[1].f.z(), 2 * sheaves * 5e4, 1e-6 * 5e4);
    EXPECT_NEAR(scene.loads.wrench[1].f.x(), 0, 1e-6 * 5e4);
    for (const double tension : scene.view().tensions.tension) EXPECT_NEAR(tension, 5e4, 1e-4);
    scene.kin.body[1].p.z() -= 0.01;
    scene.commit();
    EXPECT_NEAR(scene.view().tensions.total_length - at_first, 2 * sheaves * 0.01, 1e-9);
  }
}

// Slings that go through one eye without friction pull alike, whatever hangs askew; tied there they do not.
TEST(Slings, OverAnEqualizerPullAlike) {
  LoneRope scene(1);
  scene.kin.body[1].p = Vec3(0.3, 0, -4);
  scene.lay(testing::through({point_at(1, {-2, 0, 0}), point_at(0, {0, 0, 0}), point_at(1, {2, 0, 0})}, 1e6, 2e4));
  scene.kin.body[1].R = Eigen::AngleAxisd(0.02, Vec3::UnitY()).toRotationMatrix();
  scene.commit();
  const auto& t = scene.view().tensions;
  ASSERT_EQ(t.tension.size(), 2u);
  EXPECT_NEAR(t.tension[0], t.tension[1], 1e-9 * t.tension[0]);
  EXPECT_GT(std::abs(t.length[0] - t.length[1]), 0.1);
  EXPECT_NEAR(t.tension[0], 1e6 * (t.total_length / scene.view().state.material - 1), 1e-6);
}

TEST(RigidRope, IsAsLongAsTheElasticOneAndItsGradientThatOfItsLength) {
  std::mt19937 engine(9);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto vector = [&] { return Vec3(any(engine), any(engine), any(engine)); };
  for (int trial = 0; trial < 10; ++trial) {
    LoneRope scene(2, 1);
    scene.kin.body[1].p = Vec3(4, 0, 5) + 0.3 * vector();
    scene.kin.body[2].p = Vec3(8, 1, 0) + 0.3 * vector();
    const std::vector<Waypoint> waypoints{point_at(0, {0, 0, 0}), sheave_at(1, {0.1, 0, 0}, Vec3(0.1, 1, 0.1), 0.4),
                                          point_at(2, {0, 0.2, -0.3})};
    scene.q[0] = 0.3;
    const RigidRope rigid(waypoints, {{CoordinateIndex{0, 0}, 1.5}}, scene.kin);
    scene.lay(testing::through(waypoints, 1e6, 1e3));
    double g = 1;
    rigid.rows(scene.kin, &g);
    EXPECT_NEAR(g, 0, 1e-13);
    const double elastic = scene.view().tensions.total_length;
    const Vec3 way = 0.2 * vector();
    scene.kin.body[2].p += way;
    scene.q[0] += 0.1;
    rigid.rows(scene.kin, &g);
    EXPECT_NEAR(g, scene.view().tensions.total_length - elastic - 1.5 * 0.1, 1e-12);
    // ġ of bodies that move and turn, by the gradient and by a difference.
    std::vector<Twist> motion(3);
    for (size_t b = 1; b < 3; ++b) motion[b] = {vector(), vector()};
    scene.u[0] = 0.7;
    JacobianT<double> jacobian;
    rigid.jacobian(scene.kin, jacobian);
    double rate = 0;
    for (const auto& e : jacobian.entries)
      if (e.body > 0) rate += power(e.wrench(scene.kin), motion[static_cast<size_t>(e.body)]);
    for (const auto& e : jacobian.speeds) rate += e.coefficient * scene.u[0];
    const auto moved = [&](double h) {
      Kin kin = scene.kin;
      std::vector<double> q{scene.q[0] + h * scene.u[0]};
      kin.q = q.data();
      for (size_t b = 1; b < 3; ++b) {
        kin.body[b].p += h * motion[b].v;
        kin.body[b].R = exp_rotation(Vec3(h * motion[b].w)) * kin.body[b].R;
      }
      double out = 0;
      rigid.rows(kin, &out);
      return out;
    };
    EXPECT_NEAR((moved(1e-5) - moved(-1e-5)) / 2e-5, rate, 1e-8);
  }
}

// Block against block: what is left of the gap, and words when it is gone.
TEST(TwoBlocking, IsTheGapFromRimToRim) {
  LoneRope scene(1);
  scene.kin.body[1].p = Vec3(0, 0, -3);
  RopeSetup setup = testing::through({point_at(0, {-5, 0, 0}), sheave_at(0, {0, 0, 0}, Vec3::UnitY(), 0.5),
                                      sheave_at(1, {1, 0, 0}, -Vec3::UnitY(), 0.5), point_at(0, {1.5, 0, 0})},
                                     1e6, 1e4);
  setup.least_length = 0.25;
  scene.lay(std::move(setup));
  const TwoBlock& two_block = scene.rope->two_block();
  ASSERT_TRUE(two_block.possible());
  ASSERT_FALSE(two_block.pieces().empty());
  EXPECT_NEAR(two_block.pieces()[0].gap, std::hypot(1, 3) - 1, 1e-12);
  const auto margin = [&] {
    const auto view = scene.view();
    return two_block.margin(scene.rope->setup().rope.layout, view.state, view.tensions);
  };
  EXPECT_NEAR(margin(), std::hypot(1, 3) - 1 - 0.25, 1e-12);
  scene.kin.body[1].p.z() = -1.5;
  EXPECT_NEAR(margin(), std::hypot(1, 1.5) - 1 - 0.25, 1e-12);
  scene.kin.body[1].p.z() = -0.7;
  EXPECT_LT(margin(), 0);
}

}  // namespace
}  // namespace davit::rope
