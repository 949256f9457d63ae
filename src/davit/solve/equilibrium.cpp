#include "davit/solve/equilibrium.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdio>

namespace davit {

namespace {

// (F, -φ) at rest, its Jacobian, and the mass matrix.
struct RestPoint {
  VecX residual;
  MatX jacobian, M;
  double acceleration = 0;  // largest of |M⁻¹F| and |φ|
};

class RestEquations {
 public:
  explicit RestEquations(const System& system)
      : system_(system), model_(system.model()), zero_(VecX::Zero(model_.nu())) {
    model_.prepare(evaluation_);
  }

  RestPoint at(const State& s) {
    const int nu = model_.nu(), nz = model_.nz();
    RestPoint out;
    out.residual.resize(nu + nz);
    system_.residual<double>(evaluation_, s.t, s.q.data(), zero_.data(), s.z.data(), s.modes, zero_.data(),
                             out.residual.data(), nullptr);
    for (int i = 0; i < nz; ++i) out.residual[nu + i] = -evaluation_.zdot[static_cast<size_t>(i)];
    const Linearisation lin = system_.linearise(s, zero_);
    out.M = lin.M;
    out.jacobian.resize(nu + nz, nu + nz);
    out.jacobian.topLeftCorner(nu, nu) = lin.K;
    out.jacobian.topRightCorner(nu, nz) = lin.F_z;
    out.jacobian.bottomLeftCorner(nz, nu) = -lin.phi_q;
    out.jacobian.bottomRightCorner(nz, nz) = -lin.phi_z;
    out.acceleration = std::max(lin.M.partialPivLu().solve(out.residual.head(nu)).cwiseAbs().maxCoeff(),
                                nz ? out.residual.tail(nz).cwiseAbs().maxCoeff() : 0.0);
    return out;
  }

 private:
  const System& system_;
  const Model& model_;
  VecX zero_;
  EvaluationT<double> evaluation_;
};

bool positive(const MatX& K) { return Eigen::LLT<MatX>(0.5 * (K + K.transpose())).info() == Eigen::Success; }

// Pseudo-transient continuation from a state at rest. `scale` is the size of accelerations that count as large.
struct Search {
  State state;
  RestPoint point;
  int iterations = 0;
};
Search descend(System& system, RestEquations& equations, State s, double scale) {
  const int nu = system.model().nu(), nz = system.model().nz();
  Search out;
  RestPoint p = equations.at(s);
  // Pseudo time step 1/√α: (αM + K) d = -F.
  double alpha = std::max(1.0, p.acceleration);
  constexpr int most_iterations = 500;
  for (; out.iterations < most_iterations && std::isfinite(p.acceleration) && p.acceleration > 1e-12 * scale;
       ++out.iterations) {
    const MatX K = p.jacobian.topLeftCorner(nu, nu);
    // Uphill directions (an inverted pendulum) need enough α to be left downhill.
    while (alpha < 1e12 && !positive(K + alpha * p.M)) alpha = std::max(4 * alpha, 1e-6);
    MatX A = p.jacobian;
    A.topLeftCorner(nu, nu) += alpha * p.M;
    A.bottomRightCorner(nz, nz) += std::sqrt(alpha) * MatX::Identity(nz, nz);
    VecX step = A.partialPivLu().solve(-p.residual);
    const double largest = step.head(nu).cwiseAbs().maxCoeff();
    if (!std::isfinite(largest)) break;
    if (largest > 0.2) step *= 0.2 / largest;
    State trial = s;
    system.retract(s.q, VecX(step.head(nu)), trial.q);
    trial.z += step.tail(nz);
    RestPoint next = equations.at(trial);
    const double ratio = next.acceleration / p.acceleration;
    if (!(ratio < 10)) {
      alpha = std::max(10 * alpha, 1e-6);
      if (alpha > 1e12) break;
      continue;
    }
    // Nothing better can be represented.
    if (step.cwiseAbs().maxCoeff() < 1e-15) break;
    alpha *= std::clamp(ratio, 0.03, 2.0);
    if (alpha < 1e-14) alpha = 0;
    s = std::move(trial);
    p = std::move(next);
  }
  out.state = std::move(s);
  out.point = std::move(p);
  return out;
}

}  // namespace

Equilibrium find_equilibrium(System& system, const State& start) {
  const int nu = system.model().nu();
  Equilibrium out;
  out.state = start;
  out.state.u.setZero();
  if (system.model().rows() > 0) {
    out.why = "equilibrium under constraints is not computed yet";
    return out;
  }
  RestEquations equations(system);
  const double scale = std::max(1.0, equations.at(out.state).acceleration);
  State from = out.state;
  // A search that began on a line of symmetry may end on a saddle: push it off along the direction that falls.
  for (int attempt = 0; attempt < 6; ++attempt) {
    const Search search = descend(system, equations, from, scale);
    const RestPoint& p = search.point;
    out.iterations += search.iterations;
    out.residual = p.acceleration;
    if (!(p.acceleration <= 1e-9 * scale)) {
      if (out.converged) return out;  // the saddle is all there is near the start
      char number[32];
      std::snprintf(number, sizeof number, "%.2g", out.residual);
      out.why = std::string("no equilibrium was found near the start (accelerations of ") + number + " remain)";
      return out;
    }
    out.converged = true;
    out.state = search.state;
    const MatX K = p.jacobian.topLeftCorner(nu, nu), symmetric = 0.5 * (K + K.transpose());
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> modes(symmetric, 0.5 * (p.M + p.M.transpose()));
    const double softest = modes.eigenvalues()[0], stiffest = modes.eigenvalues().cwiseAbs().maxCoeff();
    out.stable = softest > -1e-9 * std::max(1.0, stiffest);
    if (out.stable) return out;
    VecX push = modes.eigenvectors().col(0);
    push *= 1e-2 / push.cwiseAbs().maxCoeff();
    from = search.state;
    VecX q = from.q;
    system.retract(search.state.q, push, q);
    from.q = q;
  }
  return out;
}

}  // namespace davit
