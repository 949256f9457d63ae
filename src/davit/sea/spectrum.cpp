#include "davit/sea/spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "davit/math/constants.hpp"
#include "davit/math/integrate.hpp"

namespace davit::sea {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

void need_positive(double value, const char* what) {
  if (!(value > 0 && std::isfinite(value)))
    throw std::invalid_argument(fmt::format("{} is {}, not positive", what, value));
}

// The density with A = 1; frequencies in parts of the peak's keep the powers within range.
double shape(const Peak& peak, double frequency) {
  if (!(frequency > 0)) return 0;
  const double x = frequency / peak.peak_frequency;
  const double fall = std::pow(x, -peak.power) * std::exp(-peak.power / peak.steepness * std::pow(x, -peak.steepness));
  // Far below the peak ∞ · 0.
  if (!(fall > 0)) return 0;
  if (peak.gamma == 1) return fall;
  const double away = (x - 1) / (x <= 1 ? 0.07 : 0.09);
  return fall * std::pow(peak.gamma, std::exp(-0.5 * away * away));
}

// Pieces in which a peak is smooth: σ jumps at the peak, γ^Y has gone four widths from it.
Spectrum scaled(const Peak& peak, double scale) {
  std::vector<double> joints = {0.2, 0.5, 0.72, 0.9, 1, 1.12, 1.36, 2, 4, 10};
  for (double& joint : joints) joint *= peak.peak_frequency;
  joints.insert(joints.begin(), 0);
  return Spectrum([peak, scale](double frequency) { return scale * shape(peak, frequency); }, std::move(joints),
                  peak.power);
}

// Golden sections of an interval that holds one maximum, or climbs to an end.
double largest_between(const Spectrum& spectrum, double from, double to) {
  constexpr double golden = 0.6180339887498949;
  double a = from, b = to;
  while (b - a > 1e-9 * b) {
    const double x = b - golden * (b - a), y = a + golden * (b - a);
    if (spectrum(x) > spectrum(y))
      b = y;
    else
      a = x;
  }
  return 0.5 * (a + b);
}

}  // namespace

Spectrum::Spectrum(Density density, std::vector<double> joints, double tail_power)
    : density_(std::move(density)), joints_(std::move(joints)), tail_power_(tail_power) {
  if (joints_.size() < 2 || !std::is_sorted(joints_.begin(), joints_.end()) || !(joints_.front() >= 0) ||
      !(tail_power_ > 1))
    throw std::invalid_argument("a spectrum needs ascending frequencies and a tail that has an end to its energy");
}

double Spectrum::operator()(double frequency) const {
  if (frequency < joints_.front() || (frequency > joints_.back() && !has_tail())) return 0;
  return density_(frequency);
}

double Spectrum::moment(int n) const { return moment(n, 0, infinite); }

double Spectrum::moment(int n, double from, double to) const {
  if (!(from < to)) return 0;
  const auto weighed = [&](double w) {
    const double s = density_(w);
    return s == 0 ? 0 : s * std::pow(w, n);  // S ends faster than any power at ω = 0
  };
  // The accuracy that is wanted, from a first look at the whole.
  double about = 0;
  const auto pieces = [&](const auto& visit) {
    for (std::size_t i = 0; i + 1 < joints_.size(); ++i) {
      const double a = std::max(from, joints_[i]), b = std::min(to, joints_[i + 1]);
      if (a < b) visit(a, b);
    }
  };
  pieces([&](double a, double b) { about += integrate_piece(weighed, a, b).value; });
  double total = 0;
  pieces([&](double a, double b) { total += integrate(weighed, a, b, 1e-13 * about); });
  if (!has_tail() || to <= joints_.back()) return total;
  if (std::isinf(to) && n - tail_power_ >= -1) return infinite;
  // The tail in v = (c/ω)^p, in which ω^(n−N) dω is constant: what is left is smooth.
  const double c = std::max(from, joints_.back()), p = n - tail_power_ < -1 ? tail_power_ - 1 - n : 1;
  const auto in_v = [&](double v) {
    const double w = c * std::pow(v, -1 / p), value = weighed(w);
    return value == 0 ? 0 : value * w / (p * v);
  };
  const double end = std::pow(c / to, p);
  return total + integrate(in_v, end, 1, 1e-13 * std::max(about, integrate_piece(in_v, end, 1).value));
}

double Spectrum::peak_frequency() const {
  constexpr int samples = 16;  // in each piece
  std::vector<double> looked_at;
  for (std::size_t i = 0; i + 1 < joints_.size(); ++i)
    for (int j = 0; j < samples; ++j) looked_at.push_back(joints_[i] + (joints_[i + 1] - joints_[i]) * j / samples);
  looked_at.push_back(joints_.back());
  const auto lower = [this](double a, double b) { return (*this)(a) < (*this)(b); };
  const auto best = std::max_element(looked_at.begin(), looked_at.end(), lower);
  // A peak that is a joint keeps its exact place.
  double peak = *best;
  if (best != looked_at.begin()) peak = std::max(peak, largest_between(*this, *(best - 1), *best), lower);
  if (best + 1 != looked_at.end()) peak = std::max(peak, largest_between(*this, *best, *(best + 1)), lower);
  return peak;
}

Characteristics characteristics(const Spectrum& s) { return characteristics(s, 0, infinite); }

