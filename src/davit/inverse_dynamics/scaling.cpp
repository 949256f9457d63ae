#include "davit/inverse_dynamics/scaling.hpp"

#include <cmath>

namespace davit::inverse_dynamics {

double power_of_two(double x) { return x > 0 ? std::exp2(std::round(std::log2(x))) : 1.0; }

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

void equilibrate(MatX& A, const VecX& row_units, const VecX& column_units, VecX& rows, VecX& columns) {
  A = row_units.cwiseInverse().asDiagonal() * A * column_units.asDiagonal();
  equilibrate(A, rows, columns);
  rows = rows.cwiseQuotient(row_units);
  columns = columns.cwiseProduct(column_units);
}

Rank rank_by_gap(const VecX& values, double most) {
  Rank out;
  if (values.size() == 0 || !(values[0] > 0)) return out;
  const double zero = std::numeric_limits<double>::epsilon() * static_cast<double>(values.size()) * values[0];
  const auto value = [&](Eigen::Index i) { return i < values.size() ? std::max(values[i], zero) : zero; };
  for (Eigen::Index i = 1; i <= values.size(); ++i) {
    const double gap = value(i - 1) / value(i);
    if (value(i) > most * values[0] || gap <= out.gap) continue;
    out.rank = i;
    out.gap = gap;
    out.threshold = std::sqrt(value(i - 1) * value(i)) / values[0];
  }
  return out;
}

}  // namespace davit::inverse_dynamics
