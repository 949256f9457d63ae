// Which panels meet at an edge of a mesh whose points are welded.
#pragma once

#include <map>

#include "davit/hull/panel_mesh.hpp"

namespace davit::hull {

struct EdgeUse {
  int panel;
  bool forward;  // the panel runs from the lower to the higher point number
};
// By the two points, the lower number first.
using PanelEdges = std::map<std::pair<int, int>, std::vector<EdgeUse>>;
PanelEdges find_edges(const PanelMesh& mesh);

// Turns panels so that all normals point into the water. A mesh whose neighbours agree and whose volumes by x, y and z
// do too is left as it is. Else normals are made alike within each piece (panels that meet at edges of two), and a
// piece is turned where rays from it cross the rest of the hull an even number of times on the side that should be
// inside: so it does not matter how the others are turned, where a piece lies, or whether patches meet corner to
// corner.
PanelMesh orient(const PanelMesh& mesh);

}  // namespace davit::hull
