#include "davit/hydro/slow_drift.hpp"

#include <cmath>
#include <complex>

#include "davit/hydro/wave_window.hpp"
#include "davit/sea/ramp.hpp"

namespace davit::hydro {

namespace {

using Complex = std::complex<double>;

using wave_window::nodes;

// What is kept of a window in the discrete state.
struct DriftPlan {
  enum : int {
    valid,
    start,
    way,
    forces = way + wave_window::Way::width,
    width = forces + 12 * static_cast<int>(nodes)
  };
};

// Both sums of the product at one time.
struct Sums {
  Complex wave = 0;
  WaveForceTable::Parts real = {}, imaginary = {};  // of the sum with forces

  void add(const Complex& z, const WaveForceTable::Parts& unit) {
    wave += z;
    for (size_t i = 0; i < unit.size(); ++i) real[i] += z.real() * unit[i];
    for (size_t i = 0; i < unit.size(); ++i) imaginary[i] += z.imag() * unit[i];
  }
  WaveForceTable::Parts forces() const {
    WaveForceTable::Parts out;
    for (size_t i = 0; i < out.size(); ++i) out[i] = wave.real() * real[i] + wave.imag() * imaginary[i];
    return out;
  }
};

DriftOnHull::SlowForce as_forces(const double* parts) {
  return {Eigen::Map<const Vec6>(parts), Eigen::Map<const Vec6>(parts + 6)};
}

}  // namespace

DriftOnHull::DriftOnHull(std::vector<sea::Component> components, WaveForceTable drift, double step, double ramp)
    : components_(std::move(components)),
      wave_vectors_(wave_window::wave_vectors(components_)),
      drift_(std::move(drift)),
      window_(wave_window::length(components_, step)),
      ramp_(ramp) {
  if (window_ > 0) turn_ = wave_window::turns(components_, window_);
}

std::vector<DiscreteSlot> SlowDrift::discrete_slots() const {
  return {{name() + ": drift of the window", DriftPlan::width, 1}};
}

std::string SlowDrift::summary() const {
  return motions_.empty() ? "takes the mean of first-order forces away; no drift"
                          : "slow drift by Newman's approximation in " + motions_;
}

DriftOnHull::SlowForce DriftOnHull::force(double t, const Vec2& place, double heading) const {
  const WaveForceTable::Cell cell = drift_.cell(heading);
  WaveForceTable::Force unit;
  Sums sums;
  for (size_t n = 0; n < components_.size(); ++n) {
    drift_.at(cell, n, unit);
    sums.add(wave_window::wave(components_[n], wave_vectors_[n], t, place), unit.value);
  }
  return as_forces(sums.forces().data());
}

bool SlowDrift::commit(const ContextT<double>& c, DiscreteState& discrete) const {
  const DriftOnHull& waves = waves_.of(c.kin);
  if (waves.window_ == 0) return false;
  auto plan = discrete.record(c.first_slot, 0);
  const double t = c.kin.t, gone = t - plan[DriftPlan::start];
  if (plan[DriftPlan::valid] > 0 && gone >= 0 && gone < waves.window_ * (1 - 1e-6)) return false;
  const HullStateT<double> hull = hull_state(c.kin, frame_);
  using wave_window::Way;
  const Way before = Way::of(plan.data() + DriftPlan::way);
  const Way::Place here = {hull.p.x(), hull.p.y(), hull.heading()}, speed = {hull.v.x(), hull.v.y(), hull.w.z()};
  const bool goes_on = plan[DriftPlan::valid] > 0 && std::abs(gone - waves.window_) < 1e-6 * waves.window_;
  const Way way = goes_on ? before.next(here, speed, waves.window_) : Way{here, speed};
  const double between = waves.window_ / static_cast<double>(nodes - 1);
  std::array<Way::Place, nodes> on_the_way;
  for (size_t node = 0; node < nodes; ++node) on_the_way[node] = way.after(static_cast<double>(node) * between);
  // The drift as the hull turns, about the heading in the middle of the window.
  const double heading = on_the_way[nodes / 2][2];
  const WaveForceTable::Cell cell = waves.drift_.cell(heading);
  const Vec2 next(on_the_way[1][0] - here[0], on_the_way[1][1] - here[1]);
  const Vec2 more = between * between * Vec2(way.acceleration[0], way.acceleration[1]);
  std::array<Sums, nodes> sums;
  WaveForceTable::Force unit;
  for (size_t n = 0; n < waves.components_.size(); ++n) {
    waves.drift_.expect(cell, n + WaveForceTable::ahead);
    waves.drift_.at(cell, n, unit);
    const Vec2& k = waves.wave_vectors_[n];
    Complex z = wave_window::wave(waves.components_[n], k, t, {here[0], here[1]});
    Complex met = wave_window::times(waves.turn_[n], wave_window::small_turn(k.dot(next)));
    const Complex faster = wave_window::small_turn(k.dot(more));
    for (size_t node = 0; node < nodes; ++node) {
      const double turn = on_the_way[node][2] - heading;
      WaveForceTable::Parts turned = unit.value;
      for (size_t i = 0; i < turned.size(); ++i) turned[i] += turn * (unit.slope[i] + 0.5 * turn * unit.curvature[i]);
      sums[node].add(z, turned);
      z = wave_window::times(z, met);
      met = wave_window::times(met, faster);
    }
  }
  plan[DriftPlan::valid] = 1;
  plan[DriftPlan::start] = t;
  way.keep(plan.data() + DriftPlan::way);
  // A hull that left its way a little would be pushed by a step: what the last window ended with goes over into this
  // one.
  WaveForceTable::Parts jump = {};
  for (size_t node = 0; node < nodes; ++node) {
    WaveForceTable::Parts now = sums[node].forces();
    if (node == 0)
      for (size_t i = 0; goes_on && i < now.size(); ++i)
        jump[i] = plan[DriftPlan::forces + 12 * (nodes - 1) + i] - now[i];
    const double left = 1 - static_cast<double>(node) / static_cast<double>(nodes - 1);
    for (size_t i = 0; i < now.size(); ++i) plan[DriftPlan::forces + 12 * node + i] = now[i] + left * jump[i];
  }
  return false;
}

SlowDrift::SlowForce SlowDrift::force_at(const DriftOnHull& waves, double t, const Vec2& place, double heading,
                                         double times, const DiscreteState& discrete, int slot) {
  const double ramp = std::pow(times * sea::ramp_up(t, waves.ramp_), 2);
  if (waves.window_ > 0) {
    const auto plan = discrete.record(slot, 0);
    const double s = (nodes - 1) * (t - plan[DriftPlan::start]) / waves.window_;
    if (plan[DriftPlan::valid] > 0 && s >= -1e-6 && s <= nodes - 1 + 1e-6) {
      WaveForceTable::Parts now = {};
      const std::array<double, nodes> weights = wave_window::weights<nodes>(s);
      for (size_t node = 0; node < nodes; ++node)
        for (size_t i = 0; i < now.size(); ++i)
          now[i] += ramp * weights[node] * plan[DriftPlan::forces + 12 * node + i];
      return as_forces(now.data());
    }
  }
  const SlowForce now = waves.force(t, place, heading);
  return {ramp * now.drift, ramp * now.correction};
}

}  // namespace davit::hydro

namespace davit {
template class ForceOf<hydro::SlowDrift>;
}  // namespace davit
