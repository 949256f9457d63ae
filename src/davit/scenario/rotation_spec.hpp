// Turns one after the other, as bodies and surfaces are placed with.
#pragma once

#include "davit/input/record.hpp"
#include "davit/math/pose.hpp"

namespace davit {

// A turn about an axis: {z: 90 deg}. A list of turns is carried out one after the other, each about the axes as turned.
struct RotationSpec {
  std::optional<double> x, y, z;
  static const input::Record<RotationSpec>& record();
};

// Those that lead to an attitude: by yaw, pitch and roll, without the ones that are zero.
std::vector<RotationSpec> turns_to(const Mat3& R);

Pose placed(const Vec3& at, const std::vector<RotationSpec>& turns);

}  // namespace davit
