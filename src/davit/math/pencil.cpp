#include "davit/math/pencil.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace davit {

namespace {

double power_of_two(double size) { return size > 0 ? std::exp2(std::round(std::log2(size))) : 1.0; }

// Powers of two, which round nothing, bring all rows and columns of (A, E) to the same size. Eigenvalues stay.
void balance(MatX& A, MatX& E) {
  for (int sweep = 0; sweep < 10; ++sweep) {
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double size = power_of_two(std::hypot(A.row(i).norm(), E.row(i).norm()));
      A.row(i) /= size;
      E.row(i) /= size;
    }
    for (Eigen::Index i = 0; i < A.cols(); ++i) {
      const double size = power_of_two(std::hypot(A.col(i).norm(), E.col(i).norm()));
      A.col(i) /= size;
      E.col(i) /= size;
    }
  }
}

using Factor = Eigen::ColPivHouseholderQR<MatX>;

Eigen::Index rank_of(const Factor& factor, double zero) {
  const auto diagonal = factor.matrixQR().diagonal();
  Eigen::Index rank = 0;
  while (rank < diagonal.size() && std::abs(diagonal[rank]) > zero) ++rank;
  return rank;
}

}  // namespace

FinitePencil finite_pencil(const MatX& A, const MatX& E, double tolerance) {
  if (A.rows() != A.cols() || E.rows() != A.rows() || E.cols() != A.cols())
    throw std::invalid_argument("the matrices of a pencil are square and of the same size");
  if (!A.allFinite() || !E.allFinite())
    throw std::invalid_argument("a matrix of the pencil has entries that are no numbers");
  FinitePencil out{A, E};
  const double unit = power_of_two(A.norm()) / power_of_two(E.norm());  // of s, in which both are of a size
  out.E *= unit;
  balance(out.A, out.E);
  const double zero = tolerance * std::max(out.A.norm(), out.E.norm());
  while (out.E.rows() > 0) {
    const Eigen::Index size = out.E.rows();
    const Factor of_E(out.E);
    const Eigen::Index rank = rank_of(of_E, zero), missing = size - rank;
    if (missing == 0) break;
    const MatX rows_A = of_E.householderQ().transpose() * out.A, rows_E = of_E.householderQ().transpose() * out.E;
    const Factor of_algebraic(rows_A.bottomRows(missing).transpose());
    if (rank_of(of_algebraic, zero) < missing)
      throw std::domain_error("the pencil is singular: every number is an eigenvalue");
    const MatX frame = of_algebraic.householderQ();
    const MatX kernel = frame.rightCols(rank);
    out.A = rows_A.topRows(rank) * kernel;
    out.E = rows_E.topRows(rank) * kernel;
    out.infinite += static_cast<int>(missing);
  }
  out.E /= unit;
  return out;
}

std::vector<std::complex<double>> finite_eigenvalues(const MatX& A, const MatX& E, double tolerance) {
  const FinitePencil finite = finite_pencil(A, E, tolerance);
  std::vector<std::complex<double>> values;
  if (finite.A.rows() == 0) return values;
  const Eigen::GeneralizedEigenSolver<MatX> solver(finite.A, finite.E, false);
  if (solver.info() != Eigen::Success) throw std::runtime_error("the eigenvalues of a pencil were not found");
  for (Eigen::Index i = 0; i < finite.A.rows(); ++i) values.push_back(solver.alphas()[i] / solver.betas()[i]);
  const auto before = [](const std::complex<double>& a, const std::complex<double>& b) {
    const double difference = std::abs(a) - std::abs(b);
    if (std::abs(difference) > 1e-12 * std::abs(a)) return difference < 0;
    if (a.real() != b.real()) return a.real() < b.real();
    return a.imag() > b.imag();
  };
  std::stable_sort(values.begin(), values.end(), before);
  return values;
}

}  // namespace davit
