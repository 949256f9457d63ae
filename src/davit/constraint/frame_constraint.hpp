// A constraint between two frames: any choice of the three components of their relative position (in the axes of the
// first) and of the three that keep their axes aligned. Ball, hinge, universal, slider, cylindrical, planar and fixed
// joints that close loops are all of this kind. Quadratic in the points and directions of the bodies.
#pragma once

#include <array>

#include "davit/constraint/moving_frame.hpp"
#include "davit/model/row.hpp"

namespace davit {

class FrameConstraint final : public GeometryOf<FrameConstraint> {
 public:
  struct Held {
    std::array<bool, 3> position{false, false, false};  // along x, y, z of the first frame
    std::array<bool, 3> rotation{false, false, false};  // about x, y, z of the first frame
  };
  FrameConstraint(const Frame& a, const Frame& b, const Held& held);

  int size() const override { return static_cast<int>(axes_.size()); }
  std::string summary() const override;
  std::string unit() const override { return "m, rad"; }

  template <class S>
  void measure(const KinT<S>& kin, S* g) const;
  template <class S>
  void gradient(const KinT<S>& kin, JacobianT<S>& out) const;
  template <class S>
  void products(const KinT<S>& kin, S* bias) const;

 private:
  struct Axis {
    bool rotation;
    int first, second;  // rotation: the axes of the two frames that stay perpendicular; position: `first` alone
  };

  Frame a_, b_;
  std::vector<Axis> axes_;
};

// Position: e·d with e an axis of the first frame and d from the first origin to the second. Rotation: x·y with x an
// axis of the first frame and y one of the second.
template <class S>
void FrameConstraint::measure(const KinT<S>& kin, S* g) const {
  const MovingFrame<S> a(kin, a_), b(kin, b_);
  const Vec3T<S> d = b.p - a.p;
  for (size_t row = 0; row < axes_.size(); ++row) {
    const Axis& axis = axes_[row];
    g[row] = axis.rotation ? a.R.col(axis.first).dot(b.R.col(axis.second)) : a.R.col(axis.first).dot(d);
  }
}

// ġ of e·d is e·(v_b - v_a) + d·ė, and of x·y it is x·ẏ + y·ẋ.
template <class S>
void FrameConstraint::gradient(const KinT<S>& kin, JacobianT<S>& out) const {
  const MovingFrame<S> a(kin, a_), b(kin, b_);
  const Vec3T<S> d = b.p - a.p;
  for (size_t row = 0; row < axes_.size(); ++row) {
    const int i = axes_[row].first, k = axes_[row].second, number = static_cast<int>(row);
    if (axes_[row].rotation) {
      out.add_direction(number, b_.body, b_.offset.R.col(k), a.R.col(i));
      out.add_direction(number, a_.body, a_.offset.R.col(i), b.R.col(k));
    } else {
      const Vec3T<S> e = a.R.col(i);
      out.add_point(number, b_, e);
      out.add_point(number, a_, -e);
      out.add_direction(number, a_.body, a_.offset.R.col(i), d);
    }
  }
}

template <class S>
void FrameConstraint::products(const KinT<S>& kin, S* bias) const {
  const MovingFrame<S> a(kin, a_), b(kin, b_);
  const Vec3T<S> d = b.p - a.p, v = b.v - a.v;
  const Vec3T<S>&wa = a.body.w, &wb = b.body.w;
  for (size_t row = 0; row < axes_.size(); ++row) {
    const int i = axes_[row].first;
    if (axes_[row].rotation) {
      const Vec3T<S> x = a.R.col(i), y = b.R.col(axes_[row].second), xa = wa.cross(x), yb = wb.cross(y);
      bias[row] =
          (b.body.alpha - a.body.alpha).dot(y.cross(x)) + x.dot(wb.cross(yb)) + wa.cross(xa).dot(y) + S(2) * xa.dot(yb);
    } else {
      const Vec3T<S> e = a.R.col(i), ea = wa.cross(e);
      bias[row] = e.dot(b.acc - a.acc) + S(2) * ea.dot(v) + (a.body.alpha.cross(e) + wa.cross(ea)).dot(d);
    }
  }
}

extern template class GeometryOf<FrameConstraint>;

}  // namespace davit
