// Bodies and joints as one describes them: plain structs. A body hangs on another (or the world) by a joint; the tree
// block (dynamics/tree.hpp) turns a list of these into coordinates and kernels.
#pragma once

#include <string>
#include <vector>

#include "davit/math/inertia.hpp"
#include "davit/math/pose.hpp"

namespace davit {

enum class JointKind { fixed, revolute, prismatic, cylindrical, universal, spherical, planar, roll_pitch_yaw, free };

// What one coordinate of a joint is called and measured in.
struct Coordinate {
  std::string name;
  bool angle = true;  // rad, else m
};
// The coordinates of a joint in the order of its generalised speeds. A spherical joint and the rotation of a free joint
// have quaternions inside; outside they are known by roll, pitch and yaw, and their speeds by body-axis components.
const std::vector<Coordinate>& coordinates(JointKind kind);
const char* name_of(JointKind kind);

struct Joint {
  JointKind kind = JointKind::fixed;
  // In the joint's frame: the axis of revolute, prismatic and cylindrical joints, the first of a universal joint, the
  // normal of a planar joint.
  Vec3 axis = Vec3::UnitZ();
  Vec3 second_axis = Vec3::UnitX();  // universal only: fixed in the frame that turns about the first
  // Coordinates and rates at the start, by coordinates(kind); empty means zero. For spherical and free joints the rates
  // are (ω; v) in the axes of the body, and free coordinates are roll, pitch, yaw, x, y, z.
  std::vector<double> position;
  std::vector<double> rate;
};

struct Body {
  std::string name;
  std::string on = "world";
  Pose at;  // the joint's frame in the frame of the body it is on
  Joint joint;
  Pose frame;  // the body's own frame in the moved frame of the joint: not the identity for Denavit-Hartenberg links
  double mass = 0;
  Vec3 centre = Vec3::Zero();  // of mass, in the body's frame
  Sym3 inertia;                // about the centre, in the axes of the body's frame
  bool weightless = false;     // gravity does not act on it (its weight is carried by something not modelled)
};

// A link by Denavit-Hartenberg parameters: T = Rz(θ) Tz(d) Tx(a) Rx(α) with θ = offset + q, or offset - q if reversed.
// The joint is about the z axis of the frame before, at its origin. Sets at, joint and frame.
void set_denavit_hartenberg(Body& body, double a, double alpha, double d, double offset, bool reversed = false);

}  // namespace davit
