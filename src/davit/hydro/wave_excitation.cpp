#include "davit/hydro/wave_excitation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "davit/hydro/wave_window.hpp"
#include "davit/sea/ramp.hpp"

namespace davit::hydro {

namespace {

using Complex = std::complex<double>;
using Place = WaveExcitation::Place;

using wave_window::nodes;
constexpr size_t slope_nodes = 3;

// What is kept of a window in the discrete state.
struct ExcitationPlan {
  enum : int {
    valid,
    start,
    counter,
    place,
    rate = place + 3,
    values = rate + 3,
    slopes = values + 6 * static_cast<int>(nodes),
    width = slopes + 18 * static_cast<int>(slope_nodes)
  };
};

// Six forces as complex numbers: the real parts, then the imaginary ones.
using Six = std::array<double, 6>;
using Parts = WaveForceTable::Parts;

// Inlined by order: on the way through memory they cost more than they do.
[[gnu::always_inline]] inline Parts sum_of(const Parts& a, double factor, const Parts& b) {
  Parts out;
  for (size_t i = 0; i < 12; ++i) out[i] = a[i] + factor * b[i];
  return out;
}
[[gnu::always_inline]] inline void add_real(const Parts& forces, const Complex& w, Six& sum) {
  for (size_t i = 0; i < 6; ++i) sum[i] += forces[i] * w.real() - forces[6 + i] * w.imag();
}

struct NodeSums {
  Six value = {}, along_x = {}, along_y = {}, by_turning = {};
  WaveExcitation::Sum sum() const {
    WaveExcitation::Sum out;
    out.force = Eigen::Map<const Vec6>(value.data());
    out.slope.col(0) = Eigen::Map<const Vec6>(along_x.data());
    out.slope.col(1) = Eigen::Map<const Vec6>(along_y.data());
    out.slope.col(2) = Eigen::Map<const Vec6>(by_turning.data());
    return out;
  }
};

// Components that are looked at together: what is needed of them fits in the nearest cache, and each sum stays in
// registers while it runs over them.
constexpr size_t chunk = 32;
struct Chunk {
  std::array<WaveForceTable::Force, chunk> unit;  // for unit amplitude
  std::array<Vec2, chunk> wave_vector;
  std::array<std::array<Complex, chunk>, nodes> wave;

