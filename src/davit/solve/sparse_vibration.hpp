// Modes of models with many degrees of freedom, by Arnoldi's method on the sparse linearisation.
#pragma once

#include "davit/solve/vibration.hpp"

namespace davit {

// The modes nearest to rest, and the fastest eigenvalue. No servos and no contacts.
VibrationResult sparse_vibration_modes(System&, const State&);

}  // namespace davit
