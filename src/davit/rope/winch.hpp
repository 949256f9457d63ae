// What a rope's end is wound on when it has a coordinate of its own: a drum, or the piston of a passive compensator.
#pragma once

#include "davit/rope/rope_force.hpp"

namespace davit::rope {

// A drum with angle φ, positive as it gives out rope. With an axis φ is absolute: what
// turns of its holder add to it is the rope's to know (rope_ends.hpp). In layers its radius falls by one rope diameter
// for every layer that has run off, spread evenly over the turns of the layer: the rope given out is
//   N(φ) = r₀ φ - ½ r' φ²,  r' = diameter²/(2π width).
class DrumReel final : public Reel {
 public:
  DrumReel(CoordinateIndex at, double start, double radius, double thinning = 0)
      : at_(at), start_(start), radius_(radius), thinning_(thinning) {}

  double paid_out(const Kin& kin) const override { return given(kin); }
  Dual8 paid_out(const KinT<Dual8>& kin) const override { return given(kin); }
  double rate(const Kin& kin) const override { return radius(kin) * kin.u[at_.u]; }
  Dual8 rate(const KinT<Dual8>& kin) const override { return radius(kin) * kin.u[at_.u]; }
  void add_pull(const Kin& kin, double pull, Loads& loads) const override { add(kin, pull, loads); }
  void add_pull(const KinT<Dual8>& kin, const Dual8& pull, LoadsT<Dual8>& loads) const override {
    add(kin, pull, loads);
  }
  std::optional<int> speed() const override { return at_.u; }

  CoordinateIndex at() const { return at_; }
  double start_radius() const { return radius_; }
  // That of the rope which runs off, dN/dφ.
  double radius(const Kin& kin) const override { return running_off(kin); }
  Dual8 radius(const KinT<Dual8>& kin) const override { return running_off(kin); }

 private:
  template <class S>
  S running_off(const KinT<S>& kin) const {
    return S(radius_) - S(thinning_) * (kin.q[at_.q] - S(start_));
  }
  template <class S>
  S given(const KinT<S>& kin) const {
    const S angle = kin.q[at_.q] - S(start_);
    return angle * (S(radius_) - S(0.5 * thinning_) * angle);
  }
  template <class S>
  void add(const KinT<S>& kin, const S& pull, LoadsT<S>& loads) const {
    loads.tau[static_cast<size_t>(at_.u)] += radius(kin) * pull;
  }
  CoordinateIndex at_;
  double start_, radius_, thinning_;
};

// The piston of a passive heave compensator: its travel x, positive as it gives way to the rope, moves the rope's end
// by x towards the rope. N metres of rope from there on are l - x long, and their energy N W((l - x)/N - 1) pulls with
// T.
class PistonReel final : public Reel {
 public:
  explicit PistonReel(CoordinateIndex at) : at_(at) {}
  double paid_out(const Kin& kin) const override { return kin.q[at_.q]; }
  Dual8 paid_out(const KinT<Dual8>& kin) const override { return kin.q[at_.q]; }
  double rate(const Kin& kin) const override { return kin.u[at_.u]; }
  Dual8 rate(const KinT<Dual8>& kin) const override { return kin.u[at_.u]; }
  void add_pull(const Kin&, double pull, Loads& loads) const override { loads.tau[static_cast<size_t>(at_.u)] += pull; }
  void add_pull(const KinT<Dual8>&, const Dual8& pull, LoadsT<Dual8>& loads) const override {
    loads.tau[static_cast<size_t>(at_.u)] += pull;
  }
  bool winds() const override { return false; }
  std::optional<int> speed() const override { return at_.u; }

 private:
  CoordinateIndex at_;
};

// What holds the piston of a passive heave compensator: preload, gas spring and damping, against the rope's pull.
class Piston final : public ForceOf<Piston> {
 public:
  Piston(std::string name, CoordinateIndex at, double preload, double stiffness, double damping)
      : ForceOf(std::move(name)), at_(at), preload_(preload), stiffness_(stiffness), damping_(damping) {}
  std::string summary() const override { return "passive heave compensator"; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {}, .speeds = {at_.u}}}; }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    loads.tau[static_cast<size_t>(at_.u)] -=
        S(preload_) + S(stiffness_) * c.kin.q[at_.q] + S(damping_) * c.kin.u[at_.u];
  }
  template <class S>
  S potential_energy(const ContextT<S>& c) const {
    const S x = c.kin.q[at_.q];
    return x * (S(preload_) + S(0.5 * stiffness_) * x);
  }
  double potential_rate(const ContextT<double>& c) const override {
    return (preload_ + stiffness_ * c.kin.q[at_.q]) * c.kin.u[at_.u];
  }

 private:
  CoordinateIndex at_;
  double preload_, stiffness_, damping_;
};

}  // namespace davit::rope

namespace davit {
extern template class ForceOf<rope::Piston>;
}  // namespace davit
