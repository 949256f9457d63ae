// The laws of a contact in a step, as equations of its speeds after the step and its forces.
#pragma once

#include <cmath>

#include "davit/math/dual.hpp"

namespace davit {

// Parts of the response that contacts are softened by, so that forces of a body on more points than it needs are shared
// instead of being undetermined. Along the normal softness answers the change of the force since the last step: what
// rests does not sink. Of friction nothing is kept: forces along the plane that only work against each other are gone
// as soon as what made them is, and what rests on a slope creeps by 1e-9 of the speed that it would gain in a step if
// it were free.
inline constexpr double normal_softness = 1e-8, friction_softness = 1e-9;

// Speed that a contact gains in the step by a unit of its force, by which its equations are scaled. One number for all
// directions along the plane: with one for each of them, friction would not oppose the sliding.
struct ContactResponse {
  double along = 1, normal = 1;
};

// Signorini and Coulomb by projection (Alart & Curnier 1991), with speeds `after` (the normal one less the rebound) and
// forces λ, `last_normal` that of the last step:
//   λ_n = max(0, λ_n - v_n/r_n),  λ_t = the point of the disc |λ_t| ≤ μ λ_n that is next to λ_t - v_t/r_t,
// where v are the speeds beyond what softness yields. Sliding then takes a speed beyond that, and what does not move
// shares its forces. Newton's method on this is a search for the set of sticking, slipping and open contacts. Scaled to
// speeds.
template <class S>
void contact_law(const S* after, const S* lambda, double last_normal, const ContactResponse& response, double friction,
                 double fixed_bound, S* out) {
  using std::sqrt;
  const S along(response.along), across(response.normal);
  const S parting = after[2] + S(normal_softness * response.normal) * (lambda[2] - S(last_normal));
  const S normal = lambda[2] - parting / across;
  const bool open = value_of(normal) <= 0;
  out[2] = open ? across * lambda[2] : parting;
  const S bound = fixed_bound >= 0 ? S(fixed_bound) : open ? S(0) : S(friction) * normal;
  const S yields(friction_softness * response.along);
  const S slip[2] = {S(after[0] + yields * lambda[0]), S(after[1] + yields * lambda[1])};
  const S x = lambda[0] - slip[0] / along, y = lambda[1] - slip[1] / along;
  const S trial = sqrt(S(x * x + y * y));
  if (value_of(bound) > 0 && value_of(trial) <= value_of(bound)) {
    out[0] = slip[0];
    out[1] = slip[1];
    return;
  }
  const S share = value_of(trial) > 0 ? bound / trial : S(0);
  out[0] = along * (lambda[0] - share * x);
  out[1] = along * (lambda[1] - share * y);
}

}  // namespace davit
