// Which triangles meet at an edge. A half-edge 3 t + k runs along side k of triangle t, from its corner k to the next.
#pragma once

#include <vector>

#include "davit/mesh/triangle_mesh.hpp"

namespace davit {

struct Neighbours {
  static constexpr int rim = -1;      // nothing on the other side
  static constexpr int crowded = -2;  // three or more triangles meet here, and others are paired, or none
  // For every half-edge the one of the neighbour along the same edge, or one of the above.
  std::vector<int> across;
  // One half-edge of each edge at which three or more triangles meet.
  std::vector<int> crowded_edges;
};

// Where three or more sheets meet, a rope can bend only around the two that bound an opening of at least half a turn;
// these are neighbours, and if no opening is that wide, none are. Triangles need not be oriented alike.
Neighbours find_neighbours(const TriangleMesh& mesh);

// An index of points, triangles or half-edges as the containers want it.
inline size_t at(int i) { return static_cast<size_t>(i); }

inline int triangle_of(int half_edge) { return half_edge / 3; }
inline int next_side(int half_edge) { return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1; }
inline int previous_side(int half_edge) { return half_edge % 3 == 0 ? half_edge + 2 : half_edge - 1; }
inline int start_of(const TriangleMesh& mesh, int half_edge) {
  return mesh.triangles[static_cast<size_t>(half_edge / 3)][static_cast<size_t>(half_edge % 3)];
}
inline int end_of(const TriangleMesh& mesh, int half_edge) { return start_of(mesh, next_side(half_edge)); }

}  // namespace davit
