// Places and sizes of panels, and the mirror images of a mesh with planes of symmetry.
#pragma once

#include "davit/hull/panel_mesh.hpp"
#include "davit/mesh/box.hpp"

namespace davit::hull {

// A quadrilateral need not be flat. As Hess & Smith (1964) have it, its plane is the one through the mid-points of its
// sides, which lie in one plane always: the normal is along the cross product of the diagonals, and the corners are
// taken at their feet on that plane, all at the same distance from it.
struct PanelGeometry {
  Vec3 centroid = Vec3::Zero();
  Vec3 normal = Vec3::Zero();  // unit length, into the water; zero for a panel without area
  double area = 0;
  double diameter = 0;      // the largest distance of two corners
  double longest_side = 0;  // to be compared with the wave length
  double warp = 0;          // distance of the corners from the plane
};

PanelGeometry panel_geometry(const PanelMesh& mesh, int panel);
std::vector<PanelGeometry> panel_geometries(const PanelMesh& mesh);

// The corners of a panel that differ: four, three, or fewer for a panel that is nothing. In order, from the first.
struct Corners {
  std::array<int, 4> point{};
  int count = 0;
  int next(int k) const { return point[static_cast<size_t>(k + 1 == count ? 0 : k + 1)]; }
};
Corners corners_of(const std::array<int, 4>& panel);

// The same panel seen from its other side; a triangle still repeats its last point.
inline std::array<int, 4> turned(const std::array<int, 4>& p) {
  return p[2] == p[3] ? std::array{p[0], p[2], p[1], p[1]} : std::array{p[0], p[3], p[2], p[1]};
}

// Of the points that are listed; the mirror images are not part of it.
Box bounds(const PanelMesh& mesh);
// Extent of the whole hull: the diagonal of its box with all mirror images.
double extent(const PanelMesh& mesh);

// One of the copies of which a symmetric hull consists: the listed part itself (1, 1) or its image in a plane.
struct Image {
  double x = 1, y = 1;
  bool reversed() const { return x * y < 0; }  // seen in one mirror, counter-clockwise becomes clockwise
};
std::vector<Image> images(const PanelMesh& mesh);  // 1, 2 or 4, the listed part first
inline Vec3 mirrored(const Vec3& point, const Image& image) {
  return {image.x * point.x(), image.y * point.y(), point.z()};
}

// The same hull with its mirror images written out, normals still into the water; panels image after image, in the
// order of images(). With `x` or `y` false that symmetry is kept as it is.
PanelMesh expand(const PanelMesh& mesh, bool x = true, bool y = true);

// Points closer than `tolerance` become one. Panels keep their number and order; one that loses a corner becomes a
// triangle, and one that is nothing keeps fewer than three corners that differ.
PanelMesh welded(const PanelMesh& mesh, double tolerance);
// Leaves out panels without area and points that no panel uses.
PanelMesh compacted(const PanelMesh& mesh);

}  // namespace davit::hull
