// Hulls by name and dimensions. x forward from midships, y to port, z up from the waterplane at the draft of the shape;
// only one side of each plane of symmetry is listed (a quarter of barge, cylinder and sphere, half of a ship), with
// positive coordinates.
#pragma once

#include <optional>
#include <variant>

#include "davit/hull/panel_mesh.hpp"
#include "davit/hull/ship_form.hpp"

namespace davit::hull {

// Drafts that are not given are the full depth: the deck is at z = 0, and a weight may decide (equilibrium.hpp).

struct Barge {  // a box
  double length = 0, beam = 0, depth = 0;
  std::optional<double> draft = {};
};

struct Cylinder {  // upright, with a flat bottom
  double diameter = 0, depth = 0;
  std::optional<double> draft = {};
};

struct Sphere {
  double diameter = 0;
  std::optional<double> draft = {};  // not given: half the diameter
};

using Shape = std::variant<Barge, Cylinder, Sphere, Ship>;

double draft_of(const Shape& shape);

enum class Part {
  wetted,  // below the waterplane
  whole,   // and above it, closed by the deck; panels end at the waterplane and begin anew
};

struct Panelling {
  double size = 0;    // of the sides of panels at most, in metres; about: curved patches keep it in the mean
  int most = 4000;    // listed panels at most: `size` grows until it fits
  double refine = 0;  // panels at edges and at the waterline are 2^−refine of that, 0: even
};

// Throws std::invalid_argument where no such hull exists (a length that is not positive, a draft beyond the depth,
// coefficients that contradict one another).
PanelMesh panelled(const Shape& shape, const Panelling& panelling, Part part = Part::wetted);

}  // namespace davit::hull
