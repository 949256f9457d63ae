// Feedback that tracks a plan: inputs are those of the plan plus a correction that a law finds from the measured state.
// Four laws: the servo equations solved again from what is measured (servo_feedback.hpp), exact linearisation through
// the derivative array (linearising_feedback.hpp), linear-quadratic gains along the plan (quadratic_feedback.hpp), and
// passivity-based regulation of the set point (set_point_feedback.hpp).
#pragma once

#include "davit/inverse_dynamics/motion_tangent.hpp"
#include "davit/inverse_dynamics/plan_track.hpp"

namespace davit::inverse_dynamics {

// What a law is told: the state at a time, and the integral of each output's error up to then.
struct Measurement {
  double t = 0;
  VecX q, u, integral;
};

// ∂correction/∂ζ of changes T ζ of the state (motion_tangent.hpp), and by the integrals.
struct FeedbackGains {
  MatX state, integral;
};

class FeedbackLaw {
 public:
  explicit FeedbackLaw(const PlanTrack& track) : track_(track) {}
  virtual ~FeedbackLaw() = default;
  virtual std::string summary() const = 0;
  virtual bool integrates() const { return false; }
  // False where its equations have no solution.
  virtual bool correct(const Measurement&, VecX& correction) = 0;
  // What it keeps of the last sample to begin its iterations with: from the plan instead, so that what it answers does
  // not depend on what it was asked before.
  virtual void forget() {}
  // About the planned motion at a time: by central differences, unless a law has them.
  virtual FeedbackGains gains(double t, const MatX& T, int outputs);

 protected:
  const PlanTrack& track_;
};

}  // namespace davit::inverse_dynamics
