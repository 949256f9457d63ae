#include "davit/solve/sparse_vibration.hpp"

#include <Spectra/GenEigsSolver.h>

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "davit/solve/sparse_linearisation.hpp"

namespace davit {

namespace {

using Matrix = SparseLinearisation::Matrix;
using ComplexMatrix = Eigen::SparseMatrix<std::complex<double>>;

// Modes of so many eigenvalues, pairs counted twice.
constexpr int wanted_eigenvalues = 80;
// rad/s; eigenvalues nearest to it are found. Free motions have the eigenvalue zero, where the equations are singular.
constexpr double shift = 0.3;
// Accelerations that count as rest under constraints.
constexpr double at_rest = 1e-6;

// A part of a matrix to be put together: scale · block at a place.
template <class Scalar>
void put(std::vector<Eigen::Triplet<Scalar>>& to, const Matrix& block, Scalar scale, Eigen::Index row,
         Eigen::Index column) {
  for (int k = 0; k < block.outerSize(); ++k)
    for (Matrix::InnerIterator e(block, k); e; ++e)
      to.emplace_back(static_cast<int>(row + e.row()), static_cast<int>(column + e.col()), scale * e.value());
}

Matrix identity(Eigen::Index n) {
  Matrix one(n, n);
  one.setIdentity();
  return one;
}

// S(s) of motions e^{st} (q, z, λ), with u = s q:
//   [K + s D + s² M, F_z, P; -φ_q - s φ_u, s - φ_z, 0; R_q + s R_u, 0, R_λ].
template <class Scalar>
Eigen::SparseMatrix<Scalar> pencil(const SparseLinearisation& l, Scalar s) {
  const Eigen::Index nu = l.M.rows(), nz = l.phi_z.rows(), rows = l.R_lambda.rows();
  std::vector<Eigen::Triplet<Scalar>> t;
  const Scalar one(1);
  put(t, l.K, one, 0, 0);
  put(t, l.D, s, 0, 0);
  put(t, l.M, s * s, 0, 0);
  put(t, l.F_z, one, 0, nu);
  put(t, l.P, one, 0, nu + nz);
  put(t, l.phi_q, -one, nu, 0);
  put(t, l.phi_u, -s, nu, 0);
  put(t, identity(nz), s, nu, nu);
  put(t, l.phi_z, -one, nu, nu);
  put(t, l.R_q, one, nu + nz, 0);
  put(t, l.R_u, s, nu + nz, 0);
  put(t, l.R_lambda, one, nu + nz, nu + nz);
  Eigen::SparseMatrix<Scalar> out(nu + nz + rows, nu + nz + rows);
  out.setFromTriplets(t.begin(), t.end());
  return out;
}

// [M, P; R_q + R_u, R_λ]: accelerations and multipliers from forces.
class Accelerations {
 public:
  explicit Accelerations(const SparseLinearisation& l) : nu_(l.M.rows()), rows_(l.R_lambda.rows()) {
    std::vector<Eigen::Triplet<double>> t;
    put(t, l.M, 1.0, 0, 0);
    put(t, l.P, 1.0, 0, nu_);
    put(t, l.R_q, 1.0, nu_, 0);
    put(t, l.R_u, 1.0, nu_, 0);
    put(t, l.R_lambda, 1.0, nu_, nu_);
    Matrix all(nu_ + rows_, nu_ + rows_);
    all.setFromTriplets(t.begin(), t.end());
    lu_.compute(all);
  }
  bool solvable() const { return lu_.info() == Eigen::Success; }
  // (u̇, λ) of generalised forces.
  VecX of(const VecX& forces) const {
    VecX right = VecX::Zero(nu_ + rows_);
    right.head(nu_) = forces;
    return lu_.solve(right);
  }

