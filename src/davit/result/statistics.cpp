#include "davit/result/statistics.hpp"

#include <cassert>
#include <cmath>
#include <numbers>

#include "davit/result/reader.hpp"

namespace davit::result {

void StatisticsAccumulator::Moments::add(double value, double by) {
  weight += by;
  const double delta = value - mean;
  mean += delta * (by / weight);
  squares += by * delta * (value - mean);
}

void StatisticsAccumulator::add(double time, double value) {
  if (!std::isfinite(value)) {
    ++so_far_.not_finite;
    settle();
    previous_finite_ = false;  // the time up to and from here counts for nobody
    return;
  }
  if (so_far_.samples++ == 0) {
    so_far_.first = so_far_.min = so_far_.max = value;
    so_far_.min_time = so_far_.max_time = time;
  }
  if (value < so_far_.min) {
    so_far_.min = value;
    so_far_.min_time = time;
  }
  if (value > so_far_.max) {
    so_far_.max = value;
    so_far_.max_time = time;
  }
  so_far_.last = value;
  if (previous_finite_ && time > previous_time_) {
    const double half = 0.5 * (time - previous_time_);
    pending_ += half;
    settle();
    pending_ = half;
  } else {
    settle();
    if (by_time_.weight == 0) by_count_.add(value, 1);
  }
  previous_time_ = time;
  previous_value_ = value;
  previous_finite_ = true;
}

// The previous sample has all the time that it stands for.
void StatisticsAccumulator::settle() {
  if (pending_ > 0) by_time_.add(previous_value_, pending_);
  pending_ = 0;
}

Statistics StatisticsAccumulator::result() const {
  Statistics result = so_far_;
  if (result.samples == 0) return result;
  Moments by_time = by_time_;
  if (pending_ > 0) by_time.add(previous_value_, pending_);
  const Moments& moments = by_time.weight > 0 ? by_time : by_count_;
  result.mean = moments.mean;
  result.standard_deviation = std::sqrt(moments.squares / moments.weight);
  return result;
}

double Unwrapper::operator()(double angle) {
  if (!std::isfinite(angle)) return angle;
  if (std::isfinite(previous_)) turns_ += std::round((previous_ - angle) / (2 * std::numbers::pi));
  previous_ = angle;
  return angle + turns_ * (2 * std::numbers::pi);
}

void unwrap(std::span<double> angles) {
  Unwrapper unwrapper;
  for (double& angle : angles) angle = unwrapper(angle);
}

void StatisticsMonitor::add(double time, std::span<const double> row) {
  assert(row.size() == channels_.size());
  for (std::size_t c = 0; c < channels_.size(); ++c) channels_[c].add(time, row[c]);
}

std::vector<Statistics> StatisticsMonitor::results() const {
  std::vector<Statistics> all;
  for (const StatisticsAccumulator& each : channels_) all.push_back(each.result());
  return all;
}

Statistics statistics(std::span<const double> times, std::span<const double> values) {
  assert(times.size() == values.size());
  StatisticsAccumulator accumulator;
  for (std::size_t i = 0; i < times.size(); ++i) accumulator.add(times[i], values[i]);
  return accumulator.result();
}

std::vector<Statistics> statistics(const Result& result) {
  const std::vector<double> times = result.times();
  std::vector<double> values(times.size());
  std::vector<Statistics> all;
  for (std::size_t c = 0; c < result.channels().size(); ++c) {
    result.read_channel(c, 0, values);
    all.push_back(statistics(times, values));
  }
  return all;
}

}  // namespace davit::result
