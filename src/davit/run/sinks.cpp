#include "davit/run/sinks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace davit {

std::string status_text(const RunOutcome& outcome) {
  switch (outcome.status) {
    case RunStatus::complete:
      return "complete";
    case RunStatus::interrupted:
      return "interrupted";
    default:
      return fmt::format("{}: at {:.6g} s{}: {}", outcome.status == RunStatus::stopped ? "stopped" : "broken",
                         outcome.t, outcome.element.empty() ? "" : ", " + outcome.element, outcome.why);
  }
}

Monitors::Monitors(const std::vector<result::Limit>& limited, const std::vector<result::ChannelInfo>& channels,
                   Windows windows)
    : statistics(channels.size()),
      limits(limited, channels),
      values_(channels.size()),
      windows_(std::move(windows)),
      open_(windows_.phases.size(), 1) {
  for (size_t i = 0; i < channels.size(); ++i)
    if (channels[i].unit == "rad") angles_.push_back({i, {}});
}

void Monitors::watch(const Snapshot& now) {
  std::copy(now.values.begin(), now.values.end(), values_.begin());
  for (auto& [channel, unwrapped] : angles_) values_[channel] = unwrapped(values_[channel]);
  statistics.add(now.state.t, values_);
  for (size_t i = 0; i < open_.size(); ++i)
    if (const auto phase = windows_.phases[i]) open_[i] = windows_.operation->is_under_way(now.state, *phase);
  limits.add(now.state.t, values_, open_);
}

}  // namespace davit
