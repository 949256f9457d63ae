#include "davit/operation/drive_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace davit::operation {

namespace {

constexpr double shortest_change = 0.1;  // s, in which a speed changes

std::array<double, 3> at(const Motion& motion, double t) {
  std::array<double, 3> x{};
  motion.derivatives(t, x);
  return x;
}

}  // namespace

// Hermite's cubic changes a speed by Δ in the time T with 1.5 Δ/T at most.
double time_to_change(double by, const DriveLimits& limits) {
  return std::max(1.5 * std::abs(by) / limits.acceleration, shortest_change);
}

Motion motion_at_speed(const Motion& now, double t, const DriveLimits& limits, double speed) {
  const std::array<double, 3> x = at(now, t);
  const double wanted = std::clamp(speed, -limits.speed, limits.speed);
  return Motion::to_speed(t, x, time_to_change(wanted - x[1], limits), wanted);
}

Motion motion_at_speed(const Motion& now, double t, const DriveLimits& limits, double speed, double least,
                       double most) {
  Motion motion = motion_at_speed(now, t, limits, speed);
  const double begun = motion.ends() == INFINITY ? motion.breakpoints().back() : t;
  const std::array<double, 3> x = at(motion, begun);
  const double end = x[1] > 0 ? most : least, over = time_to_change(x[1], limits);
  if (x[1] == 0 || !std::isfinite(end)) return motion;
  // A stop of Hermite's cubic takes half the way of its speed.
  const double stop = begun + (end - x[0]) / x[1] - over / 2;
  if (stop < begun) return motion_to(now, t, limits, end);
  return motion.stop(stop, over);
}

Motion motion_to(const Motion& now, double t, const DriveLimits& limits, double value) {
  const std::array<double, 3> x = at(now, t);
  if (!std::isfinite(limits.speed) && !std::isfinite(limits.acceleration)) {
    Motion motion(x[0]);
    if (x[0] != value) motion.jump(t, value);
    return motion;
  }
  Motion motion(x[0]);
  double begin = t;
  if (x[1] != 0 || x[2] != 0) {
    const double over = time_to_change(x[1], limits);
    motion = Motion::to_speed(begin, x, over, 0);
    begin += over;
  }
  const Travel travel = fastest_travel(value - motion.end_value(), limits);
  if (travel.over > 0) motion.move(begin, travel.over, value, travel.profile);
  return motion;
}

}  // namespace davit::operation
