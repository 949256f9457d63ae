// When frames of a scene are recorded: at a steady rate, and five times as often in the second after something
// happened, because that is what a viewer looks at: contacts made and lost, phases that begin and end, ropes that come
// taut or go slack, limits that are crossed. A run that chatters all the time has at most about twice the frames.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "davit/result/channel_info.hpp"
#include "davit/result/limit.hpp"

namespace davit {

class FrameTimes {
 public:
  FrameTimes() = default;  // none at all
  FrameTimes(double interval, const std::vector<result::ChannelInfo>& channels,
             const std::vector<result::Limit>& limits);

  bool wanted() const { return interval_ > 0; }
  bool due(double t) const { return wanted() && t >= next_; }
  void recorded(double t);
  // Something happened.
  void happened(double t);
  // All channels at an instant: what crosses its level has happened.
  void watch(double t, std::span<const double> values);

  template <class A>
  void archive(A& a) {
    a(next_, dense_until_, interval_of_last_, begun_, steady_, extra_);
    for (Level& level : levels_) a(level.value, level.above);
  }

 private:
  struct Level {
    std::size_t channel;
    double value;
    bool of_first;  // so many times the first value of the channel
    bool above = false;
  };
  bool may_have_more() const;  // than the steady ones

  double interval_ = 0, next_ = 0, dense_until_ = 0;                    // s
  double interval_of_last_ = -std::numeric_limits<double>::infinity();  // in which the last frame was, counted
  std::vector<Level> levels_;
  bool begun_ = false;
  std::uint64_t steady_ = 0, extra_ = 0;  // frames so far
};

}  // namespace davit
