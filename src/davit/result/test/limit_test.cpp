#include "davit/result/limit.hpp"

#include "davit/result/reader.hpp"
#include "davit/result/recorder.hpp"
#include "davit/result/result_error.hpp"
#include "support.hpp"

namespace davit::result::test {
namespace {

using Side = Limit::Side;

// Of samples every ten seconds.
LimitResult check(const Limit& limit, const std::vector<double>& values, bool complete = true) {
  LimitAccumulator accumulator(limit);
  for (std::size_t i = 0; i < values.size(); ++i) accumulator.add(10.0 * static_cast<double>(i), values[i]);
  return accumulator.result(complete);
}
Limit below(double bound) { return {.channel = "x", .side = Side::below, .bound = bound}; }
Limit above(double bound) { return {.channel = "x", .side = Side::above, .bound = bound}; }

TEST(Limit, BelowAndExceeded) {
  const LimitResult kept = check(below(100), {10, 80, 50});
  EXPECT_TRUE(kept.passed);
  EXPECT_EQ(kept.worst, 80);
  EXPECT_EQ(kept.worst_time, 10);
  EXPECT_DOUBLE_EQ(*kept.utilisation, 0.8);
  EXPECT_FALSE(kept.first_exceeded);
  const LimitResult lost = check(below(100), {10, 101, 130, 20});
  EXPECT_FALSE(lost.passed);
  EXPECT_EQ(lost.worst, 130);
  EXPECT_EQ(lost.worst_time, 20);
  // Where the straight line between two samples meets the bound.
  EXPECT_DOUBLE_EQ(*lost.first_exceeded, 10 * 90.0 / 91);
  EXPECT_DOUBLE_EQ(*lost.utilisation, 1.3);
}

TEST(Limit, ToReachIsNotToExceed) {
  EXPECT_TRUE(check(below(100), {100}).passed);
  EXPECT_FALSE(check(below(100), {std::nextafter(100, 200)}).passed);
  EXPECT_TRUE(check(above(2), {2}).passed);
  EXPECT_FALSE(check(above(2), {std::nextafter(2, 0)}).passed);
}

TEST(Limit, AboveMeasuresClearance) {
  const LimitResult kept = check(above(2), {8, 4, 5});
  EXPECT_EQ(kept.worst, 4);
  EXPECT_DOUBLE_EQ(*kept.utilisation, 0.5);
  const LimitResult lost = check(above(2), {8, 1, 5});
  EXPECT_FALSE(lost.passed);
  EXPECT_DOUBLE_EQ(*lost.utilisation, 2);
  EXPECT_EQ(*check(above(2), {-1}).utilisation, INFINITY);
}

// A channel between two bounds: each has its own worst value, and only the side that was passed fails.
TEST(Limit, EachSideHasItsOwnVerdict) {
  const std::vector<double> values{3, -18, 8.5, -21, 2};
  const LimitResult upper = check(below(10), values), lower = check(above(-20), values);
  EXPECT_TRUE(upper.passed);
  EXPECT_EQ(upper.worst, 8.5);
  EXPECT_EQ(upper.worst_time, 20);
  EXPECT_DOUBLE_EQ(*upper.utilisation, 0.85);
  EXPECT_FALSE(lower.passed);
  EXPECT_EQ(lower.worst, -21);
  EXPECT_DOUBLE_EQ(*lower.first_exceeded, 20 + 10 * 28.5 / 29.5);
  EXPECT_DOUBLE_EQ(*lower.utilisation, 1.05);
}

TEST(Limit, HoldsInItsWindowOnly) {
  Limit limit = below(100);
  limit.from = 10;
  limit.until = 30;
  const LimitResult kept = check(limit, {500, 90, 95, 80, 500});
  EXPECT_TRUE(kept.passed);
  EXPECT_EQ(kept.worst, 95);
  EXPECT_EQ(kept.samples, 3u);
  EXPECT_FALSE(check(limit, {0, 0, 0, 101}).passed) << "the ends belong to it";
  EXPECT_EQ(verdict(check(limit, {1})), Verdict::not_evaluated) << "what was never looked at has not passed";
  EXPECT_EQ(window_text(limit), "from 10 s until 30 s");
  EXPECT_EQ(window_text(below(1)), "");
}

TEST(Limit, IsAMultipleOfTheFirstValue) {
  Limit limit = below(1.3);
  limit.of_first = true;
  limit.from = 20;
  const LimitResult kept = check(limit, {100, 200, 129, 110}), lost = check(limit, {100, 100, 131});
  EXPECT_TRUE(kept.passed) << "200 is before the window";
  EXPECT_EQ(kept.bound, 130);
  EXPECT_DOUBLE_EQ(*kept.utilisation, 129 / 130.0);
  EXPECT_FALSE(lost.passed);
  EXPECT_EQ(verdict(check(limit, {std::nan(""), 1, 1, 1})), Verdict::not_evaluated);
  EXPECT_EQ(verdict(check(below(std::nan("")), {1, 1})), Verdict::not_evaluated);
}

TEST(Limit, NegativeAndZeroLimits) {
  EXPECT_DOUBLE_EQ(*check(below(-5), {-10}).utilisation, 0.5);
  EXPECT_EQ(*check(below(-5), {1}).utilisation, INFINITY);
  EXPECT_DOUBLE_EQ(*check(above(-4), {-1}).utilisation, 0.25);
  EXPECT_DOUBLE_EQ(*check(above(-4), {7}).utilisation, 0);
  EXPECT_FALSE(check(below(0), {-1}).utilisation);
  EXPECT_TRUE(check(below(0), {-1}).passed);
}

TEST(Limit, WithoutSamplesOrWithNanItIsNotPassed) {
  const LimitResult none = check(below(1), {});
  EXPECT_FALSE(none.passed);
  EXPECT_EQ(none.samples, 0u);
  EXPECT_FALSE(none.worst || none.utilisation || none.first_exceeded);
  const LimitResult broken = check(below(1), {0.5, std::nan(""), 0.7});
  EXPECT_FALSE(broken.passed);
  EXPECT_EQ(broken.not_a_number, 1u);
  EXPECT_EQ(broken.first_exceeded, 10);
  EXPECT_EQ(broken.worst, 0.7);
  EXPECT_FALSE(check(below(1), {INFINITY}).passed);
}

TEST(Limit, WhatDidNotComeToItsEndHasNotPassed) {
  const LimitResult kept = check(below(100), {10, 80}, false), lost = check(below(100), {10, 180}, false);
  EXPECT_FALSE(kept.passed);
  EXPECT_EQ(verdict(kept), Verdict::undecided);
  EXPECT_EQ(*kept.worst, 80);
  EXPECT_EQ(verdict(lost), Verdict::exceeded);
  EXPECT_EQ(verdict(check(below(100), {10, 80})), Verdict::passed);
  EXPECT_EQ(verdict(check(below(100), {10, 180})), Verdict::exceeded);
  EXPECT_EQ(verdict(check(below(100), {})), Verdict::not_evaluated);
  EXPECT_EQ(verdict(check(below(100), {std::nan("")})), Verdict::not_a_number);
}

TEST(Limit, UnknownChannelsAreNamed) {
  const auto channels = sample_channels(2);
  const auto message = [&](const Limit& limit) {
    try {
      LimitMonitor(std::vector{limit}, channels);
    } catch (const ResultError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message({.channel = "boom.angle", .bound = 1}).find("boom.angle"), std::string::npos);
  EXPECT_EQ(message({.channel = "body1.x", .side = Side::above, .bound = 1}), "");
}

TEST(Limit, RowsAndFileAgree) {
  TempFolder folder;
  const std::vector<Limit> limits{{.channel = "body1.x", .bound = 3.0},
                                  {.channel = "body3.x", .side = Side::above, .bound = -0.5}};
  LimitMonitor monitor(limits, sample_channels(3));
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
  const auto from_file = check_limits(limits, Result::open(folder / "result.h5"));
  EXPECT_EQ(from_file, monitor.results(true));
  EXPECT_FALSE(from_file[1].passed);
  EXPECT_NEAR(*from_file[1].worst, -1, 1e-3);
}

}  // namespace
}  // namespace davit::result::test
