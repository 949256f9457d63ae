#include "davit/solve/equilibrium.hpp"

#include <Eigen/QR>

namespace davit {

namespace {

// Residual at rest: (F, φ) with u = a = 0.
class RestResidual {
 public:
  explicit RestResidual(const System& system) : system_(system), zero_(VecX::Zero(system.model().nu())) { system.model().prepare(evaluation_); }

  VecX operator()(const State& s) {
    const Model& model = system_.model();
    VecX r(model.nu() + model.nz());
    system_.residual<double>(evaluation_, s.t, s.q.data(), zero_.data(), s.z.data(), s.modes, zero_.data(), r.data(), nullptr);
    for (int i = 0; i < model.nz(); ++i) r[model.nu() + i] = evaluation_.zdot[static_cast<size_t>(i)];
    return r;
  }

 private:
  const System& system_;
  VecX zero_;
  EvaluationT<double> evaluation_;
};

MatX jacobian(const System& system, const State& s) {
  const Model& model = system.model();
  const int nu = model.nu(), nz = model.nz();
  const Linearisation lin = system.linearise(s, VecX::Zero(nu));
  MatX J(nu + nz, nu + nz);
  J << lin.K, lin.F_z, lin.phi_q, lin.phi_z;
  return J;
}

}  // namespace

Equilibrium find_equilibrium(System& system, const State& start) {
  const Model& model = system.model();
  Equilibrium out;
  out.state = start;
  out.state.u.setZero();
  RestResidual residual(system);
  State s = out.state;
  VecX r = residual(s);
  // Every row in its own unit: scaled by what a unit of its coordinates changes.
  double damping = 1e-6;
  for (out.iterations = 0; out.iterations < 200; ++out.iterations) {
    const MatX J = jacobian(system, s);
    VecX scale(r.size());
    for (Eigen::Index i = 0; i < scale.size(); ++i) scale[i] = std::max(J.row(i).cwiseAbs().maxCoeff(), 1e-300);
    const MatX Js = scale.cwiseInverse().asDiagonal() * J;
    const VecX rs = r.cwiseQuotient(scale);
    out.residual = rs.norm();
    if (!std::isfinite(out.residual)) break;
    if (out.residual < 1e-14) {
      out.converged = true;
      break;
    }
    // min |J d + r|² + damping |d|²
    MatX stacked(Js.rows() + Js.cols(), Js.cols());
    stacked << Js, std::sqrt(damping) * MatX::Identity(Js.cols(), Js.cols());
    VecX right(stacked.rows());
    right << -rs, VecX::Zero(Js.cols());
    VecX step = stacked.colPivHouseholderQr().solve(right);
    const double largest = step.head(model.nu()).cwiseAbs().maxCoeff();
    if (largest > 0.5) step *= 0.5 / largest;
    State trial = s;
    system.retract(s.q, VecX(step.head(model.nu())), trial.q);
    trial.z += step.tail(model.nz());
    const VecX r_trial = residual(trial);
    const double better = r_trial.cwiseQuotient(scale).norm();
    if (better < out.residual) {
      s = trial;
      r = r_trial;
      damping = std::max(damping * 0.1, 1e-16);
    } else if (step.norm() < 1e-13) {
      // The residual is down to round-off: nothing better can be represented.
      out.converged = out.residual < 1e-10;
      break;
    } else {
      damping *= 10;
      if (damping > 1e12) break;
    }
  }
  if (out.converged) {
    s.u.setZero();
    out.state = s;
  } else {
    out.why = "no equilibrium was found near the start (residual " + std::to_string(out.residual) + ")";
  }
  return out;
}

}  // namespace davit
