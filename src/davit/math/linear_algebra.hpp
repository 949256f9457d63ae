// Dense linear algebra on matrices of any size, compiled once: Eigen's decompositions are templates that take seconds
// to compile wherever they are named, so the rest of the code calls these functions. Matrices of fixed size in kernels
// stay Eigen's. Factors that are used again and again are classes that allocate only when the size grows.
#pragma once

#include <Eigen/LU>
#include <Eigen/QR>
#include <vector>

#include "davit/math/types.hpp"

namespace davit {

// A x = b by LU with partial pivoting.
VecX solve_lu(const MatX& A, const VecX& b);
MatX solve_lu(const MatX& A, const MatX& B);
MatXc solve_lu(const MatXc& A, const MatXc& B);
MatX inverse(const MatX& A);
MatXc inverse(const MatXc& A);

// A x = b of a symmetric matrix, by L D Lᵀ with pivoting.
VecX solve_ldlt(const MatX& A, const VecX& b);
MatX solve_ldlt(const MatX& A, const MatX& B);

// Whether the symmetric matrix is positive definite.
bool positive_definite(const MatX& A);
// L⁻¹ B with A = L Lᵀ.
MatX solve_cholesky_factor(const MatX& A, const MatX& B);

// min |A x - b|, by QR with column pivoting.
VecX least_squares(const MatX& A, const VecX& b);
MatX least_squares(const MatX& A, const MatX& B);
// Of all that do so the shortest x, where A has a rank that is missing: pivots below the threshold, as a part of the
// largest, are zero (complete orthogonal decomposition).
VecX shortest_least_squares(const MatX& A, const VecX& b, double threshold);
// Columns of A in the order in which QR with pivoting takes them: the most independent first.
std::vector<int> pivot_columns(const MatX& A);
// A basis of {x: A x = 0}, with as many columns as there are independent x (full pivoting).
MatX kernel(const MatX& A, double threshold);

// A = Q R without pivoting: Q is square, its first columns span those of A, the last all that is orthogonal to them.
MatX orthogonal_frame(const MatX& A);
// What least squares of A x = B leave: B - A x for every column of B, by QR without pivoting.
MatX least_squares_residual(const MatX& A, const MatX& B);

struct SymmetricEigen {
  VecX values;  // ascending
  MatX vectors;
};
SymmetricEigen symmetric_eigen(const MatX& A);
VecX symmetric_eigenvalues(const MatX& A);
Vec3 symmetric_eigenvalues(const Mat3& A);
// A x = λ B x with B positive definite.
SymmetricEigen symmetric_eigen(const MatX& A, const MatX& B);

struct ComplexEigen {
  VecXc values;
  MatXc vectors;
  bool converged = false;
};
ComplexEigen complex_eigen(const MatX& A);
VecXc complex_eigenvalues(const MatX& A);

struct SingularValues {
  MatX U;
  VecX values;  // descending
  MatX V;
};
SingularValues singular_value_decomposition(const MatX& A);  // U and V as wide as A is narrow
VecX singular_values(const MatX& A);

// LU with partial pivoting, kept.
class PartialPivotLu {
 public:
  explicit PartialPivotLu(int size = 0) : lu_(size) {}
  void compute(const MatX& A);
  void solve(const VecX& b, VecX& x) const;
  void solve_transposed(const VecX& b, VecX& x) const;
  double least_pivot() const;  // in size

 private:
  Eigen::PartialPivLU<MatX> lu_;
};

// LU with full pivoting, kept; finds the rank.
class FullPivotLu {
 public:
  void compute(const MatX& A, double threshold);
  void solve(const VecX& b, VecX& x) const;
  Eigen::Index rank() const { return rank_; }
  // The place of a row among the pivots: one of the independent rows if it is below the rank.
  Eigen::Index place_of_row(Eigen::Index row) const { return lu_.permutationP().indices()[row]; }
  // The column of the k-th pivot.
  Eigen::Index column(Eigen::Index k) const { return lu_.permutationQ().indices()[k]; }

 private:
  Eigen::FullPivLU<MatX> lu_;
  Eigen::Index rank_ = 0;
};

// The shortest x of all that make |A x - b| least, by a complete orthogonal decomposition, kept; finds the rank.
class ShortestLeastSquares {
 public:
  void compute(const MatX& A, double threshold);
  VecX solve(const VecX& b) const;
  Eigen::Index rank() const { return factor_.rank(); }

 private:
  Eigen::CompleteOrthogonalDecomposition<MatX> factor_;
};

// A P = Q R with column pivoting, kept; finds the rank.
class PivotedQr {
 public:
  using ConstBlock = Eigen::Ref<const MatX, 0, Eigen::OuterStride<>>;
  // Q is square: its first columns span those of A, the others all that is orthogonal to them.
  void compute(const ConstBlock& A, double threshold, MatX& Q);
  void compute_transposed(const ConstBlock& A, double threshold, MatX& Q);
  Eigen::Index rank() const { return rank_; }
  // The diagonal of R in size, which falls.
  VecX pivots() const { return qr_.matrixR().diagonal().cwiseAbs(); }
  // The column of A that is the k-th of A P.
  Eigen::Index column(Eigen::Index k) const { return qr_.colsPermutation().indices()[k]; }
  // With the leading rank x rank part of R.
  void solve_R(Eigen::Ref<VecX> x) const;
  void solve_R_transposed(Eigen::Ref<VecX> x) const;

 private:
  void finish(double threshold, MatX& Q);

  Eigen::ColPivHouseholderQR<MatX> qr_;
  VecX workspace_;
  Eigen::Index rank_ = 0;
};

}  // namespace davit
