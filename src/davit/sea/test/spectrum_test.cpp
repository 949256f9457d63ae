#include "davit/sea/spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "davit/math/constants.hpp"

namespace davit::sea {
namespace {

// m_n/(m0 ωpⁿ), n = −1 … 3, integrated to 17 digits by arbitrary-precision quadrature (mpmath, 30 digits).
struct Reference {
  double gamma;
  double ratio[5];
};
constexpr Reference jonswap_moments[] = {
    {1, {0.85722253705491104, 1, 1.2957204069267747, 1.9816636488030055, 4.2861126852745552}},
    {3.3, {0.90329586762836927, 1, 1.1985694401718135, 1.6546715992698448, 3.173859307125359}},
    {7, {0.93123440737235697, 1, 1.1396336545228541, 1.4568586983535921, 2.5037906344553633}},
};

TEST(Spectrum, JonswapHasTheHeightAskedForAndItsMoments) {
  for (const double hs : {0.3, 4.0, 15.0})
    for (const double wp : {0.3, 1.3})
      for (const Reference& r : jonswap_moments) {
        const Spectrum s = jonswap(hs, wp, r.gamma);
        for (int n = -1; n <= 3; ++n)
          EXPECT_NEAR(s.moment(n) / (hs * hs / 16 * std::pow(wp, n) * r.ratio[n + 1]), 1, 1e-11) << r.gamma << " " << n;
        EXPECT_TRUE(std::isinf(s.moment(4)));
        EXPECT_EQ(s.peak_frequency(), wp);
      }
}

TEST(Spectrum, TheFactorOfTheDocumentHoldsForOneGammaOnly) {
  // (60) has 0.2053 for every γ; what it gives of the height asked for.
  const auto given = [](double gamma) {
    const double wp = 1.3, hs = 4;
    const Spectrum normalised = jonswap(hs, wp, gamma);
    const double away = (0.8 - 1) / 0.07;
    const double printed = 0.2053 * hs * hs * std::pow(wp, 4) / std::pow(0.8 * wp, 5) *
                           std::exp(-1.25 * std::pow(0.8, -4)) * std::pow(gamma, std::exp(-0.5 * away * away));
    return std::sqrt(printed / normalised(0.8 * wp));
  };
  EXPECT_NEAR(given(1), 0.81053069, 1e-8);
  EXPECT_NEAR(given(3.3), 1.00091470, 1e-8);
}

TEST(Spectrum, PhillipsConstantOfTheDocumentGivesALowSea) {
  const Spectrum s = jonswap_alpha(0.0081, 1.3, 3.3, 9.80665);
  EXPECT_NEAR(characteristics(s).hs, 1.1536632907754884, 1e-11);
  // The same sea by its height.
  const Spectrum same = jonswap(characteristics(s).hs, 1.3, 3.3);
  for (const double w : {0.7, 1.0, 1.3, 1.31, 2.0, 9.0}) EXPECT_NEAR(s(w) / same(w), 1, 1e-11);
}

TEST(Spectrum, BretschneiderHasClosedMoments) {
  const double hs = 3, wp = 0.6, b = 1.25 * std::pow(wp, 4), a = hs * hs * b / 4;
  const Spectrum s = bretschneider(hs, wp);
  for (int n = -1; n <= 3; ++n)
    EXPECT_NEAR(s.moment(n) / (a / 4 * std::pow(b, n / 4.0 - 1) * std::tgamma(1 - n / 4.0)), 1, 1e-12) << n;
  // Energy above a frequency: m0 (1 − exp(−b/ω⁴)), also far out in the tail.
  for (const double w : {0.3, 0.6, 2.0, 7.0, 50.0})
    EXPECT_NEAR(
        s.energy(w, std::numeric_limits<double>::infinity()) / (-hs * hs / 16 * std::expm1(-b / std::pow(w, 4))), 1,
        1e-11);
  const Characteristics c = characteristics(s);
  EXPECT_NEAR(c.hs, hs, 1e-12);
  EXPECT_NEAR(c.tp, 2 * pi / wp, 1e-12);
  EXPECT_NEAR(bretschneider_peak_of_tz(c.tz), wp, 1e-12);
  EXPECT_NEAR(bretschneider_peak_of_t1(c.t1), wp, 1e-12);
  EXPECT_EQ(c.peak_bandwidth, 1);
  // m4 of what lies below a frequency grows as its logarithm: a E1(b/ω⁴)/4, and E1(x) − E1(x/16) → −ln 16.
  EXPECT_NEAR(s.moment(4, 50, 100) / (a * std::numbers::ln2), 1, 1e-4);
  EXPECT_LT(characteristics(s, 0, 5 * wp).peak_bandwidth, 1);
}

TEST(Spectrum, FullyDevelopedSeaOfPiersonAndMoskowitz) {
  const double u = 18, g = 9.81;
  const Characteristics c = characteristics(pierson_moskowitz(u, g));
  EXPECT_NEAR(c.hs, 2 * u * u / g * std::sqrt(0.0081 / 0.74), 1e-11);  // 0.21 U²/g
  EXPECT_NEAR(2 * pi / c.tp, 0.877 * g / u, 1e-3 * g / u);
}

TEST(Spectrum, GammaFollowsFromHeightAndPeriod) {
  const auto gamma = [](double hs, double tp) { return jonswap_gamma(hs, 2 * pi / tp); };
  EXPECT_EQ(gamma(4, 7), 5);
  EXPECT_EQ(gamma(4, 12), 1);
  EXPECT_NEAR(gamma(4, 8), std::exp(5.75 - 1.15 * 4), 1e-12);
  EXPECT_FALSE(jonswap_doubt(4, 2 * pi / 8));
  EXPECT_TRUE(jonswap_doubt(4, 1.3));  // the sea of the document
}

TEST(Spectrum, PeriodsFollowTheFitsOfTheRecommendedPractice) {
  // DNV-RP-C205, 3.5.5.6: cubic fits for 1 ≤ γ < 7.
  for (const double g : {1.0, 2.0, 3.3, 5.0}) {
    const Characteristics c = characteristics(jonswap(2, 0.7, g));
    EXPECT_NEAR(c.tz / c.tp, 0.6673 + 0.05037 * g - 0.006230 * g * g + 0.0003341 * g * g * g, 0.0025);
    EXPECT_NEAR(c.t1 / c.tp, 0.7303 + 0.04936 * g - 0.006556 * g * g + 0.0003610 * g * g * g, 0.0025);
  }
}

TEST(Spectrum, SumsAddEverything) {
  const Spectrum sea = jonswap(3, 0.9, 3.3), swell = bretschneider(2, 0.4), both = sum({sea, swell});
  for (int n = -1; n <= 3; ++n) EXPECT_NEAR(both.moment(n) / (sea.moment(n) + swell.moment(n)), 1, 1e-12);
  for (const double w : {0.4, 0.9, 3.0, 20.0}) EXPECT_DOUBLE_EQ(both(w), sea(w) + swell(w));
  EXPECT_NEAR(both.peak_frequency(), swell.peak_frequency() < 0.5 && swell(0.4) > sea(0.9) ? 0.4 : 0.9, 0.01);
}

TEST(Spectrum, RefusesWhatIsNotASea) {
  EXPECT_THROW(jonswap(0, 1, 3.3), std::invalid_argument);
  EXPECT_THROW(jonswap(2, -1, 3.3), std::invalid_argument);
  EXPECT_THROW(jonswap(2, 1, 0.5), std::invalid_argument);
}

}  // namespace
}  // namespace davit::sea
