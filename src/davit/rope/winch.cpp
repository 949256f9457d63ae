#include "davit/rope/winch.hpp"

#include <algorithm>
#include <cmath>

namespace davit::rope {

namespace {

enum Field { f_speed, f_time };
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

std::string WinchDrive::summary() const {
  return std::string("winch, ") + name_of(data_.mode) + (data_.brake > 0 ? ", with brake" : "");
}

std::vector<Coupling> WinchDrive::couplings() const {
  Coupling c{.bodies = {}, .speeds = {drum_->at().u}};
  if (data_.follows) c.bodies.push_back(data_.follows->body);
  return {c};
}

std::vector<double> WinchDrive::breakpoints() const {
  std::vector<double> all = data_.target.breakpoints();
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

bool WinchDrive::commit(const ContextT<double>& c, DiscreteState& discrete) const {
  if (!measures()) return false;
  if (discrete.size(c.first_slot) == 0) discrete.insert(c.first_slot, 0)[f_time] = c.kin.t;
  const auto memory = discrete.record(c.first_slot, 0);
  const auto& tensions = rope_->view({c.kin, nullptr, nullptr, discrete, rope_slot_, c.work}).tensions.tension;
  const double off = (end_ == 0 ? tensions.front() : tensions.back()) - data_.target.value(c.kin.t);
  const double beyond = std::copysign(std::max(0.0, std::abs(off) - data_.dead_band), off);
  const double change = data_.limits.acceleration * (c.kin.t - memory[f_time]);
  const double asked = std::clamp(data_.gain * beyond, -data_.limits.speed, data_.limits.speed);
  memory[f_speed] =
      std::isfinite(change) ? std::clamp(asked, memory[f_speed] - change, memory[f_speed] + change) : asked;
  memory[f_time] = c.kin.t;
  return false;
}

template <class S>
S WinchDrive::asked_speed(const ContextT<S>& c) const {
  S v(0);
  if (measures() && c.discrete.size(c.first_slot) > 0) v = S(c.discrete.record(c.first_slot, 0)[f_speed]);
  if (data_.mode == WinchMode::speed) v = data_.target.value(c.kin.t);
  if (data_.mode == WinchMode::length)
    v = data_.target.derivative(1, c.kin.t) +
        (data_.target.value(c.kin.t) - drum_->paid_out(c.kin)) * S(0.25 / data_.response);
  if (data_.follows) v += velocity(c.kin, *data_.follows).z();
  return clamped(v, data_.limits.speed);
}

template <class S>
S WinchDrive::act(const ContextT<S>& c, S* zdot) const {
  const S omega = c.kin.u[drum_->at().u], radius = drum_->radius(c.kin);
  if (auxiliary_states() > 0) *zdot = S(0);
  if (braked(value_of(c.kin.t))) {
    using std::tanh;
    return -S(data_.brake) * tanh(omega / S(creep));
  }
  S torque = -data_.target.value(c.kin.t) * radius;
  if (data_.mode != WinchMode::force) {
    const S error = asked_speed(c) / radius - omega;
    torque = S(2 * data_.inertia / data_.response) * error + *c.z;
    *zdot = S(data_.inertia / (data_.response * data_.response)) * error;
  }
  const double speed = std::abs(value_of(omega));
  const double bound = std::min(data_.limits.torque, speed > 0 ? data_.limits.power / speed : data_.limits.torque);
  if (std::abs(value_of(torque)) > bound) {
    torque = clamped(torque, bound);
    if (auxiliary_states() > 0 && value_of(*zdot) * value_of(torque) > 0) *zdot = S(0);
  }
  return torque;
}

template double WinchDrive::act(const ContextT<double>&, double*) const;
template Dual8 WinchDrive::act(const ContextT<Dual8>&, Dual8*) const;

}  // namespace davit::rope

namespace davit {
template class ForceOf<rope::WinchDrive>;
template class ForceOf<rope::Piston>;
}  // namespace davit
