// Which rest a rope is compared with, its largest tension and its use; warnings of ropes beyond their breaking load.
#include "davit/run/rope_use.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "davit/model/forces_with.hpp"
#include "davit/model/strand.hpp"
#include "davit/statics/lift_at_rest.hpp"

namespace davit {

namespace {

std::vector<result::FloatingVessel> floating(const std::vector<VesselAtRest>& vessels) {
  std::vector<result::FloatingVessel> out;
  for (const VesselAtRest& v : vessels)
    out.push_back({v.name, {v.place.x(), v.place.y(), v.place.z()}, {v.turn.x(), v.turn.y(), v.turn.z()}});
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
  const size_t ropes = forces_with<RiggingStrand>(*scenario.model).size();
  for (size_t i = 0; i < ropes; ++i) {
    const auto at = heaviest(lifts, i);
    if (!at) return {};
    if (lifts[*at].variations.empty()) vary_rigging_of(lifts[*at], scenario, system);
    const RopeAtRest& rope = lifts[*at].ropes[i];
    out.ropes.push_back({rope.tension, rope.skew_factor()});
  }
  for (const LiftAtRest& lift : lifts)
    for (const BodyOnRopes& body : lift.on_ropes) out.hooks[body.name] = std::max(out.hooks[body.name], body.carried);
  if (!lifts.empty()) out.vessels = floating(lifts.front().vessels);
  out.of = lifts.size() > 1 ? "the largest at rest, at the start and after each phase" : "at rest at the start";
  return out;
}

std::map<std::string, const result::ChannelStatistics*> by_name(const std::vector<result::ChannelStatistics>& list) {
  std::map<std::string, const result::ChannelStatistics*> out;
  for (const result::ChannelStatistics& each : list) out.emplace(each.channel.name, &each);
  return out;
}

}  // namespace

RopesAtRest ropes_at_rest(const Scenario& scenario, const Preparation& prepared, System& system) {
  if (scenario.rigging && !forces_with<RiggingStrand>(*scenario.model).empty()) return of_all_phases(scenario, system);
  RopesAtRest out;
  if (!prepared.start.equilibrium.converged) return out;
  const LoadsAtRest loads = loads_at(scenario, system, prepared.start.equilibrium.state);
  for (const RopeAtRest& r : loads.ropes) out.ropes.push_back({r.tension, std::nullopt});
  for (const BodyOnRopes& body : loads.on_ropes) out.hooks[body.name] = body.carried;
  out.vessels = floating(loads.vessels);
  if (!out.ropes.empty()) out.of = "at rest at the start";
  return out;
}

std::vector<result::RopeUse> rope_use(const Scenario& scenario, const RopesAtRest& at_rest, const State& start,
                                      const std::vector<result::ChannelStatistics>& channels) {
  std::vector<result::RopeUse> out;
  const auto ropes = forces_with<RiggingStrand>(*scenario.model);
  const auto recorded = by_name(channels);
  for (size_t i = 0; i < ropes.size(); ++i) {
    const RiggingStrand& rope = *ropes[i].as;
    const std::string& name = ropes[i].name();
    const auto found = recorded.find(name + ".tension");
    if (found == recorded.end()) continue;
    const result::ChannelStatistics* of = found->second;
    result::RopeUse use;
    use.name = name;
    use.largest = of->statistics.max;
    use.largest_time = of->statistics.max_time;
    use.mbl = rope.breaking_load();
    use.stiffness = rope.stiffness();
    use.length = rope.unstretched(start.discrete, ropes[i].force->first_slot);
    if (i < at_rest.ropes.size()) {
      use.at_rest = at_rest.ropes[i].tension;
      use.skew_factor = at_rest.ropes[i].skew_factor;
    }
    out.push_back(std::move(use));
  }
  return out;
}

std::vector<std::string> overloaded(const std::vector<result::RopeUse>& ropes, html::UnitSystem units) {
  std::vector<std::string> out;
  for (const result::RopeUse& rope : ropes) {
    if (!rope.mbl || !(rope.largest > *rope.mbl)) continue;
    out.push_back(
        fmt::format("the rope '{}' carried {} at {:.4g} s, {:.0f} % of its breaking load of {}: it would part",
                    rope.name, html::with_unit(rope.largest, "N", units), rope.largest_time,
                    100 * rope.largest / *rope.mbl, html::with_unit(*rope.mbl, "N", units)));
  }
  return out;
}

}  // namespace davit
