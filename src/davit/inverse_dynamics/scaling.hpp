// Scaling of matrices whose rows and columns have units of their own.
#pragma once

#include "davit/math/types.hpp"

namespace davit::inverse_dynamics {

// R A C with rows and columns whose largest entries are near one; A is replaced by it. Scales are powers of two.
void equilibrate(MatX& A, VecX& rows, VecX& columns);

}  // namespace davit::inverse_dynamics
