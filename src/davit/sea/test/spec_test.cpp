#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "davit/input/document.hpp"
#include "davit/input/emit.hpp"
#include "davit/math/constants.hpp"
#include "davit/sea/current_spec.hpp"
#include "davit/sea/kinematics.hpp"
#include "davit/sea/waves_spec.hpp"
#include "davit/sea/wind_spec.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit::sea {
namespace {

template <class Spec>
struct Answer {
  Spec spec;
  input::Problems problems;
};

template <class Spec>
Answer<Spec> answer(const std::string& text, const std::string& file = "sea.yaml") {
  Answer<Spec> a;
  const auto node = input::parse_document(text, file, a.problems);
  if (node) a.spec = input::read<Spec>(*node, a.problems);
  return a;
}

template <class Spec>
Spec read_well(const std::string& text) {
  const auto a = answer<Spec>(text);
  EXPECT_FALSE(a.problems.has_errors()) << text << "\n" << a.problems.to_text();
  return a.spec;
}

template <class Spec>
std::string mistakes(const std::string& text) {
  const auto a = answer<Spec>(text);
  EXPECT_TRUE(a.problems.has_errors()) << text;
  return a.problems.to_text();
}

std::vector<Component> waves(const std::string& text, const Water& water = {}) {
  input::Problems problems;
  const auto made = make_waves(read_well<WavesSpec>(text), water, problems);
  EXPECT_FALSE(problems.has_errors()) << text << problems.to_text();
  return made.value_or(std::vector<Component>{});
}

TEST(WavesSpec, OfTheDocument) {
  const std::string text =
      "{spectrum: jonswap, hs: 4 m, peak_frequency: 1.3 rad/s, gamma: 3.3, heading: 90 deg, "
      "spreading: {directions: 13, exponent: 2}, frequencies: 60, seed: 7}";
  const auto a = answer<WavesSpec>(text);
  EXPECT_FALSE(a.problems.has_errors());
  EXPECT_NE(a.problems.to_text().find("between 3.6 and 5"), std::string::npos) << a.problems.to_text();
  const auto components = waves(text);
  ASSERT_EQ(components.size(), 60u * 13);
  EXPECT_NEAR(4 * std::sqrt(energy(components)), 4, 1e-11);
  for (const Component& c : components) EXPECT_LE(std::abs(c.heading - pi / 2), pi / 2);
  EXPECT_EQ(waves(text)[77].phase, components[77].phase);
}

TEST(WavesSpec, EverySpectrumMakesWaves) {
  const auto height = [](const std::string& text) { return 4 * std::sqrt(energy(waves(text))); };
  EXPECT_NEAR(height("{spectrum: jonswap, hs: 4, tp: 8.5}"), 4, 1e-11);
  EXPECT_NEAR(height("{spectrum: jonswap, alpha: 0.0081, peak_frequency: 1.3, gamma: 3.3}"), 1.1536632907754884, 1e-11);
  EXPECT_NEAR(height("{spectrum: pierson_moskowitz, hs: 2, tp: 8}"), 2, 1e-11);
  EXPECT_NEAR(height("{spectrum: pierson_moskowitz, wind_speed: 15 m/s}"), 2 * 225 / 9.80665 * std::sqrt(0.0081 / 0.74),
              1e-11);
  EXPECT_NEAR(height("{spectrum: bretschneider, hs: 2, tz: 7 s}"), 2, 1e-11);
  EXPECT_NEAR(height("{spectrum: bretschneider, hs: 2, t1: 7 s, bands: equal_width, random_frequencies: false}"), 2,
              1e-11);
  EXPECT_NEAR(height("{spectrum: torsethaugen, hs: 3, tp: 14}"), 3, 1e-11);
  EXPECT_NEAR(height("{spectrum: torsethaugen_1996, hs: 3, tp: 14}"), 3, 1e-10);
  EXPECT_NEAR(
      height("{spectrum: ochi_hubble, peaks: [{hs: 3, tp: 14, shape: 3}, {hs: 4, peak_frequency: 0.9, shape: 1.5}]}"),
      5, 1e-10);
  EXPECT_NEAR(height("{spectrum: gaussian, hs: 2, tp: 14, width: 0.03 rad/s}"), 2, 1e-11);
  EXPECT_NEAR(height("{spectrum: table, table: {frequencies: [0.4, 0.6, 1], densities: [0, 2, 0]}}"),
              4 * std::sqrt(0.6), 1e-11);
  EXPECT_NEAR(height("{spectrum: regular, height: 3 m, period: 9 s, heading: 30 deg}"), 4 * std::sqrt(1.5 * 1.5 / 2),
              1e-12);
}

TEST(WavesSpec, SumsHaveTheirOwnHeadings) {
  const auto all = waves(
      "{spectrum: sum, seed: 3, parts: [{spectrum: jonswap, hs: 3, tp: 7, heading: 0, frequencies: 20}, "
      "{spectrum: gaussian, hs: 4, tp: 15, width: 0.03, heading: 90 deg, frequencies: 10}]}");
  ASSERT_EQ(all.size(), 30u);
  EXPECT_NEAR(4 * std::sqrt(energy(all)), 5, 1e-11);
  EXPECT_EQ(all.front().heading, 0);
  EXPECT_NEAR(all.back().heading, pi / 2, 1e-15);
  const auto spec = read_well<WavesSpec>(
      "{spectrum: sum, parts: [{spectrum: jonswap, hs: 3, tp: 7}, {spectrum: bretschneider, hs: 4, tp: 9}]}");
  EXPECT_NEAR(characteristics(*spectrum_of(spec, 9.81)).hs, 5, 1e-11);
}

TEST(WavesSpec, ARecordIsFoundBesideTheFile) {
  const test::TempFolder folder;
  std::ofstream(folder.path() / "buoy.csv") << "0 0\n1 1\n2 0\n3 -1\n";
  const auto a =
      answer<WavesSpec>("{spectrum: record, file: buoy.csv, at: [10, 0]}", (folder.path() / "sea.yaml").string());
  EXPECT_EQ(a.problems.to_text(), "");
  input::Problems problems;
  const auto made = make_waves(a.spec, {}, problems);
  ASSERT_TRUE(made);
  EXPECT_NEAR(elevation(*made, {10, 0}, 1), 1, 1e-12);
  const auto lost = answer<WavesSpec>("{spectrum: record, file: lost.csv}", (folder.path() / "sea.yaml").string());
  EXPECT_FALSE(make_waves(lost.spec, {}, problems));
  EXPECT_NE(problems.to_text().find("lost.csv"), std::string::npos);
}

TEST(WavesSpec, SaysWhatIsWrong) {
  const auto says = [](const std::string& text, const char* part) {
    const std::string said = mistakes<WavesSpec>(text);
    EXPECT_NE(said.find(part), std::string::npos) << said;
  };
  says("{spectrum: jonswap, hs: 0, tp: 8}", "hs");
  says("{spectrum: jonswap, hs: 2, tp: 8, peak_frequency: 1}", "not described by 'hs', 'tp' and 'peak_frequency'");
  says("{spectrum: jonswap, hs: 2}", "give 'hs' and 'tp', or 'hs' and 'peak_frequency'");
  says("{spectrum: jonswap}", "is not described");
  says("{spectrum: bretschneider, hs: 2, tp: 8, gamma: 2}", "gamma");
  says("{spectrum: regular, height: 2, period: 8, spreading: {}}", "spreading");
  says("{spectrum: jonswap, hs: 2, tp: 8, gamma: 0.5}", "gamma");
  says("{spectrum: jonswap, hs: 2, tp: 8, range: [2, 1]}", "range");
  says("{spectrum: ochi_hubble, peaks: [{hs: 1, tp: 8, shape: 1}]}", "1 entries");
  says("{spectrum: ochi_hubble, peaks: [{hs: 1, tp: 8, peak_frequency: 1, shape: 1}, {hs: 1, tp: 8, shape: 1}]}",
       "twice");
  says("{spectrum: gaussian, hs: 1, tp: 8, width: 2}", "quarter");
  says("{spectrum: table, table: {frequencies: [1, 0.5], densities: [0, 1]}}", "ascending");
  says("{spectrum: sum, parts: []}", "empty");
  says("{spectrum: sum, parts: [{spectrum: jonswap, hs: 2, tp: 7, seed: 3}]}", "seed");
  says("{spectrum: sum, parts: [{spectrum: jonswap, hs: 2}]}", "give 'hs' and 'tp'");
  says("{spectrum: jonswap, hs: 2, tp: 8, spreading: {directions: 0}}", "directions");
  input::Problems problems;
  const auto empty = read_well<WavesSpec>("{spectrum: jonswap, hs: 2, tp: 8, range: [0.001, 0.002]}");
  EXPECT_FALSE(make_waves(empty, {}, problems));
  EXPECT_NE(problems.to_text().find("holds no waves"), std::string::npos);
}

TEST(WavesSpec, IsWrittenAsItIsRead) {
  const auto spec = read_well<WavesSpec>(
      "{spectrum: sum, parts: [{spectrum: ochi_hubble, peaks: [{hs: 1, tp: 8, shape: 1}, {hs: 1, tp: 5, shape: 2}]}]}");
  const auto again = read_well<WavesSpec>(input::to_yaml(WavesSpec::record().write(spec)));
  EXPECT_EQ((*(*again.parts)[0].peaks)[1].shape, 2);
}

TEST(WavesSpec, TakesBeaufortNumbers) {
  const auto spec = read_well<WavesSpec>("{beaufort: 5, heading: 90 deg}");
  EXPECT_NEAR(4 * std::sqrt(spectrum_of(spec, 9.80665)->moment(0)), 1.65, 1e-3);
  EXPECT_NEAR(spectrum_of(spec, 9.80665)->peak_frequency(), 2 * pi / 5.1, 1e-6);
  EXPECT_NE(mistakes<WavesSpec>("{beaufort: 6}").find("no Beaufort number 6"), std::string::npos);
  EXPECT_NE(mistakes<WavesSpec>("{beaufort: 5, hs: 2 m}").find("not described by"), std::string::npos);
  EXPECT_NE(mistakes<WavesSpec>("{beaufort: 13}").find("too large"), std::string::npos);
}

TEST(WindSpec, TakesBeaufortNumbers) {
  EXPECT_NEAR(make_wind(read_well<WindSpec>("{beaufort: 5}")).speed(30, 0), 9.347, 1e-3);
  EXPECT_EQ(make_wind(read_well<WindSpec>("{beaufort: 0}")).speed(30, 0), 0);
  EXPECT_NE(mistakes<WindSpec>("{beaufort: 5, speed: 3 m/s}").find("given twice"), std::string::npos);
  EXPECT_NE(mistakes<WindSpec>("{heading: 10 deg}").find("speed of the wind is missing"), std::string::npos);
  EXPECT_NE(mistakes<WindSpec>("{beaufort: 5, height: 20 m}").find("mean wind at 10 m"), std::string::npos);
}

TEST(WindSpec, MakesWind) {
  const WindField wind = make_wind(read_well<WindSpec>("{model: npd, speed: 20 m/s, heading: 90 deg, seed: 3}"));
  EXPECT_DOUBLE_EQ(wind.mean(10), 20);
  EXPECT_DOUBLE_EQ(wind.speed(10, 0), 20);
  EXPECT_NE(wind.speed(10, 33), 20);
  EXPECT_DOUBLE_EQ(make_wind(read_well<WindSpec>("{speed: 20 m/s}")).speed(99, 5), 20);
  EXPECT_NEAR(make_wind(read_well<WindSpec>("{model: npd, speed: 20 m/s, averaging_time: 10 min}")).mean(10), 18.5,
              0.5);
  EXPECT_NEAR(make_wind(read_well<WindSpec>("{model: kaimal, speed: 20 m/s}")).mean(20), 20 * std::pow(2.0, 0.14),
              1e-12);
  const auto says = [](const std::string& text, const char* part) {
    const std::string said = mistakes<WindSpec>(text);
    EXPECT_NE(said.find(part), std::string::npos) << said;
  };
  says("{speed: -1}", "speed");
  says("{speed: 20, intensity: 0.1}", "kaimal");
  says("{model: npd, speed: 20, exponent: 0.1}", "profile");
  says("{model: npd, speed: 0}", "speed above zero");
  says("{model: npd, speed: 9, range: [0.5, 0.1]}", "range");
  says("{speed: 9, averaging_time: 60}", "npd");
}

// Whatever band is asked for; npd has a spectrum of its own, and what a band leaves out is not there.
TEST(WindSpec, KaimalHasTheIntensityAskedFor) {
  for (const char* band : {"", ", range: [0.01 Hz, 0.2 Hz]", ", reference_height: 40 m"}) {
    const WindSpec spec =
        read_well<WindSpec>(std::string("{model: kaimal, speed: 20 m/s, intensity: 0.12") + band + "}");
    EXPECT_NEAR(std::sqrt(make_wind(spec).at(spec.reference_height).variance()), 0.12 * 20, 1e-9) << band;
  }
  EXPECT_NEAR(make_wind(read_well<WindSpec>("{model: npd, speed: 20 m/s}")).at(10).variance(),
              gust_variance(npd_wind(20), 10, 1.0 / 600, 0.5), 1e-9);
}

TEST(CurrentSpec, MakesCurrent) {
  input::Problems problems;
  const auto current = [&](const std::string& text, const Water& water) {
    return make_current(read_well<CurrentSpec>(text), water, problems);
  };
  EXPECT_NEAR(current("{speed: 1 m/s, heading: 90 deg}", {})->velocity(-5).y(), 1, 1e-15);
  EXPECT_NEAR(current("{speed: 1 m/s, profile: power}", {1025, 9.81, 20})->velocity(-10).x(), std::pow(0.5, 1.0 / 7),
              1e-15);
  EXPECT_NEAR(current("{profile: table, depths: [0, 20], speeds: [1.2, 0.6], headings: [0, 0]}", {})->velocity(-10).x(),
              0.9, 1e-15);
  EXPECT_FALSE(problems.has_errors());
  EXPECT_FALSE(current("{speed: 1 m/s, profile: power}", {}));
  EXPECT_TRUE(problems.has_errors());
  const auto says = [](const std::string& text, const char* part) {
    const std::string said = mistakes<CurrentSpec>(text);
    EXPECT_NE(said.find(part), std::string::npos) << said;
  };
  says("{}", "no speed");
  says("{profile: table, depths: [0, 20], speeds: [1]}", "not complete");
  says("{profile: table, depths: [20, 10], speeds: [1, 1]}", "ascend");
  says("{speed: 1, exponent: 0.2}", "power");
  says("{speed: 1, depths: [1]}", "table");
}

// 20 m in 6 s are 56 m long; JONSWAP of 6 s has Tz = 4.7 s.
TEST(WavesSpec, SteepnessBeyondBreakingIsAWarning) {
  const auto said = [](const std::string& text, double depth = INFINITY) {
    input::Problems problems;
    Water water;
    water.depth = depth;
    make_waves(read_well<WavesSpec>(text), water, problems);
    return problems.to_text();
  };
  EXPECT_NE(said("{spectrum: regular, height: 20 m, period: 6 s}").find("steepness of 35.6 %"), std::string::npos);
  EXPECT_EQ(said("{spectrum: regular, height: 7.9 m, period: 6 s}"), "");
  EXPECT_NE(said("{spectrum: regular, height: 8.1 m, period: 6 s}").find("waves break beyond 14.2 %"),
            std::string::npos);
  // In 2 m of water a wave of 10 s is 43 m long and breaks at 1.7 m.
  EXPECT_EQ(said("{spectrum: regular, height: 1.6 m, period: 10 s}", 2), "");
  EXPECT_NE(said("{spectrum: regular, height: 1.9 m, period: 10 s}", 2).find("waves break"), std::string::npos);
  EXPECT_NE(said("{spectrum: bretschneider, hs: 5 m, tp: 6 s}").find("seas are not steeper than 10 %"),
            std::string::npos);
  EXPECT_EQ(said("{spectrum: bretschneider, hs: 2 m, tp: 6 s}"), "");
  EXPECT_NE(said("{spectrum: bretschneider, hs: 2 m, tp: 9 s}", 3).find("about 1.8 m are possible"), std::string::npos);
  EXPECT_NE(said("{spectrum: sum, parts: [{spectrum: regular, height: 20 m, period: 6 s}]}").find("steepness"),
            std::string::npos);
}

}  // namespace
}  // namespace davit::sea
