// Eigenvalues of matrix pencils A - s E with any E: the finite ones, told apart from those at infinity before anything
// is divided by E. Zeros of state spaces and poles of equations with constraints are such eigenvalues.
#pragma once

#include <complex>
#include <vector>

#include "davit/math/types.hpp"

namespace davit {

// A pencil that has the finite eigenvalues of another, and no others: E is square and regular.
struct FinitePencil {
  MatX A, E;
  int infinite = 0;  // how many eigenvalues the other has at infinity
};

// Takes away what is at infinity: rows in which E vanishes are equations 0 = A₂ x without a derivative, so x is in the
// kernel of A₂; there some rows of E may vanish again, one time less than the index of the pencil (the staircase of Van
// Dooren 1979, by orthogonal transformations alone). Rows and columns are scaled before. What is below `tolerance`,
// beside the size of the scaled matrices, is zero: eigenvalues larger than its inverse, beside that size, are infinite.
// Throws std::domain_error when det(A - s E) vanishes for every s, and std::invalid_argument when A and E are not
// square and alike, or not finite.
FinitePencil finite_pencil(const MatX& A, const MatX& E, double tolerance = 1e-11);

// All s with det(A - s E) = 0: by rising size, of a pair the one above the real axis first.
std::vector<std::complex<double>> finite_eigenvalues(const MatX& A, const MatX& E, double tolerance = 1e-11);

}  // namespace davit
