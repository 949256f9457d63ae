// The potential of a uniform source on a flat panel in unbounded water, ∫ 1/r dS, and its gradient at the field point.
//
// Close by in closed form (Hess & Smith 1964; written with the solid angle Ω of van Oosterom & Strackee 1983 and the
// logarithm of each side): ∫1/r dS = Σ dₖLₖ − hΩ, ∇ = −Σ νₖLₖ − nΩ. Beyond four panel sizes by the first two moments,
// with an error of 1e-5 of the value there.
#pragma once

#include "davit/panel/flat_panel.hpp"

namespace davit::panel {

struct Potential {
  double value = 0;
  Vec3 gradient = Vec3::Zero();
};

// In the plane of the panel the gradient is the mean of its values on both sides: without the jump of ±2π along n.
Potential source_potential(const FlatPanel& panel, const Vec3& field);

}  // namespace davit::panel
