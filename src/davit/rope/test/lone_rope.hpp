// One rope and nothing else: bodies stand where a test puts them.
#pragma once

#include "davit/mesh/repair.hpp"
#include "davit/mesh/shapes.hpp"
#include "davit/rope/rope_force.hpp"

namespace davit::rope::testing {

inline Waypoint point_at(int body, const Vec3& at, bool passing = true) {
  Waypoint w;
  w.name = "point";
  w.frame = {body, {Mat3::Identity(), at}};
  w.passing = passing;
  return w;
}
// It turns about an axis, and the rope goes counter-clockwise about that.
inline Waypoint sheave_at(int body, const Vec3& at, const Vec3& axis, double radius) {
  Waypoint w = point_at(body, at);
  w.name = "sheave";
  w.frame.offset.R = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), axis).toRotationMatrix();
  w.radius = radius;
  return w;
}
inline Waypoint rubbing(Waypoint w, double friction) {
  w.static_friction = w.kinetic_friction = friction;
  return w;
}

inline TouchedSurface surface_of(const TriangleMesh& shape, double friction, int body = 0) {
  const RepairedMesh repaired = repair(shape);
  TouchedSurface s;
  s.name = "body";
  s.body = body;
  s.features = std::make_shared<Features>(find_features(repaired.mesh));
  s.edges = std::make_shared<EdgeTree>(*s.features);
  (repaired.closed ? s.solid : s.sheet) = std::make_shared<TriangleTree>(repaired.mesh);
  s.size = bounds(repaired.mesh).size();
  s.static_friction = s.kinetic_friction = friction;
  return s;
}

inline RopeSetup through(std::vector<Waypoint> waypoints, double EA, double tension) {
  RopeSetup setup;
  setup.rope.layout.waypoints = std::move(waypoints);
  setup.rope.elasticity = Elasticity(EA, 0);
  setup.tension = tension;
  return setup;
}

struct LoneRope {
  Kin kin;
  std::vector<double> q, u;
  SignalMotions signals;
  Loads loads;
  std::shared_ptr<RopeForce> rope;
  std::unique_ptr<ElementWork> work;
  DiscreteState discrete;

  explicit LoneRope(int bodies, int coordinates = 0) : q(static_cast<size_t>(coordinates)), u(q.size()) {
    kin.body.resize(static_cast<size_t>(bodies) + 1);
    kin.q = q.data();
    kin.u = u.data();
    kin.signals = &signals;
    loads.resize(bodies + 1, coordinates, false);
  }
  LoneRope(const LoneRope&) = delete;
  void lay(RopeSetup setup) {
    rope = std::make_shared<RopeForce>("rope", std::move(setup), kin);
    work = rope->make_work(0.0);
    discrete = DiscreteState(rope->discrete_slots());
    commit();
  }
  ContextT<double> context() const { return {kin, nullptr, nullptr, discrete, 0, work.get()}; }
  void commit() { rope->commit(context(), discrete); }
  double energy() const { return rope->potential_energy(context()); }
  RopeForce::View view() const { return rope->view(context()); }
  void apply() {
    loads.clear();
    rope->add_loads(context(), loads, static_cast<double*>(nullptr));
  }
  int nodes() const { return static_cast<int>(view().state.path.size()) - 2; }
};

}  // namespace davit::rope::testing
