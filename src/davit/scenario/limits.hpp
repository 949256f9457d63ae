// Limits of a file, resolved: patterns to channels, multiples to numbers, windows to times.
#pragma once

#include <functional>

#include "davit/assembly/assembly.hpp"
#include "davit/scenario/scenario.hpp"

namespace davit {

// What limits can be about.
struct Limitable {
  std::vector<result::ChannelInfo> channels;
  const std::map<std::string, Assembly::Value>& values;
  double wave_ramp = 0;  // s, in which the waves on all vessels have come up
  // Whether an element, or any with an empty name, has mistakes of its own: what is not found is then not reported.
  std::function<bool(const std::string& element)> doubtful;
};

// A bound of a channel in SI; nothing after a mistake, which is reported. Not for multiples of the static value.
std::optional<double> bound_of(const input::Threshold&, const result::ChannelInfo&, const Limitable&, input::Problems&);

// Fills the limits of a scenario that knows how it starts.
void resolve_limits(const Limitable&, Scenario&, input::Problems&);

}  // namespace davit
