#include "davit/math/linear_algebra.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <stdexcept>

namespace davit {

VecX solve_lu(const MatX& A, const VecX& b) { return A.partialPivLu().solve(b); }
MatX solve_lu(const MatX& A, const MatX& B) { return A.partialPivLu().solve(B); }
MatXc solve_lu(const MatXc& A, const MatXc& B) { return A.partialPivLu().solve(B); }
MatX inverse(const MatX& A) { return A.inverse(); }
MatXc inverse(const MatXc& A) { return A.inverse(); }

VecX solve_ldlt(const MatX& A, const VecX& b) { return A.ldlt().solve(b); }
MatX solve_ldlt(const MatX& A, const MatX& B) { return A.ldlt().solve(B); }

bool positive_definite(const MatX& A) { return A.rows() == 0 || A.llt().info() == Eigen::Success; }
MatX solve_cholesky_factor(const MatX& A, const MatX& B) { return A.llt().matrixL().solve(B); }

VecX least_squares(const MatX& A, const VecX& b) { return A.colPivHouseholderQr().solve(b); }
MatX least_squares(const MatX& A, const MatX& B) { return A.colPivHouseholderQr().solve(B); }

VecX shortest_least_squares(const MatX& A, const VecX& b, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<MatX> decomposition;
  decomposition.setThreshold(threshold);
  decomposition.compute(A);
  return decomposition.solve(b);
}

std::vector<int> pivot_columns(const MatX& A) {
  const auto decomposition = A.colPivHouseholderQr();
  const auto& order = decomposition.colsPermutation().indices();
  return {order.begin(), order.end()};
}

MatX kernel(const MatX& A, double threshold) {
  Eigen::FullPivLU<MatX> lu(A);
  lu.setThreshold(threshold);
  // Eigen gives a column of zeros where there is nothing.
  return lu.dimensionOfKernel() > 0 ? MatX(lu.kernel()) : MatX(A.cols(), 0);
}

MatX orthogonal_frame(const MatX& A) { return A.householderQr().householderQ(); }

MatX least_squares_residual(const MatX& A, const MatX& B) {
  const Eigen::HouseholderQR<MatX> qr(A);
  MatX rest = qr.householderQ().transpose() * B;
  rest.topRows(A.cols()).setZero();
  return qr.householderQ() * rest;
}

SymmetricEigen symmetric_eigen(const MatX& A) {
  const Eigen::SelfAdjointEigenSolver<MatX> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}
VecX symmetric_eigenvalues(const MatX& A) {
  return Eigen::SelfAdjointEigenSolver<MatX>(A, Eigen::EigenvaluesOnly).eigenvalues();
}
Vec3 symmetric_eigenvalues(const Mat3& A) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(A, Eigen::EigenvaluesOnly).eigenvalues();
}
SymmetricEigen symmetric_eigen(const MatX& A, const MatX& B) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> solver(A, B);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

ComplexEigen complex_eigen(const MatX& A) {
  const Eigen::EigenSolver<MatX> solver(A);
  if (solver.info() != Eigen::Success) return {};
  return {solver.eigenvalues(), solver.eigenvectors(), true};
}
VecXc complex_eigenvalues(const MatX& A) { return Eigen::EigenSolver<MatX>(A, false).eigenvalues(); }

// Eigen leaves its answer unset where a number is infinite or none, and who reads it reads anywhere.
static void check_finite(const MatX& A) {
  if (!A.allFinite()) throw std::runtime_error("a matrix has numbers that are not finite: it has no singular values");
}

SingularValues singular_value_decomposition(const MatX& A) {
  check_finite(A);
  const Eigen::JacobiSVD<MatX> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}
VecX singular_values(const MatX& A) {
  check_finite(A);
  return Eigen::JacobiSVD<MatX>(A).singularValues();
}

void PartialPivotLu::compute(const MatX& A) { lu_.compute(A); }
void PartialPivotLu::solve(const VecX& b, VecX& x) const { x.noalias() = lu_.solve(b); }
void PartialPivotLu::solve_transposed(const VecX& b, VecX& x) const { x.noalias() = lu_.transpose().solve(b); }
double PartialPivotLu::least_pivot() const { return lu_.matrixLU().diagonal().cwiseAbs().minCoeff(); }

void FullPivotLu::compute(const MatX& A, double threshold) {
  lu_.compute(A);
  lu_.setThreshold(threshold);
  rank_ = lu_.rank();
}
void FullPivotLu::solve(const VecX& b, VecX& x) const { x = lu_.solve(b); }

void PivotedQr::compute(const ConstBlock& A, double threshold, MatX& Q) {
  qr_.compute(A);
  finish(threshold, Q);
}
void PivotedQr::compute_transposed(const ConstBlock& A, double threshold, MatX& Q) {
  qr_.compute(A.transpose());
  finish(threshold, Q);
}
void PivotedQr::finish(double threshold, MatX& Q) {
  qr_.setThreshold(threshold);
  qr_.householderQ().evalTo(Q, workspace_);
  rank_ = qr_.rank();
}
void PivotedQr::solve_R(Eigen::Ref<VecX> x) const {
  qr_.matrixR().topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().solveInPlace(x);
}
void PivotedQr::solve_R_transposed(Eigen::Ref<VecX> x) const {
  qr_.matrixR().topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().transpose().solveInPlace(x);
}

void ShortestLeastSquares::compute(const MatX& A, double threshold) {
  factor_.setThreshold(threshold);
  factor_.compute(A);
}
VecX ShortestLeastSquares::solve(const VecX& b) const { return factor_.solve(b); }

}  // namespace davit
