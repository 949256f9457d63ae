// The wetted surface of a hull as panels: quadrilaterals (a triangle repeats its last point), counter-clockwise seen
// from the water, so that normals point out of the body into the water. z is up, the still water plane is z = 0, x
// forward, y to port. With a plane of symmetry only one half (or quarter) is listed; the rest are its mirror images.
#pragma once

#include <array>
#include <vector>

#include "davit/math/types.hpp"

namespace davit::hull {

struct PanelMesh {
  std::vector<Vec3> points;
  std::vector<std::array<int, 4>> panels;
  bool mirror_x = false;  // also at −x: symmetric about the plane x = 0 (fore and aft)
  bool mirror_y = false;  // also at −y: symmetric about the plane y = 0 (port and starboard)

  int count() const { return static_cast<int>(panels.size()); }
  const Vec3& corner(int panel, int k) const {
    return points[static_cast<size_t>(panels[static_cast<size_t>(panel)][static_cast<size_t>(k)])];
  }
};

}  // namespace davit::hull
