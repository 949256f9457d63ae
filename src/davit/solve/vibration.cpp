#include "davit/solve/vibration.hpp"

#include <algorithm>

#include "davit/math/linear_algebra.hpp"
#include "davit/solve/rest.hpp"
#include "davit/solve/sparse_vibration.hpp"

namespace davit {

namespace {

// A matrix of so many states takes a few tenths of a second; their cost grows with the third power.
constexpr int most_dense_states = 400;

}  // namespace

void add_mode(VibrationResult& out, std::complex<double> eigenvalue, const VecXc& shape,
              const std::vector<std::string>& names) {
  VibrationMode mode;
  mode.eigenvalue = eigenvalue;
  mode.frequency = eigenvalue.imag() / (2 * M_PI);
  mode.damping_ratio = std::abs(eigenvalue) > 0 ? -eigenvalue.real() / std::abs(eigenvalue) : 0;
  Eigen::Index largest = 0;
  // Auxiliary states alone leave round-off.
  if (shape.cwiseAbs().maxCoeff(&largest) > 1e-12)
    mode.shape = (shape / shape[largest]).real();
  else
    mode.shape = VecX::Zero(shape.size());
  mode.description = describe_shape(mode.shape, names);
  out.modes.push_back(std::move(mode));
}

void sort_modes(VibrationResult& out) {
  std::stable_sort(out.modes.begin(), out.modes.end(), [](const auto& a, const auto& b) {
    return a.frequency != b.frequency ? a.frequency < b.frequency : std::abs(a.eigenvalue) < std::abs(b.eigenvalue);
  });
}

VibrationResult vibration_modes(System& system, const State& state) {
  const Model& model = system.model();
  const bool large = 2 * model.nu() + model.nz() > most_dense_states;
  // A servo's rows would have to be taken as held joints.
  if (large && model.drives() == 0 && model.contacts().empty()) return sparse_vibration_modes(system, state);
  return dense_vibration_modes(system, state);
}

VibrationResult dense_vibration_modes(System& system, const State& state) {
  VibrationResult out;
  const Model& model = system.model();
  const int nu = model.nu(), nz = model.nz();
  // Contacts open and close: there are no small motions about them.
  if (nu == 0 || !model.contacts().empty()) return out;
  // The motions that are left: all, or N y under constraints and drives that hold their joints.
  Linearisation lin;
  MatX N = MatX::Identity(nu, nu);
  if (model.rows() > 0 || model.drives() > 0) {
    RestPoint p = rest_point(system, state);
    if (!(p.acceleration < 1e-6)) return out;
    lin = std::move(p.lin);
    N = std::move(p.N);
  } else {
    if (!system.evaluate(state)) return out;
    lin = system.linearise(state, system.workspace().a);
  }
  // M δa + D δu + K δq + F_z δz = 0, δż = φ_q δq + φ_u δu + φ_z δz
  const Eigen::Index n = N.cols();
  MatX right(n, 2 * n + nz);
  right.leftCols(n) = -N.transpose() * lin.K * N;
  right.middleCols(n, n) = -N.transpose() * lin.D * N;
  right.rightCols(nz) = -N.transpose() * lin.F_z;
  MatX A = MatX::Zero(2 * n + nz, 2 * n + nz);
  if (A.rows() == 0) return out;
  A.topRows(n).middleCols(n, n).setIdentity();
  if (n > 0) A.middleRows(n, n) = solve_lu(N.transpose() * lin.M * N, right);
  A.bottomRows(nz).leftCols(n) = lin.phi_q * N;
  A.bottomRows(nz).middleCols(n, n) = lin.phi_u * N;
  A.bottomRows(nz).rightCols(nz) = lin.phi_z;
  if (!A.allFinite()) return out;
  const ComplexEigen eigen = complex_eigen(A);
  if (!eigen.converged) return out;
  const auto names = model.speed_names();
  const auto of_bodies = [&, left = nz > 0 ? inverse(eigen.vectors) : MatXc()](Eigen::Index i) {
    if (nz == 0) return 1.0;
    return (left.row(i).head(2 * n) * eigen.vectors.col(i).head(2 * n)).value().real();
  };
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const std::complex<double> lambda = eigen.values[i];
    out.fastest = std::max(out.fastest, std::abs(lambda));
    if (lambda.imag() < 0) continue;  // the other of a pair
    if (lambda.imag() > 0 && lambda.real() <= 0 && of_bodies(i) < least_share_of_bodies) {
      ++out.auxiliary;
      continue;
    }
    add_mode(out, lambda, N * eigen.vectors.col(i).head(n), names);
  }
  sort_modes(out);
  return out;
}

}  // namespace davit
