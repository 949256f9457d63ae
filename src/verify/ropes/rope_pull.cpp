#include "verify/ropes/rope_pull.hpp"

#include "davit/mesh/shapes.hpp"

namespace davit::verify {

void PulledRope::pull(const Vec3& by) {
  kin.body[1].p += by;
  kin.t += 0.01;
  rope->commit(context(), discrete);
}

rope::TouchedSurface standing_surface(const std::string& name, const TriangleMesh& mesh, double friction) {
  rope::TouchedSurface surface;
  surface.name = name;
  surface.features = std::make_shared<Features>(find_features(mesh));
  surface.edges = std::make_shared<EdgeTree>(*surface.features);
  surface.solid = std::make_shared<TriangleTree>(mesh);
  surface.size = bounds(mesh).size();
  surface.static_friction = surface.kinetic_friction = friction;
  return surface;
}

PulledRope pulled_rope(rope::RopeSetup setup, const std::vector<Vec3>& waypoints) {
  for (size_t i = 0; i < waypoints.size(); ++i) {
    const bool last = i + 1 == waypoints.size();
    rope::Waypoint s;
    s.name = "end";
    s.frame.body = last ? 1 : 0;
    s.frame.offset.p = waypoints[i];
    s.passing = i == 0 || last;
    setup.rope.layout.waypoints.push_back(s);
  }
  PulledRope out;
  out.kin.body.resize(2);
  out.rope = std::make_unique<rope::RopeForce>("rope", std::move(setup), out.kin);
  out.discrete = DiscreteState(out.rope->discrete_slots());
  out.work = out.rope->make_work(0.0);
  out.rope->commit(out.context(), out.discrete);
  return out;
}

}  // namespace davit::verify
