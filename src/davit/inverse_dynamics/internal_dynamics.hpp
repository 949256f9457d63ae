// Internal dynamics: what outputs that are held leave free to move. About a place of rest its poles are the finite
// zeros of the linear model from inputs to outputs.
#pragma once

#include <optional>

#include "davit/inverse_dynamics/error_dynamics.hpp"
#include "davit/inverse_dynamics/units.hpp"

namespace davit::inverse_dynamics {

// The finite s for which the linearised equations have a motion that the outputs do not show,
//   (M s² + D s + K) d = Gᵀλ + B w,   G d = 0,   S d = 0,
// those at infinity told apart before anything is divided (math/pencil.hpp), however many times they come. Nothing
// where every s is one: outputs or inputs are not independent there.
std::optional<Poles> internal_poles(ServoEquations&, const Units&, const Instant&);

}  // namespace davit::inverse_dynamics
