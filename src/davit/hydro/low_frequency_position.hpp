// Where a hull is, but for its motion in waves: place and heading, each low-passed by s̈ = ω²(p − s) − 2ωṡ with
// auxiliary states of the force that asks.
//
// Forces of first order act at a mean place and in mean axes. Taken at the place and in the axes that the hull has at
// every moment of its oscillation, they would have a part of second order, with a mean, and that is part of the drift
// which the database has already. So waves are met at the low-frequency position, and forces of waves, memory and
// damping are in its axes.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "davit/hydro/hull_frame.hpp"

namespace davit::hydro {

// One coordinate: its states are s and ṡ. Of frequency 0 it has none, and s is p.
struct LowPass {
  double frequency = 0;  // ω, rad/s

  int states() const { return frequency > 0 ? 2 : 0; }
  template <class S>
  S value(const S* z, const S& p) const {
    return frequency > 0 ? z[0] : p;
  }
  template <class S>
  void rates(const S* z, const S& p, S* zdot) const {
    if (!(frequency > 0)) return;
    zdot[0] = z[1];
    zdot[1] = frequency * (frequency * (p - z[0]) - 2.0 * z[1]);
  }
};

// In which axes a force acts: level ones, or none: those of the hull.
template <class S>
struct LoadAxes {
  const HullStateT<S>& hull;
  std::optional<LevelAxes<S>> level;

  Vec6T<S> velocity() const { return level ? hull.velocity(*level) : hull.velocity(); }
  // A vector of these axes in world axes.
  Vec3T<S> out_of(const Vec3T<S>& x) const { return level ? level->out_of(x) : Vec3T<S>(hull.R * x); }
  void add(LoadsT<S>& loads, const Frame& frame, const Vec6T<S>& load) const {
    if (level)
      add_hull_load<S>(loads, frame, hull, *level, load);
    else
      add_hull_load<S>(loads, frame, hull, load);
  }
};

struct LowFrequencyHeading {
  LowPass filter;
  double start = 0;
  bool of_hull = false;  // no heading: all of the hull's turning

  int states() const { return of_hull ? 0 : filter.states(); }
  void initial(double* z) const {
    if (states() > 0) z[0] = start, z[1] = 0;
  }
  template <class S>
  S value(const S* z, const HullStateT<S>& hull) const {
    return of_hull ? hull.heading() : filter.value(z, hull.heading());
  }
  template <class S>
  LoadAxes<S> axes(const S* z, const HullStateT<S>& hull) const {
    return axes_at(hull, value(z, hull));
  }
  template <class S>
  LoadAxes<S> axes_at(const HullStateT<S>& hull, const S& slow) const {
    if (of_hull) return {hull, std::nullopt};
    return {hull, LevelAxes<S>(slow)};
  }
  // Headings go on beyond half a turn: the nearest one counts.
  template <class S>
  void rates(const S* z, const HullStateT<S>& hull, S* zdot) const {
    if (states() == 0) return;
    const S heading = hull.heading();
    constexpr double turn = 2 * std::numbers::pi;
    filter.rates<S>(z, heading + S(turn * std::round((value_of(z[0]) - value_of(heading)) / turn)), zdot);
  }
};

struct LowFrequencyPosition {
  Vec2 start = Vec2::Zero();
  LowFrequencyHeading heading;
  bool held = false;  // stays where it began

  int states() const { return held ? 0 : 3 * heading.states(); }
  void initial(double* z) const {
    if (states() == 0) return;
    z[0] = start.x(), z[1] = 0, z[2] = start.y(), z[3] = 0;
    heading.initial(z + 4);
  }
  // x, y and heading.
  template <class S>
  std::array<S, 3> value(const S* z, const HullStateT<S>& hull) const {
    if (held) return {S(start.x()), S(start.y()), S(heading.start)};
    if (states() == 0) return {hull.p.x(), hull.p.y(), hull.heading()};
    return {z[0], z[2], z[4]};
  }
  std::array<double, 3> speed(const double* z, const HullStateT<double>& hull) const {
    if (held) return {};
    if (states() == 0) return {hull.v.x(), hull.v.y(), hull.w.z()};
    return {z[1], z[3], z[5]};
  }
  template <class S>
  void rates(const S* z, const HullStateT<S>& hull, S* zdot) const {
    if (states() == 0) return;
    heading.filter.rates<S>(z, hull.p.x(), zdot);
    heading.filter.rates<S>(z + 2, hull.p.y(), zdot + 2);
    heading.rates<S>(z + 4, hull, zdot + 4);
  }
};

}  // namespace davit::hydro
