// Winches and compensators: what a rope's end is wound on when it has a coordinate of its own, and what drives it.
#pragma once

#include "davit/rope/rope_force.hpp"

namespace davit::rope {

// A drum with angle φ, positive as it gives out rope, or with radius one a piston. In layers its radius falls by one
// rope diameter for every layer that has run off, spread evenly over the turns of the layer: the rope given out is
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
  // That of the rope which runs off, dN/dφ.
  template <class S>
  S radius(const KinT<S>& kin) const {
    return S(radius_) - S(thinning_) * (kin.q[at_.q] - S(start_));
  }

 private:
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

enum class WinchMode { length, speed, tension, constant_tension, force, passive };

struct WinchLimits {
  double speed = std::numeric_limits<double>::infinity();         // of the rope, m/s
  double acceleration = std::numeric_limits<double>::infinity();  // of the rope, m/s²
  double torque = std::numeric_limits<double>::infinity();        // at the drum, N m
  double power = std::numeric_limits<double>::infinity();         // W
};

// The motor and brake of a drum. In mode force the torque is that of the target. In all others a speed v of the rope is
// asked for, and the motor follows it as a PI controller with a double pole at 1/response does:
//   τ = J (2 e/t_r + ∫e/t_r²),  e = v/r - φ̇.
// v is that of the target (speed); the target's rate and a share of what is missing (length); or, changed once a step
// within the limit of acceleration, the gain times what the measured tension is beyond the dead band around the target
// (tension, constant_tension). A followed point adds the speed at which it rises: active heave compensation. Torque
// and power are bounded, and the integral rests while they are. A closed brake holds by dry friction, and the motor is
// off.
class WinchDrive final : public ForceOf<WinchDrive> {
 public:
  struct Data {
    WinchMode mode = WinchMode::speed;
    Motion target;
    double inertia = 0;   // of drum and motor
    double response = 1;  // t_r, s
    double gain = 0, dead_band = 0;
    WinchLimits limits;
    std::optional<Frame> follows;
    double brake = 0;                               // N m
    std::vector<std::pair<double, double>> closed;  // times
    double first_torque = 0;                        // with which it begins
  };
  // `end`: of the rope, 0 or 1; `rope_slot`: the first slot of the rope in the discrete state.
  WinchDrive(std::string name, Data data, std::shared_ptr<const DrumReel> drum, std::shared_ptr<const RopeForce> rope,
             int rope_slot, int end)
      : ForceOf(std::move(name)),
        data_(std::move(data)),
        drum_(std::move(drum)),
        rope_(std::move(rope)),
        rope_slot_(rope_slot),
        end_(end) {}

  std::string summary() const override;
  std::vector<Coupling> couplings() const override;
  // To look at its rope.
  using ForceOf::make_work;
  std::unique_ptr<ElementWork> make_work(double scalar) const override { return rope_->make_work(scalar); }
  int auxiliary_states() const override { return data_.mode == WinchMode::force ? 0 : 1; }
  void initial_z(double* z) const override {
    if (auxiliary_states() > 0) *z = data_.first_torque;
  }
  std::vector<DiscreteSlot> discrete_slots() const override { return {{name(), 2, 1}}; }
  std::vector<double> breakpoints() const override;
  bool commit(const ContextT<double>&, DiscreteState&) const override;

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S* zdot) const {
    loads.tau[static_cast<size_t>(drum_->at().u)] += act(c, zdot);
  }
  // Of motor and brake at the drum.
  double torque(const ContextT<double>& c) const {
    double unused;
    return act(c, &unused);
  }

 private:
  template <class S>
  S act(const ContextT<S>&, S* zdot) const;
  bool measures() const { return data_.mode == WinchMode::tension || data_.mode == WinchMode::constant_tension; }
  bool braked(double t) const;
  template <class S>
  S asked_speed(const ContextT<S>&) const;

  Data data_;
  std::shared_ptr<const DrumReel> drum_;
  std::shared_ptr<const RopeForce> rope_;
  int rope_slot_, end_;
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
extern template class ForceOf<rope::WinchDrive>;
extern template class ForceOf<rope::Piston>;
}  // namespace davit
