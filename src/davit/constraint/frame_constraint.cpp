#include "davit/constraint/frame_constraint.hpp"

#include "davit/constraint/moving_frame.hpp"

namespace davit {

// Rotation about axis i: the next axis of the first frame stays perpendicular to the one after it of the second. Where
// the frames still turn about one axis k (hinges), both rows are on axis k of the second frame instead, which the
// turning leaves alone; rows on its other axes would depend on each other after a quarter of a turn.
FrameConstraint::FrameConstraint(const Frame& a, const Frame& b, const Held& held) : a_(a), b_(b) {
  for (int i = 0; i < 3; ++i)
    if (held.position[static_cast<size_t>(i)]) axes_.push_back({false, i, i});
  int count = 0, sum = 0;
  for (int i = 0; i < 3; ++i)
    if (held.rotation[static_cast<size_t>(i)]) ++count, sum += i;
  for (int i = 0; i < 3; ++i)
    if (held.rotation[static_cast<size_t>(i)]) {
      if (count == 2)
        axes_.push_back({true, sum - i, 3 - sum});
      else
        axes_.push_back({true, (i + 1) % 3, (i + 2) % 3});
    }
}

std::string FrameConstraint::summary() const {
  int positions = 0;
  for (const Axis& axis : axes_) positions += axis.rotation ? 0 : 1;
  return "holds " + std::to_string(positions) + " directions and " + std::to_string(size() - positions) + " rotations";
}

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

template void FrameConstraint::measure(const KinT<double>&, double*) const;
template void FrameConstraint::measure(const KinT<Dual8>&, Dual8*) const;
template void FrameConstraint::gradient(const KinT<double>&, JacobianT<double>&) const;
template void FrameConstraint::gradient(const KinT<Dual8>&, JacobianT<Dual8>&) const;
template void FrameConstraint::products(const KinT<double>&, double*) const;
template void FrameConstraint::products(const KinT<Dual8>&, Dual8*) const;

template class GeometryOf<FrameConstraint>;

}  // namespace davit
