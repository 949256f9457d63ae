// Limits on channels: did the run stay within them, and how close did it come?
//
// Solves: limits are followed step by step, so that a long run need not be read again; the answer says which value was
// worst, when, when a limit was first exceeded, and the utilisation an engineer writes into a lifting plan.
// When it was exceeded lies on the straight line between two samples.
// Does not: find a worst value between samples, nor read "0.3 * mbl" or "sling*.tension" (the scenario does).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "davit/html/display_unit.hpp"
#include "davit/result/channel_info.hpp"

namespace davit::result {

class Result;

// The channel shall stay on one side of a bound: to reach it is not to exceed it. Who bounds a channel on both sides
// has two limits, each with its own worst value and verdict.
struct Limit {
  enum class Side { below, above };

  std::string channel{};
  Side side = Side::below;
  double bound = 0;
  bool of_first = false;  // the bound is this many times the first value, before any window
  // Values before and after are not looked at.
  double from = -std::numeric_limits<double>::infinity();
  double until = std::numeric_limits<double>::infinity();
  std::string phase{};  // of the operation, in which alone they are looked at; empty: whatever goes on
  std::string text{};   // why, in the user's words: "30 % of the breaking load"
  std::string asked{};  // the bound as the user wrote it, where that is no number: "0.3 * mbl"
  // The unit in which the user wrote it, for tables; without a name where there is none.
  html::DisplayUnit written{};

  bool operator==(const Limit&) const = default;
};
std::string_view name_of(Limit::Side side);
// "from 10 s until 60 s"; nothing where it holds all the time.
std::string window_text(const Limit& limit);

struct LimitResult {
  // False when there was no sample, or one that is not a number, or the run did not come to its end.
  bool passed = false;
  bool complete = false;                   // the run came to its end
  std::uint64_t samples = 0;               // looked at
  std::uint64_t not_a_number = 0;          // of these
  std::optional<double> bound{};           // none where it is a multiple of a first value that is not known
  std::optional<double> worst{};           // the value with the least margin
  std::optional<double> worst_time{};      // of the first such
  std::optional<double> first_exceeded{};  // time, also of the first sample that is not a number
  // Up to 1 within the limit. Upper limit L > 0: value / L; lower limit L > 0: L / value; for L < 0 the other way
  // round. Infinite when the value is on the other side of zero; none for a limit of zero, which has no measure.
  std::optional<double> utilisation{};

  template <class A>
  void archive(A& a) {
    a(passed, complete, samples, not_a_number, bound, worst, worst_time, first_exceeded, utilisation);
  }

  bool operator==(const LimitResult&) const = default;
};

// What may be said of it. Undecided: not exceeded so far, of a run that did not come to its end.
enum class Verdict { passed, exceeded, not_a_number, not_evaluated, undecided };
Verdict verdict(const LimitResult& result);
std::string_view name_of(Verdict verdict);

class LimitAccumulator {
 public:
  explicit LimitAccumulator(const Limit& limit);
  void add(double time, double value);
  // Values are not looked at for a while.
  void pause() { last_.reset(); }
  LimitResult result(bool complete) const;

  template <class A>
  void archive(A& a) {
    a(last_, so_far_);
  }

 private:
  double time_of_crossing(double time, double value) const;

  struct Sample {
    double time, value;
    template <class A>
    void archive(A& a) {
      a(time, value);
    }
  };
  std::optional<Sample> last_{};  // within the limit
  Limit::Side side_;
  double factor_;  // of the first value
  bool of_first_;
  double from_;
  double until_;
  LimitResult so_far_;
};

// All limits of a run, fed by rows or steps.
class LimitMonitor {
 public:
  // Throws ResultError when a limit names no channel of the run.
  LimitMonitor(std::span<const Limit> limits, std::span<const ChannelInfo> channels);
  // `open`: of each limit, whether its phase goes on; empty: all do.
  void add(double time, std::span<const double> row, std::span<const char> open = {});
  // `complete`: the run came to its end.
  std::vector<LimitResult> results(bool complete) const;

  template <class A>
  void archive(A& a) {
    for (Column& column : columns_) a(column.accumulator);
  }

 private:
  struct Column {
    std::size_t channel;
    LimitAccumulator accumulator;
  };
  std::vector<Column> columns_;
};

std::vector<LimitResult> check_limits(std::span<const Limit> limits, const Result& result);

}  // namespace davit::result
