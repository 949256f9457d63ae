// A small laboratory for ropes: bodies that are free or fixed, some with surfaces, and ropes between their points that
// may touch them. All cases run with the same method, conserving, and its own settings.
#pragma once

#include "davit/dynamics/tree.hpp"
#include "davit/mesh/triangle_mesh.hpp"
#include "davit/rope/rope_force.hpp"
#include "davit/solve/stepper.hpp"

namespace davit::verify {

struct LabBody {
  std::string name;
  Pose at;
  bool free = true;
  double mass = 1;
  Sym3 inertia = Sym3::scaled_identity(1);
  Vec3 velocity = Vec3::Zero();  // in the axes of the body, at the start
  Vec3 spin = Vec3::Zero();
};

struct LabSurface {
  std::string body;
  TriangleMesh mesh;
  double static_friction = 0, kinetic_friction = 0;
};

struct LabWaypoint {
  std::string body;  // or "world"
  Vec3 at = Vec3::Zero();
  bool passing = true;
  double friction = 0;
};

struct LabRope {
  std::string name;
  std::vector<LabWaypoint> waypoints;
  std::vector<LabSurface> surfaces = {};
  double EA = 1;
  double damping = 0;
  std::optional<double> length = {};
  double tension = 0;
  rope::FrictionLaw law = rope::FrictionLaw::coulomb;
};

// A solid box.
Sym3 box_inertia(double mass, const Vec3& size);

class RopeLab {
 public:
  RopeLab(const std::vector<LabBody>& bodies, const std::vector<LabRope>& ropes, double gravity);

  // Steps of h until t; `seen` is called after each. False when a step fails.
  bool run(double until, double h, const std::function<void()>& seen = {});

  const State& state() const { return state_; }
  double t() const { return state_.t; }
  Vec3 position(const std::string& body, const Vec3& point = Vec3::Zero());
  Vec3 velocity(const std::string& body, const Vec3& point = Vec3::Zero());
  Mat3 rotation(const std::string& body);
  rope::RopeForce::View rope(size_t i);
  const rope::RopeForce& force(size_t i) const { return *ropes_[i]; }
  Energy energy();
  // All self-checks of all ropes; the first that fails in words, or nothing.
  std::string self_check();

 private:
  std::shared_ptr<const Tree> tree_;
  std::unique_ptr<Model> model_;
  std::vector<std::shared_ptr<const rope::RopeForce>> ropes_;
  std::unique_ptr<System> system_;
  std::unique_ptr<Stepper> stepper_;
  State state_;
  const Kin& kinematics();
};

}  // namespace davit::verify
