#include "davit/model/body.hpp"

namespace davit {

const std::vector<Coordinate>& coordinates(JointKind kind) {
  static const std::vector<Coordinate> table[] = {
      {},
      {{"angle", true}},
      {{"travel", false}},
      {{"travel", false}, {"angle", true}},
      {{"angle1", true}, {"angle2", true}},
      {{"roll", true}, {"pitch", true}, {"yaw", true}},
      {{"x", false}, {"y", false}, {"angle", true}},
      {{"roll", true}, {"pitch", true}, {"yaw", true}},
      {{"roll", true}, {"pitch", true}, {"yaw", true}, {"x", false}, {"y", false}, {"z", false}},
  };
  return table[static_cast<size_t>(kind)];
}

const char* name_of(JointKind kind) {
  static const char* const names[] = {"fixed",     "revolute", "prismatic",      "cylindrical", "universal",
                                      "spherical", "planar",   "roll_pitch_yaw", "free"};
  return names[static_cast<size_t>(kind)];
}

void set_denavit_hartenberg(Body& body, double a, double alpha, double d, double offset, bool reversed) {
  body.at = Pose{axis_rotation(2, offset), Vec3::Zero()};
  body.joint.kind = JointKind::revolute;
  body.joint.axis = reversed ? Vec3(-Vec3::UnitZ()) : Vec3(Vec3::UnitZ());
  body.frame = Pose{axis_rotation(0, alpha), Vec3(a, 0, d)};
}

}  // namespace davit
