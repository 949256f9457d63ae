// Tells the slow motion of a vessel from its motion in waves, for each of surge, sway and yaw by itself: an observer of
// Fossen & Strand (1999). What is measured, y, is a slow motion x under thrust f, a steady load b (both per unit of
// mass), and an oscillation w₂ about the wave frequency ω₀:
//
//   ẇ₁ = w₂ + k₁ e,  ẇ₂ = −ω₀² w₁ − 2λω₀ w₂ + k₂ e,  ẋ = v + k₃ e,  v̇ = f + b + k₄ e,  ḃ = k₅ e,  e = y − x − w₂.
//
// The gains place its five poles: two on ω₀, critically damped, so that waves about ω₀ are left out; two on ω₁, between
// the waves and the slow motion, so that x follows y; and one on the rate at which a steady load is to be found.
#pragma once

#include <array>

namespace davit::vessel {

class WaveFilter {
 public:
  static constexpr int states = 5;  // w₁, w₂, x, v, b

  // Frequencies in rad/s, `load_rate` in 1/s.
  WaveFilter(double wave_frequency, double slow_frequency, double load_rate) : w0_(wave_frequency) {
    // (s² + 2ω₀s + ω₀²)(s² + 2ω₁s + ω₁²)(s + r) against (s² + a₁s + a₀)(s³ + k₃s² + k₄s + k₅) + s³(k₂s − a₀k₁).
    const double w1 = slow_frequency, r = load_rate, a0 = w0_ * w0_, a1 = 2 * relative_damping * w0_;
    const double q3 = 2 * (w0_ + w1), q2 = a0 + w1 * w1 + 4 * w0_ * w1, q1 = 2 * w0_ * w1 * (w0_ + w1),
                 q0 = a0 * w1 * w1;
    k_[4] = q0 * r / a0;
    k_[3] = (q0 + q1 * r - a1 * k_[4]) / a0;
    k_[2] = (q1 + q2 * r - k_[4] - a1 * k_[3]) / a0;
    k_[1] = q3 + r - k_[2] - a1;
    k_[0] = (k_[3] + a1 * k_[2] + a0 - q2 - q3 * r) / a0;
  }

  // Rates of its states for a measured place y and a thrust f per unit of mass.
  template <class S>
  void rates(const S* z, const S& y, const S& f, S* zdot) const {
    const S e = y - z[2] - z[1];
    zdot[0] = z[1] + k_[0] * e;
    zdot[1] = -w0_ * w0_ * z[0] - 2 * relative_damping * w0_ * z[1] + k_[1] * e;
    zdot[2] = z[3] + k_[2] * e;
    zdot[3] = f + z[4] + k_[3] * e;
    zdot[4] = k_[4] * e;
  }

 private:
  static constexpr double relative_damping = 0.1;  // λ: how narrow the band of waves is
  double w0_;
  std::array<double, 5> k_{};
};

}  // namespace davit::vessel
