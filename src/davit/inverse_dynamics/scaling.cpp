#include "davit/inverse_dynamics/scaling.hpp"

#include <cmath>

namespace davit::inverse_dynamics {

namespace {
double power_of_two(double x) { return x > 0 ? std::exp2(std::round(std::log2(x))) : 1.0; }
}  // namespace

void equilibrate(MatX& A, VecX& rows, VecX& columns) {
  rows.setOnes(A.rows());
  columns.setOnes(A.cols());
  // What is nothing beside the rest (a gradient that vanishes at a singular place) is not made large.
  const double floor = 1e-8 * (A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0.0);
  for (int sweep = 0; sweep < 4; ++sweep) {
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double f = 1 / power_of_two(std::sqrt(std::max(floor, A.row(i).cwiseAbs().maxCoeff())));
      A.row(i) *= f;
      rows[i] *= f;
    }
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      const double f = 1 / power_of_two(std::sqrt(std::max(floor, A.col(j).cwiseAbs().maxCoeff())));
      A.col(j) *= f;
      columns[j] *= f;
    }
  }
}

}  // namespace davit::inverse_dynamics
