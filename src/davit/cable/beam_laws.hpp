// How a beam resists stretching and bending at a point: energy per metre of unstretched length, its gradient by r' and
// r'' with the damping of the material, and the derivatives of that, for four elements at a time.
#pragma once

#include <optional>

#include "davit/cable/beam.hpp"
#include "davit/cable/element_kernel.hpp"

namespace davit::cable {

inline const Pack& component(const Pack3& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

struct BeamStress {
  Pack3 slope, bend;               // conjugate to r' and r''
  PackSym slope_slope, bend_bend;  // their derivatives
  Pack bend_slope[9];              // ∂bend/∂r', by rows
};

// What a Maxwell branch pulls: base + slope ε.
struct BranchPull {
  const Pack *base, *slope;
};

// T t by engineering strain, N r' by that of Green and Lagrange; a branch where there is one.
inline void add_stretching(const ElementPack& e, Strain strain, double rate, const Pack3& r1, const Pack3& v1,
                           const Pack& squared, const std::optional<BranchPull>& branch, BeamStress& out) {
  const bool green = strain == Strain::green;
  const Pack stretch = squared.sqrt();
  const Pack3 along = green ? r1 : stretch.inverse() * r1;
  const Pack strained = green ? Pack(0.5 * (squared - 1)) : Pack(stretch - 1);
  Pack elastic = e.EA * strained + e.EA_tau * dot(along, v1), stiff = e.EA + rate * e.EA_tau;
  if (branch) elastic += *branch->base + *branch->slope * strained, stiff += *branch->slope;
  const TautPull taut(elastic, e.onset);
  const Pack share = e.slack + (1 - e.slack) * taut.share, pull = e.slack * elastic + (1 - e.slack) * taut.tension;
  const Pack across = green ? pull : Pack(pull / stretch), slope = share * stiff;
  out.slope = pull * along;
  out.slope_slope = PackSym::identity_times(across);
  out.slope_slope.add(green ? slope : Pack(slope - across), along);
}

// With a = r'·r', b = r'·r'', c = r''·r'':  W = ½ EI κ² = ½ EI (c/a − b²/a²). Damping goes by the rate of the scalar κ,
// which no rigid motion changes:  τ EI κ̇ ∂κ = τ Ẇ/(EI κ²) ∂W; it fades where the line is as good as straight.
inline void add_bending(const ElementPack& e, double rate, const Pack3& r1, const Pack3& r2, const Pack3& v1,
                        const Pack3& v2, const Pack& a, BeamStress& out) {
  const Pack per = a.inverse(), b = dot(r1, r2) * per, c = dot(r2, r2) * per;  // of a
  const Pack stiff = e.EI * per, square = (c - b * b).max(0.0);                // κ²
  const Pack3 bend = stiff * (r2 - b * r1);
  const Pack3 slope = stiff * ((2 * b * b - c) * r1 - b * r2);
  const Pack viscous = e.EI_tau / (e.EI * e.EI * (square + e.straight_squared)).max(1e-300);
  const Pack force = viscous * (dot(slope, v1) + dot(bend, v2)), more = rate * viscous;
  out.bend = (1 + force) * bend;
  out.slope = out.slope + (1 + force) * slope;

  out.bend_bend = PackSym::identity_times(stiff);
  out.bend_bend.add(Pack(-stiff * per), r1);
  out.bend_bend.add(more, bend);
  const Pack mixed = 4 * b * stiff * per;
  PackSym& k = out.slope_slope;
  const Pack round = stiff * (2 * b * b - c);
  k.s[XX] += round, k.s[YY] += round, k.s[ZZ] += round;
  k.add(Pack(-stiff * per), r2);
  k.add(Pack(stiff * per * (4 * c - 12 * b * b)), r1);
  // r''r'ᵀ + r'r''ᵀ as (r' + r'')² − r'² − r''²
  k.add(mixed, r1 + r2);
  k.add(Pack(-mixed), r1);
  k.add(Pack(-mixed), r2);
  k.add(more, slope);
  const Pack s = stiff * per;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      Pack& x = out.bend_slope[3 * i + j];
      x = component(r1, j) * (4 * b * s * component(r1, i) - 2 * s * component(r2, i)) -
          s * component(r1, i) * component(r2, j) + more * component(bend, i) * component(slope, j);
      if (i == j) x -= b * stiff;
    }
}

}  // namespace davit::cable
