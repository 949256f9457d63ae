// A rope by itself, with no model around it: its last end is on a body that is moved by hand, all else stands still.
#pragma once

#include "davit/mesh/triangle_mesh.hpp"
#include "davit/rope/rope_force.hpp"

namespace davit::verify {

struct PulledRope {
  std::unique_ptr<rope::RopeForce> rope;
  Kin kin;
  DiscreteState discrete;
  std::unique_ptr<ElementWork> work = nullptr;

  ContextT<double> context() const { return {kin, nullptr, nullptr, discrete, 0, work.get()}; }
  rope::RopeForce::View view() const { return rope->view(context()); }
  // Moves the last end, in a hundredth of a second.
  void pull(const Vec3& by);
};

// What the rope may touch, in world axes.
rope::TouchedSurface standing_surface(const std::string& name, const TriangleMesh& mesh, double friction);
// From the first waypoint over the others, `around` which the rope is laid, to the last one on the body that is moved.
PulledRope pulled_rope(rope::RopeSetup setup, const std::vector<Vec3>& waypoints);

}  // namespace davit::verify