  // For a heading that is larger by `turn`.
  [[gnu::always_inline]] Parts force(size_t c, double turn) const {
    return sum_of(unit[c].value, turn, sum_of(unit[c].slope, 0.5 * turn, unit[c].curvature));
  }
  void add_values(size_t count, size_t node, double turn, NodeSums& out) const {
    Six sum = out.value;
    for (size_t c = 0; c < count; ++c) add_real(force(c, turn), wave[node][c], sum);
    out.value = sum;
  }
  void add_values_and_slopes(size_t count, size_t node, double turn, NodeSums& out) const {
    NodeSums sum = out;
    for (size_t c = 0; c < count; ++c) {
      const Parts forces = force(c, turn);
      const Complex w = wave[node][c];
      add_real(forces, w, sum.value);
      // Re(−ik f)
      Six f;
      for (size_t i = 0; i < 6; ++i) f[i] = forces[i] * w.imag() + forces[6 + i] * w.real();
      for (size_t i = 0; i < 6; ++i) sum.along_x[i] += wave_vector[c].x() * f[i];
      for (size_t i = 0; i < 6; ++i) sum.along_y[i] += wave_vector[c].y() * f[i];
      add_real(sum_of(unit[c].slope, turn, unit[c].curvature), w, sum.by_turning);
    }
    out = sum;
  }
};

// Headings are angles: the shorter way round.
double turn_between(double from, double to) { return std::remainder(to - from, 2 * std::numbers::pi); }

}  // namespace

WaveExcitation::WaveExcitation(std::string name, const Frame& frame, std::vector<sea::Component> components,
                               WaveForceTable table, double step, double ramp, LowFrequencyPosition slow_place)
    : ForceOf(std::move(name)),
      frame_(frame),
      components_(std::move(components)),
      table_(std::move(table)),
      ramp_(ramp),
      place_(slow_place) {
  wave_vectors_ = wave_window::wave_vectors(components_);
  window_ = wave_window::length(components_, step);
  if (window_ == 0) return;
  double shortest = 0;
  for (const sea::Component& c : components_) shortest = std::max(shortest, c.wave_number);
  nearby_ = 0.1 / shortest;
  turn_ = wave_window::turns(components_, window_);
}

std::string WaveExcitation::summary() const { return fmt::format("wave force, {} components", components_.size()); }

std::vector<DiscreteSlot> WaveExcitation::discrete_slots() const {
  if (window_ == 0) return {};
  return {{name() + ": wave force of the window", ExcitationPlan::width, 1},
          {name() + ": wave phases", 2 * static_cast<int>(components_.size()), 1}};
}

WaveExcitation::Sum WaveExcitation::sum(double t, const Place& p) const {
  const WaveForceTable::Cell cell = table_.cell(p[2]);
  NodeSums sums;
  Chunk one;
  for (size_t n = 0; n < components_.size(); ++n) {
    table_.at(cell, n, one.unit[0]);
    one.wave_vector[0] = wave_vectors_[n];
    one.wave[0][0] = wave_window::wave(components_[n], wave_vectors_[n], t, {p[0], p[1]});
    one.add_values_and_slopes(1, 0, 0, sums);
  }
  Sum out = sums.sum();
  const double scale = sea::ramp_up(t, ramp_);
  out.force *= scale;
  out.slope *= scale;
  return out;
}

bool WaveExcitation::commit(const ContextT<double>& c, DiscreteState& discrete) const {
  if (window_ == 0) return false;
  const HullStateT<double> hull = hull_state(c.kin, frame_);
  const Place here = place_.value(c.z, hull), speed = place_.speed(c.z, hull);
  const double t = c.kin.t;
  auto plan = discrete.record(c.first_slot, 0);
  auto phases = discrete.record(c.first_slot + 1, 0);
  const double gone = t - plan[ExcitationPlan::start];
  if (plan[ExcitationPlan::valid] > 0 && gone >= 0 && gone < window_ * (1 - 1e-6) &&
      std::hypot(here[0] - plan[ExcitationPlan::place] - gone * plan[ExcitationPlan::rate],
                 here[1] - plan[ExcitationPlan::place + 1] - gone * plan[ExcitationPlan::rate + 1]) < nearby_)
    return false;

  const Vec2 way(here[0] - plan[ExcitationPlan::place], here[1] - plan[ExcitationPlan::place + 1]);
  const bool goes_on = plan[ExcitationPlan::valid] > 0 && std::abs(gone - window_) < 1e-6 * window_ &&
                       plan[ExcitationPlan::counter] + 1 < resynchronise && way.norm() < 4 * nearby_;
  const double between = window_ / static_cast<double>(nodes - 1);
  // Headings on the way are taken about that in the middle of the window.
  const WaveForceTable::Cell cell = table_.cell(here[2] + 0.5 * window_ * speed[2]);
  std::array<NodeSums, nodes> sums;
  Chunk some;
  for (size_t first = 0; first < components_.size(); first += chunk) {
    const size_t count = std::min(chunk, components_.size() - first);
    for (size_t i = 0; i < count; ++i) {
      const size_t n = first + i;
      table_.at(cell, n, some.unit[i]);
      const Vec2& k = some.wave_vector[i] = wave_vectors_[n];
      const Complex turn = turn_[n], half = wave_window::times(turn, turn), whole = wave_window::times(half, half);
      Complex w = goes_on ? wave_window::times(wave_window::times({phases[2 * n], phases[2 * n + 1]}, whole),
                                               wave_window::small_turn(k.dot(way)))
                          : wave_window::wave(components_[n], k, t, {here[0], here[1]});
      phases[2 * n] = w.real();
      phases[2 * n + 1] = w.imag();
      const Complex met =
          wave_window::times(turn, wave_window::small_turn(between * (k.x() * speed[0] + k.y() * speed[1])));
      for (size_t node = 0; node < nodes; ++node, w = wave_window::times(w, met)) some.wave[node][i] = w;
    }
    for (size_t node = 0; node < nodes; ++node) {
      const double turn = (static_cast<double>(node) * between - 0.5 * window_) * speed[2];
      if (node % 2 == 0 && !place_.held)
        some.add_values_and_slopes(count, node, turn, sums[node]);
      else
        some.add_values(count, node, turn, sums[node]);
    }
  }
  plan[ExcitationPlan::counter] = goes_on ? plan[ExcitationPlan::counter] + 1 : 0;
  plan[ExcitationPlan::valid] = 1;
  plan[ExcitationPlan::start] = t;
  for (size_t j = 0; j < 3; ++j) {
    plan[ExcitationPlan::place + j] = here[j];
    plan[ExcitationPlan::rate + j] = speed[j];
  }
  for (size_t node = 0; node < nodes; ++node) {
    const Sum sum = sums[node].sum();
    std::copy(sum.force.begin(), sum.force.end(), plan.begin() + ExcitationPlan::values + 6 * static_cast<int>(node));
    if (node % 2 == 0)
      std::copy(sum.slope.data(), sum.slope.data() + 18,
                plan.begin() + ExcitationPlan::slopes + 9 * static_cast<int>(node));
  }
  return false;
}

WaveExcitation::Sum WaveExcitation::look_up(double t, const Place& here, const DiscreteState& discrete, int slot,
                                            Place& about) const {
  about = here;
  if (window_ == 0) return sum(t, here);
  const auto plan = discrete.record(slot, 0);
  const double gone = t - plan[ExcitationPlan::start], s = (nodes - 1) * gone / window_;
  if (!(plan[ExcitationPlan::valid] > 0 && s >= -1e-6 && s <= nodes - 1 + 1e-6)) return sum(t, here);
  Sum out;
  const std::array<double, nodes> in_values = wave_window::weights<nodes>(s);
  for (size_t node = 0; node < nodes; ++node)
    out.force += in_values[node] * Eigen::Map<const Vec6>(plan.data() + ExcitationPlan::values + 6 * node);
  const std::array<double, slope_nodes> in_slopes = wave_window::weights<slope_nodes>(s / 2);
  for (size_t node = 0; node < slope_nodes; ++node)
    out.slope += in_slopes[node] *
                 Eigen::Map<const Eigen::Matrix<double, 6, 3>>(plan.data() + ExcitationPlan::slopes + 18 * node);
  for (size_t j = 0; j < 3; ++j) about[j] = plan[ExcitationPlan::place + j] + gone * plan[ExcitationPlan::rate + j];
  about[2] = here[2] - turn_between(about[2], here[2]);
  const double scale = sea::ramp_up(t, ramp_);
  out.force *= scale;
  out.slope *= scale;
  return out;
}

}  // namespace davit::hydro

namespace davit {
template class ForceOf<hydro::WaveExcitation>;
}  // namespace davit