 private:
  Eigen::Index nu_, rows_;
  Eigen::SparseLU<Matrix> lu_;
};

// ẏ = A y of y = (q, u, z) for Spectra: what is fastest.
class FreeMotion {
 public:
  using Scalar = double;
  FreeMotion(const SparseLinearisation& l, const Accelerations& accelerations) : l_(l), accelerations_(accelerations) {}
  Eigen::Index rows() const { return 2 * l_.M.rows() + l_.phi_z.rows(); }
  Eigen::Index cols() const { return rows(); }
  void perform_op(const double* in, double* out) const {
    const Eigen::Index nu = l_.M.rows(), nz = l_.phi_z.rows();
    const Eigen::Map<const VecX> q(in, nu), u(in + nu, nu), z(in + 2 * nu, nz);
    Eigen::Map<VecX> y(out, rows());
    y.head(nu) = u;
    y.segment(nu, nu) = accelerations_.of(-(l_.K * q) - l_.D * u - l_.F_z * z).head(nu);
    y.tail(nz) = l_.phi_q * q + l_.phi_u * u + l_.phi_z * z;
  }

 private:
  const SparseLinearisation& l_;
  const Accelerations& accelerations_;
};

// y = (A - σ)⁻¹ b for Spectra: what is nearest to the shift σ. With u = σ q + b_q,
//   S(σ) (q, z, λ) = (-M (b_u + σ b_q) - D b_q,  φ_u b_q - b_z,  -R_u b_q).
class ShiftedInverse {
 public:
  using Scalar = double;
  ShiftedInverse(const SparseLinearisation& l, double sigma) : l_(l), sigma_(sigma) { lu_.compute(pencil(l, sigma)); }
  bool solvable() const { return lu_.info() == Eigen::Success; }
  Eigen::Index rows() const { return 2 * l_.M.rows() + l_.phi_z.rows(); }
  Eigen::Index cols() const { return rows(); }
  void perform_op(const double* in, double* out) const {
    const Eigen::Index nu = l_.M.rows(), nz = l_.phi_z.rows(), constraints = l_.R_lambda.rows();
    const Eigen::Map<const VecX> b_q(in, nu), b_u(in + nu, nu), b_z(in + 2 * nu, nz);
    VecX right(nu + nz + constraints);
    right << -(l_.M * (b_u + sigma_ * b_q)) - l_.D * b_q, l_.phi_u * b_q - b_z, -(l_.R_u * b_q);
    const VecX x = lu_.solve(right);
    Eigen::Map<VecX> y(out, rows());
    y << x.head(nu), sigma_ * x.head(nu) + b_q, x.segment(nu, nz);
  }

