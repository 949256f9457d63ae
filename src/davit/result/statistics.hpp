// Extremes, mean and spread of a channel.
//
// Solves: samples may be unevenly spaced in time (adaptive steps), so mean and standard deviation weigh each sample
// with the time it stands for (trapezoidal rule); one pass, no memory, so a run can be followed row by row. Does not:
// count cycles, estimate extremes beyond the samples, or hide numbers that are not finite: it leaves them out and
// counts them.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace davit::result {

class Result;

struct Statistics {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  std::uint64_t samples = 0;     // finite ones; all below is of these, and NaN when there are none
  std::uint64_t not_finite = 0;  // NaN and infinite samples, left out
  double min = none;
  double min_time = none;  // of the first sample that has the value
  double max = none;
  double max_time = none;
  double mean = none;
  double standard_deviation = none;  // of the population, not an estimate from a sample of it
  double first = none;
  double last = none;

  template <class A>
  void archive(A& a) {
    a(samples, not_finite, min, min_time, max, max_time, mean, standard_deviation, first, last);
  }

  bool operator==(const Statistics&) const = default;
};

class StatisticsAccumulator {
 public:
  void add(double time, double value);  // times must not go backwards
  Statistics result() const;

  template <class A>
  void archive(A& a) {
    a(so_far_, by_time_, by_count_, previous_time_, previous_value_, pending_, previous_finite_);
  }

 private:
  // West's running mean and sum of squares for weighted samples: no cancellation where the mean is large.
  struct Moments {
    double weight = 0;
    double mean = 0;
    double squares = 0;
    void add(double value, double by);
    template <class A>
    void archive(A& a) {
      a(weight, mean, squares);
    }
  };

  void settle();

  Statistics so_far_;
  Moments by_time_;
  Moments by_count_;  // serves when no time passes: one sample, or all at one moment
  double previous_time_ = 0;
  double previous_value_ = 0;
  double pending_ = 0;  // time that the previous sample stands for and is not counted yet
  bool previous_finite_ = false;
};

// Attitudes come back from 180 to -180 degrees: an angle that jumps by more than half a turn between two samples goes
// on instead. Angles of joints count their turns themselves and never do.
class Unwrapper {
 public:
  double operator()(double angle);

  template <class A>
  void archive(A& a) {
    a(previous_, turns_);
  }

 private:
  double previous_ = std::numeric_limits<double>::quiet_NaN(), turns_ = 0;
};
void unwrap(std::span<double> angles);

// One accumulator per channel, fed by rows.
class StatisticsMonitor {
 public:
  explicit StatisticsMonitor(std::size_t channels) : channels_(channels) {}
  void add(double time, std::span<const double> row);
  std::vector<Statistics> results() const;

  template <class A>
  void archive(A& a) {
    for (StatisticsAccumulator& channel : channels_) a(channel);
  }

 private:
  std::vector<StatisticsAccumulator> channels_;
};

Statistics statistics(std::span<const double> times, std::span<const double> values);
std::vector<Statistics> statistics(const Result& result);  // of all channels, in their order

}  // namespace davit::result
