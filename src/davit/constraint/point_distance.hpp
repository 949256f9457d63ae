// The distance between points of two bodies, for rods that hold it and for lines and springs that answer it.
#pragma once

#include "davit/model/row.hpp"

namespace davit {

// g = |p_b - p_a| - length: one row.
class PointDistance final : public Geometry {
 public:
  PointDistance(const Frame& a, const Frame& b, double length = 0) : a_(a), b_(b), length_(length) {}
  int size() const override { return 1; }
  std::string summary() const override { return "distance between two points"; }
  std::string unit() const override { return "m"; }
  void rows(const KinT<double>& kin, double* g) const override { distance(kin, g); }
  void rows(const KinT<Dual8>& kin, Dual8* g) const override { distance(kin, g); }
  void jacobian(const KinT<double>& kin, std::vector<RowEntryT<double>>& out) const override { entries(kin, out); }
  void jacobian(const KinT<Dual8>& kin, std::vector<RowEntryT<Dual8>>& out) const override { entries(kin, out); }
  void rate_bias(const KinT<double>& kin, double* bias) const override { products(kin, bias); }
  void rate_bias(const KinT<Dual8>& kin, Dual8* bias) const override { products(kin, bias); }

 private:
  template <class S>
  void distance(const KinT<S>& kin, S* g) const {
    using std::sqrt;
    g[0] = sqrt(S((position(kin, b_) - position(kin, a_)).squaredNorm())) - S(length_);
  }
  template <class S>
  Vec3T<S> direction(const KinT<S>& kin) const {
    return (position(kin, b_) - position(kin, a_)).normalized();
  }
  template <class S>
  void entries(const KinT<S>& kin, std::vector<RowEntryT<S>>& out) const {
    const Vec3T<S> n = direction(kin);
    const auto arm = [&](const Frame& f) -> Vec3T<S> {
      return kin.body[static_cast<size_t>(f.body)].R * as<S>(f.offset.p);
    };
    out.push_back({0, a_.body, {-(arm(a_).cross(n)), -n}});
    out.push_back({0, b_.body, {arm(b_).cross(n), n}});
  }
  // ġ̇ at u̇ = 0: n·(a_b - a_a) + (|v|² - ġ²)/g
  template <class S>
  void products(const KinT<S>& kin, S* bias) const {
    using std::sqrt;
    const auto acceleration = [&](const Frame& f) -> Vec3T<S> {
      const auto& k = kin.body[static_cast<size_t>(f.body)];
      const Vec3T<S> arm = k.R * as<S>(f.offset.p);
      return k.acc + k.alpha.cross(arm) + k.w.cross(k.w.cross(arm));
    };
    const Vec3T<S> d = position(kin, b_) - position(kin, a_), v = velocity(kin, b_) - velocity(kin, a_);
    const S length = sqrt(S(d.squaredNorm()));
    const Vec3T<S> n = d / length;
    const S rate = n.dot(v);
    bias[0] = n.dot(Vec3T<S>(acceleration(b_) - acceleration(a_))) + (v.squaredNorm() - rate * rate) / length;
  }

  Frame a_, b_;
  double length_;
};

}  // namespace davit
