#include "davit/panel/rankine.hpp"

#include <cmath>

namespace davit::panel {

namespace {

// Seen from the origin, positive where a, b, c turn clockwise: the origin on the side to which their normal points.
double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return -2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

Potential by_moments(const FlatPanel& panel, const Vec3& arm, double r2) {
  const double r = std::sqrt(r2), w = 1 / r, w3 = w / r2, w5 = w3 / r2;
  const Vec3 turned = panel.moments * arm;
  const double along = arm.dot(turned), trace = panel.moments.trace();
  Potential out;
  out.value = panel.area * w + 0.5 * (3 * along * w5 - trace * w3);
  out.gradient = (-panel.area * w3 + 1.5 * trace * w5 - 7.5 * along * w5 / r2) * arm + 3 * w5 * turned;
  return out;
}

Potential in_closed_form(const FlatPanel& panel, const Vec3& field) {
  std::array<Vec3, 4> to;  // from the field point to the corners
  std::array<double, 4> length;
  for (size_t k = 0; k < 4; ++k) {
    to[k] = panel.corner[k] - field;
    length[k] = to[k].norm();
  }
  const double height = -panel.normal.dot(to[0]);
  Potential out;
  const size_t n = static_cast<size_t>(panel.corners);
  for (size_t k = 0; k < n; ++k) {
    const size_t next = k + 1 == n ? 0 : k + 1;
    const Vec3 side = to[next] - to[k];
    const double l = side.norm(), sum = length[k] + length[next];
    // A field point on the side itself makes the logarithm infinite while its factor vanishes.
    const double logarithm = std::log((sum + l) / std::max(sum - l, 1e-14 * l));
    const Vec3 outward = side.cross(panel.normal) / l;
    out.value += outward.dot(to[k]) * logarithm;
    out.gradient -= logarithm * outward;
  }
  if (std::abs(height) > 1e-9 * panel.size) {
    double angle = solid_angle(to[0], to[1], to[2]);
    if (n == 4) angle += solid_angle(to[0], to[2], to[3]);
    out.value -= height * angle;
    out.gradient -= angle * panel.normal;
  }
  return out;
}

}  // namespace

Potential source_potential(const FlatPanel& panel, const Vec3& field) {
  const Vec3 arm = field - panel.centre;
  const double r2 = arm.squaredNorm();
  if (r2 > 16 * panel.size * panel.size) return by_moments(panel, arm, r2);
  return in_closed_form(panel, field);
}

}  // namespace davit::panel
