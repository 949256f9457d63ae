#include "davit/inverse_dynamics/quadratic_feedback.hpp"

#include <algorithm>

namespace davit::inverse_dynamics {

QuadraticFeedback::Design QuadraticFeedback::design(ServoEquations& equations, const Instant& at,
                                                    const QuadraticWeights& weights) {
  Design out;
  out.tangent = linearise_motion(equations, at);
  const Eigen::Index states = out.tangent.A.rows(), inputs = out.tangent.B.cols(), outputs = out.tangent.C.rows();
  const Eigen::Index integrals = weights.integral > 0 ? outputs : 0;
  MatX A = MatX::Zero(states + integrals, states + integrals), B = MatX::Zero(states + integrals, inputs), Q = A;
  A.topLeftCorner(states, states) = out.tangent.A;
  A.bottomLeftCorner(integrals, states) = out.tangent.C.topRows(integrals);
  B.topRows(states) = out.tangent.B;
  Q.topLeftCorner(states, states) = out.tangent.C.transpose() * out.tangent.C / (weights.error * weights.error) +
                                    out.tangent.C_rate.transpose() * out.tangent.C_rate / (weights.rate * weights.rate);
  for (Eigen::Index i = 0; i < integrals; ++i) Q(states + i, states + i) = 1 / (weights.integral * weights.integral);
  out.R = weights.inputs.cwiseAbs2().cwiseInverse().asDiagonal();
  out.part = reachable_part(A, B * weights.inputs.asDiagonal());
  out.A = out.part.transpose() * A * out.part;
  out.B = out.part.transpose() * B;
  out.Q = out.part.transpose() * Q * out.part;
  out.regulator = regulate(out.A, out.B, out.Q, out.R);
  return out;
}

QuadraticFeedback::QuadraticFeedback(const ServoProblem& problem, const PlanTrack& track,
                                     const QuadraticWeights& weights, int points)
    : FeedbackLaw(track), weights_(weights) {
  ServoEquations equations(problem);
  for (int i = 0; i < points; ++i) {
    const double t = track.begin() + (track.end() - track.begin()) * i / (points - 1);
    const Design at = design(equations, track.at(t), weights);
    times_.push_back(t);
    found_ = at.regulator.found;
    if (!found_) return;
    const Eigen::Index states = at.tangent.A.rows();
    const MatX K = at.regulator.K * at.part.transpose();
    MatX gain(K.rows(), at.tangent.T.rows() + problem.rows());
    gain.leftCols(at.tangent.T.rows()) = K.leftCols(states) * at.tangent.T.transpose();
    gain.rightCols(problem.rows()).setZero();
    if (integrates()) gain.rightCols(problem.rows()) = K.rightCols(problem.rows());
    unreachable_ = std::max(unreachable_, static_cast<int>(at.part.rows() - at.part.cols()));
    gains_.push_back(gain);
  }
}

MatX QuadraticFeedback::gain_at(double t) const {
  const auto after = std::upper_bound(times_.begin(), times_.end(), t);
  if (after == times_.begin()) return gains_.front();
  if (after == times_.end()) return gains_.back();
  const auto i = static_cast<size_t>(after - times_.begin());
  const double s = (t - times_[i - 1]) / (times_[i] - times_[i - 1]);
  return (1 - s) * gains_[i - 1] + s * gains_[i];
}

bool QuadraticFeedback::correct(const Measurement& m, VecX& correction) {
  const Instant planned = track_.at(m.t);
  VecX off(2 * planned.u.size() + m.integral.size());
  off << difference_of(track_.model(), planned.q, m.q), m.u - planned.u, m.integral;
  correction = -gain_at(m.t) * off;
  return true;
}

FeedbackGains QuadraticFeedback::gains(double t, const MatX& T, int outputs) {
  const MatX gain = gain_at(t);
  return {-gain.leftCols(T.rows()) * T, -gain.rightCols(outputs)};
}

}  // namespace davit::inverse_dynamics
