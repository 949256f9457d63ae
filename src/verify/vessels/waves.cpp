// Spectra, spreading, realisations and flow of waves, and gusts of wind, against closed forms, other quadratures and
// the statistics of Gaussian processes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "davit/math/constants.hpp"
#include "davit/math/integrate.hpp"
#include "davit/sea/dispersion.hpp"
#include "davit/sea/kinematics.hpp"
#include "davit/sea/realisation.hpp"
#include "davit/sea/two_peaks.hpp"
#include "davit/sea/wind_spec.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

using namespace sea;

constexpr double gravity = 9.80665;

// Of an integral over all frequencies against a closed form, and of nearly everything that is not statistics.
constexpr double digits = 1e-10;

void jonswap_moments(Checker& check) {
  constexpr const char* quadrature = "exact: quadrature with 30 digits (mpmath)";
  struct Reference {
    double gamma;
    double ratio[5];  // m_n/(m0 ωpⁿ), n = −1, 1, 2, 3, and 4 up to 5 ωp
  };
  constexpr Reference references[] = {
      {1, {0.85722253705491104, 1.2957204069267747, 1.9816636488030055, 4.2861126852745552, 7.0492392924561709}},
      {3.3, {0.90329586762836927, 1.1985694401718135, 1.6546715992698448, 3.173859307125359, 4.9956859079353061}},
      {7, {0.93123440737235697, 1.1396336545228541, 1.4568586983535921, 2.5037906344553633, 3.7593524783988861}},
  };
  for (const Reference& r : references) {
    const double hs = 4, wp = 0.7, g = r.gamma;
    const Spectrum s = jonswap(hs, wp, g);
    const Characteristics c = characteristics(s);
    const std::string name = fmt::format("JONSWAP, γ = {:g}", g);
    check.relative(name, "Hs", "m", hs, "exact: what was asked for", c.hs, digits);
    for (const int n : {-1, 1, 2, 3})
      check.relative(name, fmt::format("m{}, in parts of m0 ωp^{}", n, n), "", r.ratio[n < 0 ? 0 : n], quadrature,
                     s.moment(n) / (s.moment(0) * std::pow(wp, n)), digits);
    check.relative(name, "m4 up to 5 ωp, in parts of m0 ωp^4", "", r.ratio[4], quadrature,
                   s.moment(4, 0, 5 * wp) / (s.moment(0) * std::pow(wp, 4)), digits);
    constexpr const char* fit = "published: DNV-RP-C205, 3.5.5, cubic fits";
    check.absolute(name, "Tz/Tp", "", 0.6673 + 0.05037 * g - 0.006230 * g * g + 0.0003341 * g * g * g, fit, c.tz / c.tp,
                   0.0025);
    check.absolute(name, "T1/Tp", "", 0.7303 + 0.04936 * g - 0.006556 * g * g + 0.0003610 * g * g * g, fit, c.t1 / c.tp,
                   0.0025);
  }
  check.relative("JONSWAP by α = 0.0081, 1.3 rad/s, γ = 3.3", "Hs", "m", 1.1536632907754884, quadrature,
                 characteristics(jonswap_alpha(0.0081, 1.3, 3.3, gravity)).hs, digits);
}

