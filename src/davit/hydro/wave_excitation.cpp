#include "davit/hydro/wave_excitation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>

#include "davit/sea/ramp.hpp"

namespace davit::hydro {

namespace {

using Complex = std::complex<double>;

// What the plan of a step keeps in its mode record.
enum Layout { valid, time, counter, place, sums = place + 3, slope = sums + 18, plan_width = slope + 18 };

// exp(−ia) for the small way that a ship makes in a step.
Complex small_turn(double a) {
  const double a2 = a * a;
  return {1 - 0.5 * a2 * (1 - a2 / 12), -a * (1 - a2 / 6 * (1 - a2 / 20))};
}

}  // namespace

WaveExcitation::WaveExcitation(std::string name, const Frame& frame, std::vector<sea::Component> components,
                               WaveForceTable table, double step, double ramp, SlowPlace place)
    : ForceOf(std::move(name)),
      frame_(frame),
      components_(std::move(components)),
      table_(std::move(table)),
      step_(step),
      ramp_(ramp),
      place_(place) {
  for (const sea::Component& c : components_)
    wave_vectors_.push_back(c.wave_number * Vec2(std::cos(c.heading), std::sin(c.heading)));
  if (step_ > 0)
    for (const sea::Component& c : components_) half_turn_.push_back(std::polar(1.0, 0.5 * c.frequency * step_));
}

std::string WaveExcitation::summary() const { return fmt::format("wave force, {} components", components_.size()); }

std::vector<ModeSlot> WaveExcitation::mode_slots() const {
  if (step_ <= 0) return {};
  return {{name() + ": wave force of the step", plan_width, 1},
          {name() + ": wave phases", 2 * static_cast<int>(components_.size()), 1}};
}

double WaveExcitation::ramp_at(double t) const { return sea::ramp_up(t, ramp_); }

double WaveExcitation::phase(size_t n, double t, double x, double y) const {
  const sea::Component& c = components_[n];
  return c.frequency * t - wave_vectors_[n].x() * x - wave_vectors_[n].y() * y + c.phase;
}

void WaveExcitation::add(Sum& sum, size_t n, const WaveForceTable::Force& unit, const Complex& wave) const {
  const Vec2& k = wave_vectors_[n];
  for (int i = 0; i < 6; ++i) {
    const Complex f = unit.value[static_cast<size_t>(i)] * wave;
    sum.force[i] += f.real();
    sum.slope(i, 0) += k.x() * f.imag();  // Re(−ik f)
    sum.slope(i, 1) += k.y() * f.imag();
    // The heading as seen from the hull falls as the hull turns.
    sum.slope(i, 2) -= (unit.slope[static_cast<size_t>(i)] * wave).real();
  }
}

WaveExcitation::Sum WaveExcitation::sum(double t, double x, double y, double heading) const {
  Sum out;
  for (size_t n = 0; n < components_.size(); ++n)
    add(out, n, table_.at(n, components_[n].heading - heading),
        std::polar(components_[n].amplitude, phase(n, t, x, y)));
  const double scale = ramp_at(t);
  out.force *= scale;
  out.slope *= scale;
  return out;
}

bool WaveExcitation::commit(const ContextT<double>& c, Modes& modes) const {
  if (step_ <= 0) return false;
  const auto [x, y, heading] = place_.value(c.z, hull_state(c.kin, frame_));
  const double t = c.kin.t;
  auto plan = modes.record(c.first_slot, 0);
  auto phases = modes.record(c.first_slot + 1, 0);
  const bool follows =
      plan[valid] > 0 && std::abs(t - plan[time] - step_) < 1e-6 * step_ && plan[counter] + 1 < resynchronise;
  const double way_x = x - plan[place], way_y = y - plan[place + 1];
  const bool near = std::hypot(way_x, way_y) < 0.1;
  Vec6 start = Vec6::Zero(), end = start;
  Sum middle;
  for (size_t n = 0; n < components_.size(); ++n) {
    const Complex turn = half_turn_[n];
    const Complex wave = follows && near ? Complex(phases[2 * n], phases[2 * n + 1]) * turn * turn *
                                               small_turn(wave_vectors_[n].x() * way_x + wave_vectors_[n].y() * way_y)
                                         : std::polar(components_[n].amplitude, phase(n, t, x, y));
    phases[2 * n] = wave.real();
    phases[2 * n + 1] = wave.imag();
    const WaveForceTable::Force unit = table_.at(n, components_[n].heading - heading);
    const Complex half = wave * turn, whole = half * turn;
    add(middle, n, unit, half);
    for (int i = 0; i < 6; ++i) {
      start[i] += (unit.value[static_cast<size_t>(i)] * wave).real();
      end[i] += (unit.value[static_cast<size_t>(i)] * whole).real();
    }
  }
  plan[counter] = follows ? plan[counter] + 1 : 0;
  plan[valid] = 1;
  plan[time] = t;
  plan[place] = x, plan[place + 1] = y, plan[place + 2] = heading;
  const double at_start = ramp_at(t), at_middle = ramp_at(t + 0.5 * step_), at_end = ramp_at(t + step_);
  for (int i = 0; i < 6; ++i) {
    plan[static_cast<size_t>(sums + i)] = at_start * start[i];
    plan[static_cast<size_t>(sums + 6 + i)] = at_middle * middle.force[i];
    plan[static_cast<size_t>(sums + 12 + i)] = at_end * end[i];
    for (int j = 0; j < 3; ++j) plan[static_cast<size_t>(slope + 3 * i + j)] = at_middle * middle.slope(i, j);
  }
  return false;
}

WaveExcitation::Sum WaveExcitation::look_up(double t, const std::array<double, 3>& here, const Modes& modes, int slot,
                                            std::array<double, 3>& about) const {
  if (step_ > 0) {
    const auto plan = modes.record(slot, 0);
    const double in_step = (t - plan[time]) / step_, nearest = std::round(2 * in_step) / 2;
    if (plan[valid] > 0 && nearest >= 0 && nearest <= 1 && std::abs(in_step - nearest) < 1e-6) {
      Sum out;
      const int first = sums + 6 * static_cast<int>(2 * nearest);
      for (int i = 0; i < 6; ++i) {
        out.force[i] = plan[static_cast<size_t>(first + i)];
        for (int j = 0; j < 3; ++j) out.slope(i, j) = plan[static_cast<size_t>(slope + 3 * i + j)];
      }
      about = {plan[place], plan[place + 1], plan[place + 2]};
      return out;
    }
  }
  about = here;
  return sum(t, here[0], here[1], here[2]);
}

}  // namespace davit::hydro
