// Rotations: matrices, unit quaternions, the exponential and logarithm of SO(3) with the derivative of the exponential,
// and roll-pitch-yaw angles. All series are in θ², so values and derivatives are exact at θ = 0 too.
// Quaternions are stored (w, x, y, z); R = R_parent_child, i.e. it takes child coordinates to parent coordinates.
#pragma once

#include "davit/math/types.hpp"

namespace davit {

namespace so3 {
// Σ (-x)^k / (2k + first)!  with `first` = 0..3: cos θ, sin θ/θ, (1 - cos θ)/θ², (θ - sin θ)/θ³ at x = θ².
// Below the limit the series is exact to round-off; above it the closed forms lose no more than two digits.
inline constexpr double series_limit = 0.5;
template <class S>
S series(const S& x, int first) {
  double factorial = 1;
  for (int k = 2; k <= 16 + first; ++k) factorial *= k;
  S sum(1 / factorial);
  for (int k = 7; k >= 0; --k) {
    factorial /= double(2 * k + 2 + first) * (2 * k + 1 + first);
    sum = S(1 / factorial) - x * sum;
  }
  return sum;
}
template <class S>
S cos_of(const S& x) {
  using std::cos, std::sqrt;
  return value_of(x) < series_limit ? series(x, 0) : S(cos(sqrt(x)));
}
template <class S>
S sinc(const S& x) {
  using std::sin, std::sqrt;
  if (value_of(x) < series_limit) return series(x, 1);
  const S angle = sqrt(x);
  return sin(angle) / angle;
}
template <class S>
S versine(const S& x) {
  using std::cos, std::sqrt;
  return value_of(x) < series_limit ? series(x, 2) : S((S(1) - cos(sqrt(x))) / x);
}
template <class S>
S sine_gap(const S& x) {
  using std::sin, std::sqrt;
  if (value_of(x) < series_limit) return series(x, 3);
  const S angle = sqrt(x);
  return (angle - sin(angle)) / (x * angle);
}
// (1 - (θ/2) cot(θ/2)) / θ², the coefficient of ŵ² in the inverse derivative of the exponential.
template <class S>
S cotangent_gap(const S& x) {
  if (value_of(x) < 0.1) {
    const double c[] = {
        1.0 / 12, 1.0 / 720, 1.0 / 30240, 1.0 / 1209600, 1.0 / 47900160, 691.0 / 1307674368000.0, 1.0 / 74724249600.0};
    S sum(c[6]);
    for (int k = 5; k >= 0; --k) sum = S(c[k]) + x * sum;
    return sum;
  }
  return (S(1) - sinc(x) / (S(2) * versine(x))) / x;
}
}  // namespace so3

// R = exp(ŵ)
template <class S>
Mat3T<S> exp_rotation(const Vec3T<S>& w) {
  const S x = w.squaredNorm();
  const Mat3T<S> W = skew(w);
  return Mat3T<S>::Identity() + so3::sinc(x) * W + so3::versine(x) * (W * W);
}

// The right derivative of the exponential: with R(t) = R₀ exp(θ̂(t)) and body angular velocity ω, ω = J(θ) θ̇.
template <class S>
Mat3T<S> exp_derivative(const Vec3T<S>& theta) {
  const S x = theta.squaredNorm();
  const Mat3T<S> W = skew(theta);
  return Mat3T<S>::Identity() - so3::versine(x) * W + so3::sine_gap(x) * (W * W);
}
// θ̇ = J(θ)⁻¹ ω
template <class S>
Vec3T<S> exp_derivative_solve(const Vec3T<S>& theta, const Vec3T<S>& omega) {
  const Vec3T<S> c = theta.cross(omega);
  return omega + S(0.5) * c + so3::cotangent_gap(S(theta.squaredNorm())) * theta.cross(c);
}

template <class S>
struct QuaternionT {
  S w = S(1);
  Vec3T<S> v = Vec3T<S>::Zero();

