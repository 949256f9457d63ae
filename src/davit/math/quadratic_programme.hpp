// Convex quadratic programmes of up to a few hundred unknowns: the least
//   ½ xᵀH x + cᵀx   with   E x = e,   A x ≤ b,
// H positive semidefinite; with H = 0 a linear programme.
#pragma once

#include "davit/math/linear_algebra.hpp"

namespace davit {

struct QuadraticProgramme {
  MatX H;  // empty: a linear programme
  VecX c;
  MatX E;  // may be empty
  VecX e;
  MatX A;  // may be empty
  VecX b;
};

// With the multipliers of H x + c + Eᵀy + Aᵀz = 0, z ≥ 0, z_i (b - A x)_i = 0.
struct QuadraticOptimum {
  VecX x, y, z;
  bool found = false;  // all conditions hold to a part of 1e-9; x is then feasible to that
};

// Mehrotra's predictor-corrector method (SIAM J. Optimization 2 (1992) 575), primal and dual, from no feasible point;
// then, where it is clear which inequalities hold with equality, these are solved as equations.
QuadraticOptimum solve(const QuadraticProgramme&);

}  // namespace davit
