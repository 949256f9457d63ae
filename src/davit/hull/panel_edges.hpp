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

// Turns panels so that all normals point into the water: alike within a connected piece, and outwards by its volume.
// Pieces that meet only at edges of three or more panels count as separate.
PanelMesh orient(const PanelMesh& mesh);

}  // namespace davit::hull
