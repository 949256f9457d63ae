// Recorded motions of hulls as functions that can be differentiated.
#include "davit/scenario/hull_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace davit {
namespace {

// Ten rows a second of what waves of five and eight seconds do, with six derivatives.
TEST(HullMotion, HasTheDerivativesOfWhatWasRecorded) {
  const double a = 2 * M_PI / 5, b = 2 * M_PI / 8;
  std::vector<double> times, values;
  for (int i = 0; i <= 600; ++i) {
    times.push_back(0.1 * i - 3);
    values.push_back(1.5 + std::sin(a * times.back()) + 0.5 * std::cos(b * times.back()));
  }
  const Motion motion = smooth_through(times, values);
  const auto exact = [&](int k, double t) {
    const double shift = k * M_PI / 2;
    return (k == 0 ? 1.5 : 0) + std::pow(a, k) * std::sin(a * t + shift) +
           0.5 * std::pow(b, k) * std::cos(b * t + shift);
  };
  for (int k = 0; k <= 6; ++k) {
    double most = 0;
    for (double t = 0; t < 54; t += 0.0371) most = std::max(most, std::abs(motion.derivative(k, t) - exact(k, t)));
    EXPECT_LT(most, 3e-9 * std::pow(8, k)) << "derivative " << k;
  }
}

}  // namespace
}  // namespace davit
