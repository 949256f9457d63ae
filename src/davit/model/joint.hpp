// Kinds of joints, each described once: its name, its coordinates, and the chain of primitive joints that it is. The
// tree makes segments of the chain (dynamics/tree.hpp), and what asks for the motion of a joint multiplies along it.
#pragma once

#include <string>
#include <vector>

#include "davit/math/pose.hpp"

namespace davit {

enum class JointKind { fixed, revolute, prismatic, cylindrical, universal, spherical, planar, roll_pitch_yaw, free };

// What the kernels of the tree know. A ball and a free joint have a quaternion inside.
enum class Primitive : unsigned char { fixed, revolute, prismatic, ball, free };

// What one coordinate of a joint is called and measured in.
struct Coordinate {
  std::string name;
  bool angle = true;  // rad, else m
};

// An axis in the joint's frame: one that its user gives, one across the first, or one of the frame itself.
enum class JointAxis : unsigned char { first, second, across_x, across_y, x, y, z };

// One primitive of the chain, outwards.
struct JointPrimitive {
  Primitive kind = Primitive::fixed;
  int coordinate = 0;                 // its place, or that of its first, among the joint's own
  JointAxis axis = JointAxis::first;  // of revolute and prismatic ones
};

struct JointType {
  std::string name;
  // In the order of the generalised speeds. A quaternion is known outside by roll, pitch and yaw, and its speeds by
  // components in the axes of the body.
  std::vector<Coordinate> coordinates;
  std::vector<JointPrimitive> chain;
  bool quaternion = false;  // one primitive with a quaternion: no coordinate to act on
};
const JointType& type_of(JointKind kind);

struct Joint {
  JointKind kind = JointKind::fixed;
  // In the joint's frame: the axis of revolute, prismatic and cylindrical joints, the first of a universal joint, the
  // normal of a planar joint.
  Vec3 axis = Vec3::UnitZ();
  Vec3 second_axis = Vec3::UnitX();  // universal only: fixed in the frame that turns about the first
  // Coordinates and rates at the start, by the coordinates of its type; empty means zero. For spherical and free joints
  // the rates are (ω; v) in the axes of the body, and free coordinates are roll, pitch, yaw, x, y, z.
  std::vector<double> position;
  std::vector<double> rate;

  const JointType& type() const { return type_of(kind); }
  Vec3 direction(JointAxis which) const;
  // The moved frame in the joint's frame, by its coordinates at the start.
  Pose motion_at_start() const;
};

}  // namespace davit
