#include "davit/sea/spreading.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "davit/math/constants.hpp"
#include "davit/math/integrate.hpp"

namespace davit::sea {

namespace {}

Spreading::Spreading(Kind kind, double exponent)
    : power_(kind == Kind::cos_n ? exponent : 2 * exponent),
      stretch_(kind == Kind::cos_n ? 1 : 0.5),
      limit_(0.5 * pi / stretch_),
      // ∫ cos^p over half a turn is √π Γ((p+1)/2)/Γ(p/2+1); the logarithms do not overflow for narrow swell.
      scale_(stretch_ * std::exp(std::lgamma(0.5 * power_ + 1) - std::lgamma(0.5 * power_ + 0.5)) / std::sqrt(pi)) {
  if (!(exponent > 0 && std::isfinite(exponent)))
    throw std::invalid_argument("the exponent of a spreading is not positive");
}

double Spreading::density(double angle) const {
  if (std::abs(angle) > limit_) return 0;
  return scale_ * std::pow(std::max(0.0, std::cos(angle * stretch_)), power_);
}

double Spreading::below(double angle) const {
  if (angle >= limit_) return 1;
  if (angle <= -limit_) return 0;
  // From the middle, which the symmetry knows.
  const auto d = [this](double x) { return density(x); };
  const double half = integrate(d, 0, std::abs(angle), 1e-14);
  return angle < 0 ? 0.5 - half : 0.5 + half;
}

double Spreading::angle(double part) const {
  if (part <= 0) return -limit_;
  if (part >= 1) return limit_;
  double low = -limit_, high = limit_, x = 0;
  for (int round = 0; round < 200 && high - low > 1e-15; ++round) {
    const double excess = below(x) - part;
    (excess > 0 ? high : low) = x;
    const double next = x - excess / density(x), before = x;
    x = next > low && next < high ? next : 0.5 * (low + high);
    if (std::abs(x - before) < 1e-15) break;
  }
  return x;
}

std::vector<DirectionBand> direction_bands(const Spreading& spreading, int count, Bands kind) {
  if (count < 1) throw std::invalid_argument("there is no direction");
  std::vector<DirectionBand> bands;
  for (int i = 0; i < count; ++i) {
    const double low = static_cast<double>(i) / count, high = static_cast<double>(i + 1) / count;
    if (kind == Bands::equal_energy) {
      bands.push_back({1.0 / count, low, high, kind});
    } else {
      const double limit = spreading.limit(), from = limit * (2 * low - 1), to = limit * (2 * high - 1);
      bands.push_back({spreading.below(to) - spreading.below(from), from, to, kind});
    }
  }
  return bands;
}

}  // namespace davit::sea
