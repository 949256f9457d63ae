// Poses: a rotation and a translation, T = [R p; 0 1] of Cibicik & Egeland (1); exponential and logarithm of SE(3).
#pragma once

#include "davit/math/rotation.hpp"
#include "davit/math/screw.hpp"

namespace davit {

template <class S>
struct PoseT {
  Mat3T<S> R = Mat3T<S>::Identity();
  Vec3T<S> p = Vec3T<S>::Zero();

  Vec3T<S> operator*(const Vec3T<S>& point) const { return R * point + p; }
  PoseT operator*(const PoseT& b) const { return {R * b.R, R * b.p + p}; }
  PoseT inverse() const { return {R.transpose(), -(R.transpose() * p)}; }

  // The screw transformation (6): a twist or wrench of frame b, referenced to b, seen from frame a.
  TwistT<S> operator*(const TwistT<S>& t) const { return rotated(R, t).about(-p); }
  WrenchT<S> operator*(const WrenchT<S>& w) const { return rotated(R, w).about(-p); }
};
using Pose = PoseT<double>;

// T = exp(t̂): the pose reached in unit time along a constant body twist.
template <class S>
PoseT<S> exp_pose(const TwistT<S>& t) {
  const S x = t.w.squaredNorm();
  const Vec3T<S> c = t.w.cross(t.v);
  return {exp_rotation(t.w), t.v + so3::versine(x) * c + so3::sine_gap(x) * t.w.cross(c)};
}
template <class S>
TwistT<S> log_pose(const PoseT<S>& T) {
  const Vec3T<S> w = log_rotation(T.R);
  const Vec3T<S> c = w.cross(T.p);
  return {w, T.p - S(0.5) * c + so3::cotangent_gap(S(w.squaredNorm())) * w.cross(c)};
}

}  // namespace davit
