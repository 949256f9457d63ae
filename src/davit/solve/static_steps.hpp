// Statics: steps of implicit Euler from rest with growing length, M d/h² + F(q ⊕ d) - Gᵀλ = 0 with the
// rows met at q ⊕ d. Each is the displacement that lowers the potential most for its length in the metric of M, and
// Newton's method for F = Gᵀλ as h grows. The matrix is the sparse one of the step equations. d/h² is the acceleration
// that is left at the new place.
#pragma once

#include "davit/solve/equilibrium.hpp"

namespace davit {

// How steps grow. Gentle ones do not pass by what a body comes to rest on.
enum class StaticGrowth { fast, gentle };

// From rest at `start`, with drives that hold nothing: not for models with servos or contacts.
Equilibrium find_equilibrium_by_steps(System&, const State& start, StaticGrowth = StaticGrowth::fast);
// In words, with the acceleration that remains.
std::string no_equilibrium(double acceleration);

}  // namespace davit
