#include "verify/complex_algebra.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace davit::verify {

MatXc least_squares(const MatXc& A, const MatXc& B) { return A.colPivHouseholderQr().solve(B); }
VecXc eigenvalues(const MatXc& A) { return Eigen::ComplexEigenSolver<MatXc>(A, false).eigenvalues(); }

}  // namespace davit::verify
