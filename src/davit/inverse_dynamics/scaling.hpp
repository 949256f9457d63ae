// Scaling of matrices whose rows and columns have units of their own.
#pragma once

#include "davit/math/types.hpp"

namespace davit::inverse_dynamics {

// The nearest one, in its logarithm; 1 of nothing.
double power_of_two(double x);

// R A C with rows and columns whose largest entries are near one; A is replaced by it. Scales are powers of two.
void equilibrate(MatX& A, VecX& rows, VecX& columns);
// The same of a matrix whose rows and columns have units: they are taken out first, since what is nothing beside the
// rest can be told among numbers without dimension alone. R and C have them in.
void equilibrate(MatX& A, const VecX& row_units, const VecX& column_units, VecX& rows, VecX& columns);

// A rank by the widest gap between values that fall, such as singular values or the pivots of a QR decomposition. Those
// below round-off beside the largest are zero, and so wide is the last gap where none is zero.
struct Rank {
  Eigen::Index rank = 0;
  double gap = 0;        // the least value that counts, by the largest that does not
  double threshold = 0;  // between them, as a part of the largest
  // Round-off and what is meant are told apart without doubt.
  bool clear() const { return gap > 1e3; }
};
// Nothing above `most` of the largest is taken for zero.
Rank rank_by_gap(const VecX& values, double most = 1e-5);

}  // namespace davit::inverse_dynamics
