#include "davit/scenario/rotation_spec.hpp"

#include "davit/math/rotation.hpp"

namespace davit {

const input::Record<RotationSpec>& RotationSpec::record() {
  static const auto r = input::Record<RotationSpec>("turn", "A turn about one axis")
                            .field("x", &RotationSpec::x, "rad", "about x")
                            .field("y", &RotationSpec::y, "rad", "about y")
                            .field("z", &RotationSpec::z, "rad", "about z")
                            .exactly_one();
  return r;
}

Pose placed(const Vec3& at, const std::vector<RotationSpec>& turns) {
  Pose pose{Mat3::Identity(), at};
  for (const RotationSpec& turn : turns) {
    const std::optional<double> angles[] = {turn.x, turn.y, turn.z};
    for (int axis = 0; axis < 3; ++axis)
      if (angles[axis]) pose.R = (pose.R * axis_rotation(axis, *angles[axis])).eval();
  }
  // Quarter turns leave 6e-17 where a zero is meant; the kernels then see exact axes.
  for (double& x : pose.R.reshaped())
    if (std::abs(x) < 1e-15) x = 0;
  return pose;
}

std::vector<RotationSpec> turns_to(const Mat3& R) {
  const Vec3 rpy = rpy_of_rotation(R);
  std::vector<RotationSpec> out;
  const auto add = [&](std::optional<double> RotationSpec::*axis, double angle) {
    if (angle == 0) return;
    out.emplace_back();
    out.back().*axis = angle;
  };
  add(&RotationSpec::z, rpy.z());
  add(&RotationSpec::y, rpy.y());
  add(&RotationSpec::x, rpy.x());
  return out;
}

}  // namespace davit
