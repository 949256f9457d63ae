// A smooth hull form of a ship from main dimensions and coefficients, for when no lines are at hand: two pointed ends,
// a parallel middle body if the hull is full, sections that go from round-bilged amidships to V at the ends, a keel
// that rises where the ends are fine, walls above the water. No bulb, skeg or transom.
//
// Half-breadths of the waterline b(x) and section areas A(x) fall from amidships to the ends by curves
// 1 − ξᵖ (or (1 − ξ²)(1 − cξ²) where that is too full) beyond the parallel body; sections are superellipses
// (y/b)ⁿ + (−z/t)ⁿ = 1 of the area A = 2 b t σ(n). What is left of A/(2 b T) below one half is made by a smaller draft
// t of the section, so that none is hollow.
#pragma once

#include <optional>

#include "davit/hull/panel_mesh.hpp"

namespace davit::hull {

struct Ship {
  double length = 0;  // between perpendiculars, here that of the waterline
  double beam = 0, depth = 0;
  double draft = 0;
  double block = 0;                       // C_B = volume / (L B T)
  std::optional<double> midship = {};     // C_M; not given: 1 − 0.0056 C_B^−3.56 (Kerlen)
  std::optional<double> waterplane = {};  // C_W; not given: (1 + 2 C_B) / 3
  std::optional<double> lcb = {};  // centre of buoyancy forward of midships; not given: 20 (C_B − 0.675) % of L,
                                   // or as near to it as the form allows
};

double midship_of(const Ship& ship);
double waterplane_of(const Ship& ship);
double lcb_of(const Ship& ship);

// Half a ship (y ≥ 0) in panels of about `size`, `whole` with its sides above water and its deck. The panels
// themselves have the coefficients: C_B to 1e-5. Throws std::invalid_argument where no such hull exists.
PanelMesh ship_mesh(const Ship& ship, double size, double refine, bool whole);

}  // namespace davit::hull
