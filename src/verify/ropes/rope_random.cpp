// Ropes over random bodies in random motion: at every step all self-checks of the rope, and independently of its edges
// that no straight piece goes through a triangle; with long steps and with short ones the same path, so that nothing
// was jumped over.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <random>

#include "davit/mesh/repair.hpp"
#include "davit/mesh/shapes.hpp"
#include "davit/mesh/triangle_tree.hpp"
#include "davit/rope/self_check.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

using Random = std::mt19937_64;
double uniform(Random& random, double low, double high) {
  return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
}
Vec3 in_cube(Random& random, double half) {
  const double x = uniform(random, -half, half), y = uniform(random, -half, half), z = uniform(random, -half, half);
  return {x, y, z};
}

TriangleMesh random_mesh(Random& random) {
  switch (random() % 7) {
    case 0:
      return box_mesh(Vec3(uniform(random, 0.5, 2), uniform(random, 0.5, 2), uniform(random, 0.5, 2)));
    case 1:
      return sphere_mesh(uniform(random, 0.5, 1), 1 + static_cast<int>(random() % 2));
    case 2:
      return cylinder_mesh(uniform(random, 0.3, 1), uniform(random, 0.5, 2), 3 + static_cast<int>(random() % 20));
    case 3:  // a thin plate
      return box_mesh(Vec3(uniform(random, 1, 2), uniform(random, 1, 2), 1e-3));
    case 4:  // an L
      return prism_mesh({{-0.8, -0.8}, {0.8, -0.8}, {0.8, -0.3}, {-0.3, -0.3}, {-0.3, 0.8}, {-0.8, 0.8}}, 1);
    case 5:  // a star
    {
      std::vector<Vec2> outline;
      const int points = 4 + static_cast<int>(random() % 3);
      for (int i = 0; i < 2 * points; ++i) {
        const double angle = std::numbers::pi * i / points, r = i % 2 ? 0.4 : 1;
        outline.push_back({r * std::cos(angle), r * std::sin(angle)});
      }
      return prism_mesh(outline, uniform(random, 0.3, 1));
    }
    default:
      return eared_mesh(2, 2);
  }
}

// A smooth random motion: a pose whose rotation and place swing.
struct Swing {
  Vec3 centre, way, turn;
  double frequency[2], phase[2];
  Pose at(double t) const {
    const double a = std::sin(frequency[0] * t + phase[0]) - std::sin(phase[0]);
    const double b = std::sin(frequency[1] * t + phase[1]) - std::sin(phase[1]);
    return {exp_rotation(Vec3(b * turn)), centre + a * way};
  }
};
Swing random_swing(Random& random, const Vec3& centre) {
  Swing s;
  s.centre = centre;
  s.way = Vec3(uniform(random, -0.4, 0.4), uniform(random, -5, 5), uniform(random, -2, 2));
  s.turn = in_cube(random, 1.5);
  for (int i = 0; i < 2; ++i) {
    s.frequency[i] = uniform(random, 0.5, 2);
    s.phase[i] = uniform(random, 0, 6);
  }
  return s;
}

struct Drill {
  std::vector<Swing> motion;  // of bodies 1, 2, …
  std::unique_ptr<rope::RopeForce> rope;
  Kin kin;
  DiscreteState discrete;
  std::unique_ptr<ElementWork> work;

  ContextT<double> context() const { return {kin, nullptr, nullptr, discrete, 0, work.get()}; }
  void move(double t) {
    kin.t = t;
    for (size_t i = 0; i < motion.size(); ++i) {
      const Pose pose = motion[i].at(t);
      kin.body[i + 1].R = pose.R;
      kin.body[i + 1].p = pose.p;
    }
  }
  void commit() { rope->commit(context(), discrete); }
};

