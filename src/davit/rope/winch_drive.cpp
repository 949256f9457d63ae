// Torque of a winch within its limits, to follow a length, a speed or a tension or to compensate heave; its brake.
#include "davit/rope/winch_drive.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace davit::rope {

namespace {

constexpr double creep = 1e-3;  // rad/s over which the brake's friction builds up

template <class S>
S clamped(const S& x, double bound) {
  return value_of(x) > bound ? S(bound) : value_of(x) < -bound ? S(-bound) : x;
}

const char* name_of(WinchMode mode) {
  switch (mode) {
    case WinchMode::length:
      return "length";
    case WinchMode::speed:
      return "speed";
    case WinchMode::tension:
      return "tension";
    case WinchMode::constant_tension:
      return "constant tension";
    case WinchMode::force:
      return "force";
    case WinchMode::passive:
      break;
  }
  return "passive";
}

}  // namespace

WinchDrive::WinchDrive(std::string name, Data data, std::shared_ptr<const DrumReel> drum,
                       std::shared_ptr<const RopeForce> rope, int rope_slot, int end)
    : ForceOf(std::move(name)),
      data_(std::move(data)),
      drum_(std::move(drum)),
      rope_(std::move(rope)),
      rope_slot_(rope_slot),
      end_(end) {
  if (data_.mode != WinchMode::force) integral_ = states_++;
  if (data_.mode != WinchMode::force && std::isfinite(data_.limits.acceleration)) reference_ = states_++;
  if (data_.follows && data_.follows->filter > 0) filter_ = states_++;
  if (data_.follows && data_.follows->delay > 0) delay_ = states_, states_ += 2;
}

std::string WinchDrive::summary() const {
  return std::string("winch, ") + name_of(data_.mode) + (data_.follows ? ", heave compensation" : "") +
         (data_.port >= 0 ? ", commanded by a controller" : "") + (data_.brake > 0 ? ", with brake" : "");
}

std::vector<Coupling> WinchDrive::couplings() const {
  Coupling c{.bodies = {}, .speeds = {drum_->at().u}};
  if (data_.follows) c.bodies.push_back(data_.follows->point.body);
  if (on_rotor(rope_->setup(), end_)) c.bodies.push_back(waypoint_of(rope_->setup(), end_).frame.body);
  if (data_.port >= 0) c.inputs.push_back(data_.port);
  return {c};
}

void WinchDrive::initial_z(double* z) const {
  std::fill(z, z + states_, 0.0);
  if (integral_ >= 0) z[integral_] = -data_.first_pull * drum_->start_radius();
  if (reference_ >= 0 && data_.mode == WinchMode::speed) z[reference_] = data_.first_target;
}

std::vector<double> WinchDrive::breakpoints() const {
  std::vector<double> all;
  for (const auto& [from, until] : data_.closed) {
    all.push_back(from);
    all.push_back(until);
  }
  return all;
}

bool WinchDrive::braked(double t) const {
  return std::any_of(data_.closed.begin(), data_.closed.end(),
                     [t](const auto& span) { return t >= span.first && t < span.second; });
}

// The rope's tension is measured, and what hangs on it estimated from that, at a rate of its own.
bool WinchDrive::commit(const ContextT<double>& c, DiscreteState& discrete) const {
  const auto memory = discrete.record(c.first_slot, 0);
  const double t = c.kin.t;
  if (memory[RunClock::seen] == 0) {
    memory[Memory::tension] = data_.first_pull;
    memory[Memory::mass] = data_.load.value_or(std::max(0.0, data_.first_pull) / data_.gravity);
  }
  RunClock::advance(memory.subspan(Memory::clock, RunClock::size), t);
  const bool begun = RunClock::has_begun(memory.subspan(Memory::clock, RunClock::size));
  if (!begun && data_.follows) memory[Memory::start_height] = position(c.kin, data_.follows->point).z();
  // What bounds a force needs the tension of the moment.
  const double period = data_.sample_time > 0            ? data_.sample_time
                        : data_.mode == WinchMode::force ? 0
                                                         : data_.response / 10;
  if (begun) memory[Memory::given] = given(c.kin, discrete);
  if (begun && t < memory[Memory::next] - 1e-9 * period) return false;
  const RopeForce::View view = rope_->view({c.kin, nullptr, nullptr, discrete, rope_slot_, c.work});
  const auto at_drum = [&](const TensionsT<double>& tensions) {
    return tension_at(rope_->setup().rope, tensions, end_ == 0 ? 0 : tensions.legs.size() - 1, end_);
  };
  // What hangs is told by the stretch alone: damping tells how fast it moves. A bounded force balances the same, so
  // that the rope's damping still acts on the drum.
  const double elastic = at_drum(view.tensions);
  const double passed = begun ? t - (memory[Memory::next] - period) : 0;
  memory[Memory::tension] = data_.mode == WinchMode::force ? elastic : at_drum(view.acting);
  const double share = begun ? 1 - std::exp(-passed / (5 * data_.response)) : 1;
  // While rope is to gain speed its tension has the load's inertia in it, and says nothing of the mass.
  constexpr double steady = 0.01;  // of gravity
  const double gained = data_.port >= 0                   ? 0
                        : data_.mode == WinchMode::length ? data_.target.acceleration(c.kin)
                        : data_.mode == WinchMode::speed  ? data_.target.rate(c.kin)
                                                          : 0;
  const bool tells = std::abs(gained) < steady * data_.gravity;
  if (!data_.load && (tells || !begun))
    memory[Memory::mass] += share * (std::max(0.0, elastic) / data_.gravity - memory[Memory::mass]);
  if (measures() && data_.port < 0)
    memory[Memory::speed] = speed_for_tension(memory[Memory::tension], data_.target.value(c.kin));
  memory[Memory::next] = t + period;
  return false;
}

