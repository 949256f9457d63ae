// Spatial inertia: the symmetric 6x6 matrix [J H; Hᵀ M] that takes a twist to a momentum (n = Jω + Hv, f = Hᵀω + Mv)
// about one point. A rigid body has H = m ĉ and M = m 1, Tysse & Egeland (10) with angular rows first; added mass and
// articulated bodies need the full matrix. Weight is not inertia: gravity is a force.
#pragma once

#include <string>

#include "davit/math/screw.hpp"
#include "davit/math/symmetric.hpp"

namespace davit {

template <class S>
struct SpatialInertiaT {
  Sym3T<S> J;
  Mat3T<S> H = Mat3T<S>::Zero();
  Sym3T<S> M;

  // A rigid body: mass, centre of mass, and inertia about the centre of mass.
  static SpatialInertiaT rigid(const S& mass, const Vec3T<S>& centre, const Sym3T<S>& about_centre) {
    const Vec3T<S> mc = mass * centre;
    Sym3T<S> J = about_centre + Sym3T<S>::scaled_identity(mc.dot(centre));
    J.subtract_outer(mc, centre);
    return {J, skew(mc), Sym3T<S>::scaled_identity(mass)};
  }

  WrenchT<S> operator*(const TwistT<S>& t) const { return {J * t.w + H * t.v, H.transpose() * t.w + M * t.v}; }
  SpatialInertiaT& operator+=(const SpatialInertiaT& b) {
    J += b.J, H += b.H, M += b.M;
    return *this;
  }
  friend SpatialInertiaT operator+(SpatialInertiaT a, const SpatialInertiaT& b) { return a += b; }

  // Referenced to a point displaced by r.
  SpatialInertiaT about(const Vec3T<S>& r) const {
    SpatialInertiaT out;
    out.M = M;
    // r̂ M, column by column; H' = H - r̂ M
    const Vec3T<S> m0(M.xx, M.xy, M.xz), m1(M.xy, M.yy, M.yz), m2(M.xz, M.yz, M.zz);
    out.H.col(0) = H.col(0) - r.cross(m0);
    out.H.col(1) = H.col(1) - r.cross(m1);
    out.H.col(2) = H.col(2) - r.cross(m2);
    // J' = J + H r̂ - r̂ H'ᵀ, where (H r̂)_ij = (h_i × r)_j and (r̂ H'ᵀ)_ij = (r × k_j)_i with rows h of H and k of H'
    const auto row = [](const Mat3T<S>& m, int i) { return Vec3T<S>(m(i, 0), m(i, 1), m(i, 2)); };
    const Vec3T<S> h0 = row(H, 0), h1 = row(H, 1), h2 = row(H, 2);
    const Vec3T<S> k0 = row(out.H, 0), k1 = row(out.H, 1), k2 = row(out.H, 2);
    out.J.xx = J.xx + (h0.y() * r.z() - h0.z() * r.y()) - (r.y() * k0.z() - r.z() * k0.y());
    out.J.xy = J.xy + (h0.z() * r.x() - h0.x() * r.z()) - (r.y() * k1.z() - r.z() * k1.y());
    out.J.xz = J.xz + (h0.x() * r.y() - h0.y() * r.x()) - (r.y() * k2.z() - r.z() * k2.y());
    out.J.yy = J.yy + (h1.z() * r.x() - h1.x() * r.z()) - (r.z() * k1.x() - r.x() * k1.z());
    out.J.yz = J.yz + (h1.x() * r.y() - h1.y() * r.x()) - (r.z() * k2.x() - r.x() * k2.z());
    out.J.zz = J.zz + (h2.x() * r.y() - h2.y() * r.x()) - (r.x() * k2.y() - r.y() * k2.x());
    return out;
  }

  // In other axes, about the same point.
  SpatialInertiaT rotated(const Mat3T<S>& R) const {
    return {congruence(R, J), R * H * R.transpose(), congruence(R, M)};
  }

  Mat6T<S> matrix() const {
    Mat6T<S> m;
    m << J.matrix(), H, H.transpose(), M.matrix();
    return m;
  }
  static SpatialInertiaT of(const Mat6T<S>& m) {
    return {Sym3T<S>::of(m.template topLeftCorner<3, 3>()), m.template topRightCorner<3, 3>(),
            Sym3T<S>::of(m.template bottomRightCorner<3, 3>())};
  }
};
using SpatialInertia = SpatialInertiaT<double>;

// What is wrong with an inertia about the centre of mass, in words, or an empty text. Zero moments are legal (thin
// rods, points); a body whose moments break the triangle inequality or are negative cannot exist.
std::string unphysical_inertia(double mass, const Sym3& about_centre);

}  // namespace davit
