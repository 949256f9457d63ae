// The bottom's part of the Green function: against its definition, close by and far away.
#include "davit/panel/finite_depth.hpp"

#include <gtest/gtest.h>

#include "davit/panel/deep_water.hpp"
#include "davit/panel/quadrature.hpp"
#include "davit/panel/wave_numbers.hpp"

using namespace davit::panel;

namespace {

// Λ as it is defined, for V < 2h, by a fine rule that is symmetric about the pole.
Smooth by_definition(double deep, double h, double r, double v) {
  Smooth sum{};
  const double k0 = wave_number(deep, h);
  const auto add = [&](double k, double weight) {
    const double e = std::exp(-2 * k * h), up = std::exp(-k * (2 * h - v)), down = std::exp(-k * (2 * h + v));
    const double f = weight * (k + deep) / (k - deep - (k + deep) * e);
    sum.value += f * (up + down) * ::j0(k * r);
    sum.slope_r -= f * (up + down) * k * ::j1(k * r);
    sum.slope_v += f * k * (up - down) * ::j0(k * r);
  };
  const double half = std::min(k0, 0.5 / h), end = k0 + half + 45 / (2 * h - v);
  if (k0 > half) quadrature<20>(0, k0 - half, 200, add);
  quadrature<20>(k0 - half, k0 + half, 1, add);
  quadrature<20>(k0 + half, end, 1000, add);
  return sum;
}

}  // namespace

TEST(FiniteDepth, tables_are_the_definition) {
  const double h = 12;
  for (const double kh : {0.05, 0.5, 1.0, 2.0, 4.0, 9.0, 11.9, 12.1, 30.0}) {
    const double deep = kh / h;
    const FiniteDepth bottom(deep, h, 10 * h);
    for (const double r : {0.0, 0.37, 3.0, 11.9, 12.3, 20.0, 55.0, 119.0})
      for (const double v : {0.0, 0.21, 5.0, 11.9, 20.0, 22.0}) {
        const Smooth exact = by_definition(deep, h, r, v);
        if (v <= h) {
          const Smooth lambda = bottom.lambda(r, v);
          EXPECT_NEAR(h * lambda.value, h * exact.value, 1e-6) << kh << " R " << r << " V " << v;
          EXPECT_NEAR(h * h * lambda.slope_r, h * h * exact.slope_r, 1e-5) << kh << " R " << r << " V " << v;
          EXPECT_NEAR(h * h * lambda.slope_v, h * h * exact.slope_v, 1e-5) << kh << " R " << r << " V " << v;
        }
        const double y = deep * (2 * h - v), d = std::hypot(r, 2 * h - v);
        const auto [f, f_x] = DeepWater::by_quadrature(deep * r, y);
        const Smooth rest = bottom.remainder(r, v);
        EXPECT_NEAR(h * (rest.value + 1 / d + deep * f), h * exact.value, 1e-6) << kh << " R " << r << " V " << v;
        EXPECT_NEAR(h * h * (rest.slope_r - r / (d * d * d) + deep * deep * f_x), h * h * exact.slope_r, 1e-5)
            << kh << " R " << r << " V " << v;
        EXPECT_NEAR(h * h * (rest.slope_v + (2 * h - v) / (d * d * d) + deep * deep * f + 2 * deep / d),
                    h * h * exact.slope_v, 1e-5)
            << kh << " R " << r << " V " << v;
      }
  }
}

// As ω → ∞: images of alternating sign in surface and bottom.
TEST(FiniteDepth, without_waves_it_is_a_row_of_images) {
  const double h = 7;
  const FiniteDepth bottom(std::numeric_limits<double>::infinity(), h, 40);
  for (const double r : {0.2, 3.0, 6.9, 8.0, 35.0})
    for (const double z : {-0.5, -3.0})
      for (const double zeta : {-0.1, -4.0}) {
        // Images of a source between φ = 0 above and ∂φ/∂z = 0 below: period 4h.
        double exact = 0;
        const auto at = [&](double height, double sign) { exact += sign / std::hypot(r, z - height); };
        const int images = 4000;
        for (int n = -images; n <= images; ++n) {
          const double sign = n % 2 == 0 ? 1 : -1;
          const double weight = std::abs(n) == images ? 0.5 : 1;
          at(zeta + 2 * h * n, sign * weight);
          at(-2 * h - zeta + 2 * h * n, sign * weight);
        }
        const double g = 1 / std::hypot(r, z - zeta) - 1 / std::hypot(r, z + zeta) +
                         1 / std::hypot(r, z + zeta + 2 * h) + bottom.lambda(r, std::abs(z - zeta)).value +
                         bottom.remainder(r, z + zeta + 2 * h).value;
        EXPECT_NEAR(h * g, h * exact, 1e-6) << r << " " << z << " " << zeta;
      }
}

TEST(Dispersion, roots) {
  for (const double kh : {1e-4, 0.1, 1.0, 3.0, 20.0, 400.0}) {
    const double h = 3, deep = kh / h, k = wave_number(deep, h);
    EXPECT_NEAR(k * std::tanh(k * h), deep, 1e-13 * deep);
    for (int n = 1; n < 5; ++n) {
      const double e = evanescent_wave_number(deep, h, n);
      EXPECT_NEAR(e * std::sin(e * h) + deep * std::cos(e * h), 0, 1e-12 * (e + deep));
      EXPECT_GT(e * h, (n - 0.5) * M_PI - 1e-9);
      EXPECT_LT(e * h, n * M_PI);
    }
  }
}
