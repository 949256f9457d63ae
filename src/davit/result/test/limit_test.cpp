#include "davit/result/limit.hpp"

#include "davit/result/error.hpp"
#include "davit/result/reader.hpp"
#include "davit/result/recorder.hpp"
#include "support.hpp"

namespace davit::result::test {
namespace {

LimitResult check(std::optional<double> below, std::optional<double> above, const std::vector<double>& values,
                  bool complete = true) {
  LimitAccumulator accumulator({.channel = "x", .below = below, .above = above});
  for (std::size_t i = 0; i < values.size(); ++i) accumulator.add(10.0 * static_cast<double>(i), values[i]);
  return accumulator.result(complete);
}

TEST(Limit, BelowAndExceeded) {
  const LimitResult kept = check(100, {}, {10, 80, 50});
  EXPECT_TRUE(kept.passed);
  EXPECT_EQ(kept.worst, 80);
  EXPECT_EQ(kept.worst_time, 10);
  EXPECT_DOUBLE_EQ(*kept.utilisation, 0.8);
  EXPECT_FALSE(kept.first_exceeded);
  const LimitResult lost = check(100, {}, {10, 101, 130, 20});
  EXPECT_FALSE(lost.passed);
  EXPECT_EQ(lost.worst, 130);
  EXPECT_EQ(lost.worst_time, 20);
  EXPECT_EQ(lost.first_exceeded, 10);
  EXPECT_DOUBLE_EQ(*lost.utilisation, 1.3);
}

TEST(Limit, ToReachIsNotToExceed) {
  EXPECT_TRUE(check(100, {}, {100}).passed);
  EXPECT_FALSE(check(100, {}, {std::nextafter(100, 200)}).passed);
  EXPECT_TRUE(check({}, 2, {2}).passed);
  EXPECT_FALSE(check({}, 2, {std::nextafter(2, 0)}).passed);
}

TEST(Limit, AboveMeasuresClearance) {
  const LimitResult kept = check({}, 2, {8, 4, 5});
  EXPECT_EQ(kept.worst, 4);
  EXPECT_DOUBLE_EQ(*kept.utilisation, 0.5);
  const LimitResult lost = check({}, 2, {8, 1, 5});
  EXPECT_FALSE(lost.passed);
  EXPECT_DOUBLE_EQ(*lost.utilisation, 2);
  EXPECT_EQ(*check({}, 2, {-1}).utilisation, INFINITY);
}

TEST(Limit, BothSidesTakeTheWorse) {
  const LimitResult result = check(10, -20, {3, -18, 8.5});
  EXPECT_TRUE(result.passed);
  EXPECT_EQ(result.worst, 8.5);                // the least margin, 1.5
  EXPECT_DOUBLE_EQ(*result.utilisation, 0.9);  // but the lower limit is used more
  EXPECT_FALSE(check(10, -20, {-21}).passed);
}

TEST(Limit, NegativeAndZeroLimits) {
  EXPECT_DOUBLE_EQ(*check(-5, {}, {-10}).utilisation, 0.5);
  EXPECT_EQ(*check(-5, {}, {1}).utilisation, INFINITY);
  EXPECT_DOUBLE_EQ(*check({}, -4, {-1}).utilisation, 0.25);
  EXPECT_DOUBLE_EQ(*check({}, -4, {7}).utilisation, 0);
  EXPECT_FALSE(check(0, {}, {-1}).utilisation);
  EXPECT_TRUE(check(0, {}, {-1}).passed);
  EXPECT_DOUBLE_EQ(*check(10, 0, {5}).utilisation, 0.5);
}

TEST(Limit, WithoutSamplesOrWithNanItIsNotPassed) {
  const LimitResult none = check(1, {}, {});
  EXPECT_FALSE(none.passed);
  EXPECT_EQ(none.samples, 0u);
  EXPECT_FALSE(none.worst || none.utilisation || none.first_exceeded);
  const LimitResult broken = check(1, {}, {0.5, std::nan(""), 0.7});
  EXPECT_FALSE(broken.passed);
  EXPECT_EQ(broken.not_a_number, 1u);
  EXPECT_EQ(broken.first_exceeded, 10);
  EXPECT_EQ(broken.worst, 0.7);
  EXPECT_FALSE(check(1, {}, {INFINITY}).passed);
}

TEST(Limit, WhatDidNotComeToItsEndHasNotPassed) {
  const LimitResult kept = check(100, {}, {10, 80}, false), lost = check(100, {}, {10, 180}, false);
  EXPECT_FALSE(kept.passed);
  EXPECT_EQ(verdict(kept), Verdict::undecided);
  EXPECT_EQ(*kept.worst, 80);
  EXPECT_EQ(verdict(lost), Verdict::exceeded);
  EXPECT_EQ(verdict(check(100, {}, {10, 80})), Verdict::passed);
  EXPECT_EQ(verdict(check(100, {}, {10, 180})), Verdict::exceeded);
  EXPECT_EQ(verdict(check(100, {}, {})), Verdict::not_evaluated);
  EXPECT_EQ(verdict(check(100, {}, {std::nan("")})), Verdict::not_a_number);
}

TEST(Limit, UnknownChannelsAndEmptyLimitsAreNamed) {
  const auto channels = sample_channels(2);
  const auto message = [&](const Limit& limit) {
    try {
      LimitMonitor(std::vector{limit}, channels);
    } catch (const ResultError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message({.channel = "boom.angle", .below = 1.0}).find("boom.angle"), std::string::npos);
  EXPECT_NE(message({.channel = "body1.x"}).find("below"), std::string::npos);
  EXPECT_EQ(message({.channel = "body1.x", .above = 1.0}), "");
}

TEST(Limit, RowsAndFileAgree) {
  TempFolder folder;
  const std::vector<Limit> limits{{.channel = "body1.x", .below = 3.0}, {.channel = "body3.x", .above = -0.5}};
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
