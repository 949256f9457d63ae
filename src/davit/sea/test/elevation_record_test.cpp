#include "davit/sea/elevation_record.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <stdexcept>

#include "davit/sea/kinematics.hpp"
#include "davit/sea/trigonometric_sums.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit::sea {
namespace {

std::vector<Component> some_waves(const Water& water) {
  IrregularSea sea{jonswap(3, 0.7, 3.3), 0};
  sea.frequencies = 80;
  Random random(4);
  return realise(sea, water, random);
}

TEST(ElevationRecord, GivesItselfBack) {
  const Water water{1025, 9.80665, 30};
  const auto sea = some_waves(water);
  for (const int count : {3, 400, 401, 997}) {
    ElevationRecord r;
    for (int i = 0; i < count; ++i) {
      r.times.push_back(20 + 0.5 * i);
      r.elevations.push_back(0.3 + elevation(sea, {5, 5}, r.times.back()));
    }
    const Vec2 place(12, -40);
    const RecordedWaves waves = waves_of(r, 0.7, place, water);
    for (std::size_t i = 0; i < r.times.size(); ++i)
      EXPECT_NEAR(waves.mean + elevation(waves.components, place, r.times[i]), r.elevations[i], 1e-10)
          << count << " " << i;
    // Parseval: the waves have the mean square of the record.
    double square = 0;
    for (const double z : r.elevations) square += std::pow(z - waves.mean, 2) / count;
    if (count % 2 == 1) EXPECT_NEAR(energy(waves.components), square, 1e-11);
  }
}

TEST(ElevationRecord, ThatIsPeriodicGivesItsWaves) {
  // Two waves that fit in the record, read between its points too.
  const Water water;
  const double length = 200, w = 2 * std::numbers::pi / length;
  const std::vector<Component> two = {regular_wave(2, 12 * w, 0.3, 0.5, water), regular_wave(1, 31 * w, 0.3, 2, water)};
  ElevationRecord even, uneven;
  for (int i = 0; i < 800; ++i) {
    const double t = length * i / 800, shifted = length * (i + 0.3 * std::sin(1.7 * i)) / 800;
    even.times.push_back(t);
    even.elevations.push_back(elevation(two, {0, 0}, t));
    uneven.times.push_back(shifted);
    uneven.elevations.push_back(elevation(two, {0, 0}, shifted));
  }
  const auto exact = waves_of(even, 0.3, {0, 0}, water).components;
  // Between uneven points it is as good as cubics; ends of the record do not quite meet.
  const auto near = waves_of(uneven, 0.3, {0, 0}, water).components;
  for (double t = 5; t < 195; t += 0.77)
    for (const Vec2& p : {Vec2(0, 0), Vec2(3, 4)}) {
      EXPECT_NEAR(elevation(exact, p, t), elevation(two, p, t), 1e-10);
      if (p.norm() == 0) EXPECT_NEAR(elevation(near, p, t), elevation(two, p, t), 0.01);
    }
  const auto low = waves_of(even, 0.3, {0, 0}, water, FrequencyRange{0, 20 * w}).components;
  EXPECT_NEAR(energy(low), 0.5, 1e-12);
}

TEST(ElevationRecord, GivesItselfBackAtUnevenTimes) {
  const Water water{1025, 9.80665, 30};
  const auto sea = some_waves(water);
  for (const double jitter : {0.05, 0.3, 0.45}) {
    ElevationRecord r;
    double largest = 0;
    for (int i = 0; i < 700; ++i) {
      r.times.push_back(20 + 0.5 * (i + jitter * std::sin(1.7 * i * i)));
      r.elevations.push_back(0.3 + elevation(sea, {5, 5}, r.times.back()));
      largest = std::max(largest, std::abs(r.elevations.back()));
    }
    const Vec2 place(12, -40);
    const RecordedWaves waves = waves_of(r, 0.7, place, water);
    for (std::size_t i = 0; i < r.times.size(); ++i)
      EXPECT_NEAR(waves.mean + elevation(waves.components, place, r.times[i]), r.elevations[i], 1e-7 * largest)
          << jitter << " " << i;
  }
}

TEST(TrigonometricSums, AreTheSumsThemselves) {
  std::vector<double> angles, values;
  std::vector<std::complex<double>> harmonics;
  Random random(3);
  for (int j = 0; j < 50; ++j) angles.push_back(2 * std::numbers::pi * random.unit()), values.push_back(random.unit());
  for (int k = 0; k <= 40; ++k) harmonics.emplace_back(random.unit() - 0.5, random.unit() - 0.5);
  TrigonometricSums sums(angles, 40);
  const auto at = sums.values(harmonics);
  const auto back = sums.transposed(values);
  for (size_t j = 0; j < angles.size(); ++j) {
    double exact = 0;
    for (size_t k = 0; k < harmonics.size(); ++k)
      exact += (harmonics[k] * std::polar(1.0, static_cast<double>(k) * angles[j])).real();
    EXPECT_NEAR(at[j], exact, 1e-10);
  }
  for (size_t k = 0; k < harmonics.size(); ++k) {
    std::complex<double> exact = 0;
    for (size_t j = 0; j < angles.size(); ++j)
      exact += values[j] * std::polar(1.0, -static_cast<double>(k) * angles[j]);
    EXPECT_LT(std::abs(back[k] - exact), 1e-10) << k;
  }
}

TEST(ElevationRecord, IsReadFromAFile) {
  const test::TempFolder folder;
  const auto write = [&](const char* text) {
    const auto path = folder.path() / "record.csv";
    std::ofstream(path) << text;
    return path;
  };
  const ElevationRecord r = read_record(write("time, elevation\n# s m\n0, 1\n0.5;2\n\n1.0\t-3.5e-1 extra\n"));
  EXPECT_EQ(r.times, (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(r.elevations, (std::vector<double>{1, 2, -0.35}));
  EXPECT_THROW(read_record(write("0 1\n1 2\n1 3\n")), std::runtime_error);
  EXPECT_THROW(read_record(write("0 1\n1 two\n2 3\n")), std::runtime_error);
  EXPECT_THROW(read_record(write("0 1\n")), std::runtime_error);
  EXPECT_THROW(read_record(write("0;0\n1;1,5\n2;3\n")), std::runtime_error) << "decimals with a comma";
  EXPECT_THROW(read_record(write("0,0\n1,1,5\n2,3\n")), std::runtime_error) << "decimals with a comma";
  EXPECT_THROW(read_record(folder.path() / "no such file"), std::runtime_error);
  EXPECT_THROW(waves_of({{0, 1, 1}, {0, 0, 0}}, 0, {0, 0}, {}), std::invalid_argument);
}

}  // namespace
}  // namespace davit::sea