  Mat3T<S> matrix() const {
    const Vec3T<S> t = S(2) * v;
    const S xx = t.x() * v.x(), yy = t.y() * v.y(), zz = t.z() * v.z();
    const S xy = t.x() * v.y(), xz = t.x() * v.z(), yz = t.y() * v.z();
    const S wx = t.x() * w, wy = t.y() * w, wz = t.z() * w;
    Mat3T<S> R;
    R << S(1) - yy - zz, xy - wz, xz + wy, xy + wz, S(1) - xx - zz, yz - wx, xz - wy, yz + wx, S(1) - xx - yy;
    return R;
  }
  friend QuaternionT operator*(const QuaternionT& a, const QuaternionT& b) {
    return {a.w * b.w - a.v.dot(b.v), a.w * b.v + b.w * a.v + a.v.cross(b.v)};
  }
  QuaternionT conjugate() const { return {w, -v}; }
  QuaternionT normalized() const {
    using std::sqrt;
    const S scale = S(1) / sqrt(S(w * w + v.squaredNorm()));
    return {scale * w, scale * v};
  }
};
using Quaternion = QuaternionT<double>;

template <class S>
QuaternionT<S> exp_quaternion(const Vec3T<S>& w) {
  const S quarter = S(0.25) * w.squaredNorm();
  return {so3::cos_of(quarter), S(0.5) * so3::sinc(quarter) * w};
}

// The rotation vector of a unit quaternion, of length at most π.
template <class S>
Vec3T<S> log_quaternion(const QuaternionT<S>& q) {
  using std::atan2, std::sqrt;
  const double sign = value_of(q.w) < 0 ? -1 : 1;
  const S sine2 = q.v.squaredNorm(), cosine = S(sign) * q.w;
  if (value_of(sine2) < 1e-8) {
    // θ/sin(θ/2) = 2 (1 + s²/6 + 3 s⁴/40 + …) with s = sin(θ/2)
    return S(2 * sign) * (S(1) + sine2 * (S(1.0 / 6) + sine2 * S(3.0 / 40))) * q.v;
  }
  const S sine = sqrt(sine2);
  return S(2 * sign) * (atan2(sine, cosine) / sine) * q.v;
}

// The quaternion of a rotation matrix, from its largest component (Shepperd), so that nothing cancels.
template <class S>
QuaternionT<S> quaternion_of(const Mat3T<S>& R) {
  using std::sqrt;
  const S squares[4] = {S(1) + R(0, 0) + R(1, 1) + R(2, 2), S(1) + R(0, 0) - R(1, 1) - R(2, 2),
                        S(1) - R(0, 0) + R(1, 1) - R(2, 2), S(1) - R(0, 0) - R(1, 1) + R(2, 2)};
  int largest = 0;
  for (int i = 1; i < 4; ++i)
    if (squares[i] > squares[largest]) largest = i;
  const S twice = sqrt(squares[largest]), f = S(0.5) / twice, half = S(0.5) * twice;
  const S x = R(2, 1) - R(1, 2), y = R(0, 2) - R(2, 0), z = R(1, 0) - R(0, 1);
  const S xy = R(0, 1) + R(1, 0), xz = R(0, 2) + R(2, 0), yz = R(1, 2) + R(2, 1);
  switch (largest) {
    case 0:
      return {half, {f * x, f * y, f * z}};
    case 1:
      return {f * x, {half, f * xy, f * xz}};
    case 2:
      return {f * y, {f * xy, half, f * yz}};
    default:
      return {f * z, {f * xz, f * yz, half}};
  }
}

template <class S>
Vec3T<S> log_rotation(const Mat3T<S>& R) {
  return log_quaternion(quaternion_of(R));
}

// Rotation about a coordinate axis (0 = x, 1 = y, 2 = z).
template <class S>
Mat3T<S> axis_rotation(int axis, const S& angle) {
  using std::cos, std::sin;
  const S c = cos(angle), s = sin(angle);
  const int j = (axis + 1) % 3, k = (axis + 2) % 3;
  Mat3T<S> R = Mat3T<S>::Identity();
  R(j, j) = c, R(k, k) = c, R(j, k) = -s, R(k, j) = s;
  return R;
}

// R = Rz(yaw) Ry(pitch) Rx(roll), Cibicik & Egeland (53).
template <class S>
Mat3T<S> rotation_of_rpy(const Vec3T<S>& rpy) {
  return axis_rotation(2, rpy.z()) * axis_rotation(1, rpy.y()) * axis_rotation(0, rpy.x());
}
// Roll, pitch and yaw of R; pitch is in [-π/2, π/2], and at its ends roll is set to zero.
template <class S>
Vec3T<S> rpy_of_rotation(const Mat3T<S>& R) {
  using std::atan2, std::sqrt;
  const S cos_pitch = sqrt(S(R(2, 1) * R(2, 1) + R(2, 2) * R(2, 2)));
  const S pitch = atan2(S(-R(2, 0)), cos_pitch);
  if (value_of(cos_pitch) < 1e-12) return {S(0), pitch, S(atan2(S(-R(0, 1)), R(1, 1)))};
  return {S(atan2(R(2, 1), R(2, 2))), pitch, S(atan2(R(1, 0), R(0, 0)))};
}

// A rotation that takes the z axis to the given direction; for z itself it is the identity.
inline Mat3 rotation_from_z(const Vec3& direction) {
  const Vec3 z = direction.normalized();
  const Vec3 axis(-z.y(), z.x(), 0);  // z₀ × z
  const double sine2 = axis.squaredNorm();
  // 1 + cos of the turn, without cancellation near half a turn; only -z itself has no shortest turn: half a turn about
  // x.
  const double versine = z.z() < 0 ? sine2 / (1 - z.z()) : 1 + z.z();
  if (!(versine > 0)) return Vec3(1, -1, -1).asDiagonal();
  const Mat3 W = skew(axis);
  return Mat3::Identity() + W + W * W / versine;
}

}  // namespace davit
