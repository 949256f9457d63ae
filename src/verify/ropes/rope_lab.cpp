#include "verify/ropes/rope_lab.hpp"

#include "davit/force/gravity.hpp"
#include "davit/mesh/repair.hpp"
#include "davit/mesh/shapes.hpp"
#include "davit/rope/self_check.hpp"

namespace davit::verify {

Sym3 box_inertia(double mass, const Vec3& size) {
  const Vec3 square = size.cwiseProduct(size);
  return Sym3::diagonal(mass / 12 * (square.y() + square.z()), mass / 12 * (square.x() + square.z()),
                        mass / 12 * (square.x() + square.y()));
}

namespace {

rope::TouchedSurface touched(const LabSurface& s, const Frame& frame) {
  rope::TouchedSurface surface;
  const RepairedMesh repaired = repair(transformed(s.mesh, frame.offset));
  surface.name = s.body;
  surface.body = frame.body;
  surface.features = std::make_shared<Features>(find_features(repaired.mesh));
  surface.edges = std::make_shared<EdgeTree>(*surface.features);
  if (repaired.closed) surface.solid = std::make_shared<TriangleTree>(repaired.mesh);
  surface.size = bounds(repaired.mesh).size();
  surface.static_friction = s.static_friction;
  surface.kinetic_friction = s.kinetic_friction;
  return surface;
}

}  // namespace

RopeLab::RopeLab(const std::vector<LabBody>& bodies, const std::vector<LabRope>& ropes, double gravity) {
  std::vector<Body> list;
  for (const LabBody& b : bodies) {
    Body body;
    body.name = b.name;
    body.at = b.at;
    body.joint.kind = b.free ? JointKind::free : JointKind::fixed;
    if (b.free) body.joint.rate = {b.spin.x(), b.spin.y(), b.spin.z(), b.velocity.x(), b.velocity.y(), b.velocity.z()};
    body.mass = b.mass;
    body.inertia = b.inertia;
    list.push_back(body);
  }
  tree_ = std::make_shared<Tree>(list);
  ModelParts parts;
  parts.blocks = {tree_};
  parts.body_names = tree_->segment_names();
  std::vector<Gravity::Weight> weights;
  for (const TreeBody& b : tree_->bodies_of_tree()) weights.push_back({b.last_segment, b.body.mass, b.frame.p});
  parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -gravity), weights)};

  const Model bare(parts);
  System system(bare);
  const State start = bare.initial_state();
  system.evaluate(start, System::Want::unconstrained);
  for (const LabRope& r : ropes) {
    rope::RopeSetup setup;
    setup.rope.elasticity = rope::Elasticity(r.EA, r.damping);
    setup.rope.law = r.law;
    setup.length = r.length;
    setup.tension = r.tension;
    for (const LabWaypoint& s : r.waypoints) {
      rope::Waypoint waypoint;
      waypoint.name = s.body;
      waypoint.frame = tree_->frame(s.body, Pose{Mat3::Identity(), s.at});
      waypoint.passing = s.passing;
      waypoint.static_friction = waypoint.kinetic_friction = s.friction;
      setup.rope.layout.waypoints.push_back(waypoint);
    }
    for (const LabSurface& s : r.surfaces) {
      setup.rope.layout.surfaces.push_back(touched(s, tree_->frame(s.body, Pose{})));
    }
    ropes_.push_back(std::make_shared<rope::RopeForce>(r.name, std::move(setup), system.workspace().kin));
    parts.forces.push_back(ropes_.back());
  }
  model_ = std::make_unique<Model>(std::move(parts));
  system_ = std::make_unique<System>(*model_);
  stepper_ = make_implicit(ImplicitMethod::conserving, *model_);
  state_ = model_->initial_state();
  system_->commit(state_);
}

bool RopeLab::run(double until, double h, const std::function<void()>& seen) {
  while (state_.t < until - h / 2) {
    if (!stepper_->step(*system_, state_, h).ok) return false;
    if (system_->commit(state_)) stepper_->restart(state_);
    if (seen) seen();
  }
  return true;
}

const Kin& RopeLab::kinematics() {
  system_->evaluate(state_, System::Want::unconstrained);
  return system_->workspace().kin;
}
Vec3 RopeLab::position(const std::string& body, const Vec3& point) {
  return davit::position(kinematics(), tree_->frame(body, Pose{Mat3::Identity(), point}));
}
Vec3 RopeLab::velocity(const std::string& body, const Vec3& point) {
  return davit::velocity(kinematics(), tree_->frame(body, Pose{Mat3::Identity(), point}));
}
Mat3 RopeLab::rotation(const std::string& body) { return davit::rotation(kinematics(), tree_->frame(body, Pose{})); }
rope::RopeForce::View RopeLab::rope(size_t i) {
  kinematics();
  return ropes_[i]->view(model_->forces()[i + 1].context(state_, system_->workspace()));
}
Energy RopeLab::energy() {
  kinematics();
  return system_->energy(state_);
}
std::string RopeLab::self_check() {
  for (size_t i = 0; i < ropes_.size(); ++i) {
    const std::string found = rope::self_check(*ropes_[i], rope(i));
    if (!found.empty()) return ropes_[i]->name() + ": " + found;
  }
  return {};
}

}  // namespace davit::verify
