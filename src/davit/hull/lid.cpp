// The lid: vertical lines through all corners of the waterlines divide the waterplane into trapezoids (the ends of
// which may be points), and these are divided in rows of panels of about the size asked for.
#include <algorithm>

#include "davit/hull/panel_geometry.hpp"
#include "davit/hull/waterplane.hpp"

namespace davit::hull {

namespace {

// Douglas & Peucker: keeps of the points between `first` and `last` those without which the line would miss one by more
// than the tolerance.
void simplify(const Loop& loop, size_t first, size_t last, double tolerance, Loop& out) {
  const Vec2& a = loop[first % loop.size()];
  const Vec2 along = loop[last % loop.size()] - a;
  double farthest = tolerance;
  size_t at = 0;
  for (size_t i = first + 1; i < last; ++i) {
    const Vec2 d = loop[i % loop.size()] - a;
    const double t = along.squaredNorm() > 0 ? std::clamp(d.dot(along) / along.squaredNorm(), 0.0, 1.0) : 0.0;
    const double distance = (d - t * along).norm();
    if (distance > farthest) farthest = distance, at = i;
  }
  if (at == 0) {
    out.push_back(a);
    return;
  }
  simplify(loop, first, at, tolerance, out);
  simplify(loop, at, last, tolerance, out);
}

Loop simplified(const Loop& loop, double tolerance) {
  // From one end to the other and back: both are corners.
  const auto by_x = [](const Vec2& a, const Vec2& b) { return a.x() < b.x(); };
  const auto [low, high] = std::minmax_element(loop.begin(), loop.end(), by_x);
  const size_t first = static_cast<size_t>(low - loop.begin());
  const size_t middle = first + (static_cast<size_t>(high - low) + loop.size()) % loop.size();
  Loop out;
  simplify(loop, first, middle, tolerance, out);
  simplify(loop, middle, first + loop.size(), tolerance, out);
  return out;
}

// Values in order, those closer than `least` to the one before left out.
std::vector<double> distinct(std::vector<double> values, double least) {
  std::sort(values.begin(), values.end());
  std::vector<double> out;
  for (const double x : values)
    if (out.empty() || x - out.back() > least) out.push_back(x);
  return out;
}

// The part of a convex polygon with y on one side of a level: above it (sign = 1) or below it (−1).
Loop clipped(const Loop& polygon, double level, double sign) {
  Loop out;
  for (size_t k = 0; k < polygon.size(); ++k) {
    const Vec2 &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
    const double ha = sign * (a.y() - level), hb = sign * (b.y() - level);
    if (ha >= 0) out.push_back(a);
    if (ha * hb < 0) out.push_back(a + ha / (ha - hb) * (b - a));
  }
  return out;
}

struct Side {
  double left, right;  // y at the two ends of a column
  int winding;         // +1: the hull begins here, going up
};

}  // namespace

PanelMesh lid(const PanelMesh& wetted, double size) {
  PanelMesh out;
  out.mirror_x = wetted.mirror_x;
  out.mirror_y = wetted.mirror_y;
  std::vector<Loop> loops = waterline(wetted);
  if (loops.empty() || !(size > 0)) return out;

  // The listed part of a symmetric hull lies on one side of the plane.
  const Box box = bounds(wetted);
  const Vec3 middle = box.centre();
  const double huge = std::numeric_limits<double>::infinity();
  const double x_low = wetted.mirror_x && middle.x() > 0 ? 0 : -huge,
               x_high = wetted.mirror_x && middle.x() < 0 ? 0 : huge;
  const double y_low = wetted.mirror_y && middle.y() > 0 ? 0 : -huge,
               y_high = wetted.mirror_y && middle.y() < 0 ? 0 : huge;

  std::vector<double> corners;
  for (Loop& loop : loops) {
    loop = simplified(loop, 4e-3 * size);
    for (const Vec2& p : loop)
      if (p.x() > x_low && p.x() < x_high) corners.push_back(p.x());
  }
  if (wetted.mirror_x) corners.push_back(0);
  // Columns that would be narrower than this are none: their corners are set on the neighbouring line.
  const double narrow = 0.02 * size;
  corners = distinct(corners, narrow);
  std::vector<double> lines;
  for (size_t i = 0; i + 1 < corners.size(); ++i) {
    const double width = corners[i + 1] - corners[i];
    const int parts = std::max(1, static_cast<int>(std::ceil(width / size - 0.1)));
    for (int k = 0; k < parts; ++k) lines.push_back(corners[i] + k * width / parts);
  }
  if (!corners.empty()) lines.push_back(corners.back());
  for (Loop& loop : loops)
    for (Vec2& p : loop) {
      const auto above = std::lower_bound(corners.begin(), corners.end(), p.x() - narrow);
      if (above != corners.end() && std::abs(*above - p.x()) <= narrow) p.x() = *above;
    }

  const double smallest_panel = 1e-4 * size * size;
  const auto add = [&](const Loop& polygon) {
    for (size_t k = 1; k + 1 < polygon.size(); k += 2) {
      const int first = static_cast<int>(out.points.size());
      for (const Vec2& p : {polygon[0], polygon[k], polygon[k + 1], polygon[std::min(k + 2, polygon.size() - 1)]})
        out.points.emplace_back(p.x(), p.y(), 0);
      out.panels.push_back({first, first + 1, first + 2, first + 3});
      if (panel_geometry(out, out.count() - 1).area < smallest_panel) out.panels.pop_back();
    }
  };
  std::vector<Side> sides;
  for (size_t column = 0; column + 1 < lines.size(); ++column) {
    const double x0 = lines[column], x1 = lines[column + 1];
    sides.clear();
    for (const Loop& loop : loops)
      for (size_t k = 0; k < loop.size(); ++k) {
        const Vec2 &a = loop[k], &b = loop[(k + 1) % loop.size()];
        if (std::min(a.x(), b.x()) > x0 || std::max(a.x(), b.x()) < x1) continue;
        const double slope = (b.y() - a.y()) / (b.x() - a.x());
        sides.push_back({a.y() + slope * (x0 - a.x()), a.y() + slope * (x1 - a.x()), b.x() > a.x() ? 1 : -1});
      }
    std::sort(sides.begin(), sides.end(),
              [](const Side& a, const Side& b) { return a.left + a.right < b.left + b.right; });
    int winding = 0;
    for (size_t k = 0; k + 1 < sides.size(); ++k) {
      winding += sides[k].winding;
      if (winding <= 0) continue;
      const auto within = [&](double y) { return std::clamp(y, y_low, y_high); };
      const double low0 = within(sides[k].left), low1 = within(sides[k].right);
      const double high0 = within(sides[k + 1].left), high1 = within(sides[k + 1].right);
      const auto parts = [&](double height) { return std::max(1, static_cast<int>(std::ceil(height / size - 0.1))); };
      const Loop trapezoid{{x0, low0}, {x1, low1}, {x1, high1}, {x0, high0}};
      if (std::max(std::abs(low1 - low0), std::abs(high1 - high0)) < size) {
        // Rows that follow the waterlines.
        const int rows = parts(std::max(high0 - low0, high1 - low1));
        for (int row = 0; row < rows; ++row) {
          const double s = double(row) / rows, t = double(row + 1) / rows;
          add({trapezoid[0] + s * (trapezoid[3] - trapezoid[0]), trapezoid[1] + s * (trapezoid[2] - trapezoid[1]),
               trapezoid[1] + t * (trapezoid[2] - trapezoid[1]), trapezoid[0] + t * (trapezoid[3] - trapezoid[0])});
        }
      } else {
        // Across the end of the hull rows would be slanted: they are level and cut off.
        const double bottom = std::min(low0, low1), top = std::max(high0, high1);
        const int rows = parts(top - bottom);
        const auto level = [&](int row) { return bottom + row * (top - bottom) / rows; };
        for (int row = 0; row < rows; ++row) add(clipped(clipped(trapezoid, level(row), 1), level(row + 1), -1));
      }
    }
  }
  return compacted(welded(out, 1e-6 * size));
}

}  // namespace davit::hull