void closed_moments(Checker& check) {
  const auto rows = [&](const std::string& name, const char* source, const Spectrum& s, int last, const auto& moment) {
    for (int n = -1; n <= last; ++n)
      check.relative(name, fmt::format("m{}", n), fmt::format("m² s^{}", -n), moment(n), source, s.moment(n), digits);
  };
  // (A/4) B^(n/4−1) Γ(1 − n/4) for A ω^−5 exp(−B ω^−4).
  const auto fall = [](double a, double b) {
    return [=](int n) { return a / 4 * std::pow(b, n / 4.0 - 1) * std::tgamma(1 - n / 4.0); };
  };
  const double hs = 3, wp = 0.6, b = 1.25 * std::pow(wp, 4);
  const Spectrum ittc = bretschneider(hs, wp);
  rows("Bretschneider, 3 m, 0.6 rad/s", "exact: gamma functions", ittc, 3, fall(hs * hs * b / 4, b));
  check.relative("Bretschneider, 3 m, 0.6 rad/s", "m4 up to 3 rad/s", "m² s^-4",
                 -hs * hs * b / 16 * std::expint(-b / 81), "exact: exponential integral", ittc.moment(4, 0, 3), digits);
  check.relative("Bretschneider, 3 m, 0.6 rad/s", "Tz", "s", 2 * pi / (wp * std::pow(1.25 * pi, 0.25)),
                 "exact: gamma functions", characteristics(ittc).tz, digits);
  const double u = 18, wind = gravity / u;
  rows("Pierson-Moskowitz, wind of 18 m/s", "exact: gamma functions", pierson_moskowitz(u, gravity), 3,
       fall(0.0081 * gravity * gravity, 0.74 * std::pow(wind, 4)));

  const OchiHubblePeak low{3, 0.4, 2.7}, high{2, 0.9, 1.2};
  rows("Ochi-Hubble, 3 m at 0.4 rad/s and 2 m at 0.9 rad/s", "exact: gamma functions", ochi_hubble(low, high), 4,
       [&](int n) {
         const auto of = [n](const OchiHubblePeak& p) {
           const double c = (4 * p.shape + 1) / 4 * std::pow(p.peak_frequency, 4);
           return p.hs * p.hs / 16 * std::pow(c, n / 4.0) * std::tgamma(p.shape - n / 4.0) / std::tgamma(p.shape);
         };
         return of(low) + of(high);
       });

  const double swell = 0.45, width = 0.03, m0 = 2.0 * 2 / 16, v = width * width;
  const Spectrum gauss = gaussian(2, swell, width);
  const double normal[] = {m0, m0 * swell, m0 * (swell * swell + v), m0 * (std::pow(swell, 3) + 3 * swell * v),
                           m0 * (std::pow(swell, 4) + 6 * swell * swell * v + 3 * v * v)};
  for (int n = 0; n <= 4; ++n)
    check.relative("Gaussian swell, 2 m, 0.45 rad/s", fmt::format("m{}", n), fmt::format("m² s^{}", -n), normal[n],
                   "exact: normal distribution", gauss.moment(n), digits);

  const Spectrum both = sum({ittc, gauss});
  check.relative("sum of Bretschneider and swell", "Hs", "m", std::sqrt(13), "exact: energies add",
                 characteristics(both).hs, digits);
  check.relative("table, a triangle", "m1", "m² s^-1", 0.4, "exact: centroid",
                 table({0.4, 0.6, 1}, {0, 2, 0}).moment(1), digits);
}

void torsethaugen_sea(Checker& check) {
  const double hs = 3.5, wp = 2 * pi / 5.5;
  const Spectrum s = torsethaugen(hs, wp, gravity);
  const std::string name = "Torsethaugen, 3.5 m, 5.5 s";
  check.relative(name, "Hs", "m", hs, "exact: what was asked for", characteristics(s).hs, digits);
  // The trapezoidal rule in ln ω, from which the jump of σ at the peak takes a little.
  const double from = 0.2, to = 12;
  for (int n = -1; n <= 4; ++n) {
    constexpr int points = 50000;
    double total = 0;
    for (int i = 0; i <= points; ++i) {
      const double w = from * std::pow(to / from, static_cast<double>(i) / points);
      total += (i == 0 || i == points ? 0.5 : 1) * s(w) * std::pow(w, n + 1);
    }
    check.relative(name, fmt::format("m{} between 0.2 and 12 rad/s", n), fmt::format("m² s^{}", -n),
                   total * std::log(to / from) / points, "exact: trapezoidal rule in ln ω", s.moment(n, from, to),
                   1e-8);
  }
  // OrcaFlex takes the factors of the paper, 3.26 (1 + 1.1 (ln γ)^1.19)/γ, in place of the integral.
  constexpr double orcaflex[][2] = {
      {0.0644280644, 2.3590238793}, {0.0837564838, 5.0286043127}, {0.1073801074, 3.4483150774},
      {0.1331513332, 2.3945251555}, {0.1718081718, 5.111868751},  {0.1803985804, 6.5534757425},
      {0.2147602148, 2.2921213116}, {0.3221403221, 0.5767619893}, {0.4295204295, 0.194282083}};
  const auto paper = [](const Peak& peak) {
    const Spectrum here = peaked(peak);
    const double area =
        here.moment(0) * peak.gamma / (std::numbers::e * peak.peak_frequency * here(peak.peak_frequency));
    const double fit = 3.26 * (1 + 1.1 * std::pow(std::log(peak.gamma), 1.19)) / peak.gamma;
    return [here, factor = fit * area](double w) { return factor * here(w); };
  };
  const TorsethaugenPeaks peaks = torsethaugen_peaks(hs, wp, gravity);
  const auto primary = paper(peaks.primary), secondary = paper(*peaks.secondary);
  double worst = 0;
  for (const auto& [hertz, density] : orcaflex) {
    const double w = 2 * pi * hertz;
    worst = std::max(worst, std::abs(2 * pi * (primary(w) + secondary(w)) / density - 1));
  }
  check.at_most(name, "density at nine frequencies, relative, with the factors of the paper", "",
                "oracle: OrcaFlex (test data of waveresponse, 4Subsea)", worst, 1e-3);
}

