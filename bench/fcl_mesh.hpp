// What the module with FCL's meshes offers: one function, found by name. Plain numbers only (peer.hpp says why).
#pragma once

#include <vector>

namespace davit::bench {

struct PlainMesh {
  std::vector<double> points;  // x, y, z of each
  std::vector<int> triangles;  // three points of each
};

// A rotation, row by row, and a translation.
struct PlainPose {
  double R[9];
  double p[3];
};

class FclMeshes {
 public:
  virtual ~FclMeshes() = default;
  // Triangles of the mesh that a segment of the given length along x, placed by the pose, goes through; FCL has no
  // segments, so it is a triangle of no width to speak of. Returns how many, appending them to `hit`.
  virtual int meet(const PlainPose& segment, std::vector<int>& hit) = 0;
  // Distance of the mesh at the origin from a second one at a pose.
  virtual double distance(const PlainPose& second) = 0;
};

using MakeFclMeshes = FclMeshes*(const PlainMesh& mesh, const PlainMesh& second, double segment);

}  // namespace davit::bench
