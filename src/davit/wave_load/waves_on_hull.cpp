#include "davit/wave_load/waves_on_hull.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "davit/hull_load/hull_frame.hpp"
#include "davit/sea/ramp.hpp"

namespace davit::wave_load {

namespace {

using namespace wave_sums;
using wave_window::nodes;
using wave_window::slope_nodes;
using wave_window::slow_slope_nodes;
using wave_window::Way;

// What is kept of a window: at each time of it force, motion and slow loads; then, at every other, slopes; then, at
// every fourth, slopes of slow loads.
constexpr size_t in_node = forces + motions + slow_rows, in_slope = 3 * (forces + motions),
                 in_slow_slope = 3 * slow_rows;
static_assert(WavesOnHull::window_width == nodes * in_node + slope_nodes * in_slope + slow_slope_nodes * in_slow_slope);

// Sums as numbers side by side, motions in world axes.
std::array<double, in_node> values_of(const Sums& sums, const hull_load::LevelAxes<double>& axes) {
  std::array<double, in_node> out;
  for (size_t i = 0; i < forces; ++i) out[i] = sums.value[i].total();
  const auto motion = [&](size_t i) { return sums.value[forces + i].total(); };
  const Vec3 world = axes.out_of(Vec3(motion(0), motion(1), motion(2)));
  std::copy(world.begin(), world.end(), out.begin() + forces);
  const double re = sums.wave_re.total(), im = sums.wave_im.total();
  for (size_t i = 0; i < slow_rows; ++i)
    out[forces + motions + i] = re * sums.slow_re[i].total() + im * sums.slow_im[i].total();
  return out;
}

// By x, y and heading, each of force and motion.
std::array<double, in_slope> slopes_of(const Slopes& sums, const hull_load::LevelAxes<double>& axes) {
  std::array<double, in_slope> out;
  double* at = out.data();
  for (const auto* by : {&sums.along_x, &sums.along_y, &sums.by_turning}) {
    for (size_t i = 0; i < forces; ++i) *at++ = (*by)[i].total();
    const Vec3 world = axes.out_of(Vec3((*by)[forces].total(), (*by)[forces + 1].total(), (*by)[forces + 2].total()));
    at = std::copy(world.begin(), world.end(), at);
  }
  return out;
}

// By x, y and heading, of Re[conj(Σ a exp(iθ)) Σ a D exp(iθ)]: a slope of exp(iθ) by x is −ikₓ exp(iθ).
std::array<double, in_slow_slope> slow_slopes_of(const Sums& sums, const SlowSlopes& by) {
  std::array<double, in_slow_slope> out;
  const double re = sums.wave_re.total(), im = sums.wave_im.total();
  const double x_re = by.wave_x_re.total(), x_im = by.wave_x_im.total(), y_re = by.wave_y_re.total(),
               y_im = by.wave_y_im.total();
  for (size_t i = 0; i < slow_rows; ++i) {
    const double slow_re = sums.slow_re[i].total(), slow_im = sums.slow_im[i].total();
    out[i] = x_im * slow_re - x_re * slow_im + re * by.x_im[i].total() - im * by.x_re[i].total();
    out[slow_rows + i] = y_im * slow_re - y_re * slow_im + re * by.y_im[i].total() - im * by.y_re[i].total();
    out[2 * slow_rows + i] = re * by.turning_re[i].total() + im * by.turning_im[i].total();
  }
  return out;
}

WavesOnHull::Sum as_sum(const double* values, const double* slopes, const double* slow_slopes) {
  WavesOnHull::Sum out;
  out.force = Eigen::Map<const Vec6>(values);
  out.motion = Eigen::Map<const Vec3>(values + forces);
  out.drift = Eigen::Map<const Vec6>(values + forces + motions);
  out.correction = Eigen::Map<const Vec6>(values + forces + motions + 6);
  for (int by = 0; by < 3; ++by) {
    out.slope.col(by) = Eigen::Map<const Vec6>(slopes + 9 * by);
    out.motion_slope.col(by) = Eigen::Map<const Vec3>(slopes + 9 * by + forces);
    out.drift_slope.col(by) = Eigen::Map<const Vec6>(slow_slopes + slow_rows * static_cast<size_t>(by));
    out.correction_slope.col(by) = Eigen::Map<const Vec6>(slow_slopes + slow_rows * static_cast<size_t>(by) + 6);
  }
  return out;
}

}  // namespace

WavesOnHull::WavesOnHull(const std::vector<sea::Component>& components, Answers answers, double step, double ramp)
    : table_(std::move(answers.forces)),
      slow_(std::move(answers.slow)),
      step_(step),
      ramp_(ramp),
      moves_(!answers.receptance.empty()) {
  train_ = WaveTrain(components, step / static_cast<double>(nodes - 1));
  limits_ = limits_of(components);
  most_steps_ = wave_window::most_steps(limits_, step);
  lay_out_receptance(answers.receptance, components);
}

// Of the load that asks for most: a mean over the energy of each of the six.
wave_window::Limits WavesOnHull::limits_of(const std::vector<sea::Component>& components) const {
  constexpr int looks = 8;  // headings
  struct Moments {
    double all = 0, ninth = 0, place = 0, heading = 0;
  };
  std::array<Moments, forces> of;
  WaveForceTable::Force unit;
  for (size_t n = 0; n < components.size(); ++n)
    for (int look = 0; look < looks; ++look) {
      table_.at(table_.cell(2 * std::numbers::pi * look / looks), n, unit);
      for (size_t i = 0; i < forces; ++i) {
        const auto square = [&](const WaveForceTable::Parts& parts) {
          return std::pow(components[n].amplitude, 2) * (std::pow(parts[i], 2) + std::pow(parts[forces + i], 2));
        };
        const double energy = square(unit.value);
        of[i].all += energy;
        of[i].ninth += energy * std::pow(components[n].frequency, 18);
        of[i].place += energy * std::pow(components[n].wave_number, 2);
        of[i].heading += square(unit.curvature);
      }
    }
  wave_window::Limits out;
  for (const Moments& m : of) {
    if (m.all == 0) continue;
    out.frequency = std::max(out.frequency, std::pow(m.ninth / m.all, 1.0 / 18));
    out.place = std::max(out.place, std::sqrt(m.place / m.all));
    out.heading = std::max(out.heading, std::pow(m.heading / m.all, 0.25));
  }
  out.shortest = train_.shortest();
  return out;
}

// Waves that are short against the hull do not move it: what changes no phase by 1e-5 rad need not be summed.
double WavesOnHull::largest_motion(const HorizontalReceptance& receptance, size_t component) const {
  constexpr int looks = 24;  // headings
  double most = 0;
  for (int i = 0; i < looks; ++i) {
    WaveForceTable::Force unit;
    table_.at(table_.cell(2 * std::numbers::pi * i / looks), component, unit);
    Eigen::Matrix<std::complex<double>, 6, 1> force;
    for (size_t j = 0; j < 6; ++j) force[static_cast<Eigen::Index>(j)] = {unit.value[j], unit.value[6 + j]};
    most = std::max(most, (receptance * force).cwiseAbs().maxCoeff());
  }
  return most;
}

void WavesOnHull::lay_out_receptance(const std::vector<HorizontalReceptance>& receptance,
                                     const std::vector<sea::Component>& components) {
  constexpr double matters = 1e-5;
  receptance_at_.assign(train_.room() / block, -1);
  for (size_t n = 0; n < receptance.size(); ++n) {
    if (!(train_.shortest() * components[n].amplitude * largest_motion(receptance[n], n) > matters)) continue;
    int& at = receptance_at_[n / block];
    if (at < 0) {
      at = static_cast<int>(receptance_.size());
      receptance_.resize(receptance_.size() + motions * forces, ComplexRow{});
    }
    for (size_t row = 0; row < motions; ++row)
      for (size_t i = 0; i < forces; ++i) {
        const std::complex<double> H = receptance[n](static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(i));
        ComplexRow& to = receptance_[static_cast<size_t>(at) + forces * row + i];
        to.re[n % block] = H.real();
        to.im[n % block] = H.imag();
      }
  }
}

const ComplexRow* WavesOnHull::receptance_of(size_t first) const {
  const int at = receptance_at_[first / block];
  return at < 0 ? nullptr : receptance_.data() + at;
}

double WavesOnHull::ramp_at(double t) const { return sea::ramp_up(t, ramp_); }

WavesOnHull::Sum WavesOnHull::scaled(Sum full, double t, double times) const {
  const double factor = times * ramp_at(t);
  full.force *= factor;
  full.slope *= factor;
  full.motion *= factor;
  full.motion_slope *= factor;
  full.drift *= factor * factor;
  full.correction *= factor * factor;
  full.drift_slope *= factor * factor;
  full.correction_slope *= factor * factor;
  return full;
}

WavesOnHull::Sum WavesOnHull::sum(double t, const Place& mean, double times) const {
  return scaled(full_sum(t, mean), t, times);
}

void WavesOnHull::forces_of(size_t first, const WaveForceTable::Cell& cell, const WaveForceTable::Cell& slow_cell,
                            BlockOfForces& out) const {
  const size_t count = std::min(block, train_.count() - first);
  out.first_order(table_, cell, first, count, receptance_of(first));
  if (slow_)
    out.slow(*slow_, slow_cell, first, count);
  else
    out.without_slow();
  out.wave_vectors(train_.along_x(first), train_.along_y(first));
}

WavesOnHull::Sum WavesOnHull::full_sum(double t, const Place& mean) const {
  const WaveForceTable::Cell cell = table_.cell(mean[2]);
  Sums sums = {};
  Slopes slopes = {};
  SlowSlopes slow_slopes = {};
  BlockOfForces some;
  for (size_t first = 0; first < train_.count(); first += block) {
    Wave wave;
    train_.at(first, t, {mean[0], mean[1]}, wave);
    forces_of(first, cell, cell, some);
    some.add(wave, 0, sums);
    some.add_slopes(wave, 0, slopes);
    some.add_slow_slopes(wave, 0, slow_slopes);
  }
  const hull_load::LevelAxes<double> axes(mean[2]);
  return as_sum(values_of(sums, axes).data(), slopes_of(slopes, axes).data(), slow_slopes_of(sums, slow_slopes).data());
}

bool WavesOnHull::near(const Place& here, const Place& on_the_way) const {
  const double turned = std::remainder(here[2] - on_the_way[2], 2 * std::numbers::pi);
  return std::hypot(limits_.place * (here[0] - on_the_way[0]), limits_.place * (here[1] - on_the_way[1]),
                    limits_.heading * turned) < wave_window::largest_error;
}

// Between two times of the window are as many instants (eighths of a step) as the window has steps.
void WavesOnHull::form_window(double t, const Way& way, int steps, const std::optional<Since>& since, bool held,
                              double* phases, double* kept) const {
  const double between = step_ * steps / static_cast<double>(nodes - 1);
  std::array<Place, nodes> places;
  for (size_t node = 0; node < nodes; ++node) places[node] = way.after(static_cast<double>(node) * between);
  // Headings on the way are taken about that in the middle of the window.
  const double heading = places[nodes / 2][2];
  const WaveForceTable::Cell cell = table_.cell(heading);
  const Vec2 here(way.place[0], way.place[1]), next(places[1][0] - here[0], places[1][1] - here[1]),
      more = between * between * Vec2(way.acceleration[0], way.acceleration[1]);
  std::array<Sums, nodes> sums = {};
  std::array<Slopes, slope_nodes> slopes = {};
  std::array<SlowSlopes, slow_slope_nodes> slow_slopes = {};
  BlockOfForces some;
  for (size_t first = 0; first < train_.count(); first += block) {
    double *const re = phases + first, *const im = phases + train_.room() + first;
    Wave wave;
    if (since) {
      std::copy_n(re, block, wave.re.begin());
      std::copy_n(im, block, wave.im.begin());
      train_.carry_on(first, since->steps * static_cast<int>(nodes - 1), since->moved, wave);
    } else {
      train_.at(first, t, here, wave);
    }
    std::copy(wave.re.begin(), wave.re.end(), re);
    std::copy(wave.im.begin(), wave.im.end(), im);
    forces_of(first, cell, cell, some);
    WaveTrain::Course course;
    train_.begin(first, steps, next, more, course);
    for (size_t node = 0; node < nodes; ++node) {
      const double turn = places[node][2] - heading;
      some.add(wave, turn, sums[node]);
      if (node % 2 == 0 && !held) some.add_slopes(wave, turn, slopes[node / 2]);
      if (node % 4 == 0 && !held) some.add_slow_slopes(wave, turn, slow_slopes[node / 4]);
      if (node + 1 < nodes) WaveTrain::go_on(course, wave);
    }
  }
  const hull_load::LevelAxes<double> axes(heading);
  for (const Sums& s : sums) {
    const auto values = values_of(s, axes);
    kept = std::copy(values.begin(), values.end(), kept);
  }
  for (const Slopes& s : slopes) {
    const auto values = slopes_of(s, axes);
    kept = std::copy(values.begin(), values.end(), kept);
  }
  for (size_t i = 0; i < slow_slope_nodes; ++i) {
    const auto values = slow_slopes_of(sums[4 * i], slow_slopes[i]);
    kept = std::copy(values.begin(), values.end(), kept);
  }
}

WavesOnHull::Sum WavesOnHull::in_window(const double* kept, double part) const {
  const double s = static_cast<double>(nodes - 1) * part;
  const auto blended = [](const auto& weights, const double* from, auto& out) {
    out = {};
    for (const double weight : weights) {
      for (size_t i = 0; i < out.size(); ++i) out[i] += weight * from[i];
      from += out.size();
    }
  };
  std::array<double, in_node> values;
  std::array<double, in_slope> slopes;
  std::array<double, in_slow_slope> slow_slopes;
  blended(wave_window::weights<nodes>(s), kept, values);
  const double* const kept_slopes = kept + nodes * in_node;
  blended(wave_window::weights<slope_nodes>(s / 2), kept_slopes, slopes);
  blended(wave_window::weights<slow_slope_nodes>(s / 4), kept_slopes + slope_nodes * in_slope, slow_slopes);
  return as_sum(values.data(), slopes.data(), slow_slopes.data());
}

Vec3 WavesOnHull::motion_rate(const double* kept, double part, double window) const {
  const auto weights = wave_window::slope_weights<nodes>(static_cast<double>(nodes - 1) * part);
  Vec3 out = Vec3::Zero();
  for (size_t node = 0; node < nodes; ++node)
    out += weights[node] * Eigen::Map<const Vec3>(kept + in_node * node + forces);
  return static_cast<double>(nodes - 1) / window * out;
}

}  // namespace davit::wave_load
