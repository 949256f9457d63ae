// Holes of a hull below the water, told from seams where patches meet without sharing corners: along a seam there is
// another panel beside every open edge, at a hole there is none.
#pragma once

#include "davit/hull/panel_mesh.hpp"

namespace davit::hull {

// An edge of one panel alone.
struct OpenEdge {
  int from, to;  // points, as the panel runs along it
  int panel;
};

// Edges with one panel, neither on a plane of symmetry nor within `near` of the water or above it.
std::vector<OpenEdge> open_edges(const PanelMesh& mesh, double near);

// A part of a rim that hangs together: of a hole at a seam there may be several.
struct Hole {
  double area = 0;  // about, by its rim; of one image of a symmetric hull
  int panel = 0;    // one at its rim, where that has its longest edge
};
std::vector<Hole> find_holes(const PanelMesh& mesh, const std::vector<OpenEdge>& open);

}  // namespace davit::hull
