// Makes of a mesh as files have them one that can be used: points that are one are welded, triangles that are nothing
// or there twice are left out, T-junctions are closed, and all faces look outwards. It says what it found and where,
// and never throws. Holes are not filled: their rims count as edges.
#pragma once

#include <string>
#include <vector>

#include "davit/mesh/triangle_mesh.hpp"

namespace davit {

struct MeshProblem {
  std::string text;  // "3 triangles are there twice, e.g. triangle 17: left out"
  bool repaired;     // the mesh can be used in spite of it
};

struct RepairedMesh {
  TriangleMesh mesh;
  std::vector<MeshProblem> problems;
  bool closed = false;  // no rims, and no edges where three or more triangles meet
  double volume = 0;    // of its closed pieces
};

// Points closer than `weld` (metres; below zero: mesh_precision of the body's extent, seen from the origin if that is
// far, because that is what single precision leaves of it) are one.
RepairedMesh repair(const TriangleMesh& mesh, double weld = -1);

}  // namespace davit
