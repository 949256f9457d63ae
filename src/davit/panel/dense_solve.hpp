// Dense complex linear systems, by LAPACK's blocked factorisation.
#pragma once

#include <Eigen/Core>

namespace davit::panel {

// Solves matrix · x = right for all columns; both are overwritten, `right` with the answer. One thread: the frequencies
// run side by side instead. Throws std::runtime_error for a singular matrix.
void solve_in_place(Eigen::MatrixXcd& matrix, Eigen::MatrixXcd& right);

}  // namespace davit::panel
