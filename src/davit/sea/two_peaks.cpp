#include "davit/sea/two_peaks.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "davit/math/constants.hpp"

namespace davit::sea {

namespace {

constexpr double longest_period = 25;  // s

// How a sea divides into the two systems.
struct Division {
  bool wind_sea;              // is the primary peak; else swell
  double tp, developed;       // periods: of the primary peak, and of the fully developed sea
  double beyond;              // how far swell is from the developed sea, 0 … 1
  double primary, secondary;  // heights

  bool has_secondary() const { return secondary > 1e-6 * primary; }
};

Division divide(double hs, double peak_frequency, double fetch_factor) {
  if (!(hs > 0 && peak_frequency > 0)) throw std::invalid_argument("height and period of a sea are positive");
  const double tp = 2 * pi / peak_frequency, developed = fetch_factor * std::cbrt(hs);
  if (developed >= longest_period) throw std::invalid_argument("the sea is higher than Torsethaugen's spectrum knows");
  const double before = (developed - tp) / (developed - 2 * std::sqrt(hs));
  const double beyond = std::min(1.0, (tp - developed) / (longest_period - developed));
  const bool wind_sea = tp <= developed;
  const double r =
      wind_sea ? 0.7 + 0.3 * std::exp(-4 * before * before) : 0.6 + 0.4 * std::exp(-beyond * beyond / 0.09);
  return {wind_sea, tp, developed, beyond, r * hs, std::sqrt(std::max(0.0, 1 - r * r)) * hs};
}

// 35 s^0.857 of the steepness of the wind sea, or of the developed sea and more for swell that is older; `factor` is 1
// in the simplified form.
double enhancement(const Division& d, double hs, double gravity, double factor) {
  const double height = d.wind_sea ? d.primary : hs, period = d.wind_sea ? d.tp : d.developed;
  const double age = d.wind_sea ? 1 : 1 + 6 * d.beyond;
  return std::max(1.0, 35 * factor * std::pow(2 * pi * height / (gravity * period * period), 0.857) * age);
}

Spectrum spectrum_of(const TorsethaugenPeaks& peaks) {
  if (!peaks.secondary) return peaked(peaks.primary);
  return sum({peaked(peaks.primary), peaked(*peaks.secondary)});
}

}  // namespace

TorsethaugenPeaks torsethaugen_peaks(double hs, double peak_frequency, double gravity, double fetch_factor) {
  const Division d = divide(hs, peak_frequency, fetch_factor);
  TorsethaugenPeaks peaks{{d.primary, 2 * pi / d.tp, 4, 4, enhancement(d, hs, gravity, 1)}, std::nullopt};
  const double second_period = d.wind_sea ? d.developed + 2 : fetch_factor * std::cbrt(d.secondary);
  if (d.has_secondary()) peaks.secondary = Peak{d.secondary, 2 * pi / second_period, 4, 4, 1};
  return peaks;
}

Spectrum torsethaugen(double hs, double peak_frequency, double gravity, double fetch_factor) {
  return spectrum_of(torsethaugen_peaks(hs, peak_frequency, gravity, fetch_factor));
}

TorsethaugenPeaks torsethaugen_1996_peaks(double hs, double peak_frequency, double gravity, double fetch_factor) {
  const Division d = divide(hs, peak_frequency, fetch_factor);
  const double n = 0.5 * std::sqrt(hs) + 3.2;
  TorsethaugenPeaks peaks{{d.primary, 2 * pi / d.tp, n, 4, enhancement(d, hs, gravity, 1 + 3.5 * std::exp(-hs))},
                          std::nullopt};
  if (!d.has_secondary()) return peaks;
  if (d.wind_sea) {
    peaks.secondary = Peak{d.secondary, 2 * pi / (d.developed + 2), n, 4, 1};
    return peaks;
  }
  // Far above its peak the wind sea is Hs²/16 G f⁻ᴺ Tp^(1−N).
  const double m = 4 * (1 - 0.7 * std::exp(-hs / 3)), c = (n - 1) / m;
  const double area = m * std::pow(n / m, c) / std::tgamma(c);  // G
  const double tail = 0.08 * (1 - std::exp(-hs / 3)) * std::pow(0.4, n);
  const double period = std::pow(16 * tail / (area * d.secondary * d.secondary), -1 / (n - 1));
  peaks.secondary = Peak{d.secondary, 2 * pi / period, n, m, 1};
  return peaks;
}

Spectrum torsethaugen_1996(double hs, double peak_frequency, double gravity, double fetch_factor) {
  return spectrum_of(torsethaugen_1996_peaks(hs, peak_frequency, gravity, fetch_factor));
}

Spectrum ochi_hubble(const OchiHubblePeak& low, const OchiHubblePeak& high) {
  const auto part = [](const OchiHubblePeak& p) {
    if (!(p.shape > 0)) throw std::invalid_argument("the shape of a peak is not positive");
    return peaked({p.hs, p.peak_frequency, 4 * p.shape + 1, 4, 1});
  };
  return sum({part(low), part(high)});
}

}  // namespace davit::sea
