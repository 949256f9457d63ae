// Limits on channels: did the run stay within them, and how close did it come?
//
// Solves: limits are followed row by row, so that a long run need not be read again; the answer says which value was
// worst, when, when a limit was first exceeded, and the utilisation an engineer writes into a lifting plan.
// Does not: interpolate between samples, nor read "0.3 * mbl" (the scenario does).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "davit/result/channel.hpp"

namespace davit::result {

class Result;

// The channel shall stay at or below `below`, and at or above `above`: to reach a limit is not to exceed it.
struct Limit {
  std::string channel{};
  std::optional<double> below{};
  std::optional<double> above{};
  std::string text{};  // why, in the user's words: "30 % of the breaking load"

  bool operator==(const Limit&) const = default;
};

struct LimitResult {
  // False when there was no sample, or one that is not a number, or the run did not come to its end.
  bool passed = false;
  bool complete = false;                   // the run came to its end
  std::uint64_t samples = 0;               // looked at
  std::uint64_t not_a_number = 0;          // of these
  std::optional<double> worst{};           // the value with the least margin
  std::optional<double> worst_time{};      // of the first such
  std::optional<double> first_exceeded{};  // time, also of the first sample that is not a number
  // Up to 1 within the limit. Upper limit L > 0: value / L; lower limit L > 0: L / value; for L < 0 the other way
  // round. Infinite when the value is on the other side of zero; none for a limit of zero, which has no measure.
  std::optional<double> utilisation{};

  bool operator==(const LimitResult&) const = default;
};

// What may be said of it. Undecided: not exceeded so far, of a run that did not come to its end.
enum class Verdict { passed, exceeded, not_a_number, not_evaluated, undecided };
Verdict verdict(const LimitResult& result);
std::string_view name_of(Verdict verdict);

class LimitAccumulator {
 public:
  explicit LimitAccumulator(const Limit& limit) : below_(limit.below), above_(limit.above) {}
  void add(double time, double value);
  LimitResult result(bool complete) const;

 private:
  std::optional<double> below_;
  std::optional<double> above_;
  LimitResult so_far_;
  double least_margin_ = 0;
  double greatest_ = 0;
  double least_ = 0;
};

// All limits of a run, fed by rows.
class LimitMonitor {
 public:
  // Throws ResultError when a limit names no channel of the run, or limits nothing.
  LimitMonitor(std::span<const Limit> limits, std::span<const ChannelInfo> channels);
  void add(double time, std::span<const double> row);
  // `complete`: the run came to its end.
  std::vector<LimitResult> results(bool complete) const;

 private:
  struct Column {
    std::size_t channel;
    LimitAccumulator accumulator;
  };
  std::vector<Column> columns_;
};

std::vector<LimitResult> check_limits(std::span<const Limit> limits, const Result& result);

}  // namespace davit::result
