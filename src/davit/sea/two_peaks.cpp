#include "davit/sea/two_peaks.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "davit/math/constants.hpp"

namespace davit::sea {

namespace {}

TorsethaugenPeaks torsethaugen_peaks(double hs, double peak_frequency, double gravity, double fetch_factor) {
  if (!(hs > 0 && peak_frequency > 0)) throw std::invalid_argument("height and period of a sea are positive");
  constexpr double longest = 25;
  const double tp = 2 * pi / peak_frequency, developed = fetch_factor * std::cbrt(hs);
  if (developed >= longest) throw std::invalid_argument("the sea is higher than Torsethaugen's spectrum knows");
  const auto gamma = [&](double height, double period, double more) {
    return std::max(1.0, 35 * std::pow(2 * pi * height / (gravity * period * period), 0.857) * more);
  };
  const auto peak = [](double height, double period, double enhancement) {
    return Peak{height, 2 * pi / period, 4, 4, enhancement};
  };
  TorsethaugenPeaks peaks{};
  const auto secondary_height = [&](double r) { return std::sqrt(std::max(0.0, 1 - r * r)) * hs; };
  double second_height = 0, second_period = 0;
  if (tp <= developed) {
    const double before = (developed - tp) / (developed - 2 * std::sqrt(hs));
    const double r = 0.7 + 0.3 * std::exp(-4 * before * before);
    peaks.primary = peak(r * hs, tp, gamma(r * hs, tp, 1));
    second_height = secondary_height(r);
    second_period = developed + 2;
  } else {
    const double beyond = std::min(1.0, (tp - developed) / (longest - developed));
    const double r = 0.6 + 0.4 * std::exp(-beyond * beyond / 0.09);
    peaks.primary = peak(r * hs, tp, gamma(hs, developed, 1 + 6 * beyond));
    second_height = secondary_height(r);
    second_period = fetch_factor * std::cbrt(second_height);
  }
  if (second_height > 1e-6 * hs) peaks.secondary = peak(second_height, second_period, 1);
  return peaks;
}

Spectrum torsethaugen(double hs, double peak_frequency, double gravity, double fetch_factor) {
  const TorsethaugenPeaks peaks = torsethaugen_peaks(hs, peak_frequency, gravity, fetch_factor);
  if (!peaks.secondary) return peaked(peaks.primary);
  return sum({peaked(peaks.primary), peaked(*peaks.secondary)});
}

Spectrum ochi_hubble(const OchiHubblePeak& low, const OchiHubblePeak& high) {
  const auto part = [](const OchiHubblePeak& p) {
    if (!(p.shape > 0)) throw std::invalid_argument("the shape of a peak is not positive");
    return peaked({p.hs, p.peak_frequency, 4 * p.shape + 1, 4, 1});
  };
  return sum({part(low), part(high)});
}

}  // namespace davit::sea
