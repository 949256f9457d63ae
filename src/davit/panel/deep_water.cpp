#include "davit/panel/deep_water.hpp"

#include <cassert>
#include <cmath>
#include <numbers>

#include "davit/math/constants.hpp"
#include "davit/panel/bessel.hpp"
#include "davit/panel/quadrature.hpp"

namespace davit::panel {

namespace {

// Within `near_field` of the origin the tables are in polar coordinates with the logarithm taken out; beyond
// `far_field` the asymptotic series holds.
constexpr double near_field = 2.5, far_field = 20;

// ∫₀^∞ exp(−Xt)/√(1+t²) dt and its derivative, with t = sinh s. The integrand ends where X sinh s = 45.
std::array<double, 2> struve_part(double x) {
  double value = 0, slope = 0;
  quadrature<20>(0, std::asinh(45 / x), 8, [&](double s, double weight) {
    const double t = std::sinh(s), e = weight * std::exp(-x * t);
    value += e;
    slope -= t * e;
  });
  return {value, slope};
}

// ∫₀^Y exp(t−Y)/√(X²+t²) dt and its derivative by X, with t = X sinh s. The integrand begins where t = Y − 45.
std::array<double, 2> finite_part(double x, double y) {
  double value = 0, slope = 0;
  quadrature<20>(std::asinh(std::max(0.0, y - 45) / x), std::asinh(y / x), 12, [&](double s, double weight) {
    const double c = std::cosh(s), e = weight * std::exp(x * std::sinh(s) - y);
    value += e;
    slope -= e / (x * c * c);
  });
  return {value, slope};
}

// F ~ −2π exp(−Y) Y₀(X) − 2 Σ n! Pₙ(Y/d) / dⁿ⁺¹; the derivative by X of Pₙ/dⁿ⁺¹ is −sin θ P'ₙ₊₁/dⁿ⁺².
DeepWave far_away(double x, double y, double d) {
  const double w = 1 / d, u = y * w, sine = x * w;
  double value = 0, slope = 0, factor = w;
  double p_before = 0, p = 1, dp_before = 0, dp = 0;  // Pₙ₋₁, Pₙ and their derivatives
  constexpr int terms = 14;
  for (int n = 0; n < terms; ++n) {
    const double p_next = ((2 * n + 1) * u * p - n * p_before) / (n + 1);
    const double dp_next = dp_before + (2 * n + 1) * p;
    value += factor * p;
    slope -= factor * w * sine * dp_next;
    factor *= (n + 1) * w;
    p_before = p, p = p_next;
    dp_before = dp, dp = dp_next;
  }
  DeepWave out{-2 * value, -2 * slope, 0, 0};
  if (y < 45 && x > 0) {
    const double e = std::exp(-y);
    const Bessel b = bessel(x);
    out.wave_j0 = e * b.j0;
    out.wave_j1 = e * b.j1;
    out.value -= 2 * pi * e * b.y0;
    out.slope_x += 2 * pi * e * b.y1;
  }
  return out;
}

}  // namespace

std::array<double, 2> DeepWater::by_quadrature(double x, double y) {
  assert(x > 0 || y > 0);
  // On the axis F = −2 exp(−Y) Ei(Y).
  if (x == 0) return {-2 * std::exp(-y) * std::expint(y), 0};
  const double e = std::exp(-y);
  const auto [struve, struve_slope] = struve_part(x);
  const auto [finite, finite_slope] = finite_part(x, y);
  return {-2 * pi * e * ::y0(x) - 2 * e * struve - 2 * finite,
          2 * pi * e * ::y1(x) - 2 * e * struve_slope - 2 * finite_slope};
}

DeepWater::DeepWater() {
  // Near the origin, over d and θ (X = d sin θ): F + 2 exp(−Y) J₀ ln d and d (∂F/∂X − 2 exp(−Y) J₁ ln d).
  near_ = SmoothTable<4>(
      Axis::covering(0, near_field + 0.1, 0.04), Axis::covering(0, pi / 2, 0.025), [](double d, double theta) {
        const double u = std::cos(theta), sine = std::sin(theta);
        if (d == 0) {
          return std::array{-2 * std::numbers::egamma + 2 * std::numbers::ln2 - 2 * std::log1p(u), -2 * sine / (1 + u),
                            1.0, 0.0};
        }
        const double x = theta == 0 ? 0 : d * sine, y = std::max(0.0, d * u);
        const auto [value, slope] = by_quadrature(x, y);
        const double e = std::exp(-y), wave_j0 = e * ::j0(x), wave_j1 = e * ::j1(x), logarithm = 2 * std::log(d);
        return std::array{value + logarithm * wave_j0, d * (slope - logarithm * wave_j1), wave_j0, wave_j1};
      });
  // Further out, over X and Y. Two nodes beyond either axis keep the interpolation central: F is even in X, and smooth
  // across Y = 0 where X is not small. Nodes that no argument reaches are left out.
  constexpr double step = 0.1, margin = 0.4;
  const Axis axis = Axis::covering(-2 * step, far_field, step);
  middle_ = SmoothTable<4>(axis, axis, [](double x, double y) {
    const double d = std::hypot(x, y);
    if (d < near_field - margin || d > far_field + margin) return std::array{0.0, 0.0, 0.0, 0.0};
    const auto [value, slope] = by_quadrature(std::abs(x) < 1e-9 ? 0 : std::abs(x), y);
    const double e = std::exp(-y);
    return std::array{value, x < 0 ? -slope : slope, e * ::j0(x), e * ::j1(x)};
  });
}

const DeepWater& DeepWater::tables() {
  static const DeepWater tables;
  return tables;
}

DeepWave DeepWater::operator()(double x, double y) const {
  const double d = std::sqrt(x * x + y * y);
  if (d >= far_field) return far_away(x, y, d);
  if (d >= near_field) {
    const auto values = middle_(x, y);
    return {values[0], values[1], values[2], values[3]};
  }
  assert(d > 0);
  const auto [smooth, smooth_slope, wave_j0, wave_j1] = near_(d, std::atan2(x, y));
  const double logarithm = 2 * std::log(d);
  return {smooth - logarithm * wave_j0, smooth_slope / d + logarithm * wave_j1, wave_j0, wave_j1};
}

}  // namespace davit::panel