void WinchDrive::come_to_rest(DiscreteState& discrete, int first_slot) const {
  RunClock::forget(discrete.record(first_slot, 0).subspan(Memory::clock, RunClock::size));
}

template <class S>
S WinchDrive::speed_for_tension(double tension, const S& target) const {
  using std::abs;
  const S off = S(tension) - target;
  if (abs(value_of(off)) <= data_.dead_band) return S(0);
  return clamped(S(S(data_.gain) * (off - S(std::copysign(data_.dead_band, value_of(off))))), data_.limits.speed);
}

double WinchDrive::reflected_inertia(const DiscreteState& discrete, int slot, double radius) const {
  const auto memory = discrete.record(slot, 0);
  const double mass = memory[RunClock::seen] > 0 ? memory[Memory::mass]
                                                 : data_.load.value_or(std::max(0.0, data_.first_pull) / data_.gravity);
  return data_.inertia + mass * radius * radius;
}

template <class S>
WinchDrive::Heave<S> WinchDrive::heave(const ContextT<S>& c, S* zdot) const {
  Heave<S> out;
  if (!data_.follows) return out;
  const HeaveSensor& sensor = *data_.follows;
  out.rise = position(c.kin, sensor.point).z() - S(sensor.start);
  out.speed = velocity(c.kin, sensor.point).z();
  if (filter_ >= 0) {
    const S rate = (out.rise - c.z[filter_]) / S(sensor.filter);
    zdot[filter_] = rate;
    out = {c.z[filter_], rate};
  }
  if (delay_ >= 0) {
    // d² ẅ + 6 d ẇ + 12 w = in, out = in - 12 d ẇ
    const double d = sensor.delay;
    const S w = c.z[delay_], rate = c.z[delay_ + 1];
    const S second = (out.rise - S(6 * d) * rate - S(12) * w) / S(d * d);
    zdot[delay_] = rate;
    zdot[delay_ + 1] = second;
    out = {out.rise - S(12 * d) * rate, out.speed - S(12 * d) * second};
  }
  out.rise -= S(c.discrete.record(c.first_slot, 0)[Memory::start_height] - sensor.start);
  return out;
}

template <class S>
WinchDrive::Reference<S> WinchDrive::asked(const ContextT<S>& c, const Heave<S>& heave) const {
  Reference<S> out;
  const auto memory = c.discrete.record(c.first_slot, 0);
  const bool begun = RunClock::has_begun(memory);
  const S missing_rate(0.25 / data_.response);
  const Target<S> wanted = target(c);
  if (!begun) {
    const S length = data_.mode == WinchMode::length ? wanted.value : S(memory[Memory::given]);
    return {(length - given(c.kin, c.discrete)) * missing_rate, S(0)};
  }
  if (measures())
    out.speed = data_.port < 0 ? S(memory[Memory::speed]) : speed_for_tension(memory[Memory::tension], wanted.value);
  if (data_.mode == WinchMode::speed) out = {wanted.value, wanted.rate};
  if (data_.mode == WinchMode::length)
    out = {wanted.rate + (wanted.value + heave.rise - given(c.kin, c.discrete)) * missing_rate, wanted.acceleration};
  out.speed += heave.speed;
  return out;
}

// Within the limits of speed and acceleration. A tenth of the response is the lag of what is limited in acceleration.
template <class S>
WinchDrive::Reference<S> WinchDrive::limited(const ContextT<S>& c, const Reference<S>& wanted, S* zdot) const {
  const double most = data_.limits.speed;
  const bool cut = std::abs(value_of(wanted.speed)) > most;
  const Reference<S> kept{clamped(wanted.speed, most), cut ? S(0) : wanted.rate};
  if (reference_ < 0) return kept;
  const S speed = c.z[reference_];
  const S rate = clamped(S((kept.speed - speed) / S(data_.response / 10)), data_.limits.acceleration);
  zdot[reference_] = rate;
  return {speed, rate};
}

