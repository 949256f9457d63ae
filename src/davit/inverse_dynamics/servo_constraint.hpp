// Servo constraints: outputs of a model that shall follow desired motions, s(q) - γ(t) = 0 (4.1c). As equations they
// are rows that move with time; what makes them hold are the inputs, not multipliers.
#pragma once

#include <array>

#include "davit/constraint/moving_frame.hpp"
#include "davit/math/rotation.hpp"
#include "davit/model/row.hpp"

namespace davit::inverse_dynamics {

// The place of a point along chosen directions of the world.
class PlaceServo final : public GeometryOf<PlaceServo> {
 public:
  struct Along {
    Vec3 direction;
    Motion motion;
  };
  PlaceServo(const Frame& point, std::vector<Along> along) : point_(point), along_(std::move(along)) {}
  int size() const override { return static_cast<int>(along_.size()); }
  std::string summary() const override { return "place of a point"; }
  std::string unit() const override { return "m"; }
  bool moves_with_time() const override { return true; }
  std::vector<double> breakpoints() const override {
    std::vector<double> times;
    for (const Along& a : along_)
      times.insert(times.end(), a.motion.breakpoints().begin(), a.motion.breakpoints().end());
    return times;
  }

  template <class S>
  void measure(const KinT<S>& kin, S* g) const {
    const Vec3T<S> p = position(kin, point_);
    for (size_t i = 0; i < along_.size(); ++i) g[i] = as<S>(along_[i].direction).dot(p) - along_[i].motion.value(kin.t);
  }
  template <class S>
  void gradient(const KinT<S>&, JacobianT<S>& out) const {
    for (size_t i = 0; i < along_.size(); ++i) out.add_point(static_cast<int>(i), point_, as<S>(along_[i].direction));
  }
  template <class S>
  void drift(const KinT<S>& kin, S* rate) const {
    for (size_t i = 0; i < along_.size(); ++i) rate[i] = -along_[i].motion.derivative(1, kin.t);
  }
  template <class S>
  void products(const KinT<S>& kin, S* bias) const {
    const MovingFrame<S> moving(kin, point_);
    for (size_t i = 0; i < along_.size(); ++i)
      bias[i] = as<S>(along_[i].direction).dot(moving.acc) - along_[i].motion.derivative(2, kin.t);
  }

 private:
  Frame point_;
  std::vector<Along> along_;
};

// How far one point is from another along a direction of the world: a height difference, an offset.
class OffsetServo final : public GeometryOf<OffsetServo> {
 public:
  OffsetServo(const Frame& from, const Frame& to, const Vec3& direction, Motion motion)
      : from_(from), to_(to), direction_(direction), motion_(std::move(motion)) {}
  int size() const override { return 1; }
  std::string summary() const override { return "offset of two points"; }
  std::string unit() const override { return "m"; }
  bool moves_with_time() const override { return true; }
  std::vector<double> breakpoints() const override { return motion_.breakpoints(); }

  template <class S>
  void measure(const KinT<S>& kin, S* g) const {
    g[0] = as<S>(direction_).dot(Vec3T<S>(position(kin, to_) - position(kin, from_))) - motion_.value(kin.t);
  }
  template <class S>
  void gradient(const KinT<S>&, JacobianT<S>& out) const {
    out.add_point(0, to_, as<S>(direction_));
    out.add_point(0, from_, as<S>(Vec3(-direction_)));
  }
  template <class S>
  void drift(const KinT<S>& kin, S* rate) const {
    rate[0] = -motion_.derivative(1, kin.t);
  }
  template <class S>
  void products(const KinT<S>& kin, S* bias) const {
    const MovingFrame<S> from(kin, from_), to(kin, to_);
    bias[0] = as<S>(direction_).dot(Vec3T<S>(to.acc - from.acc)) - motion_.derivative(2, kin.t);
  }

 private:
  Frame from_, to_;
  Vec3 direction_;
  Motion motion_;
};

// A linear combination of coordinates, such as a travel, an angle or the difference of two lengths of rope.
class CoordinateServo final : public GeometryOf<CoordinateServo> {
 public:
  struct Term {
    CoordinateIndex at;
    double coefficient = 1;
  };
  CoordinateServo(std::vector<Term> terms, Motion motion) : terms_(std::move(terms)), motion_(std::move(motion)) {}
  int size() const override { return 1; }
  std::string summary() const override { return "combination of coordinates"; }
  std::string unit() const override { return "m, rad"; }
  bool moves_with_time() const override { return true; }
  std::vector<double> breakpoints() const override { return motion_.breakpoints(); }

