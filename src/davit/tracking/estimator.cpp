#include "davit/tracking/estimator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/inverse_dynamics/error_dynamics.hpp"
#include "davit/inverse_dynamics/motion_tangent.hpp"
#include "davit/inverse_dynamics/riccati.hpp"

namespace davit::tracking {

using inverse_dynamics::Instant;

PlannedChannels::PlannedChannels(const TrackedPlan& plan, const std::vector<std::string>& names)
    : plan_(plan), system_(*plan.problem.model), state_(plan.problem.start) {
  std::vector<Channel> channels;
  const auto& all = plan.problem.model->channels();
  for (const std::string& name : names) {
    const auto at = std::find_if(all.begin(), all.end(), [&](const Channel& c) { return c.name == name; });
    if (at == all.end())
      missing_.push_back(name);
    else
      channels.push_back(*at);
  }
  reader_.emplace(channels);
}

VecX PlannedChannels::at(const Instant& instant) {
  state_.t = instant.t;
  state_.q = instant.q;
  state_.u = instant.u;
  for (size_t i = 0; i < plan_.inputs.size(); ++i)
    state_.discrete.signals.set(plan_.inputs[i].feedforward.index(), Motion(instant.w[static_cast<Eigen::Index>(i)]));
  system_.evaluate(state_);
  VecX values(static_cast<Eigen::Index>(reader_->size()));
  reader_->read(state_, system_.workspace(), values.data());
  return values;
}

Estimator::Estimator(const TrackedPlan& plan, const std::vector<std::string>& channels, const EstimatorNoise& noise,
                     double sample_time, int points) {
  inverse_dynamics::ServoEquations equations(plan.problem);
  PlannedChannels planned(plan, channels);
  const Model& model = *plan.problem.model;
  const auto n = static_cast<Eigen::Index>(model.nu()), rows = static_cast<Eigen::Index>(channels.size());
  for (int i = 0; i < points; ++i) {
    const double t = plan.track.begin() + (plan.track.end() - plan.track.begin()) * i / (points - 1);
    const Instant at = plan.track.at(t);
    const inverse_dynamics::MotionTangent tangent = linearise_motion(equations, at);
    constexpr double small = 1e-5;
    const auto beside = [&](const VecX& x) {
      Instant moved = at;
      moved.q = inverse_dynamics::moved_by(model, at.q, x.head(n));
      moved.u += x.tail(n);
      return planned.at(moved);
    };
    MatX C(rows, tangent.T.cols());
    for (Eigen::Index j = 0; j < C.cols(); ++j)
      C.col(j) = (beside(small * tangent.T.col(j)) - beside(-small * tangent.T.col(j))) / (2 * small);
    add_node(t, C, noise, sample_time, tangent.A, tangent.B, tangent.T);
    if (why_not_) return;
  }
}

// With inputs held over a sample; what accelerations nobody knows make of it by Van Loan's integral (1978).
void Estimator::add_node(double t, const MatX& C, const EstimatorNoise& noise, double h, const MatX& A, const MatX& B,
                         const MatX& T) {
  const Eigen::Index states = A.rows(), n = T.rows() / 2, inputs = B.cols(), rows = C.rows();
  MatX held = MatX::Zero(states + inputs, states + inputs);
  held.topRows(states) << A, B;
  const MatX step = inverse_dynamics::exponential_of(h * held);
  const MatX F = step.topLeftCorner(states, states);
  const MatX pushed = noise.disturbance * T.bottomRows(n).transpose();
  MatX spreading = MatX::Zero(2 * states, 2 * states);
  spreading << -A, pushed * pushed.transpose(), MatX::Zero(states, states), A.transpose();
  const MatX Q = F * inverse_dynamics::exponential_of(h * spreading).topRightCorner(states, states);
  MatX R = MatX::Zero(rows, rows);
  for (Eigen::Index i = 0; i < rows; ++i) R(i, i) = std::pow(noise.noise[static_cast<size_t>(i)], 2);
  const auto predictor = inverse_dynamics::predict(F, C, Q, R);
  // What shows by round-off alone would be known to kilometres.
  const double useless = 1e6 * std::max(noise.disturbance, *std::max_element(noise.noise.begin(), noise.noise.end()));
  if (!predictor.found || predictor.P.diagonal().maxCoeff() > useless * useless) {
    why_not_ = fmt::format("what is measured does not show how the crane moves, at t = {:.4g} s of the plan", t);
    return;
  }
  times_.push_back(t);
  nodes_.push_back(
      {T * (F - predictor.gain * C) * T.transpose(), T * step.rightCols(inputs).topRows(states), T * predictor.gain});
}

void Estimator::advance(double t, const VecX& off, const VecX& correction, VecX& x) const {
  const auto after = std::upper_bound(times_.begin(), times_.end(), t);
  const auto b = std::min(static_cast<size_t>(after - times_.begin()), nodes_.size() - 1);
  const size_t a = b == 0 ? 0 : b - 1;
  const double s = a == b ? 0 : std::clamp((t - times_[a]) / (times_[b] - times_[a]), 0.0, 1.0);
  const auto from = [&](const Node& node) {
    return VecX(node.state * x + node.input * correction + node.measurement * off);
  };
  x = (1 - s) * from(nodes_[a]) + s * from(nodes_[b]);
}

}  // namespace davit::tracking