template <class S>
S WinchDrive::follow(const ContextT<S>& c, const Reference<S>& reference, S* zdot) const {
  const S radius = drum_->radius(c.kin), omega = speed(c.kin);
  const S inertia(reflected_inertia(c.discrete, c.first_slot, value_of(radius)));
  const double t = data_.response;
  const S error = reference.speed / radius - omega;
  const S wanted =
      inertia * (reference.rate / radius + S(2 / t) * error + holding_back(omega, radius)) + c.z[integral_];
  const S torque = bounded(wanted, value_of(omega));
  zdot[integral_] = inertia * error / S(t * t);
  const bool cut = value_of(torque) != value_of(wanted);
  if (cut && value_of(zdot[integral_]) * (value_of(wanted) - value_of(torque)) > 0) zdot[integral_] = S(0);
  return torque;
}

// Acceleration of the drum against what of its speed is beyond the limit.
template <class S>
S WinchDrive::holding_back(const S& omega, const S& radius) const {
  const S most = S(data_.limits.speed) / radius;
  if (!(std::abs(value_of(omega)) > value_of(most))) return S(0);
  return S(50 / data_.response) * (value_of(omega) > 0 ? S(most - omega) : S(-most - omega));
}

// The target's force, bounded so that the drum does not run faster, or gain speed faster, than it may: beside what
// balances the measured tension, what its own inertia needs, and what brings it to its largest speed in a tenth of the
// response.
template <class S>
S WinchDrive::pull_with_force(const ContextT<S>& c) const {
  const S radius = drum_->radius(c.kin), omega = speed(c.kin);
  S torque = -target(c).value * radius;
  const auto memory = c.discrete.record(c.first_slot, 0);
  if (RunClock::has_begun(memory)) {
    const double r = value_of(radius);
    const S balance(-memory[Memory::tension] * r);
    if (std::isfinite(data_.limits.acceleration))
      torque = balance + clamped(S(torque - balance), data_.inertia * data_.limits.acceleration / r);
    if (std::isfinite(data_.limits.speed)) {
      const S gain(10 * data_.inertia / data_.response), most(data_.limits.speed / r);
      const S upper = balance + gain * (most - omega), lower = balance - gain * (most + omega);
      if (value_of(torque) > value_of(upper)) torque = upper;
      if (value_of(torque) < value_of(lower)) torque = lower;
    }
  }
  return bounded(torque, value_of(omega));
}

template <class S>
S WinchDrive::bounded(const S& torque, double speed) const {
  const double power = value_of(torque) * speed > 0 ? data_.limits.power : data_.limits.braking_power;
  const double bound = std::min(data_.limits.torque, speed != 0 ? power / std::abs(speed) : data_.limits.torque);
  return clamped(torque, bound);
}

// Dry friction. Before a run begins it gives by a milliradian at most, because what is at rest has no speed.
template <class S>
S WinchDrive::hold_by_brake(const ContextT<S>& c) const {
  using std::tanh;
  if (RunClock::has_begun(c.discrete.record(c.first_slot, 0))) return -S(data_.brake) * tanh(speed(c.kin) / S(creep));
  const double stood = c.discrete.record(c.first_slot, 0)[Memory::given];
  const S turned = (given(c.kin, c.discrete) - S(stood)) / S(drum_->start_radius());
  return clamped(S(S(-data_.first_pull * drum_->start_radius()) - S(data_.brake / creep) * turned), data_.brake);
}

// Until the run begins a drum that a controller pulls is held as by its brake, which carries what the pull does not: a
// spring, stiff beside what hangs on it and beside its own inertia.
template <class S>
S WinchDrive::held_for_controller(const ContextT<S>& c) const {
  constexpr double fast = 20 * std::numbers::pi;  // rad/s
  const auto memory = c.discrete.record(c.first_slot, 0);
  if (RunClock::has_begun(memory) || value_of(c.kin.t) > memory[RunClock::time]) return S(0);
  const double radius = drum_->start_radius(), carried = std::abs(data_.first_pull) * radius;
  const S turned = (given(c.kin, c.discrete) - S(memory[Memory::given])) / S(radius);
  return -S(carried / creep + data_.inertia * fast * fast) * turned;
}

template <class S>
S WinchDrive::act(const ContextT<S>& c, S* zdot) const {
  const Heave<S> seen = heave(c, zdot);
  if (braked(value_of(c.kin.t))) {
    const S torque = hold_by_brake(c), lag(data_.response / 10);
    if (integral_ >= 0) zdot[integral_] = (clamped(torque, data_.limits.torque) - c.z[integral_]) / lag;
    if (reference_ >= 0) zdot[reference_] = -c.z[reference_] / lag;
    return torque;
  }
  if (data_.mode == WinchMode::force)
    return data_.port >= 0 ? pull_with_force(c) + held_for_controller(c) : pull_with_force(c);
  return follow(c, limited(c, asked(c, seen), zdot), zdot);
}

double WinchDrive::torque(const ContextT<double>& c) const {
  double unused[8];
  return act(c, unused);
}

template double WinchDrive::act(const ContextT<double>&, double*) const;
template Dual8 WinchDrive::act(const ContextT<Dual8>&, Dual8*) const;

}  // namespace davit::rope

namespace davit {
template class ForceOf<rope::WinchDrive>;
template class ForceOf<rope::Piston>;
}  // namespace davit
