// Screws: twists (ω; v), wrenches (moment; force) and Plücker lines, all with an explicit reference point, and their
// transformations (Cibicik & Egeland (6)-(28), Tysse & Egeland (18)-(24)). Notation: math/notation.md.
#pragma once

#include "davit/math/types.hpp"

namespace davit {

template <class S>
struct TwistT {
  Vec3T<S> w = Vec3T<S>::Zero();  // angular velocity
  Vec3T<S> v = Vec3T<S>::Zero();  // velocity of the body point at the reference point

  // The same twist referenced to a point displaced by r.
  TwistT about(const Vec3T<S>& r) const { return {w, v + w.cross(r)}; }
  Vec6T<S> vector() const { return (Vec6T<S>() << w, v).finished(); }
  static TwistT of(const Vec6T<S>& x) { return {x.template head<3>(), x.template tail<3>()}; }
  friend TwistT operator+(const TwistT& a, const TwistT& b) { return {a.w + b.w, a.v + b.v}; }
  friend TwistT operator-(const TwistT& a, const TwistT& b) { return {a.w - b.w, a.v - b.v}; }
  friend TwistT operator*(const S& s, const TwistT& a) { return {s * a.w, s * a.v}; }
};

template <class S>
struct WrenchT {
  Vec3T<S> n = Vec3T<S>::Zero();  // moment about the reference point
  Vec3T<S> f = Vec3T<S>::Zero();  // force

  // The same wrench referenced to a point displaced by r.
  WrenchT about(const Vec3T<S>& r) const { return {n - r.cross(f), f}; }
  Vec6T<S> vector() const { return (Vec6T<S>() << n, f).finished(); }
  static WrenchT of(const Vec6T<S>& x) { return {x.template head<3>(), x.template tail<3>()}; }
  WrenchT& operator+=(const WrenchT& b) {
    n += b.n, f += b.f;
    return *this;
  }
  friend WrenchT operator+(const WrenchT& a, const WrenchT& b) { return {a.n + b.n, a.f + b.f}; }
  friend WrenchT operator-(const WrenchT& a, const WrenchT& b) { return {a.n - b.n, a.f - b.f}; }
  friend WrenchT operator*(const S& s, const WrenchT& a) { return {s * a.n, s * a.f}; }
  template <class A>
  void archive(A& a) {
    a(n, f);
  }
};

using Twist = TwistT<double>;
using Wrench = WrenchT<double>;

// Coordinates change, the reference point stays: the screw rotation (22).
template <class S>
TwistT<S> rotated(const Mat3T<S>& R, const TwistT<S>& t) {
  return {R * t.w, R * t.v};
}
template <class S>
WrenchT<S> rotated(const Mat3T<S>& R, const WrenchT<S>& w) {
  return {R * w.n, R * w.f};
}

// Power of a wrench on a twist, both about the same point in the same axes: the reciprocal product.
template <class S>
S power(const WrenchT<S>& w, const TwistT<S>& t) {
  return w.n.dot(t.w) + w.f.dot(t.v);
}

// Lie bracket of two twists, and its dual: the rate of a wrench carried along by a twist.
template <class S>
TwistT<S> cross(const TwistT<S>& a, const TwistT<S>& b) {
  return {a.w.cross(b.w), a.w.cross(b.v) + a.v.cross(b.w)};
}
template <class S>
WrenchT<S> cross(const TwistT<S>& a, const WrenchT<S>& b) {
  return {a.w.cross(b.n) + a.v.cross(b.f), a.w.cross(b.f)};
}

// A line by its Plücker coordinates: unit direction a and moment p × a about the reference point.
template <class S>
struct LineT {
  Vec3T<S> direction = Vec3T<S>::UnitZ();
  Vec3T<S> moment = Vec3T<S>::Zero();

  static LineT through(const Vec3T<S>& point, const Vec3T<S>& direction) {
    const Vec3T<S> a = direction.normalized();
    return {a, point.cross(a)};
  }
  Vec3T<S> nearest_point() const { return direction.cross(moment); }
  // The line referenced to a point displaced by r.
  LineT about(const Vec3T<S>& r) const { return {direction, moment - r.cross(direction)}; }
  // The twist of unit rate about the line with advance `pitch` per radian, and the wrench of unit force along it.
  TwistT<S> twist(const S& pitch = S(0)) const { return {direction, moment + pitch * direction}; }
  WrenchT<S> wrench(const S& pitch = S(0)) const { return {moment + pitch * direction, direction}; }
};
using Line = LineT<double>;

// Zero exactly when two lines meet or are parallel in one plane; its size is distance × sine of the angle between them.
template <class S>
S mutual_moment(const LineT<S>& a, const LineT<S>& b) {
  return a.direction.dot(b.moment) + b.direction.dot(a.moment);
}

}  // namespace davit
