#include "davit/sea/current.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace davit::sea {

namespace {
Vec3 along(double speed, double heading) { return {speed * std::cos(heading), speed * std::sin(heading), 0}; }
}  // namespace

Current Current::uniform(double speed, double heading) {
  Current current;
  current.knots_ = {{0, along(speed, heading)}};
  return current;
}

Current Current::power_law(double speed, double heading, double depth, double exponent) {
  if (!(depth > 0 && std::isfinite(depth))) throw std::invalid_argument("a power law needs the depth of the water");
  Current current = uniform(speed, heading);
  current.depth_ = depth;
  current.exponent_ = exponent;
  return current;
}

Current Current::table(const std::vector<Point>& points) {
  if (points.empty()) throw std::invalid_argument("the table of a current is empty");
  Current current;
  for (const Point& p : points) {
    if (!(p.depth >= 0) || (!current.knots_.empty() && !(-p.depth < current.knots_.back().z)))
      throw std::invalid_argument("the depths of a current ascend from zero or more");
    current.knots_.push_back({-p.depth, along(p.speed, p.heading)});
  }
  return current;
}

Vec3 Current::velocity(double z) const {
  if (z >= knots_.front().z) return knots_.front().velocity;
  if (exponent_ > 0) return knots_.front().velocity * std::pow(std::max(0.0, 1 + z / depth_), exponent_);
  const auto below = std::find_if(knots_.begin(), knots_.end(), [z](const Knot& k) { return k.z <= z; });
  if (below == knots_.end()) return knots_.back().velocity;
  const auto above = below - 1;
  const double s = (above->z - z) / (above->z - below->z);
  return (1 - s) * above->velocity + s * below->velocity;
}

}  // namespace davit::sea
