// Water takes energy from a hull at every frequency: Re K(iω) must be positive semidefinite. It is linear in the
// coefficients of a fit, so vᵀ Re K(iω) v ≥ 0 is a half space for every ω and v, and the nearest passive fit is found
// by cutting planes: those that the best fit so far violates most are added until none is left.
#pragma once

#include "davit/radiation/pole_basis.hpp"

namespace davit::radiation {

// A combination of the functions of a basis with symmetric matrices X_c = Σ_l T_cl Y_l: distances are measured in Y.
// The columns of `to_coefficients` make K(0) = 0, as a hull that moves on steadily radiates nothing.
struct Combination {
  PoleBasis basis;
  MatX to_coefficients;      // T
  std::vector<MatX> values;  // Y

  std::vector<MatX> coefficients() const;
};

// Moves Y as little as possible; false when cutting planes did not come to an end.
bool make_passive(Combination& combination);

// Eigenvalues of Re K(iω) may be as low as minus this, at frequencies dense enough for all poles: what a direct damping
// must add. Zero when passive.
double missing_damping(const PoleBasis& basis, const std::vector<MatX>& coefficients);

}  // namespace davit::radiation
