#include "davit/operation/luffing.hpp"

#include <cmath>
#include <numbers>

namespace davit::operation {

// With the level axis n and the centre at r from it, the elevation φ of r, seen along n, grows as the joint turns:
// tan φ = r·z / r·(z × n).
std::optional<double> upright_on_the_way(const JointCoordinate& at, double target, Assembly& assembly) {
  const Body& body = assembly.tree().body(at.name.substr(0, at.name.find('.'))).body;
  if (body.joint.kind != JointKind::revolute) return std::nullopt;
  const auto on = assembly.frame({body.on, {}});
  if (!on) return std::nullopt;
  const Kin kin = assembly.start_kinematics();
  const Mat3 joint = kin.body[static_cast<size_t>(on->body)].R * on->offset.R * body.at.R;
  const double start = assembly.start_coordinates()[at.q];
  const Vec3 centre = body.frame.p + body.frame.R * body.centre;
  const Vec3 arm = joint * (Eigen::AngleAxisd(start, body.joint.axis) * centre), axis = joint * body.joint.axis;
  const Vec3 level = Vec3::UnitZ().cross(axis);
  constexpr double tilted = 0.5;  // of a turn about a plumb line, which is no luffing
  if (level.norm() < tilted) return std::nullopt;
  const Vec3 out = level.normalized(), up = axis.cross(out).normalized();
  if (std::hypot(arm.dot(out), arm.dot(up)) < 1e-6) return std::nullopt;
  constexpr double quarter = std::numbers::pi / 2;
  double elevation = std::atan2(arm.dot(up), arm.dot(out));
  if (elevation < -quarter) elevation += 4 * quarter;
  const double upright = start + quarter - elevation;
  return (start - upright) * (target - upright) < 0 ? std::optional(upright) : std::nullopt;
}

}  // namespace davit::operation