void full_torsethaugen_sea(Checker& check) {
  const std::string name = "Torsethaugen (1996), 1 m, 6 s";
  const double wp = 2 * pi / 6;
  const Spectrum s = torsethaugen_1996(1, wp, gravity);
  check.relative(name, "Hs", "m", 1, "exact: what was asked for", characteristics(s).hs, digits);
  check.relative(name, "density at the peak", "m² s", 0.127275742, "exact: trapezoidal rule in ln ω", s(wp), 1e-6);
  check.relative(name, "the same of the simplified form", "m² s", 0.0755759908, "exact: trapezoidal rule in ln ω",
                 torsethaugen(1, wp, gravity)(wp), 1e-6);
}

void dispersion_and_spreading(Checker& check) {
  double worst = 0;
  for (const double depth : {0.5, 20.0, 300.0})
    for (double w = 0.01; w < 10; w *= 1.3) {
      const double k = wave_number(w, depth, gravity);
      worst = std::max(worst, std::abs(gravity * k * std::tanh(k * depth) / (w * w) - 1));
    }
  check.at_most("dispersion, 0.5 to 300 m", "ω² = g k tanh kh, relative", "", "exact: the equation itself", worst,
                1e-12);
  check.relative("dispersion, long waves on 20 m", "phase velocity", "m/s", std::sqrt(gravity * 20), "exact: √(gh)",
                 1e-4 / wave_number(1e-4, 20, gravity), 1e-8);

  for (const auto kind : {Spreading::Kind::cos_n, Spreading::Kind::cos_2s})
    for (const double exponent : {2.0, 10.0, 75.0}) {
      const Spreading d(kind, exponent);
      check.relative(
          fmt::format("spreading {}, exponent {:g}", kind == Spreading::Kind::cos_n ? "cosⁿ" : "cos2s", exponent),
          "∫ D", "", 1, "exact: energy", integrate([&](double x) { return d.density(x); }, -pi, pi, 1e-13), digits);
    }
  const Spreading square(Spreading::Kind::cos_n, 2);
  check.relative("spreading cos²", "part within 30°", "", (pi / 3 + std::sin(pi / 3)) / pi, "exact: closed form",
                 square.below(pi / 6) - square.below(-pi / 6), digits);
}

std::vector<double> elevations(const std::vector<Component>& waves, double step, int count) {
  std::vector<double> record;
  for (int i = 0; i < count; ++i) record.push_back(elevation(waves, {0, 0}, step * i));
  return record;
}

void realisations(Checker& check) {
  const Spectrum s = jonswap(4, 2 * pi / 10, 3.3);
  IrregularSea sea{s, 0};
  sea.frequencies = 300;
  Random random(11);
  const auto waves = realise(sea, {}, random);
  const std::string name = "JONSWAP 4 m, 10 s, 300 components, 3 h";
  check.relative(name, "Hs of the components", "m", 4, "exact: energy of the bands", 4 * std::sqrt(sea::energy(waves)),
                 digits);
  const double step = 0.25, duration = 10800;  // a quarter of a second misses no crossing
  const auto record = elevations(waves, step, static_cast<int>(duration / step));
  double square = 0, upcrossings = 0, m2 = 0;
  for (std::size_t i = 1; i < record.size(); ++i) {
    square += record[i] * record[i] / static_cast<double>(record.size());
    upcrossings += record[i - 1] < 0 && record[i] >= 0;
  }
  for (const Component& c : waves) m2 += 0.5 * c.amplitude * c.amplitude * c.frequency * c.frequency;
  // The mean square of a Gaussian process over T has the variance (2π/T) ∫ S² dω.
  const double scatter = std::sqrt(2 * pi / duration * integrate([&](double w) { return s(w) * s(w); }, 0.2, 5, 1e-12));
  check.relative(name, "Hs of the record", "m", 4, "exact: within three standard deviations of the sampling error",
                 4 * std::sqrt(square), 1.5 * scatter);
  const double expected = duration / (2 * pi) * std::sqrt(m2);
  check.relative(name, "number of waves", "", expected, "exact: Rice (1944), within √N", upcrossings,
                 1 / std::sqrt(expected));

  sea.spectrum = gaussian(4, 0.8, 0.05);
  sea.frequencies = 100;
  const auto narrow = realise(sea, {}, random);
  const auto long_record = elevations(narrow, 0.5, 57600);
  std::vector<double> crests;
  double highest = 0;
  for (std::size_t i = 1; i < long_record.size(); ++i) {
    if (long_record[i - 1] < 0 && long_record[i] >= 0) {
      crests.push_back(highest);
      highest = 0;
    }
    highest = std::max(highest, long_record[i]);
  }
  for (const double level : {1.0, 2.0}) {
    // Crests of one group are alike: one in 25 counts as independent. 2.58 standard deviations are 99 %.
    const double part = std::exp(-0.5 * level * level), number = static_cast<double>(crests.size()) / 25;
    const auto above = std::count_if(crests.begin(), crests.end(), [&](double c) { return c > level; });
    check.absolute("swell of 4 m, 8 h", fmt::format("part of crests above {:g} √m0", level), "", part,
                   "exact: Rayleigh, at 99 %", static_cast<double>(above) / static_cast<double>(crests.size()),
                   2.58 * std::sqrt(part * (1 - part) / number));
  }
}

