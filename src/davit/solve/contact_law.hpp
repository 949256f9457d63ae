// The laws of a contact in a step, as equations of its speeds after the step and its forces.
#pragma once

#include <cmath>

#include "davit/math/dual.hpp"

namespace davit {

// Part of the response that contacts are softened by, so that forces of a body on more points than it needs are shared
// evenly instead of being undetermined. It answers the change of the force since the last step: what rests does not
// sink. Of friction a tenth of the last force is forgotten in every step, so that forces along the plane that only
// work against each other (left behind by a jolt, say) fade; what rests on a slope then creeps by 1e-9 of the speed
// that it would gain in a step if it were free.
inline constexpr double contact_softness = 1e-8;
inline constexpr double friction_kept = 0.9;
inline constexpr double no_force[3] = {0, 0, 0};

// Signorini and Coulomb by projection (Alart & Curnier 1991), with speeds `after` (the normal one less the rebound) and
// forces λ, `last` those of the last step; Newton's method on this is a search for the set of sticking, slipping and
// open contacts. Scaled to speeds.
template <class S>
void contact_law(const S* after, const S* lambda, const double* last, const double* response, double friction,
                 double fixed_bound, S* out) {
  using std::sqrt;
  const auto yielded = [&](int i) {
    const double kept = i < 2 ? friction_kept : 1;
    return after[i] + S(contact_softness * response[i]) * (lambda[i] - S(kept * last[i]));
  };
  const S normal = lambda[2] - yielded(2) / S(response[2]);
  const bool open = value_of(normal) <= 0;
  out[2] = open ? S(response[2]) * lambda[2] : yielded(2);
  const S bound = fixed_bound >= 0 ? S(fixed_bound) : open ? S(0) : S(friction) * normal;
  const S x = lambda[0] - after[0] / S(response[0]), y = lambda[1] - after[1] / S(response[1]);
  const S trial = sqrt(S(x * x + y * y));
  if (value_of(bound) > 0 && value_of(trial) <= value_of(bound)) {
    out[0] = yielded(0);
    out[1] = yielded(1);
    return;
  }
  const S share = value_of(trial) > 0 ? bound / trial : S(0);
  out[0] = S(response[0]) * (lambda[0] - share * x);
  out[1] = S(response[1]) * (lambda[1] - share * y);
}

}  // namespace davit
