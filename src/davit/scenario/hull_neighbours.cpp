#include "davit/scenario/hull_neighbours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "davit/html/display_unit.hpp"

namespace davit {

namespace {

// The rectangle of a waterplane.
struct Rectangle {
  std::array<Vec2, 4> corners;
  std::array<Vec2, 2> axes;
};

Rectangle rectangle_of(const vessel::VesselSpec& vessel, const HullForm& form) {
  const Vec2 forward(std::cos(vessel.heading), std::sin(vessel.heading)), port(-forward.y(), forward.x());
  const Vec2 l = 0.5 * form.length * forward, b = 0.5 * form.beam * port;
  return {{vessel.at + l + b, vessel.at - l + b, vessel.at - l - b, vessel.at + l - b}, {forward, port}};
}

// How far apart they are as seen along a direction; negative: how far they reach into each other.
double gap_along(const Vec2& direction, const Rectangle& a, const Rectangle& b) {
  const auto range = [&](const Rectangle& r) {
    double low = r.corners[0].dot(direction), high = low;
    for (const Vec2& corner : r.corners) {
      low = std::min(low, corner.dot(direction));
      high = std::max(high, corner.dot(direction));
    }
    return std::pair{low, high};
  };
  const auto [low_a, high_a] = range(a);
  const auto [low_b, high_b] = range(b);
  return std::max(low_b - high_a, low_a - high_b);
}

double distance_to_edge(const Vec2& point, const Vec2& from, const Vec2& to) {
  const Vec2 edge = to - from;
  const double part = std::clamp((point - from).dot(edge) / edge.squaredNorm(), 0.0, 1.0);
  return (point - from - part * edge).norm();
}

// Rectangles that no side's direction parts overlap, by the least that would part them. Of others the nearest points
// are a corner of one and a point on a side of the other.
double distance(const Rectangle& a, const Rectangle& b) {
  double widest = -std::numeric_limits<double>::infinity();
  for (const Rectangle* r : {&a, &b})
    for (const Vec2& axis : r->axes) widest = std::max(widest, gap_along(axis, a, b));
  if (widest <= 0) return widest;
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& [points, edges] : {std::pair{&a, &b}, std::pair{&b, &a}})
    for (const Vec2& point : points->corners)
      for (size_t i = 0; i < 4; ++i)
        nearest = std::min(nearest, distance_to_edge(point, edges->corners[i], edges->corners[(i + 1) % 4]));
  return nearest;
}

}  // namespace

std::vector<HullsApart> hulls_apart(const Specification& spec, const std::vector<HullForm>& forms) {
  std::vector<HullsApart> out;
  const auto vessels = spec.elements.of<vessel::VesselSpec>();
  for (size_t i = 0; i < vessels.size(); ++i)
    for (size_t j = i + 1; j < vessels.size(); ++j) {
      if (!(forms[i].length > 0) || !(forms[j].length > 0)) continue;
      const auto& [first, one] = vessels[i];
      const auto& [second, other] = vessels[j];
      out.push_back({i, j, first, second, distance(rectangle_of(one, forms[i]), rectangle_of(other, forms[j]))});
    }
  return out;
}

void check_neighbours(const Specification& spec, const std::vector<HullForm>& forms, input::Problems& problems) {
  // What hydrostatics tell of a form is not exact; and waterplanes with room between their parts (docks,
  // semi-submersibles) may have another hull there.
  constexpr double touching = 0.02;  // of the narrower beam
  constexpr double solid = 0.6;      // of the rectangle
  constexpr double far = 10;         // longest hulls
  const auto vessels = spec.elements.of<vessel::VesselSpec>();
  for (const HullsApart& pair : hulls_apart(spec, forms)) {
    const HullForm &a = forms[pair.one], &b = forms[pair.other];
    const input::Where& where = vessels[pair.other].second.where;
    const bool both_solid = std::min(a.fullness, b.fullness) > solid;
    if (both_solid && pair.distance < -touching * std::min(a.beam, b.beam)) {
      problems.error(where,
                     fmt::format("the hulls of '{}' and '{}' are in each other by {:.3g} m: one is {:.3g} x {:.3g} m, "
                                 "the other {:.3g} x {:.3g} m",
                                 pair.first, pair.second, -pair.distance, a.length, a.beam, b.length, b.beam),
                     "give them places that are apart: at: [x, y], and heading");
      continue;
    }
    if (!spec.environment.waves || pair.distance > far * std::max(a.length, b.length)) continue;
    problems.warning(where,
                     fmt::format("the hulls of '{}' and '{}' are {} apart and {}", pair.first, pair.second,
                                 html::with_unit(std::max(0.0, pair.distance), "m", spec.run.units), hulls_are_alone),
                     "in a lee the forces of waves may be several times smaller, between hulls larger: count on it, or "
                     "keep them farther apart");
  }
}

}  // namespace davit
