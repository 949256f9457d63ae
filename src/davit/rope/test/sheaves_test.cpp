// Ropes over sheaves: loads against differences of the energy, wraps over several turns, friction of bearings and
// posts.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "lone_rope.hpp"

namespace davit::rope {
namespace {

using testing::LoneRope;
using testing::point_at;
using testing::sheave_at;

RopeSetup over(std::vector<Waypoint> waypoints) { return testing::through(std::move(waypoints), 1e5, 1000); }

// Three bodies, rope from a drum of the world over a sheave with inertia, a sheave out of plane and an eye to a point.
TEST(Sheaves, LoadsAreMinusTheGradientOfTheEnergy) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto vector = [&] { return Vec3(any(engine), any(engine), any(engine)); };
  for (int trial = 0; trial < 40; ++trial) {
    LoneRope scene(3, 1);
    scene.q[0] = 0.3;
    scene.kin.body[1].p = Vec3(4, 0, 5) + 0.3 * vector();
    scene.kin.body[2].p = Vec3(8, 1, 0) + 0.3 * vector();
    scene.kin.body[3].p = Vec3(12, 1, 6) + 0.3 * vector();
    for (size_t b = 1; b < 4; ++b)
      scene.kin.body[b].R = Eigen::AngleAxisd(0.3, Vec3(vector()).normalized()).toRotationMatrix();
    Waypoint spinning = sheave_at(1, {0.1, 0.2, 0}, -Vec3::UnitY(), 0.4);
    spinning.spin = CoordinateIndex{0, 0};
    RopeSetup setup =
        over({sheave_at(0, {0, 0, 0}, Vec3(0.2, -1, 0.1), 0.3), spinning, sheave_at(2, {0, 0, 0}, Vec3::UnitY(), 0.5),
              point_at(3, {0, 0, -0.3}), point_at(0, {14, 0, 0})});
    setup.rope.weight = trial % 2 == 0 ? 0 : 20;
    scene.lay(std::move(setup));
    for (size_t b = 1; b < 4; ++b) scene.kin.body[b].p += 0.05 * vector();
    scene.q[0] += 0.01;
    scene.apply();
    ASSERT_GT(scene.view().tensions.tension[0], 0);
    EXPECT_NE(scene.view().tensions.tension[0], scene.view().tensions.tension[1]);
    const double h = 1e-5, scale = 1000;
    const auto slope = [&](const auto& change) {
      const Kin kept = scene.kin;
      const auto q = scene.q;
      const auto at = [&](double s) {
        change(s);
        const double energy = scene.energy();
        scene.kin = kept;
        scene.q = q;
        return energy;
      };
      return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    };
    for (size_t b = 1; b < 4; ++b)
      for (int k = 0; k < 3; ++k) {
        const double force = slope([&](double s) { scene.kin.body[b].p[k] += s; });
        EXPECT_NEAR(-force, scene.loads.wrench[b].f[k], 1e-7 * scale);
        const double moment = slope([&](double s) {
          scene.kin.body[b].R = Eigen::AngleAxisd(s, Vec3::Unit(k)).toRotationMatrix() * scene.kin.body[b].R;
        });
        EXPECT_NEAR(-moment, scene.loads.wrench[b].n[k], 1e-7 * scale);
      }
    EXPECT_NEAR(-slope([&](double s) { scene.q[0] += s; }), scene.loads.tau[0], 1e-7 * scale);
  }
}

// A point circles a sheave three times: each turn wraps one circumference more, whether the rope passes or ends there.
TEST(Sheaves, WrapsGrowOverSeveralTurns) {
  const double radius = 0.4, arm = 3;
  for (const bool drum : {false, true}) {
    LoneRope scene(1, 0);
    const auto place = [&](double angle) { scene.kin.body[1].p = arm * Vec3(std::cos(angle), std::sin(angle), 0); };
    place(0.5);
    std::vector<Waypoint> waypoints{point_at(0, {-3, 0.4, 0}), sheave_at(0, Vec3::Zero(), Vec3::UnitZ(), radius),
                                    point_at(1, Vec3::Zero())};
    if (drum) waypoints.erase(waypoints.begin());
    scene.lay(over(waypoints));
    const double at_start = scene.view().tensions.total_length;
    const double wrap = scene.view().state.path[drum ? 0 : 1].s;
    for (int i = 1; i <= 300; ++i) {
      place(0.5 + 6 * std::numbers::pi * i / 300);
      const double expected = at_start + 6 * std::numbers::pi * i / 300 * radius;
      EXPECT_NEAR(scene.view().tensions.total_length, expected, 1e-12 * expected);
      scene.commit();
    }
    EXPECT_NEAR(scene.view().state.path[drum ? 0 : 1].s - wrap, 6 * std::numbers::pi, 1e-12);
    for (int i = 300; i >= 0; --i) {
      place(0.5 + 6 * std::numbers::pi * i / 300);
      scene.commit();
    }
    EXPECT_NEAR(scene.view().tensions.total_length, at_start, 1e-12 * at_start);
  }
}

// One end drawn away: the tensions on both sides of a sheave with a rubbing bearing, or of a post, at the limit.
struct Drawn {
  double before, after, wrap, load;
};
Drawn draw(Waypoint middle) {
  LoneRope scene(1, 0);
  scene.kin.body[1].p = Vec3(3, 0, -2);
  scene.lay(over({point_at(0, {-3, 0, -4}), std::move(middle), point_at(1, Vec3::Zero())}));
  for (int i = 0; i < 200; ++i) {
    scene.kin.body[1].p += Vec3(3, 0, -2).normalized() * 5e-4;
    scene.kin.t += 0.01;
    scene.commit();
  }
  const auto& v = scene.view();
  const auto& t = v.tensions.tension;
  const Vec3 load = t[0] * v.tensions.legs[0].pull_to + t[1] * v.tensions.legs[1].pull_from;
  return {t[0], t[1], wrap_angle(v.state.path[1], v.tensions.legs[0], v.tensions.legs[1]), load.norm()};
}

TEST(Sheaves, FrictionOfABearing) {
  Waypoint middle = sheave_at(0, Vec3::Zero(), Vec3::UnitY(), 0.4);
  const double mu = 0.1 * 0.05 / 0.4;
  middle.static_friction = middle.kinetic_friction = mu;
  const Drawn drawn = draw(middle);
  EXPECT_NEAR(drawn.after - drawn.before, mu * drawn.load, 1e-9 * drawn.load);
}

TEST(Sheaves, FrictionOfAPost) {
  Waypoint middle = sheave_at(0, Vec3::Zero(), Vec3::UnitY(), 0.4);
  middle.static_friction = middle.kinetic_friction = 0.3;
  middle.post = true;
  const Drawn drawn = draw(middle);
  EXPECT_GT(drawn.wrap, 1);
  EXPECT_NEAR(drawn.after / drawn.before, std::exp(0.3 * drawn.wrap), 1e-9);
}

}  // namespace
}  // namespace davit::rope
