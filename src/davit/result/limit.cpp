#include "davit/result/limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "davit/result/reader.hpp"
#include "davit/result/result_error.hpp"

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
double mirrored(Limit::Side side, double value) { return side == Limit::Side::below ? value : -value; }

}  // namespace

std::string_view name_of(Limit::Side side) { return side == Limit::Side::below ? "below" : "above"; }

std::string window_text(const Limit& limit) {
  std::string text = std::isfinite(limit.from) ? fmt::format("from {:.4g} s", limit.from) : "";
  if (std::isfinite(limit.until)) text += fmt::format("{}until {:.4g} s", text.empty() ? "" : " ", limit.until);
  if (!limit.phase.empty()) text += fmt::format("{}in phase {}", text.empty() ? "" : " ", limit.phase);
  return text;
}

LimitAccumulator::LimitAccumulator(const Limit& limit)
    : side_(limit.side), factor_(limit.bound), of_first_(limit.of_first), from_(limit.from), until_(limit.until) {
  if (!of_first_ && !std::isnan(limit.bound)) so_far_.bound = limit.bound;
}

void LimitAccumulator::add(double time, double value) {
  if (of_first_) {
    of_first_ = false;
    if (std::isfinite(factor_ * value)) so_far_.bound = factor_ * value;
  }
  // Times are sums of steps: the ends of a window belong to it in spite of their round-off.
  const double slack = 1e-9 * std::max(1.0, std::abs(time));
  if (!so_far_.bound || time < from_ - slack || time > until_ + slack) return pause();
  ++so_far_.samples;
  if (std::isnan(value)) {
    ++so_far_.not_a_number;
    if (!so_far_.first_exceeded) so_far_.first_exceeded = time;
    return;
  }
  const double worse = mirrored(side_, value);
  if (worse > mirrored(side_, *so_far_.bound) && !so_far_.first_exceeded)
    so_far_.first_exceeded = time_of_crossing(time, value);
  last_ = {time, value};
  if (!so_far_.worst || worse > mirrored(side_, *so_far_.worst)) {
    so_far_.worst = value;
    so_far_.worst_time = time;
  }
}

// Where the straight line from the last sample meets the bound.
double LimitAccumulator::time_of_crossing(double time, double value) const {
  if (!last_ || !std::isfinite(last_->value) || !std::isfinite(value)) return time;
  const double share = std::clamp((*so_far_.bound - last_->value) / (value - last_->value), 0.0, 1.0);
  return last_->time + share * (time - last_->time);
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
  if (result.worst) result.utilisation = use_of_upper(mirrored(side_, *result.bound), mirrored(side_, *result.worst));
  return result;
}

LimitMonitor::LimitMonitor(std::span<const Limit> limits, std::span<const ChannelInfo> channels) {
  for (const Limit& limit : limits) {
    const auto found = std::find_if(channels.begin(), channels.end(),
                                    [&](const ChannelInfo& channel) { return channel.name == limit.channel; });
    if (found == channels.end()) {
      throw ResultError(fmt::format("there is a limit on '{}', but no such channel", limit.channel));
    }
    columns_.push_back({static_cast<std::size_t>(found - channels.begin()), LimitAccumulator(limit)});
  }
}

void LimitMonitor::add(double time, std::span<const double> row, std::span<const char> open) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    LimitAccumulator& accumulator = columns_[i].accumulator;
    if (open.empty() || open[i])
      accumulator.add(time, row[columns_[i].channel]);
    else
      accumulator.pause();
  }
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
