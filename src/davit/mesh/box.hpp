// Axis-aligned boxes: what bounding-volume trees are made of.
#pragma once

#include <limits>

#include "davit/math/types.hpp"

namespace davit {

// Begins empty: low above high, so that the first point sets both.
struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void add(const Vec3& point) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  void add(const Box& box) {
    low = low.cwiseMin(box.low);
    high = high.cwiseMax(box.high);
  }
  bool empty() const { return low.x() > high.x(); }
  Vec3 centre() const { return 0.5 * (low + high); }
  // Length of the diagonal.
  double size() const { return empty() ? 0 : (high - low).norm(); }
};

}  // namespace davit
