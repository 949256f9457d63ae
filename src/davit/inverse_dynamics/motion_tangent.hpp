// The exact linearisation of a servo problem's model about a motion, in as many states as it has: small changes (δd,
// δu) of coordinates and speeds that the constraints allow are T ζ, and
//   ζ̇ = A ζ + B δw,   s = C ζ,   ṡ = C_rate ζ.
// T has orthonormal columns. Carried along the motion without turning (TᵀṪ = 0), A is the matrix of the motion, not
// only that of an instant.
#pragma once

#include "davit/inverse_dynamics/servo_equations.hpp"

namespace davit::inverse_dynamics {

struct MotionTangent {
  MatX T, A, B, C, C_rate;
};
// At an instant with its accelerations and multipliers. Every motion that the constraints allow must have mass.
MotionTangent linearise_motion(ServoEquations&, const Instant&);

// An orthonormal basis of the part of the states that inputs can move; all other states of (A, B) go their own way.
MatX reachable_part(const MatX& A, const MatX& B);

}  // namespace davit::inverse_dynamics
