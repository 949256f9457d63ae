#include "davit/solve/rest.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "davit/dynamics/pivoted_cholesky.hpp"

namespace davit {

namespace {

double largest(const VecX& x) { return x.size() ? x.cwiseAbs().maxCoeff() : 0.0; }

}  // namespace

RestPoint rest_point(System& system, const State& state, const VecX& support) {
  const Model& model = system.model();
  const int nu = model.nu();
  RestPoint out;
  State s = state;
  s.u.setZero();
  const VecX none = VecX::Zero(nu);
  EvaluationT<double> e;
  model.prepare(e);
  out.residual.resize(nu);
  system.residual<double>(e, s.t, s.q.data(), s.u.data(), s.z.data(), s.modes, none.data(), out.residual.data(),
                          nullptr);
  out.residual -= support;
  out.zdot = Eigen::Map<const VecX>(e.zdot.data(), model.nz());
  if (model.rows() > 0) {
    // G M⁻¹Gᵀ λ = G M⁻¹F leaves accelerations that the constraints allow.
    const RowWork& rows = system.rows_at(s);
    out.lambda = rows.MinvG.transpose() * out.residual;
    VecX scratch(model.rows());
    pivoted_solve(rows.gram, rows.order, rows.rank, out.lambda, scratch);
    out.residual -= rows.G * out.lambda;
    MatX kept(nu, rows.rank);
    for (int i = 0; i < rows.rank; ++i) kept.col(i) = rows.G.col(rows.order[static_cast<size_t>(i)]).normalized();
    const Eigen::HouseholderQR<MatX> qr(kept);
    const MatX Q = qr.householderQ();
    out.N = Q.rightCols(nu - rows.rank);
  } else {
    out.N = MatX::Identity(nu, nu);
  }
  out.lin = system.linearise(s, none, out.lambda);
  out.acceleration = std::max(largest(out.lin.M.partialPivLu().solve(out.residual)), largest(out.zdot));
  return out;
}

double stiffness_floor(double stiffest) { return 1e-9 + 1e-11 * stiffest; }

std::string describe_shape(const VecX& shape, const std::vector<std::string>& names) {
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

}  // namespace davit
