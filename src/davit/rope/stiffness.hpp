// The bending and torsional stiffness of a rope that is described by points along it or by the bodies at its ends: the
// constraints (41) and (42) of the source with a compliance, as energies
//   bending  V = Σ k (1 - n_i·n_{i-1}),  n_i the directions of the pieces, k = EI/ℓ of the pieces that meet
//   torsion  V = ½ (GJ/L) ψ²,            ψ the twist of one end against the other about the line between them,
//                                        L its length, which changes as a winch gives out rope between them.
#pragma once

#include <optional>

#include "davit/model/element.hpp"

namespace davit::rope {

class Bending final : public ForceOf<Bending> {
 public:
  // A direction fixed in the body of the first point, along which the rope leaves it.
  using Clamp = std::optional<Vec3>;
  // `start`: lengths of the pieces are those at the start.
  Bending(std::string name, std::vector<Frame> points, double stiffness, const Clamp& clamp, const Kin& start)
      : ForceOf(std::move(name)), points_(std::move(points)), clamp_(clamp) {
    const auto length = [&](size_t i) {
      return (position(start, points_[i + 1]) - position(start, points_[i])).norm();
    };
    // What turns at a point stands for half of either piece; at a clamp for half of the first.
    k_.push_back(2 * stiffness / length(0));
    for (size_t i = 1; i + 1 < points_.size(); ++i) k_.push_back(2 * stiffness / (length(i - 1) + length(i)));
  }
  std::string summary() const override {
    return "bending of a rope along " + std::to_string(points_.size()) + " points";
  }
  std::vector<Coupling> couplings() const override;
  bool conservative() const override { return true; }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const KinT<S>& kin = c.kin;
    for (size_t i = clamp_ ? 0 : 1; i + 1 < points_.size(); ++i) {
      const Vec3T<S> before = direction_before(kin, i), after = along(kin, i) / length(kin, i);
      // -∂V/∂s of a piece s: k/|s| times what of the other direction is across it.
      const Vec3T<S> on_after = S(k_[i]) / length(kin, i) * (before - after * after.dot(before));
      pull(kin, i + 1, on_after, loads);
      pull(kin, i, Vec3T<S>(-on_after), loads);
      if (i == 0) {
        loads.add_moment(points_[0].body, Vec3T<S>(S(k_[0]) * before.cross(after)));
        continue;
      }
      const Vec3T<S> on_before = S(k_[i]) / length(kin, i - 1) * (after - before * before.dot(after));
      pull(kin, i, on_before, loads);
      pull(kin, i - 1, Vec3T<S>(-on_before), loads);
    }
  }
  template <class S>
  S potential_energy(const ContextT<S>& c) const {
    S sum(0);
    for (size_t i = clamp_ ? 0 : 1; i + 1 < points_.size(); ++i)
      sum += S(k_[i]) * (S(1) - direction_before(c.kin, i).dot(Vec3T<S>(along(c.kin, i) / length(c.kin, i))));
    return sum;
  }

 private:
  template <class S>
  Vec3T<S> along(const KinT<S>& kin, size_t i) const {
    return position(kin, points_[i + 1]) - position(kin, points_[i]);
  }
  template <class S>
  S length(const KinT<S>& kin, size_t i) const {
    using std::sqrt;
    return sqrt(S(along(kin, i).squaredNorm()));
  }
  template <class S>
  Vec3T<S> direction_before(const KinT<S>& kin, size_t i) const {
    if (i == 0) return rotation(kin, points_[0]) * as<S>(*clamp_);
    return along(kin, i - 1) / length(kin, i - 1);
  }
  template <class S>
  void pull(const KinT<S>& kin, size_t i, const Vec3T<S>& force, LoadsT<S>& loads) const {
    const Frame& f = points_[i];
    if (f.body == 0) return;
    loads.add_force(f.body, Vec3T<S>(position(kin, f) - kin.body[static_cast<size_t>(f.body)].p), force);
  }
  std::vector<Frame> points_;
  Clamp clamp_;
  std::vector<double> k_;
};

class Torsion final : public ForceOf<Torsion> {
 public:
  // The twist is measured from the start, between directions that are then across the line; it must stay below half a
  // turn.
  Torsion(std::string name, const Frame& a, const Frame& b, double stiffness, const Kin& start)
      : ForceOf(std::move(name)), a_(a), b_(b), stiffness_(stiffness) {
    const Vec3 d = position(start, b) - position(start, a);
    const Vec3 across = d.unitOrthogonal();
    in_a_ = rotation(start, a).transpose() * across;
    in_b_ = rotation(start, b).transpose() * across;
  }
  std::string summary() const override { return "torsion of a rope between two bodies"; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {a_.body, b_.body}}}; }
  bool conservative() const override { return true; }

  template <class S>
  S twist(const KinT<S>& kin) const {
    return Twisted<S>(*this, kin).angle;
  }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const KinT<S>& kin = c.kin;
    const Twisted<S> t(*this, kin);
    const S moment = S(-stiffness_) * t.angle / t.length;
    loads.add_moment(b_.body, Vec3T<S>(moment * t.b.turning));
    loads.add_moment(a_.body, Vec3T<S>(-moment * t.a.turning));
    // By the direction of the line, and by its length: ½ GJ ψ²/L² apart.
    const Vec3T<S> force = moment / t.length * (t.b.tilting - t.a.tilting) - S(0.5) * moment * t.angle / t.length * t.d;
    loads.add_force(b_.body, Vec3T<S>(position(kin, b_) - kin.body[static_cast<size_t>(b_.body)].p), force);
    loads.add_force(a_.body, Vec3T<S>(position(kin, a_) - kin.body[static_cast<size_t>(a_.body)].p), -force);
  }
  template <class S>
  S potential_energy(const ContextT<S>& c) const {
    const Twisted<S> t(*this, c.kin);
    return S(0.5 * stiffness_) * t.angle * t.angle / t.length;
  }

 private:
  // A direction x of a body seen along the line d: the gradients of its angle about d by a turn of the body, and by d.
  template <class S>
  struct Seen {
    Vec3T<S> across, turning, tilting;
    Seen(const Vec3T<S>& x, const Vec3T<S>& d) {
      const S along = x.dot(d);
      across = x - d * along;
      const S square = across.squaredNorm();
      turning = d - across * (along / square);
      tilting = d.cross(across) * (-along / square);
    }
  };
  template <class S>
  struct Twisted {
    S length, angle;
    Vec3T<S> d;
    Seen<S> a, b;
    Twisted(const Torsion& t, const KinT<S>& kin)
        : length(size(Vec3T<S>(position(kin, t.b_) - position(kin, t.a_)))),
          d((position(kin, t.b_) - position(kin, t.a_)) / length),
          a(Vec3T<S>(rotation(kin, t.a_) * as<S>(t.in_a_)), d),
          b(Vec3T<S>(rotation(kin, t.b_) * as<S>(t.in_b_)), d) {
      using std::atan2;
      angle = atan2(S(d.dot(a.across.cross(b.across))), S(a.across.dot(b.across)));
    }
    static S size(const Vec3T<S>& v) {
      using std::sqrt;
      return sqrt(S(v.squaredNorm()));
    }
  };
  Frame a_, b_;
  double stiffness_;  // GJ, N m²
  Vec3 in_a_, in_b_;
};

}  // namespace davit::rope

namespace davit {
extern template class ForceOf<rope::Bending>;
extern template class ForceOf<rope::Torsion>;
}  // namespace davit
