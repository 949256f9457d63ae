#include "davit/scenario/start_places.hpp"

#include <algorithm>
#include <set>

#include "davit/math/rotation.hpp"

namespace davit {

namespace {

Mat3 turn(const Vec3& axis, double angle) {
  const Mat3 F = rotation_from_z(axis);
  return F * axis_rotation(2, angle) * F.transpose();
}

// The moved frame of a joint in its frame, by the joint's coordinates at the start.
Pose motion(const Joint& joint) {
  const auto at = [&](size_t i) { return i < joint.position.size() ? joint.position[i] : 0.0; };
  switch (joint.kind) {
    case JointKind::fixed:
      break;
    case JointKind::revolute:
      return {turn(joint.axis, at(0)), Vec3::Zero()};
    case JointKind::prismatic:
      return {Mat3::Identity(), at(0) * joint.axis.normalized()};
    case JointKind::cylindrical:
      return {turn(joint.axis, at(1)), at(0) * joint.axis.normalized()};
    case JointKind::universal:
      return {turn(joint.axis, at(0)) * turn(joint.second_axis, at(1)), Vec3::Zero()};
    case JointKind::planar:
      return {turn(joint.axis, at(2)), rotation_from_z(joint.axis) * Vec3(at(0), at(1), 0)};
    case JointKind::roll_pitch_yaw:
    case JointKind::spherical:
      return {rotation_of_rpy(Vec3(at(0), at(1), at(2))), Vec3::Zero()};
    case JointKind::free:
      return {rotation_of_rpy(Vec3(at(0), at(1), at(2))), Vec3(at(3), at(4), at(5))};
  }
  return {};
}

}  // namespace

StartPlaces::StartPlaces(const std::vector<Body>& bodies) {
  std::map<std::string, const Body*> by_name;
  for (const Body& body : bodies) by_name.emplace(body.name, &body);
  for (const Body& start : bodies) {
    // Towards the root, then from there back: no recursion, chains may be long.
    std::vector<const Body*> chain;
    std::set<const Body*> seen;
    for (auto at = by_name.find(start.name); at != by_name.end(); at = by_name.find(at->second->on)) {
      if (placed_.count(at->first) || !seen.insert(at->second).second) break;
      chain.push_back(at->second);
    }
    for (auto body = chain.rbegin(); body != chain.rend(); ++body) {
      const auto parent = placed_.find((*body)->on);
      Placed placed{*body, parent == placed_.end() ? nullptr : &parent->second, {}, {}};
      placed.joint = (placed.parent ? placed.parent->own : Pose{}) * (*body)->at;
      placed.own = placed.joint * motion((*body)->joint) * (*body)->frame;
      placed_.emplace((*body)->name, placed);
      order_.push_back(*body);
    }
  }
}

const Body* StartPlaces::find(const std::string& body) const {
  const auto found = placed_.find(body);
  return found == placed_.end() ? nullptr : found->second.body;
}

Pose StartPlaces::place(const std::string& body) const { return body == "world" ? Pose{} : placed_.at(body).own; }

Pose StartPlaces::joint(const std::string& body) const { return placed_.at(body).joint; }

bool StartPlaces::is_descendant_of(const std::string& body, const std::string& base) const {
  const auto found = placed_.find(body);
  for (const Placed* at = found == placed_.end() ? nullptr : &found->second; at; at = at->parent)
    if (at->body->name == base) return true;
  return false;
}

}  // namespace davit
