// A matrix in units of its own states, T⁻¹ A T with diagonal T, cut into pieces of which none depends on a later one.
#pragma once

#include <complex>
#include <vector>

#include "davit/math/types.hpp"

namespace davit::linear {

struct BalancedMatrix {
  MatX A;  // T⁻¹ A T, rows and columns of the same size as far as possible; what is round-off in it is zero
  VecX T;
  double size = 0;  // norm
  // States that depend on each other: eigenvalues of A are those of these blocks.
  std::vector<std::vector<int>> blocks;
};
BalancedMatrix balanced(const MatX& A);

// Block by block, by rising size, of a pair the one above the real axis first.
std::vector<std::complex<double>> eigenvalues(const BalancedMatrix&);

}  // namespace davit::linear
