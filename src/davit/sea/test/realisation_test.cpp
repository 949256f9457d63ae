#include "davit/sea/realisation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>
#include <unsupported/Eigen/FFT>

#include "davit/math/constants.hpp"
#include "davit/math/integrate.hpp"
#include "davit/sea/dispersion.hpp"
#include "davit/sea/energy.hpp"
#include "davit/sea/kinematics.hpp"

namespace davit::sea {
namespace {

std::vector<double> record_of(const std::vector<Component>& components, double step, std::size_t count) {
  std::vector<double> record(count);
  for (std::size_t i = 0; i < count; ++i) record[i] = elevation(components, {0, 0}, step * static_cast<double>(i));
  return record;
}

std::size_t upcrossings(const std::vector<double>& record, double level = 0) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < record.size(); ++i) count += record[i - 1] < level && record[i] >= level;
  return count;
}

TEST(Energy, AndItsInverse) {
  const Energy e(jonswap(4, 0.8, 3.3));
  for (const double part : {1e-6, 0.01, 0.3, 0.5, 0.99, 0.99999})
    EXPECT_NEAR(e.below(e.frequency(part * e.total())) / (part * e.total()), 1, 1e-12);
  EXPECT_NEAR(e.below(0.9), e.spectrum().energy(0, 0.9), 1e-12);
  EXPECT_EQ(e.below(0), 0);
}

TEST(Realisation, HasTheEnergyOfTheSpectrumWhateverTheBands) {
  const Water deep, shallow{1025, 9.80665, 12};
  for (const auto bands : {Bands::equal_width, Bands::equal_energy})
    for (const bool drawn : {false, true})
      for (const int count : {1, 7, 200}) {
        IrregularSea sea{jonswap(4, 1.3, 3.3), 0.5};
        sea.bands = bands;
        sea.frequencies = count;
        sea.random_frequencies = drawn;
        Random random(7);
        const auto waves = realise(sea, deep, random);
        ASSERT_EQ(waves.size(), static_cast<std::size_t>(count));
        EXPECT_NEAR(4 * std::sqrt(energy(waves)), 4, 1e-11);
        sea.short_crested = ShortCrested{Spreading(Spreading::Kind::cos_n, 2), 13, bands, drawn};
        const auto crested = realise(sea, shallow, random);
        ASSERT_EQ(crested.size(), static_cast<std::size_t>(13 * count));
        EXPECT_NEAR(4 * std::sqrt(energy(crested)), 4, 1e-11);
        for (const Component& c : crested) {
          EXPECT_NEAR(9.80665 * c.wave_number * std::tanh(12 * c.wave_number), c.frequency * c.frequency, 1e-11);
          EXPECT_LE(std::abs(c.heading - 0.5), pi / 2);
          EXPECT_TRUE(c.phase >= 0 && c.phase < 2 * pi);
        }
      }
}

TEST(Realisation, FrequenciesLieInTheirBands) {
  IrregularSea sea{jonswap(2, 1, 1), 0};
  sea.frequencies = 50;
  for (const auto bands : {Bands::equal_width, Bands::equal_energy}) {
    sea.bands = bands;
    Random random(3), same(3);
    sea.random_frequencies = true;
    const auto drawn = realise(sea, {}, random);
    sea.random_frequencies = false;
    const auto middle = realise(sea, {}, same);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      EXPECT_EQ(drawn[i].phase, middle[i].phase);
      EXPECT_EQ(drawn[i].amplitude, middle[i].amplitude);
      if (i > 0) {
        EXPECT_GT(drawn[i].frequency, middle[i - 1].frequency);
        EXPECT_LT(drawn[i - 1].frequency, middle[i].frequency);
      }
    }
  }
}

TEST(Realisation, AGivenRangeLeavesOutTheRest) {
  IrregularSea sea{bretschneider(2, 1), 0};
  for (const auto bands : {Bands::equal_width, Bands::equal_energy}) {
    sea.bands = bands;
    sea.range = FrequencyRange{0.8, 2};
    Random random(1);
    const auto waves = realise(sea, {}, random);
    EXPECT_NEAR(energy(waves), sea.spectrum.energy(0.8, 2), 1e-12);
    for (const Component& c : waves) EXPECT_TRUE(c.frequency >= 0.8 && c.frequency <= 2);
  }
  sea.range = FrequencyRange{1e-3, 2e-3};
  Random random(1);
  EXPECT_THROW(realise(sea, {}, random), std::invalid_argument);
}

TEST(Realisation, IsTheSameForTheSameSeed) {
  IrregularSea sea{jonswap(4, 0.8, 3.3), 0};
  Random a(7), b(7), other(8);
  const auto first = realise(sea, {}, a), again = realise(sea, {}, b), third = realise(sea, {}, other);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].phase, again[i].phase);
    EXPECT_EQ(first[i].frequency, again[i].frequency);
    EXPECT_NE(first[i].phase, third[i].phase);
  }
  // The ten thousandth number of the engine is fixed by the C++ standard, so the fraction is too.
  Random standard(std::mt19937_64::default_seed);
  double last = 0;
  for (int i = 0; i < 10000; ++i) last = standard.unit();
  EXPECT_EQ(last, static_cast<double>(9981545732273789042u >> 11) * 0x1p-53);
}

