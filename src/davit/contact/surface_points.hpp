// Points all over a mesh, each with its share of the area: what stands for a surface that presses on another.
#pragma once

#include <vector>

#include "davit/mesh/triangle_mesh.hpp"

namespace davit::contact {

struct SurfacePoint {
  Vec3 at;
  double area;
};

// Triangles are divided until no side is longer than the spacing; corners of neighbours are one point. Nothing where
// that would be more than `most` points.
std::vector<SurfacePoint> surface_points(const TriangleMesh& mesh, double spacing, size_t most);

}  // namespace davit::contact
