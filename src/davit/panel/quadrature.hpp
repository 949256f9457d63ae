// Gauss–Legendre quadrature on intervals.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

namespace davit::panel {

// Points and weights on [−1, 1], found by Newton's method on the Legendre polynomial.
template <int points>
struct GaussRule {
  std::array<double, points> x, weight;

  GaussRule() {
    for (int i = 0; i < points; ++i) {
      double t = std::cos(std::numbers::pi * (i + 0.75) / (points + 0.5)), slope = 1;
      for (int round = 0; round < 100; ++round) {
        double p = 1, before = 0;
        for (int n = 1; n <= points; ++n) {
          const double next = ((2 * n - 1) * t * p - (n - 1) * before) / n;
          before = p;
          p = next;
        }
        slope = points * (t * p - before) / (t * t - 1);
        const double change = p / slope;
        t -= change;
        if (std::abs(change) < 1e-15) break;
      }
      x[static_cast<size_t>(i)] = t;
      weight[static_cast<size_t>(i)] = 2 / ((1 - t * t) * slope * slope);
    }
  }
};

template <int points>
const GaussRule<points>& gauss() {
  static const GaussRule<points> rule;
  return rule;
}

// Calls visit(x, weight) at the points of `pieces` rules side by side on [from, to].
template <int points, class Visit>
void quadrature(double from, double to, int pieces, const Visit& visit) {
  const auto& rule = gauss<points>();
  const double half = (to - from) / (2 * pieces);
  for (int piece = 0; piece < pieces; ++piece) {
    const double middle = from + half * (2 * piece + 1);
    for (size_t i = 0; i < points; ++i) visit(middle + half * rule.x[i], half * rule.weight[i]);
  }
}

}  // namespace davit::panel
