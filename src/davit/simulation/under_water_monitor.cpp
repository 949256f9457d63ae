#include "davit/simulation/under_water_monitor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "davit/model/workspace.hpp"

namespace davit {

void UnderWaterMonitor::watch(const Snapshot& now) {
  for (size_t i = 0; i < seen_.size(); ++i) {
    Seen& seen = seen_[i];
    const double depth = dry_.depth(i, now.work.kin), t = now.state.t;
    if (!begun_) seen.at_start = std::max(0.0, depth);
    if (depth <= std::max(seen.deepest, noticed_depth)) continue;
    if (seen.deepest == 0) seen.first = t;
    seen.deepest = depth;
    seen.when = t;
  }
  begun_ = true;
}

std::vector<std::string> UnderWaterMonitor::warnings() const {
  constexpr double noticed_change = 0.1;  // m: what it was at the start was said when the file was read
  std::vector<std::string> out;
  for (size_t i = 0; i < seen_.size(); ++i) {
    const Seen& seen = seen_[i];
    if (seen.deepest == 0 || (seen.at_start > noticed_depth && seen.deepest < seen.at_start + noticed_change)) continue;
    const std::string since =
        seen.at_start > noticed_depth ? "is under water" : fmt::format("goes under water at {:.4g} s", seen.first);
    out.push_back(fmt::format("'{}' {}, down to {:.3g} m at {:.4g} s; {}", dry_.name(i), since, seen.deepest, seen.when,
                              no_water_on_bodies));
  }
  return out;
}

}  // namespace davit
