#include "davit/wave_load/wave_loads.hpp"

#include <cmath>
#include <numbers>

namespace davit::wave_load {

namespace {

using wave_window::Way;
using Place = WaveLoads::Place;

// What is kept of a window in the discrete state.
template <class Number>
struct Window {
  enum : int { valid, start, steps, counter, way, sums = way + Way::width, width = sums + WavesOnHull::window_width };
  static constexpr double sharp = 1e-6;  // of a window: its ends are the ends of steps

  std::span<Number> kept;
  const WavesOnHull& waves;

  double length() const { return kept[steps] * waves.step(); }
  // The part of it that is gone.
  double gone(double t) const { return (t - kept[start]) / length(); }
  bool is_there() const { return kept[valid] > 0; }
  bool holds(double t) const { return is_there() && gone(t) >= -sharp && gone(t) <= 1 + sharp; }
  bool goes_on(double t) const { return is_there() && gone(t) >= 0 && gone(t) < 1 - sharp; }
  // Since it began; none where steps were shortened.
  std::optional<int> steps_since(double t) const {
    const double count = (t - kept[start]) / waves.step(), whole = std::round(count);
    if (!is_there() || whole < 1 || std::abs(count - whole) > sharp) return std::nullopt;
    return static_cast<int>(whole);
  }
  Place expected(double t) const { return course().after(t - kept[start]); }
  Way course() const { return Way::of(kept.data() + way); }
};
using WindowThere = Window<const double>;

// Headings are angles: the shorter way round.
double turn_between(double from, double to) { return std::remainder(to - from, 2 * std::numbers::pi); }

}  // namespace

std::string WaveLoads::summary() const {
  return drifting_.empty() ? "force of waves" : "force of waves; slow drift by Newman's approximation in " + drifting_;
}

std::vector<DiscreteSlot> WaveLoads::slots_for(const WavesOnHull* waves) const {
  const int phases = waves && waves->in_windows() ? waves->phases_width() : 0;
  return {{name() + ": waves of the window", WindowThere::width, 1}, {name() + ": wave phases", phases, 1}};
}

WaveLoads::Sum WaveLoads::sum_here(const WavesOnHull& waves, double t, const Place& here, double times, Place& about) {
  about = here;
  Sum out = waves.sum(t, about, times);
  if (!waves.move_the_hull()) return out;
  // Newton's method for the mean place: its error is (kξ)² of ξ, then squared again.
  for (int i = 0; i < 2; ++i) {
    about = mean_of<double>(here, out, about);
    out = waves.sum(t, about, times);
  }
  return out;
}

WaveLoads::Sum WaveLoads::look_up(const WavesOnHull& waves, double t, const Place& here, double times,
                                  const DiscreteState& discrete, int slot, Place& about) {
  if (!waves.in_windows()) return sum_here(waves, t, here, times, about);
  const WindowThere window{discrete.record(slot, 0), waves};
  if (!window.holds(t)) return sum_here(waves, t, here, times, about);
  about = window.expected(t);
  about[2] = here[2] - turn_between(about[2], here[2]);
  return waves.scaled(waves.in_window(window.kept.data() + WindowThere::sums, window.gone(t)), t, times);
}

WaveLoads::Place WaveLoads::mean_place(const ContextT<double>& c) const {
  return meet<double>(c, hull_load::hull_state(c.kin, frame_)).mean;
}

// Of the hull, less the rate of ξ: that of the window's polynomial, or from a sum a little later.
WaveLoads::Place WaveLoads::mean_speed(const WavesOnHull& waves, const ContextT<double>& c, const Place& mean) const {
  if (encounter_.held) return {};
  const hull_load::HullStateT<double> hull = hull_load::hull_state(c.kin, frame_);
  Place out = {hull.v.x(), hull.v.y(), hull.w.z()};
  if (!waves.move_the_hull()) return out;
  const WindowThere window{c.discrete.record(c.first_slot, 0), waves};
  Vec3 rate;
  if (window.holds(c.kin.t)) {
    rate = waves.motion_rate(window.kept.data() + WindowThere::sums, window.gone(c.kin.t), window.length());
  } else {
    const double later = waves.step() / static_cast<double>(wave_window::nodes - 1);
    rate = (waves.full_sum(c.kin.t + later, mean).motion - waves.full_sum(c.kin.t, mean).motion) / later;
  }
  const double factor = encounter_.weather.waves(c.kin) * waves.ramp_at(c.kin.t);
  for (size_t j = 0; j < 3; ++j) out[j] -= factor * rate[static_cast<Eigen::Index>(j)];
  return out;
}

bool WaveLoads::commit(const ContextT<double>& c, DiscreteState& discrete) const {
  const WavesOnHull& waves = waves_.of(c.kin);
  if (!waves.in_windows()) return false;
  const double t = c.kin.t;
  const Place here = mean_place(c);
  const Window<double> window{discrete.record(c.first_slot, 0), waves};
  if (window.goes_on(t) && waves.near(here, window.expected(t))) return false;
  const Way before = window.course();
  const Vec2 moved(here[0] - before.place[0], here[1] - before.place[1]);
  auto& counter = window.kept[window.counter];
  std::optional<WavesOnHull::Since> since;
  if (const auto steps = window.steps_since(t); steps && window.holds(t))
    if (counter + 1 < resynchronise && moved.norm() < waves.far()) since = {*steps, moved};
  const Place speed = mean_speed(waves, c, here);
  const Way way = since ? before.next(here, speed, since->steps * waves.step()) : Way{here, speed};
  const int steps = waves.steps_for(way);
  waves.form_window(t, way, steps, since, encounter_.held.has_value(), discrete.record(c.first_slot + 1, 0).data(),
                    window.kept.data() + window.sums);
  counter = since ? counter + 1 : 0;
  window.kept[window.valid] = 1;
  window.kept[window.start] = t;
  window.kept[window.steps] = steps;
  way.keep(window.kept.data() + window.way);
  return false;
}

}  // namespace davit::wave_load

namespace davit {
template class ForceOf<wave_load::WaveLoads>;
}  // namespace davit
