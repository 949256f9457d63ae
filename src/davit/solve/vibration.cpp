#include "davit/solve/vibration.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cstdio>

namespace davit {

namespace {

std::string describe(const VecX& shape, const std::vector<std::string>& names) {
  std::vector<Eigen::Index> order(static_cast<size_t>(shape.size()));
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return std::abs(shape[a]) > std::abs(shape[b]); });
  std::string text;
  for (size_t i = 0; i < order.size() && i < 4; ++i) {
    const double x = shape[order[i]];
    if (std::abs(x) < 0.02) break;
    char number[32];
    std::snprintf(number, sizeof number, "%+.2f ", x);
    text += (i ? ", " : "") + std::string(number) + names[static_cast<size_t>(order[i])];
  }
  return text;
}

}  // namespace

VibrationResult vibration_modes(System& system, const State& state) {
  VibrationResult out;
  const Model& model = system.model();
  const int nu = model.nu(), nz = model.nz();
  // Modes under constraints need the null space of G, which comes with statics under constraints.
  if (nu == 0 || model.rows() > 0 || !system.evaluate(state)) return out;
  const Linearisation lin = system.linearise(state, system.workspace().a);
  // M δa + D δu + K δq + F_z δz = 0, δż = φ_q δq + φ_u δu + φ_z δz
  MatX right(nu, 2 * nu + nz);
  right.leftCols(nu) = -lin.K;
  right.middleCols(nu, nu) = -lin.D;
  right.rightCols(nz) = -lin.F_z;
  MatX A = MatX::Zero(2 * nu + nz, 2 * nu + nz);
  A.topRows(nu).middleCols(nu, nu).setIdentity();
  A.middleRows(nu, nu) = lin.M.partialPivLu().solve(right);
  A.bottomRows(nz).leftCols(nu) = lin.phi_q;
  A.bottomRows(nz).middleCols(nu, nu) = lin.phi_u;
  A.bottomRows(nz).rightCols(nz) = lin.phi_z;
  if (!A.allFinite()) return out;
  const Eigen::EigenSolver<MatX> solver(A);
  if (solver.info() != Eigen::Success) return out;
  const auto names = model.speed_names();
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const std::complex<double> lambda = solver.eigenvalues()[i];
    out.fastest = std::max(out.fastest, std::abs(lambda));
    if (lambda.imag() < 0) continue;  // the other of a pair
    VibrationMode mode;
    mode.eigenvalue = lambda;
    mode.frequency = lambda.imag() / (2 * M_PI);
    mode.damping_ratio = std::abs(lambda) > 0 ? -lambda.real() / std::abs(lambda) : 0;
    const Eigen::VectorXcd shape = solver.eigenvectors().col(i).head(nu);
    Eigen::Index largest = 0;
    if (shape.cwiseAbs().maxCoeff(&largest) > 0)
      mode.shape = (shape / shape[largest]).real();
    else
      mode.shape = VecX::Zero(nu);
    mode.description = describe(mode.shape, names);
    out.modes.push_back(std::move(mode));
  }
  std::stable_sort(out.modes.begin(), out.modes.end(), [](const auto& a, const auto& b) {
    return a.frequency != b.frequency ? a.frequency < b.frequency : std::abs(a.eigenvalue) < std::abs(b.eigenvalue);
  });
  return out;
}

}  // namespace davit
