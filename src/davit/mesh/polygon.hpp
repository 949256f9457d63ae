// Polygons as triangles.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "davit/math/types.hpp"

namespace davit {

// Positive if the outline goes counter-clockwise.
double twice_area(std::span<const Vec2> outline);

// Triangles (indices of corners) of a simple polygon given counter-clockwise; nothing if it crosses itself or has no
// area.
std::optional<std::vector<std::array<int, 3>>> clip_ears(std::span<const Vec2> outline);

// Triangles of a polygon in space, seen along its mean normal. Convex ones become fans, at any number of corners. One
// that crosses itself becomes a fan too: there is no better answer. Nothing if it is not convex and has more corners
// than `most_corners`, for which clipping ears would take too long.
inline constexpr size_t most_corners = 500;
std::optional<std::vector<std::array<int, 3>>> triangles_of(std::span<const Vec3> corners);

}  // namespace davit
