// Matrices of influence: potential and normal velocity of panel i by a unit source density on panel j and, with the
// signs of a parity, on its images. Normal velocities are those on the side of the water; on a lid, on its lower side.
//
// The closed forms are means over panel i of a source at the centre of panel j, not values at the centre of i by a
// source spread over j: so the flux of a source through a closed surface of flat panels is exact (the solid angles add
// up), where values at centres lose the curvature that a flat panel hides. On a hemisphere of 96 panels a quarter it
// makes the error of the added mass eight times smaller, and lets it fall faster than the panel size.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "davit/panel/green_function.hpp"
#include "davit/panel/panelled_surface.hpp"

namespace davit::panel {

// The closed forms 1/r (with the image in the bottom, 1/r₂) and 1/r₁ of one parity: the same at every frequency.
struct RankineInfluence {
  MatX direct_potential, direct_velocity;  // potential: rows of wetted panels only
  MatX mirror_potential, mirror_velocity;  // potential: all rows, for 2K/r₁ in the velocity
};
std::vector<RankineInfluence> rankine_influence(const Surface& surface, double depth);

struct Influence {
  Eigen::MatrixXcd potential;  // wetted × all
  Eigen::MatrixXcd velocity;   // all × all
};
// One for each parity, with or without the lids; `out` is used again and again to keep its memory.
void assemble(const Surface& surface, const std::vector<RankineInfluence>& rankine, const GreenFunction& green,
              bool with_lids, std::vector<Influence>& out);

}  // namespace davit::panel
