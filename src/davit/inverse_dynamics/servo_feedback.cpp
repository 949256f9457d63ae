#include "davit/inverse_dynamics/servo_feedback.hpp"

#include <stdexcept>

#include "davit/math/linear_algebra.hpp"

namespace davit::inverse_dynamics {

ServoFeedback::ServoFeedback(const ServoProblem& problem, const PlanTrack& track, const ServoGains& gains,
                             double horizon)
    : FeedbackLaw(track), equations_(problem), gains_(gains), horizon_(horizon) {
  forget();
  if (const auto why = gains.why_not_stable()) throw std::invalid_argument(*why);
  MatX rates(3, 3);
  rates << 0, 1, 0, 0, 0, 1, -gains.c, -gains.b, -gains.a;
  decay_ = inverse(MatX(MatX::Identity(3, 3) - horizon * rates));
}

bool ServoFeedback::step(Instant from, const VecX& integral, VecX& w) {
  equations_.allowed = {};
  equations_.evaluate(from);
  MatX errors(3, equations_.outputs());
  errors << integral.transpose(), equations_.output.value.transpose(), equations_.output.rate.transpose();
  errors = (decay_ * errors).eval();
  equations_.allowed = {errors.row(1), errors.row(2),
                        -gains_.a * errors.row(2) - gains_.b * errors.row(1) - gains_.c * errors.row(0)};
  if (!extension_->step(from, from.t + horizon_)) return false;
  w = from.w;
  return true;
}

bool ServoFeedback::correct(const Measurement& m, VecX& correction) {
  Instant planned = track_.at(m.t), measured = planned;
  measured.q = m.q;
  measured.u = m.u;
  VecX there, here;
  if (!step(planned, VecX::Zero(equations_.outputs()), there) || !step(measured, m.integral, here)) return false;
  correction = here - there;
  return true;
}

}  // namespace davit::inverse_dynamics
