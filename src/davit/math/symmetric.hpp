// Symmetric 3x3 matrices by their six numbers. Inertia spends most of its time in these few products.
#pragma once

#include "davit/math/types.hpp"

namespace davit {

template <class S>
struct Sym3T {
  S xx = S(0), xy = S(0), xz = S(0), yy = S(0), yz = S(0), zz = S(0);

  static Sym3T diagonal(const S& x, const S& y, const S& z) { return {x, S(0), S(0), y, S(0), z}; }
  static Sym3T scaled_identity(const S& s) { return diagonal(s, s, s); }
  // The symmetric part of a full matrix.
  static Sym3T of(const Mat3T<S>& m) {
    const S half(0.5);
    return {m(0, 0), half * (m(0, 1) + m(1, 0)), half * (m(0, 2) + m(2, 0)),
            m(1, 1), half * (m(1, 2) + m(2, 1)), m(2, 2)};
  }

  Mat3T<S> matrix() const {
    Mat3T<S> m;
    m << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    return m;
  }
  template <class T>
  Sym3T<T> cast() const {
    return {T(xx), T(xy), T(xz), T(yy), T(yz), T(zz)};
  }

  Vec3T<S> operator*(const Vec3T<S>& a) const {
    return {xx * a.x() + xy * a.y() + xz * a.z(), xy * a.x() + yy * a.y() + yz * a.z(),
            xz * a.x() + yz * a.y() + zz * a.z()};
  }
  Sym3T& operator+=(const Sym3T& b) {
    xx += b.xx, xy += b.xy, xz += b.xz, yy += b.yy, yz += b.yz, zz += b.zz;
    return *this;
  }
  Sym3T& operator-=(const Sym3T& b) {
    xx -= b.xx, xy -= b.xy, xz -= b.xz, yy -= b.yy, yz -= b.yz, zz -= b.zz;
    return *this;
  }
  friend Sym3T operator+(Sym3T a, const Sym3T& b) { return a += b; }
  friend Sym3T operator-(Sym3T a, const Sym3T& b) { return a -= b; }
  friend Sym3T operator*(const S& s, const Sym3T& a) {
    return {s * a.xx, s * a.xy, s * a.xz, s * a.yy, s * a.yz, s * a.zz};
  }

  // this - a bᵀ, where a bᵀ is known to be symmetric.
  void subtract_outer(const Vec3T<S>& a, const Vec3T<S>& b) {
    xx -= a.x() * b.x(), xy -= a.x() * b.y(), xz -= a.x() * b.z();
    yy -= a.y() * b.y(), yz -= a.y() * b.z(), zz -= a.z() * b.z();
  }
};
using Sym3 = Sym3T<double>;

// R A Rᵀ
template <class S>
Sym3T<S> congruence(const Mat3T<S>& R, const Sym3T<S>& A) {
  // B = R A, row by row, then only the six products of B Rᵀ that are needed.
  const Vec3T<S> b0 = A * Vec3T<S>(R.row(0).transpose());
  const Vec3T<S> b1 = A * Vec3T<S>(R.row(1).transpose());
  const Vec3T<S> b2 = A * Vec3T<S>(R.row(2).transpose());
  const auto times_row = [&](const Vec3T<S>& b, int k) -> S {
    return b.x() * R(k, 0) + b.y() * R(k, 1) + b.z() * R(k, 2);
  };
  return {times_row(b0, 0), times_row(b0, 1), times_row(b0, 2), times_row(b1, 1), times_row(b1, 2), times_row(b2, 2)};
}

// A⁻¹ of a positive definite matrix, by cofactors.
template <class S>
Sym3T<S> inverse(const Sym3T<S>& a) {
  const S cxx = a.yy * a.zz - a.yz * a.yz, cxy = a.xz * a.yz - a.xy * a.zz, cxz = a.xy * a.yz - a.xz * a.yy;
  const S scale = S(1) / (a.xx * cxx + a.xy * cxy + a.xz * cxz);
  return {scale * cxx,
          scale * cxy,
          scale * cxz,
          scale * (a.xx * a.zz - a.xz * a.xz),
          scale * (a.xy * a.xz - a.xx * a.yz),
          scale * (a.xx * a.yy - a.xy * a.xy)};
}

}  // namespace davit
