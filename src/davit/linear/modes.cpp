// What inputs reach and outputs see of each mode.
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "davit/linear/balanced_matrix.hpp"
#include "davit/linear/state_space.hpp"

namespace davit::linear {

namespace {

// Poles that are nearer to each other than this, beside the size of A, have their motions together.
constexpr double same_pole = 1e-10;

// Orthonormal columns that M maps to nothing, of `most` at most and one at least, where M is nearly singular: inverse
// iteration from any start, and of what it finds those combinations that M makes small.
template <class Solve>
MatXc kernel(const MatXc& M, Eigen::Index most, double zero, const Solve& solve) {
  MatXc x = MatXc::NullaryExpr(M.rows(), most, [](Eigen::Index i, Eigen::Index j) {
    return Complex(std::cos(1.0 + 0.7 * static_cast<double>(i * (j + 1))),
                   0.3 * std::sin(static_cast<double>(i + 5 * j)));
  });
  for (int iteration = 0; iteration < 4; ++iteration) {
    const Eigen::HouseholderQR<MatXc> orthonormal(solve(x));
    x = orthonormal.householderQ() * MatXc::Identity(M.rows(), most);
  }
  const MatXc image = M * x;
  if (!image.allFinite())
    throw std::runtime_error("the motions of the linear model cannot be told: its numbers are too far apart in size");
  const Eigen::JacobiSVD<MatXc> left_over(image, Eigen::ComputeThinV);
  Eigen::Index count = 1;
  while (count < most && left_over.singularValues()[most - 1 - count] < zero) ++count;
  return x * left_over.matrixV().rightCols(count);
}

// Of the motions in `vectors`, by columns of unit size.
ModeAccess access(Complex pole, const MatXc& vectors, const MatX& columns) {
  const MatXc seen = vectors.adjoint() * columns.cast<Complex>();
  ModeAccess out{pole, static_cast<int>(vectors.cols()), 0, 0, {}, -1};
  for (Eigen::Index j = 0; j < columns.cols(); ++j) out.each.push_back(std::min(1.0, seen.col(j).norm()));
  // Fewer columns than motions: the others have none.
  VecX sizes = VecX::Zero(vectors.cols());
  const Eigen::Index known = std::min(vectors.cols(), columns.cols());
  if (known > 0) sizes.head(known) = Eigen::JacobiSVD<MatXc>(seen).singularValues();
  out.measure = std::min(1.0, sizes[vectors.cols() - 1]);
  out.hidden = static_cast<int>((sizes.array() < no_access).count());
  const auto best = std::max_element(out.each.begin(), out.each.end());
  if (best != out.each.end() && *best > no_access) out.best = static_cast<int>(best - out.each.begin());
  return out;
}

MatX unit_columns(MatX M) {
  for (Eigen::Index j = 0; j < M.cols(); ++j)
    if (M.col(j).norm() > 0) M.col(j).normalize();
  return M;
}

}  // namespace

std::vector<Mode> modes(const StateSpace& s) {
  const BalancedMatrix A = balanced(s.A);
  const MatX B = unit_columns(A.T.cwiseInverse().asDiagonal() * s.B),
             C = unit_columns(A.T.asDiagonal() * s.C.transpose());
  const std::vector<Complex> poles = eigenvalues(A);
  const Eigen::Index n = s.A.rows();
  const double near = same_pole * A.size;
  std::vector<Mode> out;
  for (const Complex& pole : poles) {
    const auto same = [&](const Complex& other) { return std::abs(other - pole) <= near; };
    if (pole.imag() < 0 || std::any_of(out.begin(), out.end(), [&](const Mode& m) { return same(m.reach.pole); }))
      continue;
    const auto count = static_cast<Eigen::Index>(std::count_if(poles.begin(), poles.end(), same));
    const MatXc M = A.A.cast<Complex>() - pole * MatXc::Identity(n, n), unit = MatXc::Identity(n, n);
    // A little beside the pole, so that there is an inverse.
    const double beside = A.size > 0 ? 1e-2 * near : 1.0;
    const Eigen::PartialPivLU<MatXc> lu(M - Complex(beside, beside) * unit);
    const MatXc right = kernel(M, count, near, [&](const MatXc& x) { return MatXc(lu.solve(x)); });
    const MatXc left = kernel(M.adjoint(), count, near, [&](const MatXc& x) { return MatXc(lu.adjoint().solve(x)); });
    VecXc shape = right.col(right.cols() - 1);
    Eigen::Index largest = 0;
    shape.cwiseAbs().maxCoeff(&largest);
    shape = A.T.cast<Complex>().asDiagonal() * VecXc(shape / shape[largest]);
    VecX shares;
    if (count == 1) {
      shares = left.col(0).conjugate().cwiseProduct(right.col(0)).cwiseAbs();
      shares /= shares.sum();
    }
    out.push_back({access(pole, left, B), access(pole, right.conjugate(), C), std::move(shape), std::move(shares)});
  }
  return out;
}

std::vector<ModeAccess> controllability(const StateSpace& s) {
  std::vector<ModeAccess> out;
  for (Mode& mode : modes(s)) out.push_back(std::move(mode.reach));
  return out;
}

std::vector<ModeAccess> observability(const StateSpace& s) {
  std::vector<ModeAccess> out;
  for (Mode& mode : modes(s)) out.push_back(std::move(mode.sight));
  return out;
}

}  // namespace davit::linear
