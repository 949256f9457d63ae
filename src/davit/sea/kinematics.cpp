#include "davit/sea/kinematics.hpp"

#include <algorithm>
#include <cmath>

#include "davit/sea/dispersion.hpp"

namespace davit::sea {

namespace {

double angle(const Component& c, double x, double y, double time) {
  return c.frequency * time - c.wave_number * (x * std::cos(c.heading) + y * std::sin(c.heading)) + c.phase;
}

DepthProfile profile_at(double k, double depth, double z, Stretching stretching) {
  if (stretching != Stretching::extrapolated || z <= 0) return depth_profile(k, depth, z);
  const DepthProfile surface = depth_profile(k, depth, 0);
  return {1 + z * surface.slope, surface.slope + z * k * k};
}

}  // namespace

double elevation(const std::vector<Component>& components, const Vec2& place, double time) {
  double total = 0;
  for (const Component& c : components) total += c.amplitude * std::cos(angle(c, place.x(), place.y(), time));
  return total;
}

Flow flow(const std::vector<Component>& components, const Water& water, const Vec3& point, double time,
          Stretching stretching) {
  Flow flow{elevation(components, point.head<2>(), time), Vec3::Zero(), Vec3::Zero(), 0};
  double z = point.z();
  if (stretching != Stretching::none) z = std::min(z, flow.elevation);
  if (stretching == Stretching::wheeler)
    z = (z - flow.elevation) * (std::isinf(water.depth) ? 1 : water.depth / (water.depth + flow.elevation));
  for (const Component& c : components) {
    const double theta = angle(c, point.x(), point.y(), time), cosine = std::cos(theta), sine = std::sin(theta);
    const DepthProfile profile = profile_at(c.wave_number, water.depth, z, stretching);
    const double lift = water.gravity * c.amplitude;
    const Vec3 along(std::cos(c.heading) * c.wave_number * profile.value,
                     std::sin(c.heading) * c.wave_number * profile.value, 0);
    flow.velocity += lift / c.frequency * (along * cosine - Vec3(0, 0, profile.slope * sine));
    flow.acceleration -= lift * (along * sine + Vec3(0, 0, profile.slope * cosine));
    flow.pressure += water.density * lift * profile.value * cosine;
  }
  return flow;
}

}  // namespace davit::sea
