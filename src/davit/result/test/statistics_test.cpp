#include "davit/result/statistics.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <random>

#include "davit/math/constants.hpp"
#include "davit/result/reader.hpp"
#include "davit/result/recorder.hpp"
#include "support.hpp"

namespace davit::result::test {
namespace {

// Times from 0 to `end` with steps that differ by a factor of up to a hundred.
std::vector<double> uneven_times(double end, std::size_t count) {
  std::mt19937 random(5);
  std::uniform_real_distribution<> gap(0.01, 1);
  std::vector<double> times{0};
  while (times.size() < count) times.push_back(times.back() + gap(random));
  for (double& time : times) time *= end / times.back();
  times.back() = end;
  return times;
}

TEST(Statistics, UnevenSamplesOfASine) {
  const auto times = uneven_times(6 * pi, 20'000);
  std::vector<double> values;
  for (const double t : times) values.push_back(3 + 2 * std::sin(t));
  const Statistics s = statistics(times, values);
  EXPECT_NEAR(s.mean, 3, 1e-6);
  EXPECT_NEAR(s.standard_deviation, 2 / std::sqrt(2), 1e-6);
  EXPECT_NEAR(s.max, 5, 1e-6);
  EXPECT_NEAR(s.min, 1, 1e-6);
  EXPECT_NEAR(std::fmod(s.max_time, 2 * pi), pi / 2, 2e-3);
  EXPECT_NEAR(std::fmod(s.min_time, 2 * pi), 3 * pi / 2, 2e-3);
  EXPECT_EQ(s.first, 3);
  EXPECT_NEAR(s.last, 3, 1e-12);
  EXPECT_EQ(s.samples, 20'000u);
}

// The mean is by time, not by number of samples: a million samples in the first second do not outweigh the other nine.
TEST(Statistics, TimeWeighsNotTheNumberOfSamples) {
  std::vector<double> times;
  std::vector<double> values;
  for (int i = 0; i <= 1000; ++i) {
    times.push_back(i / 1000.0);
    values.push_back(10);
  }
  times.insert(times.end(), {1.0, 10.0});
  values.insert(values.end(), {20, 20});
  const Statistics s = statistics(times, values);
  EXPECT_NEAR(s.mean, 19, 1e-9);
  EXPECT_NEAR(s.standard_deviation, std::sqrt(0.1 * 81 + 0.9 * 1), 1e-9);
}

TEST(Statistics, ALineIsExact) {
  const auto times = uneven_times(4, 57);
  std::vector<double> values;
  for (const double t : times) values.push_back(2 * t - 1);
  EXPECT_NEAR(statistics(times, values).mean, 3, 1e-12);
}

TEST(Statistics, SmallRippleOnALargeMean) {
  std::vector<double> times;
  std::vector<double> values;
  for (int i = 0; i <= 1000; ++i) {
    times.push_back(i);
    values.push_back(1e9 + (i % 2 ? 0.5 : -0.5));
  }
  EXPECT_NEAR(statistics(times, values).standard_deviation, 0.5, 1e-6);
}

TEST(Statistics, OneSampleNoneAndOneMoment) {
  const Statistics one = statistics(std::vector{2.0}, std::vector{7.0});
  EXPECT_EQ(one.mean, 7);
  EXPECT_EQ(one.standard_deviation, 0);
  EXPECT_EQ(one.min_time, 2);
  EXPECT_EQ(one.last, 7);
  const Statistics none = statistics({}, {});
  EXPECT_EQ(none.samples, 0u);
  EXPECT_TRUE(std::isnan(none.mean) && std::isnan(none.min) && std::isnan(none.standard_deviation));
  const Statistics moment = statistics(std::vector{1.0, 1.0}, std::vector{2.0, 4.0});
  EXPECT_EQ(moment.mean, 3);
  EXPECT_EQ(moment.standard_deviation, 1);
}

TEST(Statistics, WhatIsNotFiniteIsCountedAndLeftOut) {
  const std::vector<double> times{0, 1, 2, 3, 4, 5};
  const std::vector<double> values{1, 3, std::nan(""), INFINITY, 10, 10};
  const Statistics s = statistics(times, values);
  EXPECT_EQ(s.samples, 4u);
  EXPECT_EQ(s.not_finite, 2u);
  EXPECT_EQ(s.max, 10);
  EXPECT_EQ(s.min, 1);
  EXPECT_DOUBLE_EQ(s.mean, 6);  // one second with mean 2, one with 10; nothing between
  const Statistics lost = statistics(std::vector{0.0}, std::vector{std::nan("")});
  EXPECT_EQ(lost.not_finite, 1u);
  EXPECT_TRUE(std::isnan(lost.max));
}

TEST(Statistics, HoldForAnySeries) {
  EXPECT_TRUE(rc::check("the mean is between the extremes and moves with the series", [] {
    const auto raw = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000, 1000)));
    const auto gaps = *rc::gen::container<std::vector<int>>(raw.size(), rc::gen::inRange(0, 50));
    std::vector<double> times;
    std::vector<double> values;
    std::vector<double> moved;
    double time = 0;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      times.push_back(time += gaps[i]);
      values.push_back(raw[i]);
      moved.push_back(3.0 * raw[i] + 100);
    }
    const Statistics a = statistics(times, values);
    const Statistics b = statistics(times, moved);
    RC_ASSERT(a.min == *std::min_element(values.begin(), values.end()));
    RC_ASSERT(a.max == *std::max_element(values.begin(), values.end()));
    RC_ASSERT(a.min <= a.mean + 1e-9 && a.mean <= a.max + 1e-9);
    RC_ASSERT(std::abs(b.mean - (3 * a.mean + 100)) < 1e-7);
    RC_ASSERT(std::abs(b.standard_deviation - 3 * a.standard_deviation) < 1e-7);
    RC_ASSERT(a.standard_deviation <= (a.max - a.min) / 2 + 1e-9);
  }));
}

TEST(Statistics, OfAFileAndOfRowsAreTheSame) {
  TempFolder folder;
  StatisticsMonitor monitor(3);
  {
    Recorder recorder(folder / "result.h5", {}, sample_channels(3));
    std::vector<double> row(3);
    for (std::uint64_t r = 0; r < 500; ++r) {
      fill_row(r, row);
      recorder.append(time_of(r), row);
      monitor.add(time_of(r), row);
    }
    recorder.finish();
  }
  EXPECT_EQ(statistics(Result::open(folder / "result.h5")), monitor.results());
}

}  // namespace
}  // namespace davit::result::test
