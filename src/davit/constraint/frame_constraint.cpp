#include "davit/constraint/frame_constraint.hpp"

namespace davit {

FrameConstraint::FrameConstraint(const Frame& a, const Frame& b, const Held& held) : a_(a), b_(b) {
  for (int i = 0; i < 3; ++i)
    if (held.position[static_cast<size_t>(i)]) axes_.push_back({false, i});
  for (int i = 0; i < 3; ++i)
    if (held.rotation[static_cast<size_t>(i)]) axes_.push_back({true, i});
}

std::string FrameConstraint::summary() const {
  int positions = 0;
  for (const Axis& axis : axes_) positions += axis.rotation ? 0 : 1;
  return "holds " + std::to_string(positions) + " directions and " + std::to_string(size() - positions) + " rotations";
}

namespace {

// Everything about one frame's motion that rows need; accelerations are those at u̇ = 0.
template <class S>
struct Moving {
  Mat3T<S> R;
  Vec3T<S> arm, p, v, acc;
  const BodyKinT<S>& body;
  Moving(const KinT<S>& kin, const Frame& f) : body(kin.body[static_cast<size_t>(f.body)]) {
    R = body.R * as<S>(f.offset.R);
    arm = body.R * as<S>(f.offset.p);
    p = body.p + arm;
    v = body.v + body.w.cross(arm);
    acc = body.acc + body.alpha.cross(arm) + body.w.cross(Vec3T<S>(body.w.cross(arm)));
  }
};

}  // namespace

// Position: e·d with e an axis of the first frame and d from the first origin to the second. Rotation about axis i: the
// next axis of the first frame stays perpendicular to the one after it of the second, x·y = 0.
template <class S>
void FrameConstraint::measure(const KinT<S>& kin, S* g) const {
  const Moving<S> a(kin, a_), b(kin, b_);
  const Vec3T<S> d = b.p - a.p;
  for (size_t row = 0; row < axes_.size(); ++row) {
    const int i = axes_[row].index;
    g[row] = axes_[row].rotation ? a.R.col((i + 1) % 3).dot(b.R.col((i + 2) % 3)) : a.R.col(i).dot(d);
  }
}

template <class S>
void FrameConstraint::entries(const KinT<S>& kin, std::vector<RowEntryT<S>>& out) const {
  const Moving<S> a(kin, a_), b(kin, b_);
  const Vec3T<S> d = b.p - a.p;
  for (size_t row = 0; row < axes_.size(); ++row) {
    const int i = axes_[row].index, number = static_cast<int>(row);
    if (axes_[row].rotation) {
      // ġ = (ω_b - ω_a)·(y × x)
      const Vec3T<S> n = Vec3T<S>(b.R.col((i + 2) % 3)).cross(Vec3T<S>(a.R.col((i + 1) % 3)));
      out.push_back({number, b_.body, {n, Vec3T<S>::Zero()}});
      out.push_back({number, a_.body, {-n, Vec3T<S>::Zero()}});
    } else {
      // ġ = e·(v_b - v_a) + ω_a·(e × d)
      const Vec3T<S> e = a.R.col(i);
      out.push_back({number, b_.body, {b.arm.cross(e), e}});
      out.push_back({number, a_.body, {e.cross(d) - a.arm.cross(e), -e}});
    }
  }
}

template <class S>
void FrameConstraint::products(const KinT<S>& kin, S* bias) const {
  const Moving<S> a(kin, a_), b(kin, b_);
  const Vec3T<S> d = b.p - a.p, v = b.v - a.v;
  const Vec3T<S>&wa = a.body.w, &wb = b.body.w;
  for (size_t row = 0; row < axes_.size(); ++row) {
    const int i = axes_[row].index;
    if (axes_[row].rotation) {
      const Vec3T<S> x = a.R.col((i + 1) % 3), y = b.R.col((i + 2) % 3), xa = wa.cross(x), yb = wb.cross(y);
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
template void FrameConstraint::entries(const KinT<double>&, std::vector<RowEntryT<double>>&) const;
template void FrameConstraint::entries(const KinT<Dual8>&, std::vector<RowEntryT<Dual8>>&) const;
template void FrameConstraint::products(const KinT<double>&, double*) const;
template void FrameConstraint::products(const KinT<Dual8>&, Dual8*) const;

}  // namespace davit
