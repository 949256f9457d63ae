// Passivity-based regulation (003, 2.5.2; for overhead cranes Fang, Dixon, Dawson & Zergeroglu 2003): inputs act on the
// driven coordinates θ, θ̇ = Bᵀu, and the model gives back as energy what they put in. Beside a place of rest with
// inputs w*, E = T + U - w*ᵀ(θ - θ*) (gravity is compensated) has its least value there, and with
//   (1 + k_E E) v + K_v θ̈ + K_p (θ - θ*) + K_d θ̇ = 0,   w = w* + v,
// the storage V = E + ½ k_E E² + ½ θ̇ᵀK_v θ̇ + ½ (θ - θ*)ᵀK_p (θ - θ*) goes down as V̇ = -θ̇ᵀK_d θ̇, whatever the load
// weighs and however it swings. K_p and K_d are a spring and a damper at each drive; K_v is inertia that the drive
// pretends to have (it couples the swing into the drive), k_E makes drives softer while much energy is about. While the
// plan moves, θ* and w* move with it; the proof holds where it rests.
#pragma once

#include "davit/inverse_dynamics/feedback_law.hpp"

namespace davit::inverse_dynamics {

struct SetPointGains {
  double frequency = 1;  // rad/s: K_p = μ ω², with μ the inertia that an input meets at the end of the plan
  double damping = 1;    // K_d = 2 ζ ω μ
  double inertia = 0;    // K_v, parts of μ
  double energy = 0;     // k_E, 1/J
};

class SetPointFeedback final : public FeedbackLaw {
 public:
  SetPointFeedback(const ServoProblem&, const PlanTrack&, const SetPointGains&);
  std::string summary() const override { return "passivity-based regulation of the drives"; }
  bool correct(const Measurement&, VecX& correction) override;
  // V, and the power -θ̇ᵀK_d θ̇ that it loses.
  double storage(const Measurement&);
  double loss(const Measurement&) const;

 private:
  double energy(const Measurement&, const Instant& planned, const VecX& off);

  ServoEquations equations_;
  System system_;
  State state_;
  SetPointGains gains_;
  MatX B_;  // of joints and winches it does not depend on where they are
  VecX Kp_, Kd_, Kv_;
};

}  // namespace davit::inverse_dynamics
