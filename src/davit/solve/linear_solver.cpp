#include "davit/solve/linear_solver.hpp"

#include <cmath>

namespace davit {

namespace {
// A pivot of a scaled matrix below this is round-off.
constexpr double least_pivot = 1e-13;
}  // namespace

bool DenseSolver::factor() {
  const Eigen::Index n = matrix_.rows();
  row_scale_.setOnes();
  column_scale_.setOnes();
  scaled_ = matrix_;
  // Two rounds of dividing by the square roots of the largest entries (Ruiz 2001).
  for (int round = 0; round < 2; ++round) {
    for (Eigen::Index i = 0; i < n; ++i) {
      const double largest = scaled_.row(i).cwiseAbs().maxCoeff();
      const double scale = largest > 0 ? 1 / std::sqrt(largest) : 1;
      scaled_.row(i) *= scale;
      row_scale_[i] *= scale;
    }
    for (Eigen::Index j = 0; j < n; ++j) {
      const double largest = scaled_.col(j).cwiseAbs().maxCoeff();
      const double scale = largest > 0 ? 1 / std::sqrt(largest) : 1;
      scaled_.col(j) *= scale;
      column_scale_[j] *= scale;
    }
  }
  if (!scaled_.allFinite()) return false;
  lu_.compute(scaled_);
  singular_ = lu_.least_pivot() < least_pivot;
  if (singular_) full_.compute(scaled_, least_pivot);
  return true;
}

void DenseSolver::solve(VecX& x) {
  rhs_ = row_scale_.cwiseProduct(x);
  if (singular_)
    full_.solve(rhs_, x);
  else
    lu_.solve(rhs_, x);
  x = x.cwiseProduct(column_scale_);
}

}  // namespace davit