  template <class S>
  void measure(const KinT<S>& kin, S* g) const {
    g[0] = -motion_.value(kin.t);
    for (const Term& term : terms_) g[0] += S(term.coefficient) * kin.q[term.at.q];
  }
  template <class S>
  void gradient(const KinT<S>&, JacobianT<S>& out) const {
    for (const Term& term : terms_) out.add_speed(0, term.at.u, S(term.coefficient));
  }
  template <class S>
  void drift(const KinT<S>& kin, S* rate) const {
    rate[0] = -motion_.derivative(1, kin.t);
  }
  template <class S>
  void products(const KinT<S>& kin, S* bias) const {
    bias[0] = -motion_.derivative(2, kin.t);
  }

 private:
  std::vector<Term> terms_;
  Motion motion_;
};

// The orientation of a frame as a rotation, R_d(t) = exp(ê s(t)) R₀ about an axis e fixed in the world (6.94)-(6.101):
// three rows, the vector part of the rotation R_dᵀ R that is missing, ½ vee(R_dᵀR - RᵀR_d).
class OrientationServo final : public GeometryOf<OrientationServo> {
 public:
  // `axis` is a unit vector, `start` = R₀.
  OrientationServo(const Frame& frame, const Mat3& start, const Vec3& axis, Motion angle)
      : frame_(frame), start_(start), axis_(axis), angle_(std::move(angle)) {}
  int size() const override { return 3; }
  std::string summary() const override { return "orientation of a body"; }
  std::string unit() const override { return "rad"; }
  bool moves_with_time() const override { return true; }
  std::vector<double> breakpoints() const override { return angle_.breakpoints(); }

  template <class S>
  void measure(const KinT<S>& kin, S* g) const {
    put(Mat3T<S>(desired(kin.t).transpose() * rotation(kin, frame_)), g);
  }
  // Row i: ½(d_j·r_k - d_k·r_j) with (i, j, k) cyclic, negative; columns d of R_d and r of R.
  template <class S>
  void gradient(const KinT<S>& kin, JacobianT<S>& out) const {
    const Mat3T<S> D = desired(kin.t);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      out.add_direction(i, frame_.body, frame_.offset.R.col(j), Vec3T<S>(S(0.5) * D.col(k)));
      out.add_direction(i, frame_.body, frame_.offset.R.col(k), Vec3T<S>(S(-0.5) * D.col(j)));
    }
  }
  template <class S>
  void drift(const KinT<S>& kin, S* rate) const {
    put(Mat3T<S>(desired_rate(kin.t).transpose() * rotation(kin, frame_)), rate);
  }
  template <class S>
  void products(const KinT<S>& kin, S* bias) const {
    const MovingFrame<S> moving(kin, frame_);
    const Mat3T<S> turn = skew(moving.body.w), R = moving.R;
    const Mat3T<S> rate = turn * R, second = skew(moving.body.alpha) * R + turn * rate;
    const Mat3T<S> D = desired(kin.t), D1 = desired_rate(kin.t), D2 = desired_second(kin.t);
    put(Mat3T<S>(D2.transpose() * R + S(2) * (D1.transpose() * rate) + D.transpose() * second), bias);
  }

 private:
  template <class S>
  static void put(const Mat3T<S>& E, S* out) {
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      out[i] = S(0.5) * (E(k, j) - E(j, k));
    }
  }
  // exp(ê s) R₀ and its derivatives by s, which turn the part across the axis.
  template <class S>
  Mat3T<S> desired(const S& t) const {
    using std::cos, std::sin;
    const S s = angle_.value(t);
    const Mat3 E = skew(axis_), E2 = E * E;
    return (Mat3T<S>::Identity() + sin(s) * as<S>(E) + (S(1) - cos(s)) * as<S>(E2)) * as<S>(start_);
  }
  template <class S>
  Mat3T<S> turned(const S& s) const {  // ∂/∂s
    using std::cos, std::sin;
    const Mat3 E = skew(axis_), E2 = E * E;
    return (cos(s) * as<S>(E) + sin(s) * as<S>(E2)) * as<S>(start_);
  }
  template <class S>
  Mat3T<S> desired_rate(const S& t) const {
    return turned(S(angle_.value(t))) * angle_.derivative(1, t);
  }
  template <class S>
  Mat3T<S> desired_second(const S& t) const {
    using std::cos, std::sin;
    const S s = angle_.value(t), rate = angle_.derivative(1, t);
    const Mat3 E = skew(axis_), E2 = E * E;
    const Mat3T<S> second = (cos(s) * as<S>(E2) - sin(s) * as<S>(E)) * as<S>(start_);
    return turned(s) * angle_.derivative(2, t) + second * (rate * rate);
  }

  Frame frame_;
  Mat3 start_;
  Vec3 axis_;
  Motion angle_;
};

}  // namespace davit::inverse_dynamics

namespace davit {
extern template class GeometryOf<inverse_dynamics::PlaceServo>;
extern template class GeometryOf<inverse_dynamics::OffsetServo>;
extern template class GeometryOf<inverse_dynamics::CoordinateServo>;
extern template class GeometryOf<inverse_dynamics::OrientationServo>;
}  // namespace davit
