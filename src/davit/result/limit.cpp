#include "davit/result/limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "davit/result/error.hpp"
#include "davit/result/reader.hpp"

namespace davit::result {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// How much of an upper limit a value uses.
std::optional<double> use_of_upper(double limit, double value) {
  if (limit == 0) return std::nullopt;
  if (limit > 0) return std::max(value / limit, 0.0);
  return value < 0 ? limit / value : infinity;
}

// A lower limit is an upper limit seen in the mirror.
std::optional<double> use_of_lower(double limit, double value) { return use_of_upper(-limit, -value); }

}  // namespace

void LimitAccumulator::add(double time, double value) {
  ++so_far_.samples;
  if (std::isnan(value)) {
    ++so_far_.not_a_number;
    if (!so_far_.first_exceeded) so_far_.first_exceeded = time;
    return;
  }
  double margin = infinity;
  if (below_) margin = std::min(margin, *below_ - value);
  if (above_) margin = std::min(margin, value - *above_);
  if (margin < 0 && !so_far_.first_exceeded) so_far_.first_exceeded = time;
  if (!so_far_.worst) {
    greatest_ = least_ = value;
  } else {
    greatest_ = std::max(greatest_, value);
    least_ = std::min(least_, value);
  }
  if (!so_far_.worst || margin < least_margin_) {
    least_margin_ = margin;
    so_far_.worst = value;
    so_far_.worst_time = time;
  }
}

Verdict verdict(const LimitResult& result) {
  if (result.passed) return Verdict::passed;
  if (result.samples == 0) return Verdict::not_evaluated;
  if (result.not_a_number > 0) return Verdict::not_a_number;
  return result.first_exceeded || result.complete ? Verdict::exceeded : Verdict::undecided;
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::exceeded:
      return "exceeded";
    case Verdict::not_a_number:
      return "not a number";
    case Verdict::not_evaluated:
      return "not evaluated";
    default:
      return "undecided";
  }
}

LimitResult LimitAccumulator::result(bool complete) const {
  LimitResult result = so_far_;
  result.complete = complete;
  result.passed = complete && result.samples > 0 && !result.first_exceeded;
  if (!result.worst) return result;
  const auto upper = below_ ? use_of_upper(*below_, greatest_) : std::nullopt;
  const auto lower = above_ ? use_of_lower(*above_, least_) : std::nullopt;
  result.utilisation = upper && lower ? std::max(*upper, *lower) : upper ? upper : lower;
  return result;
}

LimitMonitor::LimitMonitor(std::span<const Limit> limits, std::span<const ChannelInfo> channels) {
  for (const Limit& limit : limits) {
    if (!limit.below && !limit.above) {
      throw ResultError(fmt::format("the limit on '{}' has neither 'below' nor 'above': give one", limit.channel));
    }
    const auto found = std::find_if(channels.begin(), channels.end(),
                                    [&](const ChannelInfo& channel) { return channel.name == limit.channel; });
    if (found == channels.end()) {
      throw ResultError(fmt::format("there is a limit on '{}', but no such channel", limit.channel));
    }
    columns_.push_back({static_cast<std::size_t>(found - channels.begin()), LimitAccumulator(limit)});
  }
}

void LimitMonitor::add(double time, std::span<const double> row) {
  for (Column& column : columns_) column.accumulator.add(time, row[column.channel]);
}

std::vector<LimitResult> LimitMonitor::results(bool complete) const {
  std::vector<LimitResult> all;
  for (const Column& column : columns_) all.push_back(column.accumulator.result(complete));
  return all;
}

std::vector<LimitResult> check_limits(std::span<const Limit> limits, const Result& result) {
  const LimitMonitor complains_of_unknown_channels(limits, result.channels());
  const std::vector<double> times = result.times();
  std::vector<LimitResult> all;
  for (const Limit& limit : limits) {
    const std::vector<double> values = result.channel(limit.channel);
    LimitAccumulator accumulator(limit);
    for (std::size_t i = 0; i < times.size(); ++i) accumulator.add(times[i], values[i]);
    all.push_back(accumulator.result(result.status() == "complete"));
  }
  return all;
}

}  // namespace davit::result
