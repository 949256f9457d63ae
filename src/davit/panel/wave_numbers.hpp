// Wave numbers of a frequency beside those of plane waves (sea/dispersion.hpp): the roots κₙ of κ tan κh = −K that
// belong to the evanescent modes, and the strength of the outgoing waves of a source.
#pragma once

#include <cmath>
#include <numbers>

#include "davit/sea/dispersion.hpp"

namespace davit::panel {

using sea::depth_profile;
using sea::DepthProfile;
using sea::group_velocity;
using sea::wave_number;

// The n-th root (n = 1, 2, …) of κ tan κh = −K, in ((n − ½)π, nπ)/h: with κh = nπ − e, e = atan(Kh/(nπ − e)).
inline double evanescent_wave_number(double deep, double depth, int n) {
  const double y = deep * depth, top = n * std::numbers::pi;
  double low = 0, high = 0.5 * std::numbers::pi, e = std::atan(y / top);
  for (int round = 0; round < 100; ++round) {
    const double f = (top - e) * std::tan(e) - y;  // grows with e
    (f > 0 ? high : low) = e;
    const double c = std::cos(e), slope = (top - e) / (c * c) - std::tan(e);
    double next = e - f / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - e) < 1e-16 * top) break;
    e = next;
  }
  return (top - e) / depth;
}

// The outgoing waves of a source: Im G = −π wave_strength c(z) c(ζ) J₀(kR) with c(z) = cosh k(z+h)/cosh kh; 2K in deep
// water.
inline double wave_strength(double deep, double k, double depth) {
  if (std::isinf(depth)) return 2 * deep;
  const double e = std::exp(-2 * k * depth), c = 1 + e;
  return (k + deep) * c * c / ((1 - e) + k * depth * c - deep * depth * (1 - e));
}

}  // namespace davit::panel