TEST(Realisation, ThreeHoursHaveTheStatisticsAskedFor) {
  const Spectrum s = jonswap(4, 2 * pi / 10, 3.3);
  IrregularSea sea{s, 0};
  sea.frequencies = 800;
  Random random(11);
  const auto waves = realise(sea, {}, random);
  const double step = 0.5;
  const std::size_t count = 21600;
  const auto record = record_of(waves, step, count);
  const double duration = step * static_cast<double>(count);
  double mean_square = 0;
  for (const double z : record) mean_square += z * z / static_cast<double>(count);
  // The mean square of a Gaussian process over T has the variance (2π/T) ∫ S² dω.
  const double square = integrate([&](double w) { return s(w) * s(w); }, 0.2, 5, 1e-12);
  const double scatter = std::sqrt(2 * pi * square / duration);
  EXPECT_NEAR(mean_square, 1, 3 * scatter) << scatter;
  EXPECT_LT(scatter, 0.05);

  // Waves come more evenly than by chance alone, so √N of their number is generous.
  double m2 = 0;
  for (const Component& c : waves) m2 += 0.5 * c.amplitude * c.amplitude * c.frequency * c.frequency;
  const double expected = duration / (2 * pi) * std::sqrt(m2);
  EXPECT_NEAR(static_cast<double>(upcrossings(record)), expected, std::sqrt(expected));
  // Frequencies are drawn as the energy lies: m2 of the components is that of the range which holds 99.9 %.
  const Energy e(s);
  const double inside = s.moment(2, e.frequency(0.0005), e.frequency(0.9995));
  EXPECT_NEAR(m2 / inside, 1, 0.01);

  // The spectrum of the record, band by band: K frequencies of the transform scatter by 1/√K.
  std::vector<std::complex<double>> lines;
  Eigen::FFT<double> fft;
  fft.fwd(lines, record);
  const double spacing = 2 * pi / duration;
  const double edges[] = {0.45, 0.55, 0.6, 0.65, 0.7, 0.8, 1.0, 1.4, 2.0};
  for (std::size_t b = 0; b + 1 < std::size(edges); ++b) {
    double found = 0;
    int number = 0;
    for (auto i = static_cast<std::size_t>(std::ceil(edges[b] / spacing));
         static_cast<double>(i) * spacing < edges[b + 1]; ++i, ++number)
      found += 2 * std::norm(lines[i]) / std::pow(static_cast<double>(count), 2);
    EXPECT_NEAR(found / s.energy(edges[b], edges[b + 1]), 1, 4 / std::sqrt(number)) << edges[b];
  }
}

TEST(Realisation, CrestsAreRayleigh) {
  // A narrow sea. Crests of one group are alike, so every 25th is taken; the test of Kolmogorov and Smirnov at 99 %.
  const Spectrum s = Spectrum([](double w) { return std::exp(-0.5 * std::pow((w - 0.8) / 0.05, 2)); },
                              {0.4, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2}, std::numeric_limits<double>::infinity());
  IrregularSea sea{s, 0};
  sea.frequencies = 200;
  Random random(5);
  const auto waves = realise(sea, {}, random);
  const auto record = record_of(waves, 0.4, 120000);
  std::vector<double> crests;
  double highest = 0;
  std::size_t wave = 0;
  for (std::size_t i = 1; i + 1 < record.size(); ++i) {
    if (record[i - 1] < 0 && record[i] >= 0) {
      if (++wave % 25 == 0) crests.push_back(highest);
      highest = 0;
    }
    if (record[i] > record[i - 1] && record[i] >= record[i + 1] && record[i] > 0) {
      const double slope = 0.5 * (record[i + 1] - record[i - 1]), bend = record[i + 1] - 2 * record[i] + record[i - 1];
      highest = std::max(highest, record[i] - 0.5 * slope * slope / bend);
    }
  }
  std::sort(crests.begin(), crests.end());
  const auto n = static_cast<double>(crests.size());
  ASSERT_GT(n, 200);
  double distance = 0;
  for (std::size_t i = 0; i < crests.size(); ++i) {
    const double below = 1 - std::exp(-crests[i] * crests[i] / (2 * energy(waves)));
    distance = std::max(
        {distance, std::abs(below - static_cast<double>(i) / n), std::abs(below - static_cast<double>(i + 1) / n)});
  }
  EXPECT_LT(distance, 1.628 / std::sqrt(n));
}

TEST(Realisation, RegularWave) {
  const Water water{1025, 9.81, 20};
  const Component wave = regular_wave(3, 0.7, pi / 2, 0.1, water);
  EXPECT_EQ(wave.amplitude, 1.5);
  EXPECT_DOUBLE_EQ(wave.wave_number, wave_number(0.7, 20, 9.81));
  // It goes along +y: a crest that is here now is a little further later.
  const double dt = 0.2, crest = 0.1 / wave.wave_number, speed = 0.7 / wave.wave_number;
  EXPECT_NEAR(elevation({wave}, {3, crest}, 0), 1.5, 1e-12);
  EXPECT_NEAR(elevation({wave}, {-8, crest + speed * dt}, dt), 1.5, 1e-12);
}

}  // namespace
}  // namespace davit::sea
