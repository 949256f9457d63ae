// Distances of the simplest things: segments, triangles and points, each with the points where it is attained.
#pragma once

#include <array>

#include "davit/math/types.hpp"

namespace davit {

using Corners = std::array<Vec3, 3>;

struct PointPair {
  Vec3 a, b;
  double square;  // of their distance
};

Vec3 closest_on_triangle(const Vec3& point, const Corners& triangle);
PointPair closest_of_segments(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s);
// Zero, with the same point twice, if they cut or touch.
PointPair closest_of_triangles(const Corners& a, const Corners& b);

}  // namespace davit
