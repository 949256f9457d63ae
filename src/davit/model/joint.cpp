#include "davit/model/joint.hpp"

#include "davit/math/rotation.hpp"

namespace davit {

namespace {

JointType one_axis(const char* name, Primitive kind, const char* coordinate) {
  return {name, {{coordinate, kind == Primitive::revolute}}, {{kind, 0}}};
}

std::vector<Coordinate> turns() { return {{"roll"}, {"pitch"}, {"yaw"}}; }

std::vector<Coordinate> all_motions() {
  auto list = turns();
  for (const char* name : {"x", "y", "z"}) list.push_back({name, false});
  return list;
}

JointType make_type(JointKind kind) {
  constexpr auto revolute = Primitive::revolute, prismatic = Primitive::prismatic;
  switch (kind) {
    case JointKind::fixed:
      break;
    case JointKind::revolute:
      return one_axis("revolute", revolute, "angle");
    case JointKind::prismatic:
      return one_axis("prismatic", prismatic, "travel");
    case JointKind::cylindrical:
      return {"cylindrical", {{"travel", false}, {"angle"}}, {{prismatic, 0}, {revolute, 1}}};
    case JointKind::universal:
      return {"universal", {{"angle1"}, {"angle2"}}, {{revolute, 0}, {revolute, 1, JointAxis::second}}};
    case JointKind::planar:
      return {"planar",
              {{"x", false}, {"y", false}, {"angle"}},
              {{prismatic, 0, JointAxis::across_x}, {prismatic, 1, JointAxis::across_y}, {revolute, 2}}};
    case JointKind::roll_pitch_yaw:  // R = Rz(yaw) Ry(pitch) Rx(roll), Cibicik & Egeland (53)
      return {"roll_pitch_yaw",
              turns(),
              {{revolute, 2, JointAxis::z}, {revolute, 1, JointAxis::y}, {revolute, 0, JointAxis::x}}};
    case JointKind::spherical:
      return {"spherical", turns(), {{Primitive::ball}}, true};
    case JointKind::free:
      return {"free", all_motions(), {{Primitive::free}}, true};
  }
  return {"fixed", {}, {{Primitive::fixed}}};
}

Mat3 turn(const Vec3& axis, double angle) {
  const Mat3 F = rotation_from_z(axis);
  return F * axis_rotation(2, angle) * F.transpose();
}

}  // namespace

const JointType& type_of(JointKind kind) {
  static const std::vector<JointType> types = [] {
    std::vector<JointType> all;
    for (int i = 0; i <= static_cast<int>(JointKind::free); ++i) all.push_back(make_type(static_cast<JointKind>(i)));
    return all;
  }();
  return types[static_cast<size_t>(kind)];
}

Vec3 Joint::direction(JointAxis which) const {
  switch (which) {
    case JointAxis::first:
      break;
    case JointAxis::second:
      return second_axis;
    case JointAxis::across_x:
      return rotation_from_z(axis).col(0);
    case JointAxis::across_y:
      return rotation_from_z(axis).col(1);
    case JointAxis::x:
      return Vec3::UnitX();
    case JointAxis::y:
      return Vec3::UnitY();
    case JointAxis::z:
      return Vec3::UnitZ();
  }
  return axis;
}

Pose Joint::motion_at_start() const {
  const auto at = [&](size_t i) { return i < position.size() ? position[i] : 0.0; };
  Pose moved;
  for (const JointPrimitive& part : type().chain) {
    const auto first = static_cast<size_t>(part.coordinate);
    switch (part.kind) {
      case Primitive::fixed:
        break;
      case Primitive::revolute:
        moved = moved * Pose{turn(direction(part.axis), at(first)), Vec3::Zero()};
        break;
      case Primitive::prismatic:
        moved = moved * Pose{Mat3::Identity(), at(first) * direction(part.axis).normalized()};
        break;
      case Primitive::ball:
      case Primitive::free:
        moved = moved * Pose{rotation_of_rpy(Vec3(at(first), at(first + 1), at(first + 2))),
                             Vec3(at(first + 3), at(first + 4), at(first + 5))};
        break;
    }
  }
  return moved;
}

}  // namespace davit
