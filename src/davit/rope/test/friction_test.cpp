// Friction where its balance is hard to find: slack between taut, many nodes that slip at once, nodes close together.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/rope/self_check.hpp"
#include "lone_rope.hpp"

namespace davit::rope {
namespace {

constexpr double stiffness = 1e6;

using testing::point_at;

// A rope over a surface of the world, between waypoints of the world and of body 1.
struct Scene : testing::LoneRope {
  Scene(std::vector<Waypoint> waypoints, TouchedSurface touched) : LoneRope(1) {
    RopeSetup setup = testing::through(std::move(waypoints), stiffness, 1e4);
    setup.rope.layout.surfaces.push_back(std::move(touched));
    lay(std::move(setup));
  }
};

// A slack leg between two taut ones, at eyes where the rope turns by a right angle: rope flows out of it both ways
// until T₁ = T₀ (1 - m)/(1 + m), m = μ sin 45°.
TEST(Friction, SlackLegBetweenTautOnes) {
  const double mu = 0.2;
  Rope rope;
  rope.elasticity = Elasticity(stiffness, 0);
  rope.friction = true;
  rope.layout.waypoints = {point_at(0, {0, 1, 0}), point_at(0, {0, 0, 0}), point_at(0, {1, 0, 0}),
                           point_at(0, {1, 1, 0})};
  for (Waypoint& s : rope.layout.waypoints) s.static_friction = s.kinetic_friction = mu;
  rope.layout.number_bodies();
  Path path(4);
  const double material[] = {0.885, 1.2, 0.885, 0};
  for (size_t i = 0; i < 4; ++i) {
    path[i].waypoint = static_cast<int>(i);
    path[i].material = material[i];
  }
  const Poses poses(1);
  ASSERT_TRUE(balance(rope, poses, {}, path, *make_balance_work()).converged);
  TensionsT<double> t;
  std::vector<double> s;
  evaluate<double>(rope, poses, {}, path, t, s, *make_balance_work());
  const double m = mu * std::sqrt(0.5);
  EXPECT_NEAR(t.tension[1] / t.tension[0], (1 - m) / (1 + m), 1e-9);
  EXPECT_NEAR(t.tension[2] / t.tension[0], 1, 1e-9);
  EXPECT_NEAR(t.material[0] + t.material[1] + t.material[2], 2.97, 1e-12);
  EXPECT_GT(t.tension[1], 0);
}

// Rope enough for all legs, but one of them has far too little: all become slack.
TEST(Friction, SlackIsShared) {
  Rope rope;
  rope.elasticity = Elasticity(stiffness, 0);
  rope.friction = true;
  rope.layout.waypoints = {point_at(0, {0, 1, 0}), point_at(0, {0, 0, 0}), point_at(0, {1, 0, 0}),
                           point_at(0, {1, 1, 0})};
  for (Waypoint& s : rope.layout.waypoints) s.static_friction = s.kinetic_friction = 0.3;
  rope.layout.number_bodies();
  Path path(4);
  const double material[] = {1e-3, 1.2, 1.9, 0};
  for (size_t i = 0; i < 4; ++i) {
    path[i].waypoint = static_cast<int>(i);
    path[i].material = material[i];
  }
  const Poses poses(1);
  ASSERT_TRUE(balance(rope, poses, {}, path, *make_balance_work()).converged);
  TensionsT<double> t;
  std::vector<double> s;
  evaluate<double>(rope, poses, {}, path, t, s, *make_balance_work());
  for (const double tension : t.tension) EXPECT_LE(tension, 1e-3);
}

// Half a turn about a prism of many sides, all slipping at once: every node inside by (1 + μw/2)/(1 - μw/2) with w = 2
// sin of half its turn, all together e^{μθ} but for what sides leave of a circle.
TEST(Friction, CapstanOverAPrism) {
  const double mu = 0.2;
  Scene scene({point_at(0, {-1.05, -5, 0}), point_at(0, {-1.5, 3, 0}, false), point_at(0, {1.5, 3, 0}, false),
               point_at(1, {1.05, -5, 0})},
              testing::surface_of(cylinder_mesh(1, 1, 32), mu));
  for (int i = 0; i < 3; ++i) {
    scene.kin.body[1].p.y() -= 0.1;
    scene.commit();
  }
  const auto& v = scene.view();
  ASSERT_TRUE(v.outcome.balanced);
  EXPECT_EQ(self_check(*scene.rope, v), "");
  const auto& t = v.tensions;
  ASSERT_GT(t.legs.size(), 10u);
  double angle = 0;
  for (size_t i = 1; i < t.legs.size(); ++i) {
    const Vec3 before = (t.legs[i - 1].to - t.legs[i - 1].from).normalized(),
               after = (t.legs[i].to - t.legs[i].from).normalized();
    angle += std::acos(before.dot(after));
    if (i == 1 || i + 1 == t.legs.size()) continue;
    const double half = 0.5 * mu * (after - before).norm();
    EXPECT_NEAR(t.tension[i] / t.tension[i - 1], (1 + half) / (1 - half), 1e-8) << i;
  }
  EXPECT_NEAR(t.tension.back() / t.tension.front(), std::exp(mu * angle), 2e-3 * std::exp(mu * angle));
}

// Over the edge of a plate a millimetre thick, both ends of the rope carried along it: its two nodes slide together,
// and stand on the cone of friction.
TEST(Friction, TwoNodesSlideTogetherOverAThinPlate) {
  const double mu = 0.2;
  Scene scene({point_at(1, {-4, -3, 0}), point_at(0, {0, 3, 0}, false), point_at(1, {4, -3, 0})},
              testing::surface_of(box_mesh(Vec3(1e-3, 2, 6)), mu));
  for (int i = 0; i < 5; ++i) {
    scene.kin.body[1].p.z() += 0.5;
    scene.commit();
    const auto& v = scene.view();
    ASSERT_TRUE(v.outcome.balanced);
    EXPECT_EQ(self_check(*scene.rope, v), "") << i;
    ASSERT_EQ(v.state.path.size(), 4u);
    EXPECT_NEAR(v.tensions.at[1].z(), v.tensions.at[2].z(), 1e-8);
    EXPECT_NEAR(v.tensions.tension.front() / v.tensions.tension.back(), 1, 1e-7);
  }
  EXPECT_GT(scene.view().tensions.at[1].z(), 1);
}

}  // namespace
}  // namespace davit::rope
