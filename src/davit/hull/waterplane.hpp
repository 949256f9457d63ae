// The still water plane z = 0 and a hull in it: moving the hull, cutting it, the waterlines, and a lid on them.
#pragma once

#include "davit/hull/panel_mesh.hpp"
#include "davit/math/pose.hpp"

namespace davit::hull {

// The hull moved. A plane of symmetry that the move does not map on itself (heel for y = 0, trim for x = 0) is written
// out first.
PanelMesh placed(const PanelMesh& mesh, const Pose& pose);

// What is below z = 0. Points within `snap` of the hull's extent are set on the plane, panels across it are cut, and
// what lies in it (a deck at the waterline, a lid) is left out. Panels that are cut and not flat become two triangles
// first, along the diagonal from their first corner: so the two parts of a hull are exactly the whole in the sense of
// hydrostatics.hpp. Without snapping the result changes continuously as the hull moves, and has slivers.
PanelMesh cut_at_waterplane(const PanelMesh& whole, double snap = 1e-6);

// The lines where the hull pierces the water, of the whole hull with its mirror images: closed, the last point is not
// the first again, hull to the left: counter-clockwise seen from above, and clockwise around a moonpool.
using Loop = std::vector<Vec2>;
std::vector<Loop> waterline(const PanelMesh& wetted);

// Panels on z = 0 inside the hull, up to about `size`, normals up (+z), with the symmetry of `wetted` and for the part
// that it lists. Water inside the hull (moonpools) is not covered. Columns of panels run from waterline to waterline
// between its corners; corners that deviate by less than 0.4 % of `size` are passed over.
PanelMesh lid(const PanelMesh& wetted, double size);

}  // namespace davit::hull
