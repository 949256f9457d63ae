#include "davit/linear/state_space.hpp"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "davit/linear/balanced_matrix.hpp"
#include "davit/math/linear_algebra.hpp"
#include "davit/math/pencil.hpp"

namespace davit::linear {

namespace {

void sort_by_size(std::vector<Complex>& values) {
  std::stable_sort(values.begin(), values.end(), [](const Complex& a, const Complex& b) {
    const double difference = std::abs(a) - std::abs(b);
    if (std::abs(difference) > 1e-12 * std::abs(a)) return difference < 0;
    if (a.real() != b.real()) return a.real() < b.real();
    return a.imag() > b.imag();
  });
}

std::vector<Complex> eigenvalues(const BalancedMatrix& A) {
  std::vector<Complex> values;
  for (const std::vector<int>& block : A.blocks) {
    const VecXc of_block = complex_eigenvalues(A.A(block, block));
    values.insert(values.end(), of_block.begin(), of_block.end());
  }
  sort_by_size(values);
  return values;
}

// Poles that are nearer to each other than this, beside the size of A, have their motions together.
constexpr double same_pole = 1e-10;

// Orthonormal columns x with xᴴ (A - s I) = 0; at least one where s is an eigenvalue.
MatXc left_kernel(const MatX& A, Complex s, double size) {
  const Eigen::ColPivHouseholderQR<MatXc> factor(A.cast<Complex>() - s * MatXc::Identity(A.rows(), A.cols()));
  Eigen::Index rank = 0;
  while (rank + 1 < A.rows() && std::abs(factor.matrixQR()(rank, rank)) > same_pole * size) ++rank;
  const MatXc frame = factor.householderQ();
  return frame.rightCols(A.rows() - rank);
}

// `A` balanced, `B` in its states with columns of unit size.
ModeAccess access(const BalancedMatrix& A, const MatX& B, Complex pole) {
  const MatXc kernel = left_kernel(A.A, pole, A.size);
  const MatXc seen = kernel.adjoint() * B.cast<Complex>();
  ModeAccess out{pole, static_cast<int>(kernel.cols()), 0, 0, {}, -1};
  for (Eigen::Index j = 0; j < B.cols(); ++j) out.each.push_back(std::min(1.0, seen.col(j).norm()));
  // Fewer inputs than motions: the others have none.
  VecX sizes = VecX::Zero(std::max(kernel.cols(), B.cols()));
  if (B.cols() > 0) sizes.head(std::min(kernel.cols(), B.cols())) = Eigen::JacobiSVD<MatXc>(seen).singularValues();
  out.measure = std::min(1.0, sizes[kernel.cols() - 1]);
  out.hidden = static_cast<int>((sizes.head(kernel.cols()).array() < no_access).count());
  const auto best = std::max_element(out.each.begin(), out.each.end());
  if (best != out.each.end() && *best > no_access) out.best = static_cast<int>(best - out.each.begin());
  return out;
}

std::vector<ModeAccess> all_access(const MatX& system, const MatX& input) {
  const BalancedMatrix A = balanced(system);
  MatX B = A.T.cwiseInverse().asDiagonal() * input;
  for (Eigen::Index j = 0; j < B.cols(); ++j)
    if (B.col(j).norm() > 0) B.col(j).normalize();
  std::vector<ModeAccess> out;
  for (const Complex& pole : eigenvalues(A)) {
    if (pole.imag() < 0) continue;
    const bool known = std::any_of(out.begin(), out.end(), [&](const ModeAccess& mode) {
      return std::abs(mode.pole - pole) <= same_pole * A.size;
    });
    if (!known) out.push_back(access(A, B, pole));
  }
  return out;
}

}  // namespace

StateSpace selected(const StateSpace& s, const std::vector<int>& inputs, const std::vector<int>& outputs) {
  StateSpace out{s.A, s.B(Eigen::all, inputs), s.C(outputs, Eigen::all), s.D(outputs, inputs), s.states, {}, {}};
  for (const int i : inputs) out.inputs.push_back(s.inputs[static_cast<size_t>(i)]);
  for (const int i : outputs) out.outputs.push_back(s.outputs[static_cast<size_t>(i)]);
  return out;
}

std::vector<Complex> poles(const StateSpace& s) { return eigenvalues(balanced(s.A)); }

std::vector<Complex> zeros(const StateSpace& s) {
  const Eigen::Index n = s.A.rows(), m = s.B.cols();
  if (s.C.rows() != m) throw std::invalid_argument("zeros are of as many outputs as inputs");
  MatX A(n + m, n + m), E = MatX::Zero(n + m, n + m);
  A << s.A, s.B, s.C, s.D;
  E.topLeftCorner(n, n).setIdentity();
  return finite_eigenvalues(A, E);
}

MatXc transfer(const StateSpace& s, Complex at) {
  const Eigen::Index n = s.A.rows();
  const MatXc resolvent = at * MatXc::Identity(n, n) - s.A.cast<Complex>();
  return s.C.cast<Complex>() * solve_lu(resolvent, MatXc(s.B.cast<Complex>())) + s.D.cast<Complex>();
}

std::vector<ModeAccess> controllability(const StateSpace& s) { return all_access(s.A, s.B); }
std::vector<ModeAccess> observability(const StateSpace& s) { return all_access(s.A.transpose(), s.C.transpose()); }

VecXc mode_shape(const StateSpace& s, Complex pole) {
  const BalancedMatrix A = balanced(s.A);
  // x with (A - s I) x = 0 is a left vector of Aᵀ, conjugated.
  VecXc shape = left_kernel(A.A.transpose(), std::conj(pole), A.size).rightCols<1>();
  Eigen::Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  shape /= shape[largest];
  return A.T.cast<Complex>().asDiagonal() * shape;
}

std::string in_words(Complex pole) {
  const double size = std::abs(pole);
  if (size < 1e-7) return "drifts: nothing holds it";
  const double damping = -pole.real() / size;
  if (pole.imag() != 0) {
    const std::string period = fmt::format("period {:.4g} s", 2 * M_PI / std::abs(pole.imag()));
    if (std::abs(damping) < 5e-7) return "swings, " + period + ", no damping";
    return fmt::format("{}, {}, damping {:.3g} %", damping > 0 ? "swings" : "swings ever wider", period, 100 * damping);
  }
  return fmt::format("{}, time constant {:.4g} s", pole.real() < 0 ? "dies away" : "runs away", 1 / size);
}

}  // namespace davit::linear
