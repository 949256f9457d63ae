#include "davit/inverse_dynamics/riccati.hpp"

#include <cmath>

#include "davit/math/linear_algebra.hpp"

namespace davit::inverse_dynamics {

namespace {

// Aᵀ X + X A = -Q of a stable A by its eigenvectors.
MatX lyapunov(const MatX& A, const MatX& Q) {
  const ComplexEigen modes = complex_eigen(A);
  const Eigen::Index n = A.rows();
  MatXc Y = modes.vectors.transpose() * Q.cast<std::complex<double>>() * modes.vectors;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) Y(i, j) /= -(modes.values[i] + modes.values[j]);
  const MatXc left = solve_lu(MatXc(modes.vectors.transpose()), Y);
  return solve_lu(MatXc(modes.vectors.transpose()), MatXc(left.transpose())).transpose().real();
}

}  // namespace

Regulator regulate(const MatX& A, const MatX& B, const MatX& Q, const MatX& R) {
  const Eigen::Index n = A.rows();
  Regulator out;
  const MatX gain = solve_ldlt(R, MatX(B.transpose()));
  MatX H(2 * n, 2 * n);
  // P is scaled so that both blocks beside A are of one size: units of states and weights differ by powers of ten.
  const MatX G = B * gain;
  const double scale = G.norm() > 0 && Q.norm() > 0 ? std::sqrt(Q.norm() / G.norm()) : 1;
  H << A, -scale * G, -Q / scale, -A.transpose();
  const ComplexEigen modes = complex_eigen(H);
  if (!modes.converged) return out;
  MatXc stable(2 * n, n);
  Eigen::Index found = 0;
  const double least = 1e-9 * modes.values.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < 2 * n; ++i) {
    if (!(modes.values[i].real() < -least)) continue;
    if (found == n) return out;
    stable.col(found++) = modes.vectors.col(i);
    out.poles.push_back(modes.values[i]);
  }
  if (found != n) return out;
  const MatXc P = solve_lu(MatXc(stable.topRows(n).transpose()), MatXc(stable.bottomRows(n).transpose()));
  out.P = 0.5 * scale * (P.real() + P.real().transpose());
  // Newton's method on the Riccati equation (Kleinman 1968) takes out what round-off has left.
  for (int i = 0; i < 2; ++i) {
    const MatX K = gain * out.P;
    const MatX better = lyapunov(A - B * K, Q + K.transpose() * R * K);
    if (!better.allFinite()) break;
    out.P = 0.5 * (better + better.transpose());
  }
  out.K = gain * out.P;
  out.found = out.K.allFinite();
  return out;
}

// P = Q + F P (I + G P)⁻¹ Fᵀ, G = Cᵀ R⁻¹ C.
Predictor predict(const MatX& F, const MatX& C, const MatX& Q, const MatX& R) {
  constexpr int most_doublings = 60;
  Predictor out;
  const Eigen::Index n = F.rows();
  MatX A = F.transpose(), G = C.transpose() * solve_ldlt(R, C), H = Q;
  for (int i = 0; i < most_doublings && !out.found; ++i) {
    const MatX half = inverse(MatX(MatX::Identity(n, n) + G * H));
    const MatX more = A.transpose() * H * half * A;
    G += A * half * G * A.transpose();
    H += more;
    A = (A * half * A).eval();
    if (!H.allFinite()) return out;
    out.found = more.norm() <= 1e-13 * H.norm();
  }
  out.P = 0.5 * (H + H.transpose());
  out.gain = F * solve_ldlt(MatX(C * out.P * C.transpose() + R), MatX(C * out.P)).transpose();
  return out;
}

}  // namespace davit::inverse_dynamics