 private:
  const SparseLinearisation& l_;
  double sigma_;
  Eigen::SparseLU<Matrix> lu_;
};

// A start that has a part of everything, the same at every run.
VecX varied(Eigen::Index n) {
  VecX x(n);
  for (Eigen::Index i = 0; i < n; ++i) x[i] = std::sin(1.7 * static_cast<double>(i) + 0.4);
  return x;
}

struct Eigenpairs {
  VecXc values;
  MatXc vectors;
};
// The eigenvalues of largest size of an operator, those that were found.
template <class Operator>
Eigenpairs largest(Operator& op, int count, double tolerance) {
  const auto n = op.rows();
  const Eigen::Index wanted = std::min<Eigen::Index>(count, n - 2);
  const Eigen::Index basis = std::min<Eigen::Index>(2 * wanted + 40, n);
  Spectra::GenEigsSolver<Operator> solver(op, wanted, basis);
  // Brought onto the motions that the rows allow.
  VecX start = varied(n), moved(n);
  for (int i = 0; i < 2; ++i) {
    op.perform_op(start.data(), moved.data());
    start = moved.normalized();
  }
  if (!start.allFinite()) return {};
  solver.init(start.data());
  solver.compute(Spectra::SortRule::LargestMagn, 300, tolerance);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

// How much of a mode is motion of bodies (least_share_of_bodies): one less the share of the auxiliary states,
//   yᵀ_z z / yᵀ S'(λ) v, with yᵀ S(λ) = 0 by inverse iteration a little beside the eigenvalue.
double share_of_bodies(const SparseLinearisation& l, std::complex<double> lambda, const VecXc& q, const VecXc& z) {
  const Eigen::Index nu = l.M.rows(), nz = l.phi_z.rows(), rows = l.R_lambda.rows();
  if (nz == 0) return 1;
  const ComplexMatrix transposed = pencil(l, lambda * (1 + 1e-7) + 1e-9).transpose();
  Eigen::SparseLU<ComplexMatrix> lu(transposed);
  if (lu.info() != Eigen::Success) return 1;
  VecXc y = varied(nu + nz + rows).cast<std::complex<double>>();
  for (int i = 0; i < 3; ++i) y = VecXc(lu.solve(y)).normalized();
  const auto times = [](const Matrix& A, const VecXc& x) {
    return VecXc((A * x.real()).cast<std::complex<double>>() +
                 std::complex<double>(0, 1) * (A * x.imag()).cast<std::complex<double>>());
  };
  const auto product = [](const auto& a, const auto& b) { return a.cwiseProduct(b).sum(); };  // not conjugated
  const auto y_x = y.head(nu), y_z = y.segment(nu, nz), y_rows = y.tail(rows);
  const std::complex<double> of_states = product(y_z, z);
  const std::complex<double> all = product(y_x, VecXc(times(l.D, q) + 2.0 * lambda * times(l.M, q))) + of_states -
                                   product(y_z, times(l.phi_u, q)) + product(y_rows, times(l.R_u, q));
  return 1 - (of_states / all).real();
}

// The linearisation about a state; under constraints about rest, with the multipliers that hold it there.
bool linearise_about(System& system, const State& state, SparseLinearisation& out) {
  const Model& model = system.model();
  if (model.rows() == 0) {
    if (!system.evaluate(state)) return false;
    out = sparse_linearise(system, state, system.workspace().a, VecX());
    return true;
  }
  State still = state;
  still.u.setZero();
  const VecX none = VecX::Zero(model.nu());
  out = sparse_linearise(system, still, none, VecX());
  const Accelerations accelerations(out);
  if (!accelerations.solvable()) return false;
  const VecX answer = accelerations.of(-out.residual);
  if (!(answer.head(model.nu()).cwiseAbs().maxCoeff() < at_rest)) return false;
  out = sparse_linearise(system, still, none, answer.segment(model.nu(), model.rows()));
  return true;
}

}  // namespace

VibrationResult sparse_vibration_modes(System& system, const State& state) {
  VibrationResult out;
  out.only_slowest = true;
  SparseLinearisation l;
  if (!linearise_about(system, state, l)) return out;
  const Accelerations accelerations(l);
  ShiftedInverse inverse(l, shift);
  if (!accelerations.solvable() || !inverse.solvable()) return out;
  FreeMotion motion(l, accelerations);
  const VecXc fastest = largest(motion, 4, 1e-5).values;
  if (fastest.size() > 0) out.fastest = fastest.cwiseAbs().maxCoeff();
  const Eigenpairs found = largest(inverse, wanted_eigenvalues, 1e-11);
  const Eigen::Index nu = l.M.rows(), nz = l.phi_z.rows();
  const auto names = system.model().speed_names();
  for (Eigen::Index i = 0; i < found.values.size(); ++i) {
    const std::complex<double> lambda = shift + 1.0 / found.values[i];
    if (lambda.imag() < 0) continue;  // the other of a pair
    const VecXc q = found.vectors.col(i).head(nu);
    if (lambda.imag() > 0 && lambda.real() <= 0 &&
        share_of_bodies(l, lambda, q, found.vectors.col(i).tail(nz)) < least_share_of_bodies) {
      ++out.auxiliary;
      continue;
    }
    add_mode(out, lambda, q, names);
  }
  sort_modes(out);
  return out;
}

}  // namespace davit
