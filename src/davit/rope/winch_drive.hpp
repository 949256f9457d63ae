// The motor and brake of a drum.
#pragma once

#include "davit/model/held_before_run.hpp"
#include "davit/model/run_clock.hpp"
#include "davit/rope/rope_ends.hpp"
#include "davit/rope/winch.hpp"

namespace davit::rope {

enum class WinchMode { length, speed, tension, constant_tension, force, passive };

struct WinchLimits {
  double speed = std::numeric_limits<double>::infinity();          // of the rope, m/s
  double acceleration = std::numeric_limits<double>::infinity();   // of the rope, m/s²
  double torque = std::numeric_limits<double>::infinity();         // at the drum, N m
  double power = std::numeric_limits<double>::infinity();          // W, of a motor that drives …
  double braking_power = std::numeric_limits<double>::infinity();  // … and that is driven
};

// What active heave compensation sees of a point: its height, through a filter of first order and a delay (Padé's
// approximation of order two).
struct HeaveSensor {
  Frame point;
  double start = 0;  // its height at the start, m
  double filter = 0, delay = 0;
};

// In mode force the torque is that of the target. In all others a speed v of the rope is asked for, and the motor
// follows it as a PI controller with a double pole at 1/t_r does, with the acceleration of v ahead:
//   τ = J' (v̇/r + 2 e/t_r) + ∫J' e/t_r²,  e = v/r - φ̇,  J' = J + m r².
// m is what hangs on the rope: given, or by the measured tension, T/g, followed slowly. Where a tackle carries the load
// that is too much, which costs nothing: more gain than the load needs is stable whatever the rope, less is not.
// v is that of the target (speed); the target's rate and a share of what is missing (length); or the gain times what
// the measured tension is beyond the dead band around the target (tension, constant_tension), sampled. A followed
// point adds the speed at which it rises, and its rise to the target of length: active heave compensation. v is bounded
// by the limit of speed, and follows within the limit of acceleration; beyond the limit of speed the motor holds the
// drum back with 25 times the gain. In mode force the same limits bound the torque. Torque and power are bounded last,
// and the integral rests while they are. A closed brake holds by dry friction, and the motor is off; the integral takes
// over what the brake carries, so that the motor carries it when the brake opens. Before a run begins the drum is held
// where it is (length, at its target), so that equilibria exist.
class WinchDrive final : public ForceOf<WinchDrive>, public HeldBeforeRun {
 public:
  struct Data {
    WinchMode mode = WinchMode::speed;
    Signal target;
    int port = -1;  // an input that a controller writes in place of the target; −1: none
    double first_target = 0;
    double inertia = 0;   // J, of drum and motor
    double response = 1;  // t_r, s
    double gain = 0, dead_band = 0;
    double sample_time = 0;  // s, of the measured tension; zero: a tenth of t_r, not kept by steps
    double gravity = 9.80665;
    std::optional<double> load;  // m, kg
    WinchLimits limits;
    std::optional<HeaveSensor> follows;
    double brake = 0;                               // N m
    std::vector<std::pair<double, double>> closed;  // times
    double first_pull = 0;                          // of the rope on the drum at the start, N
  };
  // `end`: of the rope, 0 or 1; `rope_slot`: the first slot of the rope in the discrete state.
  WinchDrive(std::string name, Data data, std::shared_ptr<const DrumReel> drum, std::shared_ptr<const RopeForce> rope,
             int rope_slot, int end);

  std::string summary() const override;
  std::vector<Coupling> couplings() const override;
  // To look at its rope.
  using ForceOf::make_work;
  std::unique_ptr<ElementWork> make_work(double scalar) const override { return rope_->make_work(scalar); }
  int auxiliary_states() const override { return states_; }
  void initial_z(double* z) const override;
  std::vector<DiscreteSlot> discrete_slots() const override { return {{name(), Memory::size, 1}}; }
  std::vector<double> breakpoints() const override;
  double sample_time() const override { return measures() ? data_.sample_time : 0; }
  bool commit(const ContextT<double>&, DiscreteState&) const override;
  void come_to_rest(DiscreteState&, int first_slot) const override;

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S* zdot) const {
    const S torque = act(c, zdot);
    loads.tau[static_cast<size_t>(drum_->at().u)] += torque;
    react_on_holder(rope_->setup(), end_, c.kin, torque, loads);
  }
  // Of motor and brake at the drum.
  double torque(const ContextT<double>& c) const;
  // Of the drum beside its holder: its speed, and the rope that it has given out.
  template <class S>
  S speed(const KinT<S>& kin) const {
    return kin.u[drum_->at().u] - holder_speed(rope_->setup(), end_, kin);
  }
  template <class S>
  S given(const KinT<S>& kin, const DiscreteState& discrete) const {
    return given_out(rope_->setup(), end_, kin, rope_->reel_mark(discrete, rope_slot_, end_));
  }

 private:
  struct Memory {
    enum : int { clock, speed = RunClock::size, tension, mass, start_height, next, given, size };
  };
  // Rise and speed of a followed point since the run began, as the sensor has them.
  template <class S>
  struct Heave {
    S rise = S(0), speed = S(0);
  };
  // A speed of the rope, and its rate where it is known beforehand.
  template <class S>
  struct Reference {
    S speed = S(0), rate = S(0);
  };
  // What is asked for, with its rates: by the signal, or by a controller that holds it from sample to sample.
  template <class S>
  struct Target {
    S value = S(0), rate = S(0), acceleration = S(0);
  };
  template <class S>
  Target<S> target(const ContextT<S>& c) const {
    if (data_.port >= 0) return {.value = c.w[data_.port]};
    return {data_.target.value(c.kin), data_.target.rate(c.kin), data_.target.acceleration(c.kin)};
  }
  // The speed that a measured tension asks for.
  template <class S>
  S speed_for_tension(double tension, const S& target) const;
  template <class S>
  S act(const ContextT<S>&, S* zdot) const;
  template <class S>
  S follow(const ContextT<S>&, const Reference<S>&, S* zdot) const;
  template <class S>
  S pull_with_force(const ContextT<S>&) const;
  template <class S>
  S hold_by_brake(const ContextT<S>&) const;
  template <class S>
  S held_for_controller(const ContextT<S>&) const;
  template <class S>
  Heave<S> heave(const ContextT<S>&, S* zdot) const;
  template <class S>
  Reference<S> asked(const ContextT<S>&, const Heave<S>&) const;
  template <class S>
  Reference<S> limited(const ContextT<S>&, const Reference<S>&, S* zdot) const;
  template <class S>
  S holding_back(const S& omega, const S& radius) const;
  template <class S>
  S bounded(const S& torque, double speed) const;
  bool measures() const { return data_.mode == WinchMode::tension || data_.mode == WinchMode::constant_tension; }
  bool braked(double t) const;
  double reflected_inertia(const DiscreteState&, int slot, double radius) const;

  Data data_;
  std::shared_ptr<const DrumReel> drum_;
  std::shared_ptr<const RopeForce> rope_;
  int rope_slot_, end_;
  int states_ = 0, integral_ = -1, reference_ = -1, filter_ = -1, delay_ = -1;  // places of z; −1: not there
};

}  // namespace davit::rope

namespace davit {
extern template class ForceOf<rope::WinchDrive>;
}  // namespace davit
