// Bessel functions J₀, J₁, Y₀, Y₁ of one argument together.
#pragma once

#include <cmath>
#include <numbers>

namespace davit::panel {

struct Bessel {
  double j0, j1, y0, y1;
};

// For x ≥ 20 by Hankel's asymptotic expansion (Abramowitz & Stegun 9.2.5–9.2.10), one sine and cosine for all four: the
// terms left out are below 1e-10.
inline Bessel bessel_far(double x) {
  const double w = 1 / x, v = w * w;
  const double p0 = 1 + v * (-9.0 / 128 + v * (11025.0 / 98304 + v * (-108056025.0 / 188743680)));
  const double q0 = w * (-1.0 / 8 + v * (75.0 / 1024 + v * (-59535.0 / 262144 + v * (57972915.0 / 33554432))));
  const double p1 = 1 + v * (15.0 / 128 + v * (-14175.0 / 98304 + v * (127702575.0 / 188743680)));
  const double q1 = w * (3.0 / 8 + v * (-105.0 / 1024 + v * (72765.0 / 262144 + v * (-66891825.0 / 33554432))));
  const double scale = std::sqrt(w / std::numbers::pi);
  const double s = std::sin(x), c = std::cos(x);
  // cos(x − π/4) = (c + s)/√2, sin(x − π/4) = (s − c)/√2; √(2/πx)/√2 = scale.
  const double plus = s + c, minus = s - c;
  return {scale * (p0 * plus - q0 * minus), scale * (p1 * minus + q1 * plus), scale * (p0 * minus + q0 * plus),
          scale * (q1 * minus - p1 * plus)};
}

inline Bessel bessel(double x) {
  if (x >= 20) return bessel_far(x);
  return {::j0(x), ::j1(x), ::y0(x), ::y1(x)};
}

}  // namespace davit::panel