// The rope hangs between two points of the world, far enough out not to be hit, and past one or two bodies.
Drill make_drill(std::uint64_t seed, double friction) {
  Random random(seed);
  Drill drill;
  rope::RopeSetup setup;
  setup.rope.elasticity = rope::Elasticity(1e6, 0);
  setup.tension = 1e4;
  setup.most_nodes = 400;
  const int bodies = 1 + static_cast<int>(random() % 2);
  const auto waypoint = [&](const Vec3& at, bool passing) {
    rope::Waypoint s;
    s.name = "point";
    s.frame.offset.p = at;
    s.passing = passing;
    setup.rope.layout.waypoints.push_back(s);
  };
  const Vec3 side = in_cube(random, 1);
  waypoint(Vec3(-8, side.x(), side.y()), true);
  // Laid over the bodies, or past them; wound up before and behind in some cases.
  const auto lay = [&](double y) {
    waypoint(Vec3(-7.5, y, uniform(random, -3, 3)), false);
    waypoint(Vec3(7.5, y, uniform(random, -3, 3)), false);
  };
  if (random() % 2) lay(9);
  if (random() % 3 == 0) {
    waypoint(Vec3(8.5, 0, 5), false);
    waypoint(Vec3(-8.5, 0, 5), false);
    if (random() % 2) lay(9);
  }
  waypoint(Vec3(8, side.z(), side.x()), true);
  drill.kin.body.resize(static_cast<size_t>(bodies) + 1);
  for (int b = 1; b <= bodies; ++b) {
    const RepairedMesh repaired = repair(random_mesh(random));
    drill.motion.push_back(random_swing(random, Vec3(b == 1 ? -2 : 2.2, uniform(random, 3.2, 3.8), 0)));
    rope::TouchedSurface surface;
    surface.name = "body";
    surface.body = b;
    surface.features = std::make_shared<Features>(find_features(repaired.mesh));
    surface.edges = std::make_shared<EdgeTree>(*surface.features);
    surface.solid = std::make_shared<TriangleTree>(repaired.mesh);
    surface.size = bounds(repaired.mesh).size();
    surface.static_friction = 1.2 * friction;
    surface.kinetic_friction = friction;
    setup.rope.layout.surfaces.push_back(surface);
  }
  drill.move(0);
  drill.rope = std::make_unique<rope::RopeForce>("rope", std::move(setup), drill.kin);
  drill.discrete = DiscreteState(drill.rope->discrete_slots());
  drill.work = drill.rope->make_work(0.0);
  drill.commit();
  return drill;
}

struct DrillOutcome {
  std::string fault;
  double length = 0;
  size_t nodes = 0, most_nodes = 0;
};

DrillOutcome run_drill(std::uint64_t seed, double friction, int steps) {
  DrillOutcome out;
  Drill drill = make_drill(seed, friction);
  const double end = 3;
  for (int i = 1; i <= steps; ++i) {
    drill.move(end * i / steps);
    drill.commit();
    const auto v = drill.rope->view(drill.context());
    out.nodes = v.state.path.size();
    out.most_nodes = std::max(out.most_nodes, out.nodes);
    out.length = v.tensions.total_length;
    if (out.fault.empty()) {
      out.fault = rope::self_check(*drill.rope, v);
      if (!out.fault.empty()) out.fault = fmt::format("step {}: {}", i, out.fault);
    }
  }
  return out;
}

// Ropes with friction that within one step leave an edge and are led back to it, or come to lie deep in a body.
constexpr std::uint64_t hard_seeds[] = {1003182, 1005462, 1009146};

}  // namespace

// 200 ropes, or as many as the environment variable DAVIT_ROPES asks for.
void rope_random(Checker& check) {
  const char* asked = std::getenv("DAVIT_ROPES");
  const int ropes = asked ? std::max(2, std::atoi(asked)) : 200;
  struct Kind {
    const char* name;
    double friction;
  };
  for (const Kind& kind : {Kind{"without friction", 0}, Kind{"with friction 0.2", 0.2}}) {
    int faults = 0, touched = 0;
    for (int i = 0; i < ropes / 2; ++i) {
      const auto seed = static_cast<std::uint64_t>(i) + (kind.friction > 0 ? 1000000 : 0);
      std::string fault;
      DrillOutcome d;
      try {
        d = run_drill(seed, kind.friction, 60);
        fault = d.fault;
      } catch (const std::exception& e) {
        fault = e.what();
      }
      if (d.most_nodes > 2) ++touched;
      if (!fault.empty() && ++faults <= 20) fmt::print(stderr, "rope {}: {}\n", seed, fault);
    }
    const std::string name = fmt::format("{} ropes {}", ropes / 2, kind.name);
    check.at_most(name, "ropes with a self-check that fails", "1", "invariant", faults, 0);
    if (kind.friction > 0) {
      int hard_faults = 0;
      for (const std::uint64_t seed : hard_seeds) hard_faults += !run_drill(seed, kind.friction, 60).fault.empty();
      check.at_most("ropes that leave an edge and are led back to it in one step", "ropes with a self-check that fails",
                    "1", "invariant", hard_faults, 0);
    }
    check.trend(name, "ropes that touched something", "1", Checker::Side::above, 0.2 * ropes / 2, "invariant", touched);
  }
}
}  // namespace davit::verify
