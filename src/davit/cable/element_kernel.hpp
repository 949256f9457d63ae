// Small vectors and symmetric matrices of packs, for the elements of a line.
#pragma once

#include <algorithm>

#include "davit/cable/work.hpp"

namespace davit::cable {

struct Pack3 {
  Pack x, y, z;
};
inline Pack3 operator+(const Pack3& a, const Pack3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Pack3 operator-(const Pack3& a, const Pack3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Pack3 operator*(const Pack& s, const Pack3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Pack3 operator*(double s, const Pack3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Pack dot(const Pack3& a, const Pack3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Pack dot(const Pack3& a, const Vec3& b) { return a.x * b.x() + a.y * b.y() + a.z * b.z(); }
inline Pack3 times(const Pack& s, const Vec3& a) { return {s * a.x(), s * a.y(), s * a.z()}; }
inline Pack3 times(const Pack& s, const Pack3& a) { return s * a; }

// Four nodes that follow one another, of an array for each axis.
inline Pack3 load(const std::vector<double>& array, int stride, int node) {
  const double* p = array.data() + node;
  return {Eigen::Map<const Pack>(p), Eigen::Map<const Pack>(p + stride), Eigen::Map<const Pack>(p + 2 * stride)};
}

// What a line that cannot push makes of an elastic pull x: nothing below −w, x above w, and a parabola between. With a
// sharp onset Newton's method goes to and fro between slack and taut; w is the pull at a strain of a millionth.
constexpr double onset_strain = 1e-6;
struct TautPull {
  Pack tension, share;  // share: its slope
  TautPull(const Pack& x, const Pack& width) {
    const Pack in = (x + width).max(0.0).min(2 * width);
    share = in / (2 * width).max(1e-300);
    tension = 0.5 * in * share + (x - width).max(0.0);
  }
};
inline double taut_tension(double x, double width) {
  const double in = std::clamp(x + width, 0.0, 2 * width);
  return 0.25 * in * in / width + std::max(0.0, x - width);
}

struct PackSym {
  Pack s[sym_size];
  static PackSym identity_times(const Pack& a) { return {{a, Pack::Zero(), Pack::Zero(), a, Pack::Zero(), a}}; }
  void add(const Pack& a, const Pack3& v) {  // a v vᵀ
    const Pack3 w = a * v;
    s[XX] += w.x * v.x, s[XY] += w.x * v.y, s[XZ] += w.x * v.z;
    s[YY] += w.y * v.y, s[YZ] += w.y * v.z, s[ZZ] += w.z * v.z;
  }
  void add(const Pack& a, const Vec3& v) {
    const Pack3 w = times(a, v);
    s[XX] += w.x * v.x(), s[XY] += w.x * v.y(), s[XZ] += w.x * v.z();
    s[YY] += w.y * v.y(), s[YZ] += w.y * v.z(), s[ZZ] += w.z * v.z();
  }
};

}  // namespace davit::cable
