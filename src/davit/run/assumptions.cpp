#include "davit/run/assumptions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "davit/html/display_unit.hpp"
#include "davit/run/extremes_monitor.hpp"
#include "davit/scenario/hull_neighbours.hpp"

namespace davit {

namespace {

std::string joined(const std::vector<std::string>& names) {
  constexpr size_t most = 8;
  std::string out;
  for (size_t i = 0; i < std::min(names.size(), most); ++i) out += (i == 0 ? "" : ", ") + names[i];
  return names.size() > most ? fmt::format("{} and {} more", out, names.size() - most) : out;
}

std::string of_the_start(const Scenario& scenario, const Preparation& prepared) {
  if (scenario.from_equilibrium && prepared.start.equilibrium.converged)
    return scenario.offsets.empty() ? "The run begins at rest, in the static equilibrium near the given start."
                                    : "The run begins at rest, off the static equilibrium by the given offsets.";
  return "The run begins as the file gives it, which need not be an equilibrium.";
}

void of_the_sea(const Scenario& scenario, const result::RunSummary& summary, std::vector<std::string>& out) {
  const EnvironmentSpec& around = scenario.specification.environment;
  const auto vessels = scenario.specification.elements.of<vessel::VesselSpec>();
  if (around.waves)
    out.push_back(
        fmt::format("The sea is one realisation of its spectrum, as a sum of linear waves whose phases are those of "
                    "seed {}. Extremes of other realisations differ: run more seeds before one of them is relied on.",
                    summary.seed));
  if (around.waves || !vessels.empty())
    out.push_back(
        "Water acts on vessels and mooring lines alone: other bodies have no buoyancy, drag, added mass or slamming, "
        "under "
        "water too.");
  if (vessels.empty()) return;
  out.push_back(
      "Forces of waves on hulls, added mass and damping are those of linear potential flow about the mean waterline; "
      "hulls are rigid.");
  for (const HullsApart& pair : hulls_apart(scenario.specification, scenario.forms))
    out.push_back(fmt::format("The hulls of '{}' and '{}', {} apart, {}.", pair.first, pair.second,
                              html::with_unit(pair.distance, "m", scenario.specification.run.units), hulls_are_alone));
  if (!around.water_depth) out.push_back("The water is deep.");
}

void of_the_rigging(const Scenario& scenario, const result::RunSummary& summary, std::vector<std::string>& out) {
  const Specification& spec = scenario.specification;
  if (summary.ropes.empty()) return;
  out.push_back("Ropes carry tension only and are fixed at points; fittings and lugs have no stretch of their own.");
  std::vector<std::string> light;
  for (const auto& [name, rope] : spec.elements.of<rope::RopeSpec>())
    if (rope.mass == 0) light.push_back(name);
  for (const auto& [name, slings] : spec.elements.of<rope::SlingsSpec>()) light.push_back(name);
  if (!light.empty()) out.push_back(fmt::format("Without mass: {}.", joined(light)));
  if (!scenario.rigging)
    out.push_back(
        "Slings have their nominal lengths and the load its given centre of gravity: no skew is counted. 'rigging:' in "
        "the scenario varies them.");
  std::vector<std::string> slack;
  for (const result::RopeUse& rope : summary.ropes)
    if (rope.at_rest && !rope.dynamic_factor() && rope.largest > 0) slack.push_back(rope.name);
  if (!scenario.rigging && scenario.operation.empty() && !slack.empty())
    out.push_back(
        fmt::format("At rest at the start these ropes are slack: {}. Where static means the start, the static tensions "
                    "and dynamic factors of ropes above them are those of the empty hook and not of the load; "
                    "'rigging:' in the scenario takes the largest at rest over all phases instead.",
                    joined(slack)));
}

}  // namespace

std::vector<std::string> assumptions_of(const Scenario& scenario, const Preparation& prepared,
                                        const result::RunSummary& summary) {
  const Specification& spec = scenario.specification;
  std::vector<std::string> out = {
      fmt::format("Bodies are rigid, with the masses in the table of bodies; gravity is {} m/s².",
                  html::readable(spec.environment.gravity)),
      of_the_start(scenario, prepared)};
  of_the_sea(scenario, summary, out);
  of_the_rigging(scenario, summary, out);
  if (!scenario.model->contacts().empty()) out.push_back("Contact forces of rigid contacts are averages over a step.");
  if (scenario.bodies.size() > most_bodies_watched)
    out.push_back(
        fmt::format("Of more than {} bodies motions and reactions are in the channels alone.", most_bodies_watched));
  out.push_back(
      "Extremes, limits and their times are those of all accepted steps. Checked are the limits that were set, and "
      "nothing else: strength of structures, lugs and fittings is not part of the run.");
  return out;
}

}  // namespace davit
