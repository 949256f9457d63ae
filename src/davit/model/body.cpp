#include "davit/model/body.hpp"

namespace davit {

const std::vector<Coordinate>& coordinates(JointKind kind) {
  using List = std::vector<Coordinate>;
  static const List none, angle{{"angle", true}}, travel{{"travel", false}};
  static const List travel_and_angle{{"travel", false}, {"angle", true}};
  static const List two_angles{{"angle1", true}, {"angle2", true}};
  static const List in_plane{{"x", false}, {"y", false}, {"angle", true}};
  static const List turns{{"roll", true}, {"pitch", true}, {"yaw", true}};
  static const List all{{"roll", true}, {"pitch", true}, {"yaw", true}, {"x", false}, {"y", false}, {"z", false}};
  switch (kind) {
    case JointKind::fixed:
      break;
    case JointKind::revolute:
      return angle;
    case JointKind::prismatic:
      return travel;
    case JointKind::cylindrical:
      return travel_and_angle;
    case JointKind::universal:
      return two_angles;
    case JointKind::planar:
      return in_plane;
    case JointKind::spherical:
    case JointKind::roll_pitch_yaw:
      return turns;
    case JointKind::free:
      return all;
  }
  return none;
}

const char* name_of(JointKind kind) {
  switch (kind) {
    case JointKind::fixed:
      break;
    case JointKind::revolute:
      return "revolute";
    case JointKind::prismatic:
      return "prismatic";
    case JointKind::cylindrical:
      return "cylindrical";
    case JointKind::universal:
      return "universal";
    case JointKind::spherical:
      return "spherical";
    case JointKind::planar:
      return "planar";
    case JointKind::roll_pitch_yaw:
      return "roll_pitch_yaw";
    case JointKind::free:
      return "free";
  }
  return "fixed";
}

void set_denavit_hartenberg(Body& body, double a, double alpha, double d, double offset, bool reversed) {
  body.at = Pose{axis_rotation(2, offset), Vec3::Zero()};
  body.joint.kind = JointKind::revolute;
  body.joint.axis = reversed ? Vec3(-Vec3::UnitZ()) : Vec3(Vec3::UnitZ());
  body.frame = Pose{axis_rotation(0, alpha), Vec3(a, 0, d)};
}

}  // namespace davit
