#include "davit/hydro/dispersion.hpp"

#include <cmath>

namespace davit::hydro {

double wave_number(double frequency, double depth, double gravity) {
  const double deep = frequency * frequency / gravity;
  const double wanted = deep * depth;  // x tanh x = wanted, x = k h
  if (!(wanted < 40)) return deep;     // tanh x is 1 in double precision
  if (wanted == 0) return 0;
  // x tanh x is increasing and, where x² starts from, convex enough that Newton's method never leaves x > 0.
  double x = wanted > 1 ? wanted : std::sqrt(wanted);
  for (int i = 0; i < 50; ++i) {
    const double t = std::tanh(x);
    const double step = (x * t - wanted) / (t + x * (1 - t * t));
    x -= step;
    if (std::abs(step) <= 1e-15 * x) break;
  }
  return x / depth;
}

double group_velocity(double frequency, double depth, double gravity) {
  const double k = wave_number(frequency, depth, gravity);
  const double x = 2 * k * depth;
  const double ratio = x > 700 ? 0 : x == 0 ? 1 : x / std::sinh(x);
  return frequency / k * 0.5 * (1 + ratio);
}

}  // namespace davit::hydro
