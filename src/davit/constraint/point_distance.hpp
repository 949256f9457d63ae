// The distance between points of two bodies, for rods that hold it and for lines and springs whose force depends on it.
#pragma once

#include "davit/constraint/moving_frame.hpp"
#include "davit/model/row.hpp"

namespace davit {

// g = |p_b - p_a| - length: one row.
class PointDistance final : public GeometryOf<PointDistance> {
 public:
  PointDistance(const Frame& a, const Frame& b, double length = 0) : a_(a), b_(b), length_(length) {}
  int size() const override { return 1; }
  std::string summary() const override { return "distance between two points"; }
  std::string unit() const override { return "m"; }

  template <class S>
  void measure(const KinT<S>& kin, S* g) const {
    g[0] = norm(separation(kin)) - S(length_);
  }
  template <class S>
  void gradient(const KinT<S>& kin, JacobianT<S>& out) const {
    add(separation(kin).normalized(), out);
  }
  // |d₁| - |d₀| = (d₁ + d₀)·(d₁ - d₀)/(|d₁| + |d₀|)
  template <class S>
  void step_gradient(const KinT<S>& start, const KinT<S>&, const KinT<S>& end, JacobianT<S>& out) const {
    const Vec3T<S> d0 = separation(start), d1 = separation(end);
    add(Vec3T<S>((d0 + d1) / (norm(d0) + norm(d1))), out);
  }
  // ġ̇ at u̇ = 0: n·(a_b - a_a) + (|v|² - ġ²)/g
  template <class S>
  void products(const KinT<S>& kin, S* bias) const {
    const MovingFrame<S> a(kin, a_), b(kin, b_);
    const Vec3T<S> d = b.p - a.p, v = b.v - a.v;
    const S length = norm(d);
    const Vec3T<S> n = d / length;
    const S rate = n.dot(v);
    bias[0] = n.dot(Vec3T<S>(b.acc - a.acc)) + (v.squaredNorm() - rate * rate) / length;
  }

 private:
  template <class S>
  static S norm(const Vec3T<S>& d) {
    using std::sqrt;
    return sqrt(S(d.squaredNorm()));
  }
  template <class S>
  Vec3T<S> separation(const KinT<S>& kin) const {
    return position(kin, b_) - position(kin, a_);
  }
  template <class S>
  void add(const Vec3T<S>& n, JacobianT<S>& out) const {
    out.add_point(0, a_, -n);
    out.add_point(0, b_, n);
  }

  Frame a_, b_;
  double length_;
};

extern template class GeometryOf<PointDistance>;

}  // namespace davit
