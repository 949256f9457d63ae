// Cholesky factorisation with diagonal pivoting of a positive semidefinite matrix, in place and without allocation: it
// finds the rank, and so the rows that follow from others. Small and dense.
#pragma once

#include <vector>

#include "davit/math/types.hpp"

namespace davit {

// A → L in its lower triangle, rows and columns in the order of `order`; returns the rank. A pivot counts while it is
// above 1e-11 of its own diagonal entry at the start, so units of the rows do not matter; `diagonal` is scratch.
int pivoted_cholesky(MatX& A, std::vector<int>& order, std::vector<double>& diagonal);
// x ← A⁺-like solution of A x = b for b in the range: dependent entries of x are zero. b is in x.
void pivoted_solve(const MatX& L, const std::vector<int>& order, int rank, VecX& x, VecX& scratch);
// Of a dependent row (number i ≥ rank in the order) the coefficients with which it is a sum of the kept ones.
VecX dependence(const MatX& L, int rank, int i);

}  // namespace davit
