// What ropes carried in a run beside what they carry at rest.
#pragma once

#include "davit/result/summary.hpp"
#include "davit/run/preparation.hpp"

namespace davit {

// Tensions at rest that a run is compared with. With `rigging` in the scenario they are the largest of the start and
// of all phases, with skew load factors; else those of the equilibrium at the start, where one was looked for.
struct RopesAtRest {
  std::string of;  // which rest
  struct Rope {
    std::optional<double> tension, skew_factor;
  };
  std::vector<Rope> ropes;  // in the order of the model
};
RopesAtRest ropes_at_rest(const Scenario&, const Preparation&, System&);

// Of ropes whose tension was recorded.
std::vector<result::RopeUse> rope_use(const Scenario&, const RopesAtRest&,
                                      const std::vector<result::ChannelStatistics>&);

}  // namespace davit
