// A row tied to a coordinate x: g - ratio · x, where g is any geometry of one row. A rope between two points with x the
// angle of its drum and ratio its radius; a slide with x its travel.
#pragma once

#include "davit/model/row.hpp"

namespace davit {

class TiedRow final : public GeometryOf<TiedRow> {
 public:
  // The geometry has one row.
  TiedRow(std::shared_ptr<const Geometry> geometry, const CoordinateIndex& coordinate, double ratio)
      : geometry_(std::move(geometry)), at_(coordinate), ratio_(ratio) {}
  int size() const override { return 1; }
  std::string summary() const override { return geometry_->summary() + ", tied to a coordinate"; }
  std::string unit() const override { return geometry_->unit(); }
  std::vector<double> breakpoints() const override { return geometry_->breakpoints(); }
  const Geometry& geometry() const { return *geometry_; }
  CoordinateIndex coordinate() const { return at_; }
  double ratio() const { return ratio_; }

  template <class S>
  void measure(const KinT<S>& kin, S* g) const {
    geometry_->rows(kin, g);
    g[0] -= S(ratio_) * kin.q[at_.q];
  }
  template <class S>
  void gradient(const KinT<S>& kin, JacobianT<S>& out) const {
    geometry_->jacobian(kin, out);
    out.add_speed(0, at_.u, S(-ratio_));
  }
  template <class S>
  void step_gradient(const KinT<S>& start, const KinT<S>& middle, const KinT<S>& end, JacobianT<S>& out) const {
    geometry_->discrete_jacobian(start, middle, end, out);
    out.add_speed(0, at_.u, S(-ratio_));
  }
  template <class S>
  void products(const KinT<S>& kin, S* bias) const {
    geometry_->rate_bias(kin, bias);
  }
  template <class S>
  void drift(const KinT<S>& kin, S* rate) const {
    geometry_->time_rate(kin, rate);
  }

 private:
  std::shared_ptr<const Geometry> geometry_;
  CoordinateIndex at_;
  double ratio_;
};

extern template class GeometryOf<TiedRow>;

}  // namespace davit
