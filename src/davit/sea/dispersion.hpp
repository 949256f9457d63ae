// Plane waves on water of finite or infinite depth: ω² = g k tanh kh, how fast they carry energy, how they fade with
// depth.
#pragma once

#include <cmath>

namespace davit::sea {

// k tanh kh = K, where K = ω²/g is the wave number in deep water, by Newton's method from above the root, where the
// function is convex; K itself in deep water.
inline double wave_number(double deep, double depth) {
  const double y = deep * depth;
  if (std::isinf(depth) || y > 350 || deep == 0) return deep;
  double x = y < 1 ? std::sqrt(y) * (1 + y / 3) : y + 1 / y;
  for (int round = 0; round < 50; ++round) {
    const double t = std::tanh(x), change = (x * t - y) / (t + x * (1 - t * t));
    x -= change;
    if (std::abs(change) < 1e-15 * x) break;
  }
  return x / depth;
}

inline double wave_number(double frequency, double depth, double gravity) {
  return wave_number(frequency * frequency / gravity, depth);
}

// ∂ω/∂k at the wave number k, the speed at which energy travels.
inline double group_velocity(double frequency, double k, double depth) {
  const double x = k * depth;
  return 0.5 * frequency / k * (x > 350 ? 1 : 1 + 2 * x / std::sinh(2 * x));
}

// How waves fade with depth: c(z) = cosh k(z+h)/cosh kh and its derivative.
struct DepthProfile {
  double value, slope;
};
inline DepthProfile depth_profile(double k, double depth, double z) {
  const double up = std::exp(k * z);
  if (std::isinf(depth)) return {up, k * up};
  const double down = std::exp(-k * (z + 2 * depth)), scale = 1 / (1 + std::exp(-2 * k * depth));
  return {(up + down) * scale, k * (up - down) * scale};
}

}  // namespace davit::sea
