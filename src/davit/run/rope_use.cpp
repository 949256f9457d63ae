#include "davit/run/rope_use.hpp"

#include <algorithm>

#include "davit/rope/rope_force.hpp"
#include "davit/run/lift_at_rest.hpp"

namespace davit {

namespace {

std::vector<std::string> names_of_ropes(const Model& model) {
  std::vector<std::string> out;
  for (const auto& f : model.forces())
    if (const auto* rope = dynamic_cast<const rope::RopeForce*>(f.element.get())) out.push_back(rope->name());
  return out;
}

// The rest in which a rope carries most; of those that differ by less than this the first.
constexpr double alike = 1e-3;
std::optional<size_t> heaviest(const std::vector<LiftAtRest>& lifts, size_t rope) {
  std::optional<size_t> out;
  for (size_t k = 0; k < lifts.size(); ++k)
    if (lifts[k].equilibrium.converged &&
        (!out || lifts[k].ropes[rope].tension > (1 + alike) * lifts[*out].ropes[rope].tension))
      out = k;
  return out;
}

// The largest of all rests that were found, and what skew makes of it there.
RopesAtRest of_all_phases(const Scenario& scenario, System& system) {
  RopesAtRest out;
  std::vector<LiftAtRest> lifts = find_lifts_at_rest(scenario, system);
  const size_t ropes = names_of_ropes(*scenario.model).size();
  for (size_t i = 0; i < ropes; ++i) {
    const auto at = heaviest(lifts, i);
    if (!at) return {};
    if (lifts[*at].variations.empty()) vary_rigging_of(lifts[*at], scenario, system);
    const RopeAtRest& rope = lifts[*at].ropes[i];
    out.ropes.push_back({rope.tension, rope.skew_factor()});
  }
  out.of = lifts.size() > 1 ? "the largest at rest, at the start and after each phase" : "at rest at the start";
  return out;
}

}  // namespace

RopesAtRest ropes_at_rest(const Scenario& scenario, const Preparation& prepared, System& system) {
  if (names_of_ropes(*scenario.model).empty()) return {};
  if (scenario.rigging) return of_all_phases(scenario, system);
  RopesAtRest out;
  if (!prepared.start.equilibrium.converged) return out;
  out.of = "at rest at the start";
  for (const RopeAtRest& r : ropes_at(scenario, system, prepared.start.equilibrium.state))
    out.ropes.push_back({r.tension, std::nullopt});
  return out;
}

std::vector<result::RopeUse> rope_use(const Scenario& scenario, const RopesAtRest& at_rest,
                                      const std::vector<result::ChannelStatistics>& channels) {
  std::vector<result::RopeUse> out;
  const auto names = names_of_ropes(*scenario.model);
  for (size_t i = 0; i < names.size(); ++i) {
    const auto of = std::find_if(channels.begin(), channels.end(),
                                 [&](const auto& c) { return c.channel.name == names[i] + ".tension"; });
    if (of == channels.end()) continue;
    result::RopeUse use;
    use.name = names[i];
    use.largest = of->statistics.max;
    use.largest_time = of->statistics.max_time;
    use.mbl = mbl_of(scenario.specification, names[i]);
    if (i < at_rest.ropes.size()) {
      use.at_rest = at_rest.ropes[i].tension;
      use.skew_factor = at_rest.ropes[i].skew_factor;
    }
    out.push_back(std::move(use));
  }
  return out;
}

}  // namespace davit
