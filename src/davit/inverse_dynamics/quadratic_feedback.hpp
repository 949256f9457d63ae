// Linear-quadratic feedback along a plan: w = w_plan(t) - K(t) (x - x_plan(t)), with gains of the exact linearisation
// at points of the plan and interpolated between them.
#pragma once

#include "davit/inverse_dynamics/feedback_law.hpp"
#include "davit/inverse_dynamics/riccati.hpp"

namespace davit::inverse_dynamics {

// By Bryson's rule: deviations that weigh the same.
struct QuadraticWeights {
  double error = 0.1, rate = 0.1;  // of outputs: m or rad, and per second
  double integral = 0;             // of errors, m s or rad s; zero: without integral action
  VecX inputs;                     // N or N m
};

class QuadraticFeedback final : public FeedbackLaw {
 public:
  // Gains at so many points of the plan. Check found() before use.
  QuadraticFeedback(const ServoProblem&, const PlanTrack&, const QuadraticWeights&, int points = 25);
  bool found() const { return found_; }
  double missing_at() const { return times_.empty() ? track_.begin() : times_.back(); }  // s, where it is not found
  // States that no input moves; they are left alone.
  int unreachable_states() const { return unreachable_; }
  std::string summary() const override { return "linear-quadratic gains along the plan"; }
  bool integrates() const override { return weights_.integral > 0; }
  bool correct(const Measurement&, VecX& correction) override;
  FeedbackGains gains(double t, const MatX& T, int outputs) override;
  // The design at an instant, with its tangent.
  struct Design {
    MotionTangent tangent;
    MatX A, B, Q, R, part;  // of the states that inputs move, part · them = (ζ, ∫s)
    Regulator regulator;
  };
  static Design design(ServoEquations&, const Instant&, const QuadraticWeights&);

 private:
  MatX gain_at(double t) const;  // on (δd, δu, ∫s)

  QuadraticWeights weights_;
  std::vector<double> times_;
  std::vector<MatX> gains_;
  int unreachable_ = 0;
  bool found_ = true;
};

}  // namespace davit::inverse_dynamics
