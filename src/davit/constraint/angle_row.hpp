// A coordinate θ that is the angle by which the x axis of a second frame is turned about the z axis of a first:
//   g = sin θ (x_b·x_a) - cos θ (x_b·y_a).
// It gives bodies without angles one (coordinate augmentation) and stays regular at every θ, ∂g/∂θ being the length of
// x_b in the plane; opposite directions solve it too, and continuity keeps the right one.
#pragma once

#include "davit/constraint/moving_frame.hpp"
#include "davit/model/row.hpp"

namespace davit {

class AngleRow final : public GeometryOf<AngleRow> {
 public:
  AngleRow(const Frame& a, const Frame& b, const CoordinateIndex& angle) : a_(a), b_(b), at_(angle) {}
  int size() const override { return 1; }
  std::string summary() const override { return "a coordinate is the angle between two bodies"; }
  std::string unit() const override { return "1"; }

  template <class S>
  void measure(const KinT<S>& kin, S* g) const {
    using std::cos, std::sin;
    const Plane<S> p(*this, kin);
    g[0] = sin(kin.q[at_.q]) * p.along - cos(kin.q[at_.q]) * p.across;
  }
  template <class S>
  void gradient(const KinT<S>& kin, JacobianT<S>& out) const {
    using std::cos, std::sin;
    const S sine = sin(kin.q[at_.q]), cosine = cos(kin.q[at_.q]);
    const Plane<S> p(*this, kin);
    add_directions(p, sine, cosine, out);
    out.add_speed(0, at_.u, cosine * p.along + sine * p.across);
  }
  // Products split as Δ(xy) = x̄ Δy + ȳ Δx, and Δ sin θ = cos θ̄ · sinc(Δθ/2) Δθ, Δ cos θ = -sin θ̄ · sinc(Δθ/2) Δθ.
  template <class S>
  void step_gradient(const KinT<S>& start, const KinT<S>& middle, const KinT<S>& end, JacobianT<S>& out) const {
    using std::cos, std::sin;
    const S t0 = start.q[at_.q], t1 = end.q[at_.q], half = S(0.5) * (t1 - t0), mean = S(0.5) * (t0 + t1);
    add_directions(Plane<S>(*this, middle), S(S(0.5) * (sin(t0) + sin(t1))), S(S(0.5) * (cos(t0) + cos(t1))), out);
    const Plane<S> p0(*this, start), p1(*this, end);
    out.add_speed(
        0, at_.u,
        so3::sinc(S(half * half)) * S(0.5) * (cos(mean) * (p0.along + p1.along) + sin(mean) * (p0.across + p1.across)));
  }
  template <class S>
  void products(const KinT<S>& kin, S* bias) const {
    using std::cos, std::sin;
    const S sine = sin(kin.q[at_.q]), cosine = cos(kin.q[at_.q]), rate = kin.u[at_.u];
    const Plane<S> p(*this, kin);
    const Turning<S> x(kin, a_, 0), y(kin, a_, 1), b(kin, b_, 0);
    const auto first = [](const Turning<S>& m, const Turning<S>& n) -> S {
      return m.rate.dot(n.axis) + m.axis.dot(n.rate);
    };
    const auto second = [](const Turning<S>& m, const Turning<S>& n) -> S {
      return m.products.dot(n.axis) + m.axis.dot(n.products) + S(2) * m.rate.dot(n.rate);
    };
    bias[0] = sine * second(b, x) - cosine * second(b, y) + S(2) * rate * (cosine * first(b, x) + sine * first(b, y)) +
              rate * rate * (cosine * p.across - sine * p.along);
  }

 private:
  // The axes, and the parts of the second along the x and y of the first.
  template <class S>
  struct Plane {
    Vec3T<S> x, y, b;
    S along, across;
    Plane(const AngleRow& row, const KinT<S>& kin) {
      const Mat3T<S> R = rotation(kin, row.a_);
      x = R.col(0), y = R.col(1), b = rotation(kin, row.b_).col(0);
      along = b.dot(x), across = b.dot(y);
    }
  };
  // An axis of a frame with its first and second rate at u̇ = 0.
  template <class S>
  struct Turning {
    Vec3T<S> axis, rate, products;
    Turning(const KinT<S>& kin, const Frame& f, int i) {
      const MovingFrame<S> m(kin, f);
      axis = m.R.col(i);
      rate = m.body.w.cross(axis);
      products = m.body.alpha.cross(axis) + m.body.w.cross(rate);
    }
  };

  template <class S>
  void add_directions(const Plane<S>& p, const S& sine, const S& cosine, JacobianT<S>& out) const {
    out.add_direction(0, b_.body, b_.offset.R.col(0), Vec3T<S>(sine * p.x - cosine * p.y));
    out.add_direction(0, a_.body, a_.offset.R.col(0), Vec3T<S>(sine * p.b));
    out.add_direction(0, a_.body, a_.offset.R.col(1), Vec3T<S>(-cosine * p.b));
  }

  Frame a_, b_;
  CoordinateIndex at_;
};

extern template class GeometryOf<AngleRow>;

}  // namespace davit
