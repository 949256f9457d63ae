// A leg: the straight piece of rope between two waypoints, each a point or a sheave that the rope leaves along a
// tangent. Its measure Λ = length + R_a α_a - R_b α_b has, beside the straight length, the arcs that belong to it: the
// angles at which the rope leaves a and arrives at b, about their axes from a direction fixed in the sheave's body. The
// sum of all measures is then the length of the rope but for whole turns, and what one unit of tension does to the two
// bodies is minus the gradient of Λ.
//
// The groove of a sheave holds the rope in its plane, so its projection on that plane is tangent, whatever angle the
// rope makes with it (fleet angle): with d from touch point to touch point and ρ(α) the radial direction,
//   c_a = d·ρ_a(α_a) = 0,  c_b = d·ρ_b(α_b) = 0.
// Out of plane ∂Λ/∂α = ±R (1 - cos fleet) is not zero, and the flanks carry what that asks for: with the multipliers
// μ = (∂c/∂α)⁻ᵀ ∂Λ/∂α the gradient by the poses is that of Λ - μ·c at fixed angles.
#pragma once

#include <algorithm>
#include <bit>

#include "davit/math/taylor.hpp"
#include "davit/math/types.hpp"

namespace davit::rope {

// A waypoint as a leg sees it, in world axes.
template <class S>
struct LegEndT {
  Vec3T<S> at = Vec3T<S>::Zero();         // the point, or the centre of the sheave
  double radius = 0;                      // 0: a point
  Vec3T<S> axis = Vec3T<S>::Zero();       // the rope goes counter-clockwise about it
  Vec3T<S> reference = Vec3T<S>::Zero();  // across the axis; angles begin here
};

template <class S>
struct LegT {
  S length = S(0);
  S measure = S(0);
  Vec3T<S> from, to;  // where it touches its ends
  S angle_from = S(0), angle_to = S(0);
  // Of unit tension on the bodies of both ends: a force at the touch point (`from`, `to`) and a moment beside it.
  Vec3T<S> pull_from, pull_to;
  Vec3T<S> moment_from = Vec3T<S>::Zero(), moment_to = Vec3T<S>::Zero();
  bool tangent = true;  // false: a sheave is too near for any tangent
};

// Between two points: √(d² + ε²) with ε = 1e-9 m, so that the length is smooth also where two nodes meet.
template <class S>
LegT<S> point_leg(const LegEndT<S>& a, const LegEndT<S>& b) {
  LegT<S> leg;
  const Vec3T<S> d = b.at - a.at;
  using std::sqrt;
  leg.length = sqrt(S(d.squaredNorm() + S(1e-18)));
  leg.measure = leg.length;
  leg.from = a.at;
  leg.to = b.at;
  leg.pull_from = d / leg.length;
  leg.pull_to = -leg.pull_from;
  return leg;
}

// Nothing between two waypoints.
template <class S>
LegT<S> no_leg(const LegEndT<S>& a, const LegEndT<S>& b) {
  LegT<S> leg;
  leg.from = a.at;
  leg.to = b.at;
  leg.pull_from = leg.pull_to = Vec3T<S>::Zero();
  return leg;
}

// A sheave with its angle: where it is touched, and the radial and tangential directions there. Of a point they are
// zero.
template <class S>
struct TouchT {
  Vec3T<S> at, radial, tangential;
  TouchT(const LegEndT<S>& end, const S& angle) {
    const Vec3T<S> across = end.axis.cross(end.reference);
    S c, s;
    sine_and_cosine(angle, s, c);
    radial = end.reference * c + across * s;
    tangential = across * c - end.reference * s;
    at = end.at + radial * S(end.radius);
  }
};

struct LegAngles {
  double a = 0, b = 0;
  bool tangent = true;
};

// The angle of the tangent from a point: `side` -1 where the rope leaves the sheave towards it, +1 where it comes from
// it. False if the point is inside the circle.
inline bool tangent_angle(const LegEndT<double>& sheave, const Vec3& point, double side, double& angle) {
  const Vec3 p = point - sheave.at;
  const double x = p.dot(sheave.reference), y = p.dot(sheave.axis.cross(sheave.reference)),
               distance = std::sqrt(x * x + y * y);
  if (distance > 0) angle = std::atan2(y, x) + side * std::acos(std::min(1.0, sheave.radius / distance));
  return distance >= sheave.radius;
}

// ∂c/∂α, with ones for ends that are points.
template <class S>
struct TangencyT {
  S aa, ab, ba, bb;
  TangencyT(const LegEndT<S>& a, const LegEndT<S>& b, const TouchT<S>& ta, const TouchT<S>& tb, const Vec3T<S>& d)
      : aa(a.radius > 0 ? d.dot(ta.tangential) : S(1)),
        ab(S(b.radius) * tb.tangential.dot(ta.radial)),
        ba(-S(a.radius) * ta.tangential.dot(tb.radial)),
        bb(b.radius > 0 ? d.dot(tb.tangential) : S(1)) {}
  S determinant() const { return aa * bb - ab * ba; }
};

// The common tangent of two sheaves with parallel axes, in the plane of each: ρ_b = ±ρ_a, so that
// (c_b - c_a)·ρ_a = R_a ∓ R_b. A good guess for others. False if there is none.
inline bool parallel_angles(const LegEndT<double>& a, const LegEndT<double>& b, LegAngles& angles) {
  const double sense = a.axis.dot(b.axis);
  const Vec3 between = b.at - a.at;
  const auto angle = [&](const LegEndT<double>& end, const Vec3& to, double other, double side, double& out) {
    const double x = to.dot(end.reference), y = to.dot(end.axis.cross(end.reference));
    const double square = x * x + y * y, offset = end.radius - sense * other;
    if (!(square > offset * offset)) return false;
    out = std::atan2(y, x) + side * std::acos(offset / std::sqrt(square));
    return true;
  };
  return angle(a, between, b.radius, -1, angles.a) && angle(b, -between, a.radius, +1, angles.b);
}

// The leaving angles in plain numbers: from each end in turn the tangent through the other's touch point, which is the
// answer where one is a point; of two sheaves by Newton's method.
inline LegAngles leg_angles(const LegEndT<double>& a, const LegEndT<double>& b) {
  LegAngles angles;
  const auto turn = [&] {
    angles.tangent = true;
    if (a.radius > 0) angles.tangent &= tangent_angle(a, TouchT<double>(b, angles.b).at, -1, angles.a);
    if (b.radius > 0) angles.tangent &= tangent_angle(b, TouchT<double>(a, angles.a).at, +1, angles.b);
  };
  if (a.radius == 0 || b.radius == 0) {
    turn();
    return angles;
  }
  if (!parallel_angles(a, b, angles)) {
    tangent_angle(b, a.at, +1, angles.b);
    turn();
    turn();
  }
  for (int i = 0; i < 20; ++i) {
    const TouchT<double> ta(a, angles.a), tb(b, angles.b);
    const Vec3 d = tb.at - ta.at;
    const TangencyT<double> J(a, b, ta, tb, d);
    const double ca = d.dot(ta.radial), cb = d.dot(tb.radial), determinant = J.determinant();
    if (!(J.aa > 0 && J.bb > 0 && determinant > 0)) {
      turn();
      continue;
    }
    const double da = (J.bb * ca - J.ab * cb) / determinant, db = (J.aa * cb - J.ba * ca) / determinant;
    angles.a -= da;
    angles.b -= db;
    if (std::abs(da) + std::abs(db) < 1e-15) break;
  }
  const TouchT<double> ta(a, angles.a), tb(b, angles.b);
  const Vec3 d = tb.at - ta.at;
  const double small = 1e-9 * (a.radius + b.radius + d.norm());
  angles.tangent = std::abs(d.dot(ta.radial)) < small && std::abs(d.dot(tb.radial)) < small &&
                   d.dot(ta.tangential) > 0 && d.dot(tb.tangential) > 0;
  return angles;
}

template <class S>
LegEndT<double> plain(const LegEndT<S>& end) {
  const auto value = [](const Vec3T<S>& v) { return Vec3(value_of(v[0]), value_of(v[1]), value_of(v[2])); };
  return {value(end.at), end.radius, value(end.axis), value(end.reference)};
}

// Steps of Newton's method, each of which doubles the number of right coefficients, from plain numbers to a scalar.
template <class S>
inline constexpr int steps_from_plain = 0;
template <int N>
inline constexpr int steps_from_plain<Dual<N>> = 1;
template <int N>
inline constexpr int steps_from_plain<Taylor<N>> = std::bit_width(static_cast<unsigned>(N - 1));

// Between two waypoints of which one at least is a sheave, whose angles are known in plain numbers.
template <class S>
LegT<S> leg_at(const LegEndT<S>& a, const LegEndT<S>& b, const LegAngles& angles) {
  LegT<S> leg;
  leg.tangent = angles.tangent;
  leg.angle_from = S(angles.a);
  leg.angle_to = S(angles.b);
  // The angles solve the equations in plain numbers; further steps of Newton's method give them their derivatives.
  for (int step = 0; step < steps_from_plain<S>; ++step) {
    const TouchT<S> ta(a, leg.angle_from), tb(b, leg.angle_to);
    const Vec3T<S> d = tb.at - ta.at;
    const TangencyT<S> J(a, b, ta, tb, d);
    const S ca = d.dot(ta.radial), cb = d.dot(tb.radial), determinant = J.determinant();
    leg.angle_from -= (J.bb * ca - J.ab * cb) / determinant;
    leg.angle_to -= (J.aa * cb - J.ba * ca) / determinant;
  }
  const TouchT<S> ta(a, leg.angle_from), tb(b, leg.angle_to);
  const Vec3T<S> d = tb.at - ta.at;
  using std::sqrt;
  leg.from = ta.at;
  leg.to = tb.at;
  leg.length = sqrt(S(d.squaredNorm()));
  leg.measure = leg.length + S(a.radius) * leg.angle_from - S(b.radius) * leg.angle_to;
  const Vec3T<S> direction = d / leg.length;
  const TangencyT<S> J(a, b, ta, tb, d);
  const S slope_a = S(a.radius) * (S(1) - direction.dot(ta.tangential));
  const S slope_b = S(b.radius) * (direction.dot(tb.tangential) - S(1));
  const S determinant = J.determinant();
  const S mu_a = (J.bb * slope_a - J.ba * slope_b) / determinant,
          mu_b = (J.aa * slope_b - J.ab * slope_a) / determinant;
  leg.pull_from = direction - mu_a * ta.radial - mu_b * tb.radial;
  leg.pull_to = -leg.pull_from;
  leg.moment_from = mu_a * ta.radial.cross(d);
  leg.moment_to = mu_b * tb.radial.cross(d);
  return leg;
}

// Between any two waypoints.
template <class S>
LegT<S> leg(const LegEndT<S>& a, const LegEndT<S>& b) {
  if (a.radius == 0 && b.radius == 0) return point_leg(a, b);
  return leg_at(a, b, leg_angles(plain(a), plain(b)));
}

}  // namespace davit::rope
