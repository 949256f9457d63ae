// Elevation, velocity, acceleration and pressure of linear waves at a point and a time, from a list of components. Each
// is the flow of the potential
//
//   φ = −(g a/ω) c(z) sin θ,  θ = ωt − k(x cos β + y sin β) + ε,  c(z) = cosh k(z+h)/cosh kh,
//
// v = ∇φ, p = −ρ ∂φ/∂t. Simple and exact; not for many components at many times.
#pragma once

#include <vector>

#include "davit/math/types.hpp"
#include "davit/sea/realisation.hpp"

namespace davit::sea {

// Linear theory ends at z = 0. What is taken above it:
//   none          c(z) as it is, also above zero: the potential itself
//   wheeler       the profile of the water at rest is moved and stretched to the column under the wave,
//                 z → (z − ζ) h/(h + ζ), so that the surface has the values of z = 0
//   extrapolated  up to z = 0 as it is, then along the tangent
// With the last two a point above the surface has the values of the surface below it.
enum class Stretching { none, wheeler, extrapolated };

struct Flow {
  double elevation;
  Vec3 velocity, acceleration;  // ∂v/∂t at the place
  double pressure;              // without the hydrostatic −ρgz
};

double elevation(const std::vector<Component>&, const Vec2& place, double time);
Flow flow(const std::vector<Component>&, const Water&, const Vec3& point, double time,
          Stretching stretching = Stretching::wheeler);

}  // namespace davit::sea