void flow_of_waves(Checker& check) {
  const Water water{1025, gravity, 15};
  IrregularSea sea{jonswap(3, 0.9, 2), 0.4, ShortCrested{Spreading(Spreading::Kind::cos_n, 2), 5}};
  sea.frequencies = 12;
  Random random(2);
  const auto waves = realise(sea, water, random);
  const auto at = [&](const Vec3& p, double t) { return flow(waves, water, p, t, Stretching::none); };
  // Fourth-order differences.
  const auto slope = [](const auto& f) {
    constexpr double h = 2e-3;
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
  };
  double divergence = 0, rotation = 0, surface = 0, pressure = 0;
  for (int i = 0; i < 20; ++i) {
    const Vec3 p(7.0 * i, -3.0 * i, -0.5 * i);
    const double t = 4.3 * i;
    Mat3 gradient;
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column)
        gradient(row, column) = slope([&](double d) { return at(p + d * Vec3::Unit(column), t).velocity[row]; });
    divergence = std::max(divergence, std::abs(gradient.trace()));
    rotation = std::max(rotation, (gradient - gradient.transpose()).norm());
    const Vec3 top(p.x(), p.y(), 0);
    const double rise = slope([&](double d) { return elevation(waves, top.head<2>(), t + d); });
    surface = std::max(surface, std::abs(at(top, t).velocity.z() - rise));
    const double up = elevation(waves, top.head<2>(), t);
    const Flow stretched = flow(waves, water, {p.x(), p.y(), up}, t);
    pressure = std::max(pressure, std::abs(stretched.pressure / (water.density * gravity) - up));
  }
  const std::string name = "short-crested waves on 15 m";
  check.at_most(name, "divergence of the velocity", "1/s", "invariant: continuity", divergence, 1e-8);
  check.at_most(name, "rotation of the velocity", "1/s", "invariant: a potential", rotation, 1e-8);
  check.at_most(name, "water and surface rise alike at z = 0", "m/s", "invariant: free surface", surface, 1e-8);
  check.at_most(name, "pressure head on the surface, stretched", "m", "invariant: free surface", pressure, 1e-10);
}

void gusts(Checker& check) {
  const double n = 0.468;
  const double all = 1280 / (172 * std::pow(2.0, -0.75)) * std::tgamma(1 / n) * std::tgamma(2 / (3 * n)) /
                     (n * std::tgamma(5 / (3 * n)));
  check.relative("NPD wind, 20 m/s at 10 m", "variance of all gusts", "m²/s²", all, "exact: gamma functions",
                 gust_variance(npd_wind(20), 10, 1e-13, 1e15), 1e-8);
  check.relative("NPD wind, 20 m/s at 10 m", "variance from 1/600 to 0.5 Hz", "m²/s²", 5.20441296960772,
                 "exact: quadrature with 30 digits (mpmath)", gust_variance(npd_wind(20), 10, 1.0 / 600, 0.5), digits);
  const WindModel kaimal = kaimal_wind(18, 10, 0.12, 0.14);
  check.relative("Kaimal wind, 18 m/s, intensity 0.12", "variance of all gusts", "m²/s²", std::pow(0.12 * 18, 2),
                 "exact: the intensity", gust_variance(kaimal, 10, 1e-15, 1e16), 1e-8);
  WindSpec asked;
  asked.model = WindKind::kaimal;
  asked.speed = 18;
  asked.intensity = 0.12;
  check.relative("Kaimal wind, 18 m/s, intensity 0.12", "standard deviation of a realisation from 1/600 to 0.5 Hz",
                 "m/s", 0.12 * 18, "exact: the intensity", std::sqrt(make_wind(asked).at(10).variance()), digits);
}

}  // namespace

void waves(Checker& check) {
  jonswap_moments(check);
  closed_moments(check);
  torsethaugen_sea(check);
  full_torsethaugen_sea(check);
  dispersion_and_spreading(check);
  realisations(check);
  flow_of_waves(check);
  gusts(check);
}

}  // namespace davit::verify
