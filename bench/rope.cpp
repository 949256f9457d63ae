// Ropes on blocks of many triangles. One rope under a block of 10³ to 10⁶ triangles: the time of an update of its path
// must not grow with them as long as the rope does not touch them. Twenty ropes that carry a block of 10⁵ triangles in
// a swing: simulated over processor time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/dynamics/tree.hpp"
#include "davit/force/gravity.hpp"
#include "davit/mesh/repair.hpp"
#include "davit/mesh/shapes.hpp"
#include "davit/rope/rope_force.hpp"
#include "davit/solve/stepper.hpp"
#include "processor_time.hpp"
#include "smoke.hpp"

using namespace davit;
using davit::bench::processor_seconds;

namespace {

const Vec3 block_size(20, 12, 4);

// A deck with brackets on it, as ship blocks have them: a box and as many small boxes on its top as make up the count.
TriangleMesh block(int triangles) {
  TriangleMesh mesh = box_mesh(block_size);
  const int brackets = std::max(0, triangles / 12 - 1),
            along = std::max(1, static_cast<int>(std::sqrt(brackets * 20.0 / 12)));
  const double pitch = block_size.x() / along;
  for (int i = 0; i < brackets; ++i) {
    const Vec3 at(-0.5 * block_size.x() + (i % along + 0.5) * pitch, -0.5 * block_size.y() + (i / along + 0.5) * pitch,
                  0.5 * block_size.z() + 0.5);
    const TriangleMesh bracket = transformed(box_mesh(Vec3(0.1 * pitch, 0.6 * pitch, 0.8)), Pose{Mat3::Identity(), at});
    const int first = static_cast<int>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), bracket.points.begin(), bracket.points.end());
    for (const auto& t : bracket.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  return mesh;
}

struct Carried {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  std::vector<std::shared_ptr<const rope::RopeForce>> ropes;
};

// Basket slings: from one side over the head, under the block and up again.
Carried carry(int triangles, int ropes) {
  Carried out;
  const double mass = 200e3, head = 15;
  Body body;
  body.name = "block";
  body.joint.kind = JointKind::free;
  body.at.p = Vec3(0, 0.3, 0);
  body.mass = mass;
  body.inertia = Sym3::diagonal(mass / 12 * (144 + 16), mass / 12 * (400 + 16), mass / 12 * (400 + 144));
  out.tree = std::make_shared<Tree>(std::vector<Body>{body});
  ModelParts parts;
  parts.blocks = {out.tree};
  parts.body_names = out.tree->segment_names();
  const TreeBody& b = out.tree->bodies_of_tree()[0];
  parts.forces = {
      std::make_shared<Gravity>(Vec3(0, 0, -9.81), std::vector<Gravity::Weight>{{b.last_segment, mass, b.frame.p}})};
  const Model bare(parts);
  System system(bare);
  system.evaluate(bare.initial_state(), System::Want::unconstrained);
  rope::TouchedSurface surface;
  const Frame frame = out.tree->frame("block", Pose{});
  const RepairedMesh mended = repair(transformed(block(triangles), frame.offset));
  surface.name = "block";
  surface.body = frame.body;
  surface.features = std::make_shared<Features>(find_features(mended.mesh));
  surface.edges = std::make_shared<EdgeTree>(*surface.features);
  surface.size = bounds(mended.mesh).size();
  for (int i = 0; i < ropes; ++i) {
    rope::RopeSetup setup;
    setup.rope.elasticity = rope::Elasticity(2e8, 0.01);
    setup.rope.layout.surfaces = {surface};
    setup.tension = 0.8 * mass * 9.81 / (2 * ropes);
    const double x = ropes > 1 ? -9 + 18.0 * i / (ropes - 1) : 0;
    const auto waypoint = [&](const Vec3& at, bool passing) {
      rope::Waypoint s;
      s.name = "point";
      s.frame.offset.p = at;
      s.passing = passing;
      setup.rope.layout.waypoints.push_back(s);
    };
    waypoint(Vec3(x, -8, head), true);
    waypoint(Vec3(x, -9, -4), false);
    waypoint(Vec3(x, 9, -4), false);
    waypoint(Vec3(x, 8, head), true);
    out.ropes.push_back(
        std::make_shared<rope::RopeForce>("rope" + std::to_string(i), std::move(setup), system.workspace().kin));
    parts.forces.push_back(out.ropes.back());
  }
  out.model = std::make_unique<Model>(std::move(parts));
  return out;
}

}  // namespace

int main() {
  fmt::print("One rope under a block: update of its path with the block 1 cm further, no friction\n");
  double first = 0;
  for (const int triangles : bench::cases({1000, 10000, 100000, 1000000})) {
    const Carried c = carry(triangles, 1);
    System system(*c.model);
    State state = c.model->initial_state();
    system.commit(state);
    double least = 1e9;
    for (int pass = 0; pass < bench::repetitions(5); ++pass) {
      constexpr int updates = 2000;
      const double begin = processor_seconds();
      for (int i = 0; i < updates; ++i) {
        state.q[state.q.size() - 1] = 0.01 * (i % 2);
        system.evaluate(state, System::Want::unconstrained);
        c.ropes[0]->view(c.model->forces()[1].context(state, system.workspace()));
      }
      least = std::min(least, (processor_seconds() - begin) / updates);
    }
    if (first == 0) first = least;
    fmt::print("  {:>8} triangles: {:6.2f} µs, {:4.2f} of the first\n", triangles, 1e6 * least, least / first);
  }

  const Carried c = carry(bench::full_or(100000, 1000), 20);
  System system(*c.model);
  State state = c.model->initial_state();
  const auto stepper = make_implicit(ImplicitMethod::conserving, *c.model);
  system.commit(state);
  const double begin = processor_seconds(), until = bench::full_or(20.0, 0.1), h = 0.01;
  size_t most = 0;
  while (state.t < until - h / 2) {
    if (!stepper->step(system, state, h).ok) {
      fmt::print("a step failed at {} s\n", state.t);
      return 1;
    }
    system.commit(state);
    size_t nodes = 0;
    for (int i = 0; i < 20; ++i)
      nodes += static_cast<size_t>(state.discrete.size(c.model->forces()[static_cast<size_t>(i) + 1].first_slot));
    most = std::max(most, nodes - 40);
  }
  const double taken = processor_seconds() - begin;
  fmt::print("20 ropes under a block of 100000 triangles, {} nodes at most, steps of 10 ms: {:.2f} times real time\n",
             most, until / taken);
  return 0;
}