Characteristics characteristics(const Spectrum& s, double from, double to) {
  const auto m = [&](int n) { return s.moment(n, from, to); };
  const double m0 = m(0), m1 = m(1), m2 = m(2), m4 = m(4);
  return {4 * std::sqrt(m0),
          2 * pi / s.peak_frequency(),
          2 * pi * std::sqrt(m0 / m2),
          2 * pi * m0 / m1,
          2 * pi * m(-1) / m0,
          std::sqrt(std::max(0.0, m0 * m2 / (m1 * m1) - 1)),
          std::sqrt(std::max(0.0, 1 - m2 * m2 / (m0 * m4)))};
}

Spectrum peaked(const Peak& peak) {
  need_positive(peak.hs, "the significant wave height");
  need_positive(peak.peak_frequency, "the peak frequency");
  if (!(peak.gamma >= 1)) throw std::invalid_argument("gamma is below 1");
  return scaled(peak, peak.hs * peak.hs / 16 / scaled(peak, 1).moment(0));
}

Spectrum jonswap(double hs, double peak_frequency, double gamma) { return peaked({hs, peak_frequency, 5, 4, gamma}); }

Spectrum jonswap_alpha(double alpha, double peak_frequency, double gamma, double gravity) {
  need_positive(alpha, "alpha");
  need_positive(peak_frequency, "the peak frequency");
  return scaled({0, peak_frequency, 5, 4, gamma}, alpha * gravity * gravity / std::pow(peak_frequency, 5));
}

double jonswap_gamma(double hs, double peak_frequency) {
  const double ratio = 2 * pi / peak_frequency / std::sqrt(hs);
  return ratio <= 3.6 ? 5 : ratio < 5 ? std::exp(5.75 - 1.15 * ratio) : 1;
}

std::optional<std::string> jonswap_doubt(double hs, double peak_frequency) {
  const double ratio = 2 * pi / peak_frequency / std::sqrt(hs);
  if (ratio > 3.6 && ratio < 5) return std::nullopt;
  return fmt::format("Tp/√Hs is {:.2f}; JONSWAP describes seas between 3.6 and 5 (DNV-RP-C205)", ratio);
}

Spectrum pierson_moskowitz(double wind_speed, double gravity) {
  need_positive(wind_speed, "the wind speed");
  return jonswap_alpha(0.0081, std::pow(0.8 * 0.74, 0.25) * gravity / wind_speed, 1, gravity);
}

Spectrum bretschneider(double hs, double peak_frequency) { return peaked({hs, peak_frequency}); }

double bretschneider_peak_of_tz(double tz) { return 2 * pi / (tz * std::pow(1.25 * pi, 0.25)); }

double bretschneider_peak_of_t1(double t1) { return 2 * pi / (t1 * std::pow(1.25, 0.25) * std::tgamma(0.75)); }

Spectrum gaussian(double hs, double peak_frequency, double width) {
  need_positive(hs, "the significant wave height");
  need_positive(peak_frequency, "the peak frequency");
  need_positive(width, "the width");
  if (width > 0.25 * peak_frequency)
    throw std::invalid_argument("the width is more than a quarter of the peak frequency");
  const double reach = std::min(8 * width, 0.999 * peak_frequency);
  const double inside = std::erf(reach / (width * std::numbers::sqrt2));
  const double scale = hs * hs / 16 / (inside * width * std::sqrt(2 * pi));
  std::vector<double> joints;
  for (const double part : {-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0}) joints.push_back(peak_frequency + part * reach);
  return Spectrum(
      [=](double frequency) {
        const double away = (frequency - peak_frequency) / width;
        return scale * std::exp(-0.5 * away * away);
      },
      std::move(joints), infinite);
}

Spectrum table(std::vector<double> frequencies, std::vector<double> densities) {
  if (frequencies.size() != densities.size() || frequencies.size() < 2 || !(frequencies.front() >= 0) ||
      !std::is_sorted(frequencies.begin(), frequencies.end(), std::less_equal<>()))
    throw std::invalid_argument("a table needs ascending frequencies, two at least, and a density for each");
  for (const double density : densities)
    if (!(density >= 0 && std::isfinite(density))) throw std::invalid_argument("a density of the table is negative");
  if (frequencies.front() == 0 && densities.front() > 0)
    throw std::invalid_argument("waves of frequency zero have no energy");
  if (std::all_of(densities.begin(), densities.end(), [](double d) { return d == 0; }))
    throw std::invalid_argument("all densities of the table are zero");
  std::vector<double> joints = frequencies;
  return Spectrum(
      [frequencies = std::move(frequencies), densities = std::move(densities)](double frequency) {
        if (frequency < frequencies.front() || frequency > frequencies.back()) return 0.0;
        const auto above = std::upper_bound(frequencies.begin() + 1, frequencies.end() - 1, frequency);
        const auto i = static_cast<std::size_t>(above - frequencies.begin());
        const double s = (frequency - frequencies[i - 1]) / (frequencies[i] - frequencies[i - 1]);
        return (1 - s) * densities[i - 1] + s * densities[i];
      },
      std::move(joints), infinite);
}

Spectrum sum(std::vector<Spectrum> parts) {
  std::vector<double> joints;
  double power = infinite;
  for (const Spectrum& part : parts) {
    joints.insert(joints.end(), part.joints().begin(), part.joints().end());
    power = std::min(power, part.tail_power());
  }
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  return Spectrum(
      [parts = std::move(parts)](double frequency) {
        double total = 0;
        for (const Spectrum& part : parts) total += part(frequency);
        return total;
      },
      std::move(joints), power);
}

}  // namespace davit::sea
