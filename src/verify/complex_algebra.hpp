// What references in the frequency domain need beyond math/linear_algebra.hpp: least squares (QR with column pivoting)
// and eigenvalues of complex matrices.
#pragma once

#include "davit/math/types.hpp"

namespace davit::verify {

MatXc least_squares(const MatXc& A, const MatXc& B);
VecXc eigenvalues(const MatXc& A);

}  // namespace davit::verify
