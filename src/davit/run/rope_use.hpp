// What ropes carried in a run beside what they carry at rest.
#pragma once

#include <map>

#include "davit/result/summary.hpp"
#include "davit/simulation/preparation.hpp"

namespace davit {

// Tensions at rest that a run is compared with. With `rigging` in the scenario they are the largest of the start and
// of all phases, with skew load factors; else those of the equilibrium at the start, where one was looked for.
struct RopesAtRest {
  std::string of;  // which rest
  struct Rope {
    std::optional<double> tension, skew_factor;
  };
  std::vector<Rope> ropes;                        // in the order of the model
  std::map<std::string, double> hooks;            // N, by body: what the ropes above it carry
  std::vector<result::FloatingVessel> vessels{};  // at the start
};
RopesAtRest ropes_at_rest(const Scenario&, const Preparation&, System&);

// Of ropes whose tension was recorded; lengths are those at the start.
std::vector<result::RopeUse> rope_use(const Scenario&, const RopesAtRest&, const State& start,
                                      const std::vector<result::ChannelStatistics>&);

// A warning for each rope that carried more than its breaking load, whether a limit asks for it or not.
std::vector<std::string> overloaded(const std::vector<result::RopeUse>&, html::UnitSystem);

}  // namespace davit
