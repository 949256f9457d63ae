#include "davit/hydro/slow_drift.hpp"

#include <cmath>
#include <complex>

#include "davit/sea/ramp.hpp"

namespace davit::hydro {

namespace {

using Complex = std::complex<double>;
using Vec6c = Eigen::Matrix<Complex, 6, 1>;

// What the plan of a step keeps in its mode record.
enum Layout { valid, time, force, first = force + 6, second = first + 6, plan_width = second + 6 };

}  // namespace

SlowDrift::SlowDrift(std::string name, const Frame& frame, std::vector<sea::Component> components, WaveForceTable drift,
                     double step, double ramp, std::string motions)
    : ForceOf(std::move(name)),
      frame_(frame),
      components_(std::move(components)),
      drift_(std::move(drift)),
      step_(step),
      ramp_(ramp),
      motions_(std::move(motions)) {
  for (const sea::Component& c : components_)
    wave_vectors_.push_back(c.wave_number * Vec2(std::cos(c.heading), std::sin(c.heading)));
}

std::vector<ModeSlot> SlowDrift::mode_slots() const {
  if (step_ <= 0) return {};
  return {{name() + ": drift of the step", plan_width, 1}};
}

SlowDrift::Rates SlowDrift::rates(double t, const Vec2& place, const Vec2& velocity, double heading,
                                  double turning) const {
  // Both sums with their first and second rate: each component turns by its frequency of encounter, and its drift
  // changes as the hull turns against it.
  Complex wave[3] = {};
  Vec6c drift[3] = {Vec6c::Zero(), Vec6c::Zero(), Vec6c::Zero()};
  const WaveForceTable::Cell cell = drift_.cell(heading);
  WaveForceTable::Force unit;
  for (size_t n = 0; n < components_.size(); ++n) {
    const sea::Component& c = components_[n];
    drift_.at(cell, n, unit);
    const Complex rate(0, c.frequency - wave_vectors_[n].dot(velocity));
    Complex z = std::polar(c.amplitude, c.frequency * t - wave_vectors_[n].dot(place) + c.phase), before = 0;
    for (size_t k = 0; k < 3; ++k, before = z, z *= rate) {
      wave[k] += z;
      const Complex by_turning = turning * static_cast<double>(k) * before;
      for (int i = 0; i < 6; ++i) {
        const auto j = static_cast<size_t>(i);
        drift[k][i] += z * unit.value[j] + by_turning * unit.slope[j];
      }
    }
  }
  Rates out;
  for (int i = 0; i < 6; ++i) {
    const auto product = [&](size_t a, size_t b) { return (std::conj(wave[a]) * drift[b][i]).real(); };
    out.force[i] = product(0, 0);
    out.first[i] = product(1, 0) + product(0, 1);
    out.second[i] = product(2, 0) + 2 * product(1, 1) + product(0, 2);
  }
  return out;
}

bool SlowDrift::commit(const ContextT<double>& c, Modes& modes) const {
  if (step_ <= 0) return false;
  const HullStateT<double> hull = hull_state(c.kin, frame_);
  const Rates now = rates(c.kin.t, hull.p.head<2>(), hull.v.head<2>(), hull.heading(), hull.w.z());
  auto plan = modes.record(c.first_slot, 0);
  plan[valid] = 1;
  plan[time] = c.kin.t;
  for (int i = 0; i < 6; ++i) {
    plan[static_cast<size_t>(force + i)] = now.force[i];
    plan[static_cast<size_t>(first + i)] = now.first[i];
    plan[static_cast<size_t>(second + i)] = now.second[i];
  }
  return false;
}

Vec6 SlowDrift::force_at(double t, const Vec2& place, double heading, const Modes& modes, int slot) const {
  const double ramp = std::pow(sea::ramp_up(t, ramp_), 2);
  if (step_ > 0) {
    const auto plan = modes.record(slot, 0);
    const double s = t - plan[time];
    if (plan[valid] > 0 && s >= 0 && s <= 1.000001 * step_) {
      Vec6 out;
      for (int i = 0; i < 6; ++i)
        out[i] = ramp * (plan[static_cast<size_t>(force + i)] +
                         s * (plan[static_cast<size_t>(first + i)] + 0.5 * s * plan[static_cast<size_t>(second + i)]));
      return out;
    }
  }
  return ramp * rates(t, place, Vec2::Zero(), heading, 0).force;
}

}  // namespace davit::hydro
