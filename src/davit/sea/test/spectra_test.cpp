// Spectra that are not single peaks of Bretschneider's kind: swell, tables, and seas of two systems.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "davit/math/constants.hpp"
#include "davit/sea/spectrum.hpp"
#include "davit/sea/two_peaks.hpp"

namespace davit::sea {
namespace {

TEST(Gaussian, HasTheMomentsOfANormalDistribution) {
  const double hs = 2, wp = 0.5, width = 0.04, m0 = hs * hs / 16;
  const Spectrum s = gaussian(hs, wp, width);
  const double v = width * width;
  EXPECT_NEAR(s.moment(0), m0, 1e-13);
  EXPECT_NEAR(s.moment(1), m0 * wp, 1e-13);
  EXPECT_NEAR(s.moment(2), m0 * (wp * wp + v), 1e-13);
  EXPECT_NEAR(s.moment(3), m0 * (wp * wp * wp + 3 * wp * v), 1e-13);
  EXPECT_NEAR(s.moment(4), m0 * (std::pow(wp, 4) + 6 * wp * wp * v + 3 * v * v), 1e-13);
  EXPECT_NEAR(characteristics(s).bandwidth, width / wp, 1e-9);
  EXPECT_EQ(s.peak_frequency(), wp);
  // The widest still has its height, and a finite m₋₁.
  EXPECT_NEAR(characteristics(gaussian(hs, wp, 0.25 * wp)).hs, hs, 1e-12);
  EXPECT_TRUE(std::isfinite(gaussian(hs, wp, 0.25 * wp).moment(-1)));
  EXPECT_THROW(gaussian(hs, wp, 0.3 * wp), std::invalid_argument);
}

TEST(Table, IsIntegratedAsItIs) {
  // A triangle: ∫ S = 0.5 · 0.6 · 2, and ∫ ω S by its centroid.
  const Spectrum s = table({0.4, 0.6, 1.0}, {0, 2, 0});
  EXPECT_NEAR(s.moment(0), 0.6, 1e-14);
  EXPECT_NEAR(s.moment(1), 0.6 * 2.0 / 3, 1e-14);
  EXPECT_EQ(s.peak_frequency(), 0.6);
  EXPECT_EQ(s(0.5), 1);
  EXPECT_EQ(s(0.1), 0);
  EXPECT_EQ(s(1.1), 0);
  // A finely sampled spectrum is that spectrum.
  const Spectrum smooth = jonswap(3, 0.7, 3.3);
  std::vector<double> w, d;
  for (double x = 0.3; x < 4; x += 0.002) {
    w.push_back(x);
    d.push_back(smooth(x));
  }
  EXPECT_NEAR(table(w, d).moment(1) / smooth.moment(1, w.front(), w.back()), 1, 1e-4);
  EXPECT_THROW(table({0.4, 0.4}, {1, 1}), std::invalid_argument);
  EXPECT_THROW(table({0.4, 0.6}, {1, -1}), std::invalid_argument);
  EXPECT_THROW(table({0.4, 0.6}, {0, 0}), std::invalid_argument);
  EXPECT_THROW(table({0.0, 0.6}, {1, 1}), std::invalid_argument);
}

TEST(OchiHubble, HasClosedMoments) {
  const OchiHubblePeak low{3, 0.4, 2.7}, high{2, 0.9, 1.2};
  const Spectrum s = ochi_hubble(low, high);
  const auto moment = [](const OchiHubblePeak& p, int n) {
    const double c = (4 * p.shape + 1) / 4 * std::pow(p.peak_frequency, 4);
    return p.hs * p.hs / 16 * std::pow(c, n / 4.0) * std::tgamma(p.shape - n / 4.0) / std::tgamma(p.shape);
  };
  for (int n = -1; n <= 4; ++n) EXPECT_NEAR(s.moment(n) / (moment(low, n) + moment(high, n)), 1, 2e-11) << n;
  EXPECT_NEAR(characteristics(s).hs, std::sqrt(13), 1e-11);
  // λ = 1 is Bretschneider's.
  const Spectrum one = ochi_hubble({1, 0.5, 1}, {1, 0.8, 1}),
                 same = sum({bretschneider(1, 0.5), bretschneider(1, 0.8)});
  for (const double w : {0.4, 0.5, 0.8, 3.0}) EXPECT_NEAR(one(w) / same(w), 1, 1e-12);
  // A tail that only just has an integral.
  EXPECT_NEAR(ochi_hubble({1, 0.5, 0.55}, {1, 0.5, 0.55}).moment(2) / (2 * moment({1, 0.5, 0.55}, 2)), 1, 1e-9);
  EXPECT_TRUE(std::isinf(ochi_hubble({1, 0.5, 0.6}, {1, 0.8, 3}).moment(3)));
}

TEST(Torsethaugen, PeaksFollowThePaper) {
  const double g = 9.81;
  // Wind sea: Tf = 6.6 · 8^⅓ = 13.2 s, shortest 2√8.
  const auto wind = torsethaugen_peaks(8, 2 * pi / 9, g);
  const double e = (13.2 - 9) / (13.2 - 2 * std::sqrt(8.0)), r = 0.7 + 0.3 * std::exp(-std::pow(2 * e, 2));
  EXPECT_NEAR(wind.primary.hs, 8 * r, 1e-12);
  EXPECT_NEAR(wind.secondary->hs, 8 * std::sqrt(1 - r * r), 1e-12);
  EXPECT_NEAR(2 * pi / wind.secondary->peak_frequency, 15.2, 1e-12);
  EXPECT_NEAR(wind.primary.gamma, 35 * std::pow(2 * pi / g * 8 * r / 81, 0.857), 1e-12);
  // Swell.
  const auto swell = torsethaugen_peaks(1, 2 * pi / 12, g);
  const double u = (12 - 6.6) / (25 - 6.6), q = 0.6 + 0.4 * std::exp(-std::pow(u / 0.3, 2));
  EXPECT_NEAR(swell.primary.hs, q, 1e-12);
  EXPECT_NEAR(2 * pi / swell.secondary->peak_frequency, 6.6 * std::cbrt(std::sqrt(1 - q * q)), 1e-12);
  EXPECT_NEAR(swell.primary.gamma, 35 * std::pow(2 * pi / g / 6.6 / 6.6, 0.857) * (1 + 6 * u), 1e-12);
  // Fully developed: one peak.
  EXPECT_FALSE(torsethaugen_peaks(8, 2 * pi / (6.6 * std::cbrt(8.0)), g).secondary);
}

TEST(Torsethaugen, HasTheHeightAskedForAndTwoPeaks) {
  for (const double hs : {0.5, 3.0, 12.0})
    for (const double tp : {5.0, 9.0, 16.0, 30.0}) {
      const Spectrum s = torsethaugen(hs, 2 * pi / tp, 9.81);
      EXPECT_NEAR(characteristics(s).hs / hs, 1, 1e-11) << hs << " " << tp;
      EXPECT_TRUE(std::isinf(s.moment(3)));
    }
  // The moments of the primary peak, N = M = 4, by arbitrary-precision quadrature at γ = 1, 3.3 and 7.
  const double ratios[3][4] = {{0.81604893909826298, 1, 1.4464090846320771, 2.9586751191886389},
                               {0.86986102062927625, 1, 1.3133288011513202, 2.3662799855854891},
                               {0.90534227087735936, 1, 1.225648971810462, 1.9771927242011951}};
  const double gammas[] = {1, 3.3, 7};
  for (int i = 0; i < 3; ++i)
    for (int n = -1; n <= 2; ++n) EXPECT_NEAR(peaked({4, 1, 4, 4, gammas[i]}).moment(n) / ratios[i][n + 1], 1, 1e-11);
}

TEST(Torsethaugen1996, PeaksFollowTheReport) {
  const double g = 9.81;
  const auto wind = torsethaugen_1996_peaks(1, 2 * pi / 6, g), plain = torsethaugen_peaks(1, 2 * pi / 6, g);
  EXPECT_EQ(wind.primary.hs, plain.primary.hs);
  EXPECT_NEAR(wind.primary.power, 3.7, 1e-12);
  EXPECT_NEAR(wind.primary.gamma / plain.primary.gamma, 1 + 3.5 * std::exp(-1.0), 1e-12);
  EXPECT_NEAR(2 * pi / wind.secondary->peak_frequency, 8.6, 1e-12);
  // The simplified form has no such enhancement in low seas, and is the same in high ones but for N.
  const double wp = 2 * pi / 6;
  EXPECT_NEAR(torsethaugen(1, wp, g)(wp) / torsethaugen_1996(1, wp, g)(wp), 1 - 0.41, 0.01);
  EXPECT_NEAR(torsethaugen_1996_peaks(12, 2 * pi / 13, g).primary.gamma,
              torsethaugen_peaks(12, 2 * pi / 13, g).primary.gamma, 1e-3);
  // Beside swell the tail of the wind sea is 0.08 (1 − exp(−Hs/3)) m² s at 0.4 Hz. The asymptote is seen from far
  // above.
  const auto swell = torsethaugen_1996_peaks(2, 2 * pi / 15, g);
  const Spectrum sea = peaked(*swell.secondary);
  const double far = 2 * pi * 400;
  EXPECT_NEAR(2 * pi * sea(far) * std::pow(1000, swell.secondary->power) / (0.08 * (1 - std::exp(-2.0 / 3))), 1, 1e-3);
  EXPECT_NEAR(swell.secondary->steepness, 4 * (1 - 0.7 * std::exp(-2.0 / 3)), 1e-12);
  for (const double hs : {0.5, 3.0, 12.0})
    for (const double tp : {5.0, 9.0, 16.0, 30.0})
      EXPECT_NEAR(characteristics(torsethaugen_1996(hs, 2 * pi / tp, g)).hs / hs, 1, 1e-10) << hs << " " << tp;
}

TEST(Torsethaugen, IsTheOneOfOrcaFlex) {
  // Hs 3.5 m, Tp 5.5 s as OrcaFlex has it, in m²/Hz over Hz (test data of 4Subsea's waveresponse).
  const struct {
    double hertz, density;
  } orcaflex[] = {{0.0644280644, 2.3590238793}, {0.0837564838, 5.0286043127}, {0.1073801074, 3.4483150774},
                  {0.1331513332, 2.3945251555}, {0.1718081718, 5.111868751},  {0.1803985804, 6.5534757425},
                  {0.2147602148, 2.2921213116}, {0.3221403221, 0.5767619893}, {0.4295204295, 0.194282083}};
  // It takes the factors of the paper, 3.26 (1 + 1.1 (ln γ)^1.19)/γ, where the integral is 3 % less; with them all
  // agrees.
  const auto paper = [](const Peak& peak) {
    const Spectrum here = peaked(peak);
    const double area =
        here.moment(0) * peak.gamma / (std::numbers::e * peak.peak_frequency * here(peak.peak_frequency));
    const double fit = 3.26 * (1 + 1.1 * std::pow(std::log(peak.gamma), 1.19)) / peak.gamma;
    return [here, factor = fit * area](double w) { return factor * here(w); };
  };
  const TorsethaugenPeaks peaks = torsethaugen_peaks(3.5, 2 * pi / 5.5, 9.80665);
  const auto primary = paper(peaks.primary), secondary = paper(*peaks.secondary);
  for (const auto& [hertz, density] : orcaflex)
    EXPECT_NEAR(2 * pi * (primary(2 * pi * hertz) + secondary(2 * pi * hertz)) / density, 1, 1e-3) << hertz;
}

}  // namespace
}  // namespace davit::sea
