#include "davit/simulation/operating_point.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "davit/model/forces_with.hpp"
#include "davit/model/held_before_run.hpp"
#include "davit/model/strand.hpp"
#include "davit/simulation/simulation.hpp"

namespace davit {

namespace {

// Before the first step winches hold their drums; what a run does begins with the first commit after the start.
void begin_winches(System& system, State& state) {
  constexpr double soon = 1e-9;
  system.place_bodies<double>(system.workspace(), state.t + soon, state.q.data(), state.u.data(), state.discrete);
  for (const auto& drive : forces_with<HeldBeforeRun>(system.model()))
    drive.force->element->commit(drive.force->context<double>(system.workspace(), state.z.data(), state.discrete),
                                 state.discrete);
}

bool reset_to_static(const Model& model, State& state) {
  const auto lines = forces_with<MooringStrand>(model);
  for (const auto& line : lines) line.as->come_to_rest(state.discrete, line.force->first_slot);
  return !lines.empty();
}

// Throws where a run would not begin.
Start start_of(const Scenario& scenario, System& system) {
  Start start = find_start(scenario, system);
  if (const auto why = cannot_begin(scenario, start)) throw std::runtime_error(*why);
  return start;
}

std::string words_about(const Scenario& scenario, const Start& start) {
  if (!scenario.from_equilibrium || !start.equilibrium.converged) return "the state at the start";
  return fmt::format("the static equilibrium near the start{}{}",
                     start.equilibrium.stable ? "" : ", which is not stable",
                     scenario.offsets.empty() ? "" : ", with the offsets of the file");
}

void meet_constraints(System& system, State& state) {
  if (!system.satisfy_constraints(state))
    throw std::runtime_error(system.failure().element + ": " + system.failure().why);
}

// The state that a run comes to.
State run_until(double end, const Scenario& scenario, State start) {
  SimulationOptions options = scenario.options;
  options.end = end;
  Simulation run(scenario, std::move(start), {.options = options});
  const RunOutcome outcome = run.run();
  if (outcome.status != RunStatus::complete)
    throw std::runtime_error(fmt::format("the run ends at {:.6g} s, before that time: {}", outcome.t, outcome.why));
  return run.state();
}

}  // namespace

OperatingPoint operating_point(const Scenario& scenario, System& system, std::optional<double> at) {
  if (at && !(*at >= 0 && *at <= scenario.options.end))
    throw std::invalid_argument(
        fmt::format("{:.6g} s is not a time of the run, which ends at {:.6g} s", *at, scenario.options.end));
  Start start = start_of(scenario, system);
  OperatingPoint out{std::move(start.state), words_about(scenario, start), std::move(start.warnings)};
  if (at && *at > 0) {
    out.state = run_until(*at, scenario, std::move(out.state));
    meet_constraints(system, out.state);
    out.about = fmt::format("the state that the run has come to at {:.6g} s", out.state.t);
  } else {
    meet_constraints(system, out.state);
    system.commit(out.state);
    begin_winches(system, out.state);
  }
  for (const auto& [name, spec] : scenario.specification.elements.of<vessel::VesselSpec>())
    if (spec.memory == vessel::Memory::convolution)
      out.warnings.push_back(
          fmt::format("what the convolution memory of '{}' remembers is not in the matrices: take memory: state_space "
                      "for damping by "
                      "radiation",
                      name));
  if (reset_to_static(*scenario.model, out.state))
    out.warnings.push_back(
        "mooring lines are taken as at rest between their ends: their own inertia and drag are not in the matrices");
  return out;
}

}  // namespace davit
