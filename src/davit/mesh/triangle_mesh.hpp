// A surface of triangles: points and triples of them, counter-clockwise seen from outside, in the axes of the body that
// it belongs to. A plain list: it may be broken (repair.hpp) and says nothing of its neighbours (neighbours.hpp).
#pragma once

#include <array>
#include <vector>

#include "davit/mesh/box.hpp"

namespace davit {

struct TriangleMesh {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;

  const Vec3& corner(int triangle, int k) const {
    return points[static_cast<size_t>(triangles[static_cast<size_t>(triangle)][static_cast<size_t>(k)])];
  }
  int count() const { return static_cast<int>(triangles.size()); }
};

// Half the cross product of two sides: along the outward normal, as long as the triangle is large.
inline Vec3 area_vector(const TriangleMesh& mesh, int triangle) {
  const Vec3& a = mesh.corner(triangle, 0);
  return 0.5 * (mesh.corner(triangle, 1) - a).cross(mesh.corner(triangle, 2) - a);
}

// Of all points that triangles use.
inline Box bounds(const TriangleMesh& mesh) {
  Box box;
  for (const auto& triangle : mesh.triangles)
    for (const int p : triangle) box.add(mesh.points[static_cast<size_t>(p)]);
  return box;
}

// The lengths below which a mesh says nothing: files keep single precision (6e-8 of a coordinate), so points closer
// than 1e-7 of the body are one point, and a face that is flat to 1e-7 of the body is flat.
inline constexpr double mesh_precision = 1e-7;

}  // namespace davit
