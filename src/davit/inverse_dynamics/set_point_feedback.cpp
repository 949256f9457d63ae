#include "davit/inverse_dynamics/set_point_feedback.hpp"

#include <algorithm>

#include "davit/math/linear_algebra.hpp"

namespace davit::inverse_dynamics {

SetPointFeedback::SetPointFeedback(const ServoProblem& problem, const PlanTrack& track, const SetPointGains& gains)
    : FeedbackLaw(track), equations_(problem), system_(*problem.model), state_(problem.start), gains_(gains) {
  Instant end = track.at(track.end());
  const MotionTangent tangent = linearise_motion(equations_, end);
  B_ = equations_.B;
  const MatX mobility = B_.transpose() * tangent.T.bottomRows(equations_.speeds()) * tangent.B;
  const VecX met = mobility.diagonal().cwiseInverse();
  Kp_ = gains.frequency * gains.frequency * met;
  Kd_ = 2 * gains.damping * gains.frequency * met;
  Kv_ = gains.inertia * met;
}

// Of what is beside the plan, which at rest is E.
double SetPointFeedback::energy(const Measurement& m, const Instant& planned, const VecX& off) {
  const auto potential = [&](const VecX& q) {
    state_.t = m.t;
    state_.q = q;
    state_.u.setZero();
    system_.evaluate(state_, System::Want::unconstrained);
    return system_.energy(state_).potential;
  };
  const VecX faster = m.u - planned.u;
  return 0.5 * faster.dot(equations_.M * faster) + potential(m.q) - potential(planned.q) - planned.w.dot(off);
}

bool SetPointFeedback::correct(const Measurement& m, VecX& correction) {
  const Instant planned = track_.at(m.t);
  const VecX off = B_.transpose() * difference_of(track_.model(), planned.q, m.q);
  const VecX rate = B_.transpose() * (m.u - planned.u);
  correction = -Kp_.cwiseProduct(off) - Kd_.cwiseProduct(rate);
  if (gains_.inertia == 0 && gains_.energy == 0) return true;
  Instant at = planned;
  at.q = m.q, at.u = m.u;
  at.a.setZero();
  at.lambda.setZero();
  equations_.linearise(at);
  const int n = equations_.speeds(), c = equations_.constraints(), p = equations_.inputs();
  const double shaped = 1 + gains_.energy * std::max(0.0, energy(m, planned, off));
  // M a - Gᵀλ = B v - R₀,   G a = -g̈₀: how drives accelerate by themselves, and by each input.
  equations_.evaluate(at);
  MatX matrix = MatX::Zero(n + c, n + c), given(n + c, 1 + p);
  const MatX& G = equations_.constraint_tangent.gradient;
  matrix.topLeftCorner(n, n) = equations_.M;
  matrix.topRightCorner(n, c) = -G.transpose();
  matrix.bottomLeftCorner(c, n) = G;
  given.topRows(n) << -equations_.R, equations_.B;
  given.bottomRows(c) << -equations_.constraint.second, MatX::Zero(c, p);
  ShortestLeastSquares solver;
  solver.compute(matrix, 1e-12);
  MatX a(n, 1 + p);
  for (int j = 0; j <= p; ++j) a.col(j) = solver.solve(VecX(given.col(j))).head(n);
  const VecX drift = B_.transpose() * (a.col(0) - planned.a);
  const MatX mobility = B_.transpose() * a.rightCols(p);
  const MatX law = shaped * MatX::Identity(p, p) + Kv_.asDiagonal() * mobility;
  correction = solve_lu(law, VecX(correction - Kv_.cwiseProduct(drift)));
  return correction.allFinite();
}

double SetPointFeedback::storage(const Measurement& m) {
  const Instant planned = track_.at(m.t);
  Instant at = planned;
  at.q = m.q;
  equations_.linearise(at);
  const VecX off = B_.transpose() * difference_of(track_.model(), planned.q, m.q);
  const VecX rate = B_.transpose() * (m.u - planned.u);
  const double E = energy(m, planned, off);
  return E + 0.5 * gains_.energy * E * E + 0.5 * rate.dot(Kv_.cwiseProduct(rate)) +
         0.5 * off.dot(Kp_.cwiseProduct(off));
}

double SetPointFeedback::loss(const Measurement& m) const {
  const VecX rate = B_.transpose() * (m.u - track_.at(m.t).u);
  return rate.dot(Kd_.cwiseProduct(rate));
}

}  // namespace davit::inverse_dynamics
