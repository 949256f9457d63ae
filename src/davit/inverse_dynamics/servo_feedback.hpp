// The servo law (110) → (111): at every sample the equations of the plan are solved again from the measured state, with
// the acceleration of each output replaced by s̈ + a ṡ + b s + c ∫s dt = 0.
//
// Where inputs do not act on outputs at once (index 5: the trolley pulls the load through a rope) the equations have no
// solution at one instant. As published, they are solved for the end of one step of backward Euler, of length H: the
// errors then are those into which (110) turns the measured ones, all three rows of each output hold, and the inputs
// are those that bring the driven coordinates there. With held inputs these follow what the outputs want as
//   p̈ = (p* - p)/H² - ṗ/H,
// a loop of frequency 1/H with half of critical damping: H must be short beside the decay of errors.
//
// Backward Euler has an error of first order in the inputs; the law gives the difference to the same step from the
// planned state, which does not have it, and nothing is corrected on the plan.
#pragma once

#include "davit/inverse_dynamics/error_dynamics.hpp"
#include "davit/inverse_dynamics/feedback_law.hpp"
#include "davit/inverse_dynamics/minimal_extension.hpp"

namespace davit::inverse_dynamics {

class ServoFeedback final : public FeedbackLaw {
 public:
  // Gains must be stable; `horizon` is H.
  ServoFeedback(const ServoProblem&, const PlanTrack&, const ServoGains&, double horizon);
  std::string summary() const override { return "servo equations solved from the measured state"; }
  bool integrates() const override { return gains_.c != 0; }
  bool correct(const Measurement&, VecX& correction) override;
  void forget() override { extension_.emplace(equations_, Scheme::backward_euler); }

 private:
  bool step(Instant from, const VecX& integral, VecX& w);

  ServoEquations equations_;
  std::optional<MinimalExtension> extension_;
  ServoGains gains_;
  double horizon_;
  MatX decay_;  // of (∫s, s, ṡ) over H, by backward Euler too: places, speeds and accelerations then fit together
};

}  // namespace davit::inverse_dynamics
