#include "davit/run/frame_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace davit {

namespace {

// Steps land on times that are sums of steps.
constexpr double early = 1e-6;                 // s
constexpr double denser = 5, dense_for = 1;    // times; s
constexpr std::uint64_t always_allowed = 500;  // extra frames, and as many as there are steady ones

// The next multiple of an interval.
double after(double t, double interval) { return (std::floor((t + early) / interval) + 1) * interval - early; }

}  // namespace

FrameTimes::FrameTimes(double interval, const std::vector<result::ChannelInfo>& channels,
                       const std::vector<result::Limit>& limits)
    : interval_(interval),
      next_(-std::numeric_limits<double>::infinity()),
      dense_until_(-std::numeric_limits<double>::infinity()) {
  for (std::size_t c = 0; c < channels.size(); ++c) {
    // Heavy rope that is slack still carries its own weight.
    if (channels[c].name.ends_with(".tension") || channels[c].name.ends_with(".tension_elastic"))
      levels_.push_back({c, 0, false});
    for (const result::Limit& limit : limits)
      if (limit.channel == channels[c].name) levels_.push_back({c, limit.bound, limit.of_first});
  }
}

void FrameTimes::recorded(double t) {
  const double interval = std::floor((t + early) / interval_);
  ++(interval > interval_of_last_ ? steady_ : extra_);
  interval_of_last_ = interval;
  const double steady = after(t, interval_);
  next_ = t < dense_until_ && may_have_more() ? std::min(steady, after(t, interval_ / denser)) : steady;
}

bool FrameTimes::may_have_more() const { return extra_ < always_allowed + steady_; }

void FrameTimes::happened(double t) {
  dense_until_ = t + dense_for;
  if (may_have_more()) next_ = std::min(next_, t);
}

void FrameTimes::watch(double t, std::span<const double> values) {
  for (Level& level : levels_) {
    const double now = values[level.channel];
    if (!begun_ && level.of_first) level.value *= now;
    const bool above = now > level.value;
    if (begun_ && above != level.above) happened(t);
    level.above = above;
  }
  begun_ = true;
}

}  // namespace davit
