// What acts on a line at a point of it, per metre of unstretched length, for four elements at a time: inertia, water,
// weight, bed and friction. Bars and beams have the same laws at their Gauss points.
#pragma once

#include <algorithm>
#include <cmath>

#include "davit/cable/element_kernel.hpp"

namespace davit::cable {

// A point of the line: how it moves, the direction of the line there, and how far from the surface it begins to come
// out of the water.
struct PointMotion {
  Pack3 r, v, a, t;
  Pack reach;
};

// The water at the point.
struct PointWater {
  Pack3 velocity, acceleration;
  Pack surface;
};
// Of the samples of a line with `points` to each element.
inline void put(Pack3& of, int lane, const Vec3& v) { of.x[lane] = v.x(), of.y[lane] = v.y(), of.z[lane] = v.z(); }
inline PointWater water_at(const NodeWork& work, int pack, int points, int point) {
  PointWater out;
  for (int lane = 0; lane < lanes; ++lane) {
    const WaterSample& s = work.samples[static_cast<size_t>(points * (lanes * pack + lane) + point)];
    put(out.velocity, lane, s.velocity);
    put(out.acceleration, lane, s.acceleration);
    out.surface[lane] = s.surface;
  }
  return out;
}

// The bed at the point, where it is uneven.
using PackPlane = PlaneOf<Pack3, Pack>;
inline PackPlane planes_at(const NodeWork& work, int pack, int points, int point) {
  PackPlane out;
  for (int lane = 0; lane < lanes; ++lane) {
    const LocalPlane& p = work.planes[static_cast<size_t>(points * (lanes * pack + lane) + point)];
    put(out.normal, lane, p.normal);
    put(out.along, lane, p.along);
    put(out.across, lane, p.across);
    out.level[lane] = p.level;
  }
  return out;
}

// Force that must be held, and its derivative by the position of the point.
struct PointLoads {
  Pack3 residual;
  PackSym tangent;
};

// Inertia, weight and Morison's forces: drag and added mass across and along the line, and the pressure of the flow
// itself. How they turn with the line is left out of the derivative. `open`: the water moves, or its surface is near.
template <bool open>
[[gnu::always_inline]] inline PointLoads in_water(const ElementPack& e, const PointMotion& m, const PointWater* water,
                                                  const Rates& rates, double gravity) {
  const double cv = rates.velocity, ca = rates.acceleration;
  Pack wet = Pack::Ones(), wet_slope = Pack::Zero();
  Pack3 through = m.v, past = m.a;  // relative to the water
  if constexpr (open) {
    const Pack under = 0.5 - 0.5 * (m.r.z - water->surface) / m.reach;
    wet = under.max(0.0).min(1.0);
    wet_slope = (under > 0 && under < 1).select(0.5 / m.reach, Pack::Zero());
    through = m.v - water->velocity;
    past = m.a - water->acceleration;
  }
  const Pack3& t = m.t;
  const Pack vt = dot(through, t);
  const Pack3 vn = through - vt * t;
  const Pack speed = dot(vn, vn).sqrt();
  const Pack dn = wet * e.drag_normal, dt = wet * e.drag_tangential;
  const Pack drag = dn * speed, drag_along = dt * vt.abs();
  const Pack added = wet * e.added_normal, tilt = wet * (e.added_tangential - e.added_normal);
  const Pack water_along = tilt * dot(past, t);
  PointLoads loads;
  loads.residual = e.mass * m.a + added * past + (water_along + drag_along * vt) * t + drag * vn;
  if constexpr (open) loads.residual = loads.residual - (wet * e.displaced) * water->acceleration;
  loads.residual.z += gravity * (e.mass - wet * e.displaced);
  loads.tangent = PackSym::identity_times(ca * (e.mass + added) + cv * drag);
  loads.tangent.add(Pack(ca * tilt + cv * (2 * drag_along - drag)), t);
  loads.tangent.add(Pack(cv * dn / speed.max(1e-9)), vn);
  if constexpr (open) loads.tangent.s[ZZ] += gravity * e.displaced * wet_slope;
  return loads;
}

// The bed pushes by k p and damps by c v, ramped in; the derivative of the ramp counts where the line comes down, and
// would make the matrix indefinite where it is pulled out.
template <class Plane>
void add_bed(const ElementPack& e, const BedOfLine& bed, const Plane& plane, const Rates& rates, const Pack& embedment,
             const Pack3& v, PointLoads& loads) {
  const Pack none = Pack::Zero();
  const auto touching = embedment > 0;
  const double per_ramp = 1 / bed.ramp;
  const Pack depth = embedment.max(0.0), ramp = (depth * per_ramp).min(1.0), speed = dot(v, plane.normal);
  const Pack push = e.bed_stiffness * depth - e.bed_damping * ramp * speed;
  const Pack landing = (depth < bed.ramp).select((-speed).max(0.0) * per_ramp * e.bed_damping, none);
  const Pack slope = e.bed_stiffness + rates.velocity * ramp * e.bed_damping + landing;
  loads.residual = loads.residual - times(push, plane.normal);
  loads.tangent.add(Pack(touching.select(slope, none)), plane.normal);
}

// Springs along and across the line that give `stick_length` under its own weight and slip at Coulomb's limit.
// Stretches are the same for both at the limit, so that the return to it is a scaling (an ellipse of forces). Those of
// one element and the next are `stride` apart; the first `live` elements of the pack are there.
template <class Plane>
void add_friction(const ElementPack& e, const BedOfLine& bed, const Plane& plane, const Pack& embedment, const Pack3& t,
                  const Pack3& moved, double* stretches, const double* stretches_before, int stride, int live,
                  PointLoads& loads) {
  const Pack none = Pack::Zero();
  Pack s1, s2;
  for (int lane = 0; lane < lanes; ++lane) {
    s1[lane] = lane < live ? stretches_before[stride * lane] : 0;
    s2[lane] = lane < live ? stretches_before[stride * lane + 1] : 0;
  }
  s1 += dot(moved, plane.along);
  s2 += dot(moved, plane.across);
  const Pack weight = e.weight.max(1e-30);
  const Pack limit = bed.stick_length * e.bed_stiffness * embedment.max(0.0) / weight;
  const Pack size = (s1 * s1 + s2 * s2 + 1e-30).sqrt(), factor = (limit / size).min(1.0);
  const auto slips = limit < size;
  const Pack n1 = s1 / size, n2 = s2 / size;
  s1 *= factor;
  s2 *= factor;
  // Direction of the line in the plane.
  Pack d1 = dot(t, plane.along), d2 = dot(t, plane.across);
  const Pack flat = (d1 * d1 + d2 * d2 + 1e-30).sqrt();
  d1 /= flat;
  d2 /= flat;
  const Pack ka = e.weight * (bed.friction_along / bed.stick_length),
             kc = e.weight * (bed.friction_across / bed.stick_length);
  const Pack sa = s1 * d1 + s2 * d2, sc = s2 * d1 - s1 * d2;
  const Pack q1 = ka * sa * d1 - kc * sc * d2, q2 = ka * sa * d2 + kc * sc * d1;
  loads.residual = loads.residual + times(q1, plane.along) + times(q2, plane.across);
  const auto touching = embedment > 0;
  const Pack soft = factor * ka.min(kc);
  const Pack t11 = touching.select(slips.select(soft * n2 * n2, ka * d1 * d1 + kc * d2 * d2), none);
  const Pack t22 = touching.select(slips.select(soft * n1 * n1, ka * d2 * d2 + kc * d1 * d1), none);
  const Pack t12 = touching.select(slips.select(-soft * n1 * n2, (ka - kc) * d1 * d2), none);
  // t₁₁ e₁e₁ᵀ + t₁₂ (e₁e₂ᵀ + e₂e₁ᵀ) + t₂₂ e₂e₂ᵀ, the middle as ((e₁ + e₂)² − e₁² − e₂²)
  loads.tangent.add(Pack(t11 - t12), plane.along);
  loads.tangent.add(Pack(t22 - t12), plane.across);
  loads.tangent.add(t12, std::decay_t<decltype(plane.along)>(plane.along + plane.across));
  for (int lane = 0; lane < std::min(live, lanes); ++lane) {
    stretches[stride * lane] = s1[lane];
    stretches[stride * lane + 1] = s2[lane];
  }
}

// Runs the kernel that is compiled for what a line meets: run.operator()<open, rough, uneven>(), water that moves or
// ends, a bed that rubs, a bed that is not flat.
template <class Run>
void choose(bool open, bool rough, bool uneven, const Run& run) {
  const auto with_bed = [&]<bool moving, bool rubbing>() {
    uneven ? run.template operator()<moving, rubbing, true>() : run.template operator()<moving, rubbing, false>();
  };
  if (open)
    rough ? with_bed.template operator()<true, true>() : with_bed.template operator()<true, false>();
  else
    rough ? with_bed.template operator()<false, true>() : with_bed.template operator()<false, false>();
}

}  // namespace davit::cable
