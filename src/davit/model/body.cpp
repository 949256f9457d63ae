#include "davit/model/body.hpp"

namespace davit {

void set_denavit_hartenberg(Body& body, double a, double alpha, double d, double offset, bool reversed) {
  body.at = Pose{axis_rotation(2, offset), Vec3::Zero()};
  body.joint.kind = JointKind::revolute;
  body.joint.axis = reversed ? Vec3(-Vec3::UnitZ()) : Vec3(Vec3::UnitZ());
  body.frame = Pose{axis_rotation(0, alpha), Vec3(a, 0, d)};
}

}  // namespace davit
