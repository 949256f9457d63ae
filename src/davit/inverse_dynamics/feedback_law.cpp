#include "davit/inverse_dynamics/feedback_law.hpp"

#include <stdexcept>

namespace davit::inverse_dynamics {

FeedbackGains FeedbackLaw::gains(double t, const MatX& T, int outputs) {
  const Instant planned = track_.at(t);
  const Eigen::Index n = T.rows() / 2;
  constexpr double small = 1e-5;
  FeedbackGains out{MatX(planned.w.size(), T.cols()), MatX::Zero(planned.w.size(), outputs)};
  const auto slope = [&](const VecX& state, const VecX& integral) {
    VecX up, down;
    for (const double size : {small, -small}) {
      const Measurement m{t, moved_by(track_.model(), planned.q, size * state.head(n)),
                          planned.u + size * state.tail(n), size * integral};
      if (!correct(m, size > 0 ? up : down)) throw std::runtime_error("the feedback has no solution about its plan");
    }
    return VecX((up - down) / (2 * small));
  };
  for (Eigen::Index j = 0; j < T.cols(); ++j) out.state.col(j) = slope(T.col(j), VecX::Zero(outputs));
  if (integrates())
    for (int j = 0; j < outputs; ++j) out.integral.col(j) = slope(VecX::Zero(2 * n), VecX::Unit(outputs, j));
  return out;
}

}  // namespace davit::inverse_dynamics
