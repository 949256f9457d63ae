#include "davit/sea/spreading.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "davit/math/constants.hpp"
#include "davit/math/integrate.hpp"

namespace davit::sea {
namespace {

TEST(Spreading, IntegratesToOne) {
  for (const auto kind : {Spreading::Kind::cos_n, Spreading::Kind::cos_2s})
    for (const double exponent : {0.5, 1.0, 2.0, 4.0, 10.0, 75.0, 1000.0}) {
      const Spreading s(kind, exponent);
      EXPECT_NEAR(integrate([&](double x) { return s.density(x); }, -pi, pi, 1e-12), 1, 1e-10) << exponent;
    }
}

TEST(Spreading, ClosedForms) {
  const Spreading square(Spreading::Kind::cos_n, 2);
  EXPECT_NEAR(square.density(0.3), 2 / pi * std::cos(0.3) * std::cos(0.3), 1e-14);  // (66)
  EXPECT_EQ(square.density(1.6), 0);
  EXPECT_NEAR(square.below(0.7), 0.5 + (0.7 + std::sin(1.4) / 2) / pi, 1e-13);
  const Spreading half(Spreading::Kind::cos_2s, 1);
  EXPECT_NEAR(half.below(2), 0.5 + (2 + std::sin(2.0)) / (2 * pi), 1e-13);
  EXPECT_THROW(Spreading(Spreading::Kind::cos_n, 0), std::invalid_argument);
}

TEST(Spreading, BandsShareTheEnergy) {
  for (const auto kind : {Spreading::Kind::cos_n, Spreading::Kind::cos_2s})
    for (const auto bands : {Bands::equal_width, Bands::equal_energy}) {
      const Spreading s(kind, 3);
      const auto all = direction_bands(s, 13, bands);
      ASSERT_EQ(all.size(), 13u);
      double total = 0;
      for (std::size_t i = 0; i < 13; ++i) {
        total += all[i].part;
        const double from = all[i].angle(s, 0), to = all[i].angle(s, 1);
        EXPECT_NEAR(s.below(to) - s.below(from), all[i].part, 1e-12);
        EXPECT_NEAR(from, -all[12 - i].angle(s, 1), 1e-12);
        const double middle = all[i].angle(s, 0.5);
        EXPECT_TRUE(from < middle && middle < to);
      }
      EXPECT_NEAR(total, 1, 1e-13);
      EXPECT_NEAR(all[6].angle(s, 0.5), 0, 1e-13);
    }
}

}  // namespace
}  // namespace davit::sea
