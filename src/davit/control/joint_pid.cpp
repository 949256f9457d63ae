#include "davit/control/joint_pid.hpp"

#include <algorithm>
#include <sstream>

namespace davit {

JointPid::JointPid(std::string name, std::vector<Axis> axes, const Gains& gains, double sample_time)
    : ControllerOf(std::move(name)), axes_(std::move(axes)), gains_(gains), sample_time_(sample_time) {}

std::string JointPid::summary() const {
  std::ostringstream text;
  text << (gains_.ki != 0 ? "PID" : "PD") << " control of ";
  for (size_t i = 0; i < axes_.size(); ++i) text << (i ? ", " : "") << axes_[i].coordinate.name;
  if (sample_time_ > 0) text << ", sampled every " << sample_time_ << " s";
  return text.str();
}

std::vector<Figure> JointPid::figures() const {
  const bool angle = axes_[0].coordinate.angle;
  // One number for joints of both kinds has no unit of its own.
  const bool alike =
      std::all_of(axes_.begin(), axes_.end(), [&](const auto& a) { return a.coordinate.angle == angle; });
  const auto unit = [&](const char* of_angle, const char* of_length) {
    return std::string(!alike ? "" : angle ? of_angle : of_length);
  };
  return {{"kp", gains_.kp, unit("N m/rad", "N/m")},
          {"ki", gains_.ki, unit("N m/(rad s)", "N/(m s)")},
          {"kd", gains_.kd, unit("N m s/rad", "N s/m")}};
}

std::vector<Coupling> JointPid::couplings() const {
  std::vector<Coupling> all;
  for (const Axis& axis : axes_) all.push_back({.bodies = {}, .speeds = {axis.coordinate.u}, .inputs = {axis.input}});
  return all;
}

// Sampled: the held commands, then the integrals, then the number of samples taken.
std::vector<DiscreteSlot> JointPid::discrete_slots() const {
  if (sample_time_ == 0) return {};
  return {{name(), static_cast<int>(2 * axes_.size() + 1), 1}};
}

bool JointPid::commit(const ContextT<double>& c, DiscreteState& discrete) const {
  if (sample_time_ == 0) return false;
  const auto memory = discrete.record(c.first_slot, 0);
  const size_t n = axes_.size();
  if (c.kin.t < memory[2 * n] * sample_time_ - 1e-9 * sample_time_) return false;
  memory[2 * n] += 1;
  for (size_t i = 0; i < n; ++i) {
    const double error = c.kin.q[axes_[i].coordinate.q] - axes_[i].target.value(c.kin);
    double& integral = memory[n + i];
    if (gains_.ki != 0) {
      const double bound = gains_.integral_limit / std::abs(gains_.ki);
      integral = std::clamp(integral + error * sample_time_, -bound, bound);
    }
    memory[i] = command(axes_[i], c.kin, error, integral);
  }
  return true;  // the right-hand side jumped
}

template class ControllerOf<JointPid>;

}  // namespace davit
