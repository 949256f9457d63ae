#include "davit/sea/elevation_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <unsupported/Eigen/FFT>
#include <utility>

#include "davit/sea/dispersion.hpp"
#include "davit/sea/trigonometric_sums.hpp"

namespace davit::sea {

namespace {

struct EvenRecord {
  double start, step;
  std::vector<double> values;
  bool resampled = false;  // of a record whose own times are not even

  double period() const { return step * static_cast<double>(values.size()); }
};

// Slope at a point by the parabola through it and its neighbours.
double slope_at(const ElevationRecord& r, std::size_t i) {
  const std::size_t n = r.times.size();
  const auto secant = [&](std::size_t a) {
    return (r.elevations[a + 1] - r.elevations[a]) / (r.times[a + 1] - r.times[a]);
  };
  if (n == 2) return secant(0);
  const std::size_t a = std::clamp<std::size_t>(i, 1, n - 2);
  const double before = r.times[a] - r.times[a - 1], after = r.times[a + 1] - r.times[a];
  const double bend = (secant(a) - secant(a - 1)) / (before + after);
  return secant(a - 1) + bend * (2 * r.times[i] - r.times[a - 1] - r.times[a]);
}

EvenRecord evenly_spaced(const ElevationRecord& r) {
  const std::size_t n = r.times.size();
  const double length = r.times.back() - r.times.front(), mean = length / static_cast<double>(n - 1);
  double shortest = mean, longest = mean;
  for (std::size_t i = 1; i < n; ++i) {
    shortest = std::min(shortest, r.times[i] - r.times[i - 1]);
    longest = std::max(longest, r.times[i] - r.times[i - 1]);
  }
  // Files round their times: half a per cent of the spacing is still even.
  if (longest - shortest < 0.005 * mean) return {r.times.front(), mean, r.elevations, false};
  const auto count = static_cast<std::size_t>(std::ceil(length / std::max(shortest, 0.25 * mean) - 1e-9)) + 1;
  EvenRecord even{r.times.front(), length / static_cast<double>(count - 1), {}, true};
  std::size_t at = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const double t = even.start + even.step * static_cast<double>(j);
    while (at + 2 < n && t >= r.times[at + 1]) ++at;
    const double h = r.times[at + 1] - r.times[at], s = std::clamp((t - r.times[at]) / h, 0.0, 1.0);
    const double from = r.elevations[at], to = r.elevations[at + 1];
    // Hermite's cubic.
    even.values.push_back(from + s * s * (3 - 2 * s) * (to - from) +
                          h * s * (1 - s) * ((1 - s) * slope_at(r, at) - s * slope_at(r, at + 1)));
  }
  return even;
}

using Lines = std::vector<std::complex<double>>;  // of the discrete Fourier transform, up to half the sampling rate

// A line and its mirror make one wave; the mean and the line at half the sampling rate have no mirror.
double mirrored(std::size_t line, std::size_t count) { return line == 0 || 2 * line == count ? 1 : 2; }

// The least change of the waves with which they go through the points of the record, by conjugate gradients.
void pass_through(const ElevationRecord& r, const EvenRecord& even, Lines& lines) {
  const auto count = static_cast<double>(even.values.size());
  const auto scale = [&](std::size_t k) { return mirrored(k, even.values.size()) / count; };
  Lines waves = lines;  // ζ = Re Σ Xₖ exp(ik 2π(t − start)/period)
  for (std::size_t k = 0; k < waves.size(); ++k) waves[k] *= scale(k);
  std::vector<double> angles;
  for (const double t : r.times) angles.push_back(2 * std::numbers::pi * (t - even.start) / even.period());
  TrigonometricSums sums(std::move(angles), static_cast<int>(lines.size()) - 1);
  const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  std::vector<double> miss = sums.values(waves);
  for (std::size_t i = 0; i < miss.size(); ++i) miss[i] = r.elevations[i] - miss[i];
  std::vector<double> direction = miss;
  double square = dot(miss, miss);
  const double enough = 1e-20 * dot(r.elevations, r.elevations);
  for (int round = 0; round < 500 && square > enough; ++round) {
    const Lines change = sums.transposed(direction);
    const std::vector<double> gain = sums.values(change);
    const double bend = dot(direction, gain);
    if (!(bend > 0)) break;
    const double length = square / bend;
    for (std::size_t k = 0; k < lines.size(); ++k) lines[k] += length / scale(k) * change[k];
    for (std::size_t i = 0; i < miss.size(); ++i) miss[i] -= length * gain[i];
    const double before = std::exchange(square, dot(miss, miss));
    for (std::size_t i = 0; i < miss.size(); ++i) direction[i] = miss[i] + square / before * direction[i];
  }
}

}  // namespace

RecordedWaves waves_of(const ElevationRecord& record, double heading, const Vec2& place, const Water& water,
                       std::optional<FrequencyRange> range) {
  if (record.times.size() != record.elevations.size() || record.times.size() < 3)
    throw std::invalid_argument("a record needs three points at least, each with a time and an elevation");
  if (std::adjacent_find(record.times.begin(), record.times.end(), std::greater_equal<>()) != record.times.end())
    throw std::invalid_argument("the times of a record ascend");
  const EvenRecord even = evenly_spaced(record);
  const std::size_t n = even.values.size();
  const auto count = static_cast<double>(n);
  Lines lines;
  Eigen::FFT<double> fft;
  fft.fwd(lines, even.values);
  lines.resize(n / 2 + 1);
  if (even.resampled) pass_through(record, even, lines);

  RecordedWaves waves{{}, lines[0].real() / count};
  for (std::size_t k = 1; k < lines.size(); ++k) {
    Component c{};
    c.frequency = 2 * std::numbers::pi * static_cast<double>(k) / even.period();
    if (range && (c.frequency < range->from || c.frequency > range->to)) continue;
    c.amplitude = mirrored(k, n) * std::abs(lines[k]) / count;
    c.wave_number = wave_number(c.frequency, water.depth, water.gravity);
    c.heading = heading;
    c.phase = std::arg(lines[k]) - c.frequency * even.start +
              c.wave_number * (place.x() * std::cos(heading) + place.y() * std::sin(heading));
    waves.components.push_back(c);
  }
  return waves;
}

}  // namespace davit::sea
