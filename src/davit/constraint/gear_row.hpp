// Two coordinates in a fixed ratio: g = x_b - ratio · x_a - offset.
#pragma once

#include "davit/model/row.hpp"

namespace davit {

class GearRow final : public GeometryOf<GearRow> {
 public:
  GearRow(const CoordinateIndex& a, const CoordinateIndex& b, double ratio, double offset = 0)
      : a_(a), b_(b), ratio_(ratio), offset_(offset) {}
  int size() const override { return 1; }
  std::string summary() const override { return "two coordinates in a fixed ratio"; }
  std::string unit() const override { return "rad, m"; }

  template <class S>
  void measure(const KinT<S>& kin, S* g) const {
    g[0] = kin.q[b_.q] - S(ratio_) * kin.q[a_.q] - S(offset_);
  }
  template <class S>
  void gradient(const KinT<S>&, JacobianT<S>& out) const {
    out.add_speed(0, b_.u, S(1));
    out.add_speed(0, a_.u, S(-ratio_));
  }
  template <class S>
  void products(const KinT<S>&, S* bias) const {
    bias[0] = S(0);
  }

 private:
  CoordinateIndex a_, b_;
  double ratio_, offset_;
};

}  // namespace davit
