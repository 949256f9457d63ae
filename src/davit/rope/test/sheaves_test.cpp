// Ropes over sheaves: loads against differences of the energy, wraps over several turns, friction of bearings and
// posts.
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "davit/rope/rope_force.hpp"

namespace davit::rope {
namespace {

struct SheaveScene {
  Kin kin;
  std::vector<double> q, u;
  Loads loads;
  std::unique_ptr<RopeForce> rope;
  std::unique_ptr<ElementWork> work;
  DiscreteState discrete;

  SheaveScene(int bodies, int coordinates) : q(static_cast<size_t>(coordinates)), u(q.size()) {
    kin.body.resize(static_cast<size_t>(bodies) + 1);
    kin.q = q.data();
    kin.u = u.data();
    loads.resize(bodies + 1, coordinates, false);
  }
  void lay(RopeSetup setup) {
    rope = std::make_unique<RopeForce>("rope", std::move(setup), kin);
    work = rope->make_work(0.0);
    discrete = DiscreteState(rope->discrete_slots());
    commit();
  }
  ContextT<double> context() { return {kin, nullptr, nullptr, discrete, 0, work.get()}; }
  void commit() { rope->commit(context(), discrete); }
  double energy() { return rope->potential_energy(context()); }
  RopeForce::View view() { return rope->view(context()); }
  void apply() {
    loads.clear();
    rope->add_loads(context(), loads, static_cast<double*>(nullptr));
  }
};

Waypoint way_through(int body, const Vec3& at) {
  Waypoint s;
  s.frame = {body, {Mat3::Identity(), at}};
  return s;
}
// A sheave that turns about an axis.
Waypoint sheave(int body, const Vec3& at, const Vec3& axis, double radius) {
  Waypoint s = way_through(body, at);
  s.frame.offset.R = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), axis).toRotationMatrix();
  s.radius = radius;
  return s;
}

RopeSetup over(std::vector<Waypoint> waypoints) {
  RopeSetup setup;
  setup.rope.layout.waypoints = std::move(waypoints);
  setup.rope.elasticity = Elasticity(1e5, 0);
  setup.tension = 1000;
  return setup;
}

// Three bodies, rope from a drum of the world over a sheave with inertia, a sheave out of plane and an eye to a point.
TEST(Sheaves, LoadsAreMinusTheGradientOfTheEnergy) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto vector = [&] { return Vec3(any(engine), any(engine), any(engine)); };
  for (int trial = 0; trial < 40; ++trial) {
    SheaveScene scene(3, 1);
    scene.q[0] = 0.3;
    scene.kin.body[1].p = Vec3(4, 0, 5) + 0.3 * vector();
    scene.kin.body[2].p = Vec3(8, 1, 0) + 0.3 * vector();
    scene.kin.body[3].p = Vec3(12, 1, 6) + 0.3 * vector();
    for (size_t b = 1; b < 4; ++b)
      scene.kin.body[b].R = Eigen::AngleAxisd(0.3, Vec3(vector()).normalized()).toRotationMatrix();
    Waypoint spinning = sheave(1, {0.1, 0.2, 0}, -Vec3::UnitY(), 0.4);
    spinning.spin = CoordinateIndex{0, 0};
    RopeSetup setup =
        over({sheave(0, {0, 0, 0}, Vec3(0.2, -1, 0.1), 0.3), spinning, sheave(2, {0, 0, 0}, Vec3::UnitY(), 0.5),
              way_through(3, {0, 0, -0.3}), way_through(0, {14, 0, 0})});
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
    SheaveScene scene(1, 0);
    const auto place = [&](double angle) { scene.kin.body[1].p = arm * Vec3(std::cos(angle), std::sin(angle), 0); };
    place(0.5);
    std::vector<Waypoint> waypoints{way_through(0, {-3, 0.4, 0}), sheave(0, Vec3::Zero(), Vec3::UnitZ(), radius),
                                    way_through(1, Vec3::Zero())};
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
  SheaveScene scene(1, 0);
  scene.kin.body[1].p = Vec3(3, 0, -2);
  scene.lay(over({way_through(0, {-3, 0, -4}), std::move(middle), way_through(1, Vec3::Zero())}));
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
  Waypoint middle = sheave(0, Vec3::Zero(), Vec3::UnitY(), 0.4);
  const double mu = 0.1 * 0.05 / 0.4;
  middle.static_friction = middle.kinetic_friction = mu;
  const Drawn drawn = draw(middle);
  EXPECT_NEAR(drawn.after - drawn.before, mu * drawn.load, 1e-9 * drawn.load);
}

TEST(Sheaves, FrictionOfAPost) {
  Waypoint middle = sheave(0, Vec3::Zero(), Vec3::UnitY(), 0.4);
  middle.static_friction = middle.kinetic_friction = 0.3;
  middle.post = true;
  const Drawn drawn = draw(middle);
  EXPECT_GT(drawn.wrap, 1);
  EXPECT_NEAR(drawn.after / drawn.before, std::exp(0.3 * drawn.wrap), 1e-9);
}

}  // namespace
}  // namespace davit::rope
