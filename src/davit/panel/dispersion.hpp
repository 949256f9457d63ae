// Wave numbers of a frequency: K = ω²/g, the real root k of k tanh kh = K, and the roots κₙ of κ tan κh = −K that
// belong to the evanescent modes.
#pragma once

#include <cmath>
#include <numbers>

namespace davit::panel {

// k tanh kh = K by Newton's method from above the root, where the function is convex; K itself in deep water.
inline double wave_number(double deep, double depth) {
  const double y = deep * depth;
  if (std::isinf(depth) || y > 350) return deep;
  double x = y < 1 ? std::sqrt(y) * (1 + y / 3) : y + 1 / y;
  for (int round = 0; round < 50; ++round) {
    const double t = std::tanh(x), change = (x * t - y) / (t + x * (1 - t * t));
    x -= change;
    if (std::abs(change) < 1e-15 * x) break;
  }
  return x / depth;
}

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

// How waves fade with depth: c(z) and its derivative.
struct DepthProfile {
  double value, slope;
};
inline DepthProfile depth_profile(double k, double depth, double z) {
  const double up = std::exp(k * z);
  if (std::isinf(depth)) return {up, k * up};
  const double down = std::exp(-k * (z + 2 * depth)), scale = 1 / (1 + std::exp(-2 * k * depth));
  return {(up + down) * scale, k * (up - down) * scale};
}

// The outgoing waves of a source: Im G = −π wave_strength c(z) c(ζ) J₀(kR) with c(z) = cosh k(z+h)/cosh kh; 2K in deep
// water.
inline double wave_strength(double deep, double k, double depth) {
  if (std::isinf(depth)) return 2 * deep;
  const double e = std::exp(-2 * k * depth), c = 1 + e;
  return (k + deep) * c * c / ((1 - e) + k * depth * c - deep * depth * (1 - e));
}

// Group velocity at the wave number k.
inline double group_velocity(double frequency, double k, double depth) {
  const double x = k * depth;
  return 0.5 * frequency / k * (x > 350 ? 1 : 1 + 2 * x / std::sinh(2 * x));
}

}  // namespace davit::panel
