#include "davit/hydro/wave_excitation.hpp"

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
using wave_window::Way;
constexpr size_t slope_nodes = 3;

// What is kept of a window in the discrete state.
struct ExcitationPlan {
  enum : int {
    valid,
    start,
    counter,
    way,
    values = way + Way::width,
    slopes = values + 6 * static_cast<int>(nodes),
    motions = slopes + 18 * static_cast<int>(slope_nodes),
    motion_slopes = motions + 3 * static_cast<int>(nodes),
    width = motion_slopes + 9 * static_cast<int>(slope_nodes)
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

using Three = std::array<double, 3>;

struct NodeSums {
  Six value = {}, along_x = {}, along_y = {}, by_turning = {};
  Three motion = {}, motion_along_x = {}, motion_along_y = {}, motion_by_turning = {};
  WaveExcitation::Sum sum() const {
    WaveExcitation::Sum out;
    out.force = Eigen::Map<const Vec6>(value.data());
    out.slope.col(0) = Eigen::Map<const Vec6>(along_x.data());
    out.slope.col(1) = Eigen::Map<const Vec6>(along_y.data());
    out.slope.col(2) = Eigen::Map<const Vec6>(by_turning.data());
    out.motion = Eigen::Map<const Vec3>(motion.data());
    out.motion_slope.col(0) = Eigen::Map<const Vec3>(motion_along_x.data());
    out.motion_slope.col(1) = Eigen::Map<const Vec3>(motion_along_y.data());
    out.motion_slope.col(2) = Eigen::Map<const Vec3>(motion_by_turning.data());
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
  // Those that move the hull, and what it moves for unit amplitude, in world axes, with its slope by the heading.
  using Motion = Eigen::Matrix<Complex, 3, 1>;
  std::array<size_t, chunk> mover;
  std::array<Motion, chunk> motion, motion_slope;
  size_t movers = 0;

  void add_mover(size_t c, const HorizontalReceptance& receptance, const LevelAxes<double>& axes) {
    const auto moved = [&](const Parts& parts) {
      Eigen::Matrix<Complex, 6, 1> force;
      for (size_t i = 0; i < 6; ++i) force[static_cast<Eigen::Index>(i)] = Complex(parts[i], parts[6 + i]);
      const Motion level = receptance * force;
      return Motion(axes.cosine * level[0] - axes.sine * level[1], axes.sine * level[0] + axes.cosine * level[1],
                    level[2]);
    };
    mover[movers] = c;
    const Motion at = motion[movers] = moved(unit[c].value);
    motion_slope[movers++] = moved(unit[c].slope) + Motion(-at[1], at[0], 0);
  }
  void add_motions(size_t node, double turn, NodeSums& out) const {
    for (size_t m = 0; m < movers; ++m)
      for (size_t j = 0; j < 3; ++j) out.motion[j] += motion_of(m, j, node, turn).real();
  }
  void add_motions_and_slopes(size_t node, double turn, NodeSums& out) const {
    for (size_t m = 0; m < movers; ++m)
      for (size_t j = 0; j < 3; ++j) {
        const Complex moved = motion_of(m, j, node, turn);
        out.motion[j] += moved.real();
        out.motion_by_turning[j] +=
            wave_window::times(motion_slope[m][static_cast<Eigen::Index>(j)], wave[node][mover[m]]).real();
        // Re(−ik ξ)
        out.motion_along_x[j] += wave_vector[mover[m]].x() * moved.imag();
        out.motion_along_y[j] += wave_vector[mover[m]].y() * moved.imag();
      }
  }
  Complex motion_of(size_t m, size_t j, size_t node, double turn) const {
    const auto row = static_cast<Eigen::Index>(j);
    return wave_window::times(motion[m][row] + turn * motion_slope[m][row], wave[node][mover[m]]);
  }

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

WaveExcitation::Sum scaled(WaveExcitation::Sum sum, double factor) {
  sum.force *= factor;
  sum.slope *= factor;
  sum.motion *= factor;
  sum.motion_slope *= factor;
  return sum;
}

// Headings are angles: the shorter way round.
double turn_between(double from, double to) { return std::remainder(to - from, 2 * std::numbers::pi); }

}  // namespace

WavesOnHull::WavesOnHull(std::vector<sea::Component> components, WaveForceTable table, double step, double ramp,
                         std::vector<HorizontalReceptance> receptance)
    : components_(std::move(components)),
      wave_vectors_(wave_window::wave_vectors(components_)),
      table_(std::move(table)),
      window_(wave_window::length(components_, step)),
      ramp_(ramp),
      receptance_(std::move(receptance)),
      moves_(components_.size(), receptance_.empty() ? 0 : 1) {
  leave_out_small_motions();
  if (window_ == 0) return;
  double shortest = 0;
  for (const sea::Component& c : components_) shortest = std::max(shortest, c.wave_number);
  nearby_ = 0.1 / shortest;
  turn_ = wave_window::turns(components_, window_);
}

// Waves that are short against the hull do not move it: what changes no phase by 1e-5 rad need not be summed.
void WavesOnHull::leave_out_small_motions() {
  constexpr double matters = 1e-5;
  constexpr int looks = 24;  // headings
  double shortest = 0;
  for (const sea::Component& c : components_) shortest = std::max(shortest, c.wave_number);
  for (size_t n = 0; n < components_.size(); ++n) {
    if (!moves_[n]) continue;
    Chunk one;
    double most = 0;
    for (int i = 0; i < looks; ++i) {
      one.movers = 0;
      table_.at(table_.cell(2 * std::numbers::pi * i / looks), n, one.unit[0]);
      one.add_mover(0, receptance_[n], LevelAxes<double>(0));
      most = std::max(most, one.motion[0].cwiseAbs().maxCoeff());
    }
    moves_[n] = shortest * components_[n].amplitude * most > matters ? 1 : 0;
  }
}

std::vector<DiscreteSlot> WaveExcitation::slots_for(const WavesOnHull* waves) const {
  const size_t phases = waves && waves->window_ > 0 ? waves->components_.size() : 0;
  return {{name() + ": wave force of the window", ExcitationPlan::width, 1},
          {name() + ": wave phases", 2 * static_cast<int>(phases), 1}};
}

WavesOnHull::Sum WavesOnHull::sum(double t, const Place& mean, double times) const {
  return scaled(full_sum(t, mean), times * sea::ramp_up(t, ramp_));
}

WavesOnHull::Sum WavesOnHull::full_sum(double t, const Place& mean) const {
  const WaveForceTable::Cell cell = table_.cell(mean[2]);
  const LevelAxes<double> axes(mean[2]);
  NodeSums sums;
  Chunk one;
  for (size_t n = 0; n < components_.size(); ++n) {
    table_.at(cell, n, one.unit[0]);
    one.wave_vector[0] = wave_vectors_[n];
    one.wave[0][0] = wave_window::wave(components_[n], wave_vectors_[n], t, {mean[0], mean[1]});
    one.add_values_and_slopes(1, 0, 0, sums);
    one.movers = 0;
    if (moves_[n]) one.add_mover(0, receptance_[n], axes);
    one.add_motions_and_slopes(0, 0, sums);
  }
  return sums.sum();
}

WaveExcitation::Sum WaveExcitation::sum_here(const WavesOnHull& waves, double t, const Place& here, double times,
                                             Place& about) {
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

WaveExcitation::Place WaveExcitation::mean_place(const ContextT<double>& c) const {
  return meet<double>(c, hull_state(c.kin, frame_)).mean;
}

WaveExcitation::Place WaveExcitation::mean_speed(const WavesOnHull& waves, const ContextT<double>& c,
                                                 const Place& mean) const {
  if (encounter_.held) return {};
  const HullStateT<double> hull = hull_state(c.kin, frame_);
  Place out = {hull.v.x(), hull.v.y(), hull.w.z()};
  if (!waves.move_the_hull()) return out;
  // The rate of ξ: at the end of a window that of its polynomial, else from a sum a little later.
  const auto plan = c.discrete.record(c.first_slot, 0);
  const double gone = c.kin.t - plan[ExcitationPlan::start], between = waves.window_ / static_cast<double>(nodes - 1);
  const double ramp = encounter_.weather.waves(c.kin) * sea::ramp_up(c.kin.t, waves.ramp_);
  if (plan[ExcitationPlan::valid] > 0 && std::abs(gone - waves.window_) < 1e-6 * waves.window_) {
    constexpr std::array<double, nodes> at_the_end = {3.0 / 12, -16.0 / 12, 36.0 / 12, -48.0 / 12, 25.0 / 12};
    for (size_t node = 0; node < nodes; ++node)
      for (size_t j = 0; j < 3; ++j)
        out[j] -= ramp * at_the_end[node] / between * plan[ExcitationPlan::motions + 3 * node + j];
    return out;
  }
  const Vec3 moved = waves.full_sum(c.kin.t + between, mean).motion - waves.full_sum(c.kin.t, mean).motion;
  for (size_t j = 0; j < 3; ++j) out[j] -= ramp / between * moved[static_cast<Eigen::Index>(j)];
  return out;
}

bool WaveExcitation::commit(const ContextT<double>& c, DiscreteState& discrete) const {
  const WavesOnHull& waves = waves_.of(c.kin);
  if (waves.window_ == 0) return false;
  const double t = c.kin.t;
  const Place here = mean_place(c);
  auto plan = discrete.record(c.first_slot, 0);
  auto phases = discrete.record(c.first_slot + 1, 0);
  const double gone = t - plan[ExcitationPlan::start];
  if (plan[ExcitationPlan::valid] > 0 && gone >= 0 && gone < waves.window_ * (1 - 1e-6)) {
    const Place expected = Way::of(plan.data() + ExcitationPlan::way).after(gone);
    if (std::hypot(here[0] - expected[0], here[1] - expected[1]) < waves.nearby_) return false;
  }

  const Way before = Way::of(plan.data() + ExcitationPlan::way);
  const Vec2 moved(here[0] - before.place[0], here[1] - before.place[1]);
  const bool at_the_end = plan[ExcitationPlan::valid] > 0 && std::abs(gone - waves.window_) < 1e-6 * waves.window_;
  const bool goes_on =
      at_the_end && plan[ExcitationPlan::counter] + 1 < resynchronise && moved.norm() < 4 * waves.nearby_;
  const Place speed = mean_speed(waves, c, here);
  const Way way = at_the_end ? before.next(here, speed, waves.window_) : Way{here, speed};
  const double between = waves.window_ / static_cast<double>(nodes - 1);
  // Headings on the way are taken about that in the middle of the window.
  const double heading = way.after(0.5 * waves.window_)[2];
  const WaveForceTable::Cell cell = waves.table_.cell(heading);
  const LevelAxes<double> axes(heading);
  // From a node to the next, and how much more each time.
  const Vec2 next = Vec2(way.after(between)[0], way.after(between)[1]) - Vec2(here[0], here[1]);
  const Vec2 more = between * between * Vec2(way.acceleration[0], way.acceleration[1]);
  std::array<NodeSums, nodes> sums;
  Chunk some;
  for (size_t first = 0; first < waves.components_.size(); first += chunk) {
    const size_t count = std::min(chunk, waves.components_.size() - first);
    some.movers = 0;
    for (size_t i = 0; i < count; ++i) {
      const size_t n = first + i;
      waves.table_.expect(cell, n + WaveForceTable::ahead);
      waves.table_.at(cell, n, some.unit[i]);
      if (waves.moves_[n]) some.add_mover(i, waves.receptance_[n], axes);
      const Vec2& k = some.wave_vector[i] = waves.wave_vectors_[n];
      const Complex turn = waves.turn_[n], half = wave_window::times(turn, turn),
                    whole = wave_window::times(half, half);
      Complex w = goes_on ? wave_window::times(wave_window::times({phases[2 * n], phases[2 * n + 1]}, whole),
                                               wave_window::small_turn(k.dot(moved)))
                          : wave_window::wave(waves.components_[n], k, t, {here[0], here[1]});
      phases[2 * n] = w.real();
      phases[2 * n + 1] = w.imag();
      const Complex faster = wave_window::small_turn(k.dot(more));
      Complex met = wave_window::times(turn, wave_window::small_turn(k.dot(next)));
      for (size_t node = 0; node < nodes; ++node) {
        some.wave[node][i] = w;
        w = wave_window::times(w, met);
        met = wave_window::times(met, faster);
      }
    }
    for (size_t node = 0; node < nodes; ++node) {
      const double turn = way.after(static_cast<double>(node) * between)[2] - heading;
      if (node % 2 == 0 && !encounter_.held) {
        some.add_values_and_slopes(count, node, turn, sums[node]);
        some.add_motions_and_slopes(node, turn, sums[node]);
      } else {
        some.add_values(count, node, turn, sums[node]);
        some.add_motions(node, turn, sums[node]);
      }
    }
  }
  plan[ExcitationPlan::counter] = goes_on ? plan[ExcitationPlan::counter] + 1 : 0;
  plan[ExcitationPlan::valid] = 1;
  plan[ExcitationPlan::start] = t;
  way.keep(plan.data() + ExcitationPlan::way);
  for (size_t node = 0; node < nodes; ++node) {
    const Sum sum = sums[node].sum();
    const auto at = static_cast<int>(node);
    std::copy(sum.force.begin(), sum.force.end(), plan.begin() + ExcitationPlan::values + 6 * at);
    std::copy(sum.motion.begin(), sum.motion.end(), plan.begin() + ExcitationPlan::motions + 3 * at);
    if (node % 2 != 0) continue;
    std::copy_n(sum.slope.data(), 18, plan.begin() + ExcitationPlan::slopes + 9 * at);
    std::copy_n(sum.motion_slope.data(), 9, plan.begin() + ExcitationPlan::motion_slopes + 9 * at / 2);
  }
  return false;
}

WaveExcitation::Sum WaveExcitation::look_up(const WavesOnHull& waves, double t, const Place& here, double times,
                                            const DiscreteState& discrete, int slot, Place& about) {
  if (waves.window_ == 0) return sum_here(waves, t, here, times, about);
  const auto plan = discrete.record(slot, 0);
  const double gone = t - plan[ExcitationPlan::start], s = (nodes - 1) * gone / waves.window_;
  if (!(plan[ExcitationPlan::valid] > 0 && s >= -1e-6 && s <= nodes - 1 + 1e-6))
    return sum_here(waves, t, here, times, about);
  Sum out;
  const std::array<double, nodes> in_values = wave_window::weights<nodes>(s);
  for (size_t node = 0; node < nodes; ++node) {
    out.force += in_values[node] * Eigen::Map<const Vec6>(plan.data() + ExcitationPlan::values + 6 * node);
    out.motion += in_values[node] * Eigen::Map<const Vec3>(plan.data() + ExcitationPlan::motions + 3 * node);
  }
  const std::array<double, slope_nodes> in_slopes = wave_window::weights<slope_nodes>(s / 2);
  for (size_t node = 0; node < slope_nodes; ++node) {
    out.slope += in_slopes[node] *
                 Eigen::Map<const Eigen::Matrix<double, 6, 3>>(plan.data() + ExcitationPlan::slopes + 18 * node);
    out.motion_slope +=
        in_slopes[node] * Eigen::Map<const Mat3>(plan.data() + ExcitationPlan::motion_slopes + 9 * node);
  }
  about = Way::of(plan.data() + ExcitationPlan::way).after(gone);
  about[2] = here[2] - turn_between(about[2], here[2]);
  return scaled(out, times * sea::ramp_up(t, waves.ramp_));
}

}  // namespace davit::hydro

namespace davit {
template class ForceOf<hydro::WaveExcitation>;
}  // namespace davit
