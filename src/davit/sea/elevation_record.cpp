#include "davit/sea/elevation_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>
#include <unsupported/Eigen/FFT>

#include "davit/sea/dispersion.hpp"

namespace davit::sea {

namespace {

struct EvenRecord {
  double start, step;
  std::vector<double> values;
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
  if (longest - shortest < 0.005 * mean) return {r.times.front(), mean, r.elevations};
  const auto count = static_cast<std::size_t>(std::ceil(length / std::max(shortest, 0.25 * mean) - 1e-9)) + 1;
  EvenRecord even{r.times.front(), length / static_cast<double>(count - 1), {}};
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
  std::vector<std::complex<double>> lines;
  Eigen::FFT<double> fft;
  fft.fwd(lines, even.values);

  RecordedWaves waves{{}, lines[0].real() / count};
  for (std::size_t i = 1; i <= n / 2; ++i) {
    Component c{};
    c.frequency = 2 * std::numbers::pi * static_cast<double>(i) / (count * even.step);
    if (range && (c.frequency < range->from || c.frequency > range->to)) continue;
    // A line and its mirror make one wave; the line at half the sampling rate has no mirror.
    c.amplitude = (2 * i == n ? 1 : 2) * std::abs(lines[i]) / count;
    c.wave_number = wave_number(c.frequency, water.depth, water.gravity);
    c.heading = heading;
    c.phase = std::arg(lines[i]) - c.frequency * even.start +
              c.wave_number * (place.x() * std::cos(heading) + place.y() * std::sin(heading));
    waves.components.push_back(c);
  }
  return waves;
}

}  // namespace davit::sea
