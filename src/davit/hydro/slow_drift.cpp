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
  enum : int { valid, start, forces, width = forces + 6 * static_cast<int>(nodes) };
};

// Both sums of the product at one time.
struct Sums {
  Complex wave = 0;
  std::array<Complex, 6> drift = {};

  void add(const Complex& z, const WaveForceTable::Parts& unit) {
    wave += z;
    for (size_t i = 0; i < 6; ++i) drift[i] += z * unit[i];
  }
  Vec6 force() const {
    Vec6 out;
    for (size_t i = 0; i < 6; ++i)
      out[static_cast<Eigen::Index>(i)] = wave.real() * drift[i].real() + wave.imag() * drift[i].imag();
    return out;
  }
};

}  // namespace

SlowDrift::SlowDrift(std::string name, const Frame& frame, std::vector<sea::Component> components, WaveForceTable drift,
                     double step, double ramp, std::string motions)
    : ForceOf(std::move(name)),
      frame_(frame),
      components_(std::move(components)),
      drift_(std::move(drift)),
      ramp_(ramp),
      motions_(std::move(motions)) {
  wave_vectors_ = wave_window::wave_vectors(components_);
  window_ = wave_window::length(components_, step);
  if (window_ > 0) turn_ = wave_window::turns(components_, window_);
}

std::vector<DiscreteSlot> SlowDrift::discrete_slots() const {
  if (window_ == 0) return {};
  return {{name() + ": drift of the window", DriftPlan::width, 1}};
}

Vec6 SlowDrift::force(double t, const Vec2& place, double heading) const {
  const WaveForceTable::Cell cell = drift_.cell(heading);
  WaveForceTable::Force unit;
  Sums sums;
  for (size_t n = 0; n < components_.size(); ++n) {
    drift_.at(cell, n, unit);
    sums.add(wave_window::wave(components_[n], wave_vectors_[n], t, place), unit.value);
  }
  return sums.force();
}

bool SlowDrift::commit(const ContextT<double>& c, DiscreteState& discrete) const {
  if (window_ == 0) return false;
  auto plan = discrete.record(c.first_slot, 0);
  const double t = c.kin.t, gone = t - plan[DriftPlan::start];
  if (plan[DriftPlan::valid] > 0 && gone >= 0 && gone < window_ * (1 - 1e-6)) return false;
  const HullStateT<double> hull = hull_state(c.kin, frame_);
  const Vec2 place = hull.p.head<2>(), speed = hull.v.head<2>();
  const double between = window_ / static_cast<double>(nodes - 1);
  // The drift as the hull turns, about the heading in the middle of the window.
  const WaveForceTable::Cell cell = drift_.cell(hull.heading() + 0.5 * window_ * hull.w.z());
  std::array<Sums, nodes> sums;
  WaveForceTable::Force unit;
  for (size_t n = 0; n < components_.size(); ++n) {
    drift_.at(cell, n, unit);
    Complex z = wave_window::wave(components_[n], wave_vectors_[n], t, place);
    const Complex met = wave_window::times(turn_[n], wave_window::small_turn(between * wave_vectors_[n].dot(speed)));
    for (size_t node = 0; node < nodes; ++node, z = wave_window::times(z, met)) {
      const double turn = (static_cast<double>(node) * between - 0.5 * window_) * hull.w.z();
      WaveForceTable::Parts turned = unit.value;
      for (size_t i = 0; i < 6; ++i) turned[i] += turn * unit.slope[i];
      sums[node].add(z, turned);
    }
  }
  plan[DriftPlan::valid] = 1;
  plan[DriftPlan::start] = t;
  for (size_t node = 0; node < nodes; ++node) {
    const Vec6 now = sums[node].force();
    std::copy(now.begin(), now.end(), plan.begin() + DriftPlan::forces + 6 * static_cast<int>(node));
  }
  return false;
}

Vec6 SlowDrift::force_at(double t, const Vec2& place, double heading, const DiscreteState& discrete, int slot) const {
  const double ramp = std::pow(sea::ramp_up(t, ramp_), 2);
  if (window_ > 0) {
    const auto plan = discrete.record(slot, 0);
    const double s = (nodes - 1) * (t - plan[DriftPlan::start]) / window_;
    if (plan[DriftPlan::valid] > 0 && s >= -1e-6 && s <= nodes - 1 + 1e-6) {
      Vec6 out = Vec6::Zero();
      const std::array<double, nodes> weights = wave_window::weights<nodes>(s);
      for (size_t node = 0; node < nodes; ++node)
        out += ramp * weights[node] * Eigen::Map<const Vec6>(plan.data() + DriftPlan::forces + 6 * node);
      return out;
    }
  }
  return ramp * force(t, place, heading);
}

}  // namespace davit::hydro

namespace davit {
template class ForceOf<hydro::SlowDrift>;
}  // namespace davit
