// A point of a body that cannot move along a direction fixed in the body: the edge of a skate, a wheel that rolls, a
// keel. ġ = e·v = 0 is a row on speeds: no function of the configuration has this rate.
#pragma once

#include "davit/constraint/moving_frame.hpp"
#include "davit/model/row.hpp"

namespace davit {

class KnifeEdge final : public GeometryOf<KnifeEdge> {
 public:
  // The direction across the edge is the z axis of the frame.
  explicit KnifeEdge(const Frame& at) : at_(at) {}
  int size() const override { return 1; }
  std::string summary() const override { return "a point does not move across an edge"; }
  std::string unit() const override { return "m/s"; }
  bool holonomic() const override { return false; }

  template <class S>
  void measure(const KinT<S>&, S* g) const {
    g[0] = S(0);
  }
  template <class S>
  void gradient(const KinT<S>& kin, JacobianT<S>& out) const {
    out.add_point(0, at_, rotation(kin, at_).col(2));
  }
  // d(e·v)/dt at u̇ = 0
  template <class S>
  void products(const KinT<S>& kin, S* bias) const {
    const MovingFrame<S> edge(kin, at_);
    const Vec3T<S> e = edge.R.col(2);
    bias[0] = e.dot(edge.acc) + edge.body.w.cross(e).dot(edge.v);
  }

 private:
  Frame at_;
};

extern template class GeometryOf<KnifeEdge>;

}  // namespace davit
