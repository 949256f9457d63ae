// A root between two points of different sign, by false position and halving in turns.
#pragma once

#include <cmath>

namespace davit::cable {

template <class Function>
double root_between(double low, double high, Function&& f, double tolerance = 0) {
  double f_low = f(low), f_high = f(high);
  if (f_low == 0) return low;
  if (f_high == 0) return high;
  for (int i = 0; i < 200; ++i) {
    const double width = high - low;
    // Every third time halves, so that it never creeps.
    double x = i % 3 == 2 ? 0.5 * (low + high) : low - f_low * width / (f_high - f_low);
    if (!(x > low && x < high)) x = 0.5 * (low + high);
    if (x <= low || x >= high) return x;
    const double value = f(x);
    if (value == 0) return x;
    if ((value < 0) == (f_low < 0)) {
      low = x, f_low = value;
    } else {
      high = x, f_high = value;
    }
    if (high - low <= tolerance + 4e-16 * (std::abs(low) + std::abs(high))) break;
  }
  return 0.5 * (low + high);
}

}  // namespace davit::cable
