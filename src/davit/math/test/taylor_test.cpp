#include "davit/math/taylor.hpp"

#include <gtest/gtest.h>

#include "davit/math/motion.hpp"
#include "davit/math/rotation.hpp"

namespace davit {
namespace {

using T = Taylor<9>;

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

// A series with a few terms, at a time.
T some(double t) {
  T x = T::time(t);
  return x * x * T(0.3) + x * T(0.7) + T(0.4);
}
double some_value(double t) { return 0.3 * t * t + 0.7 * t + 0.4; }

// The coefficients are right if the series, summed near by, is the function there.
template <class F, class G>
void expect_function(F&& series, G&& plain) {
  const double t = 0.8, h = 0.02;
  const T y = series(some(t));
  double sum = 0;
  for (int k = 8; k >= 0; --k) sum = sum * h + y.c[static_cast<size_t>(k)];
  EXPECT_NEAR(sum, plain(some_value(t + h)), 1e-14 * (1 + std::abs(sum)));
}

TEST(TaylorSeries, elementary_functions_continue_as_they_should) {
  expect_function([](const T& x) { return sin(x); }, [](double x) { return std::sin(x); });
  expect_function([](const T& x) { return cos(x); }, [](double x) { return std::cos(x); });
  // Far enough from the pole that the ninth power of the step is round-off.
  expect_function([](const T& x) { return tan(x * T(0.3)); }, [](double x) { return std::tan(0.3 * x); });
  expect_function([](const T& x) { return exp(x); }, [](double x) { return std::exp(x); });
  expect_function([](const T& x) { return log(x); }, [](double x) { return std::log(x); });
  expect_function([](const T& x) { return tanh(x); }, [](double x) { return std::tanh(x); });
  expect_function([](const T& x) { return sqrt(x); }, [](double x) { return std::sqrt(x); });
  expect_function([](const T& x) { return asin(x * T(0.5)); }, [](double x) { return std::asin(0.5 * x); });
  expect_function([](const T& x) { return acos(x * T(0.5)); }, [](double x) { return std::acos(0.5 * x); });
  expect_function([](const T& x) { return atan2(x, x * x + T(1)); }, [](double x) { return std::atan2(x, x * x + 1); });
  expect_function([](const T& x) { return T(1) / (x + T(2)); }, [](double x) { return 1 / (x + 2); });
}

TEST(TaylorSeries, motions_have_all_their_derivatives) {
  Motion motion(1);
  motion.move(0, 3, 4, {.smoothness = 4});
  double x[9];
  motion.derivatives(1.1, x);
  const T y = motion.value(T::time(1.1));
  const T rate = motion.derivative(1, T::time(1.1));
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(y.c[static_cast<size_t>(k)], x[k] / factorial(k), 1e-12);
  for (int k = 0; k < 8; ++k) EXPECT_NEAR(rate.c[static_cast<size_t>(k)], x[k + 1] / factorial(k), 1e-12);
}

// R(t) = exp(θ(t)) with θ(0) = 0: no root of a vanishing series is taken.
TEST(TaylorSeries, rotations_begin_at_rest) {
  Vec3T<T> theta;
  for (int i = 0; i < 3; ++i) theta[i] = T::time(0) * T(0.5 + i) + T::time(0) * T::time(0) * T(0.1 * i);
  const Mat3T<T> R = exp_rotation(theta);
  const double h = 0.03;
  Vec3 at(0.5 * h, 1.5 * h + 0.1 * h * h, 2.5 * h + 0.2 * h * h);
  const Mat3 exact = exp_rotation(at);
  for (int i = 0; i < 9; ++i) {
    double sum = 0;
    for (int k = 8; k >= 0; --k) sum = sum * h + R(i / 3, i % 3).c[static_cast<size_t>(k)];
    EXPECT_NEAR(sum, exact(i / 3, i % 3), 1e-13);
  }
}

}  // namespace
}  // namespace davit
