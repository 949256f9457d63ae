#include "davit/run/phase_loads.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "davit/model/forces_with.hpp"
#include "davit/model/held_before_run.hpp"
#include "davit/model/strand.hpp"
#include "davit/simulation/recording.hpp"

namespace davit {

namespace {

// An operation by hand may have any number of cuts; each is an equilibrium to be found. Of more, and of models with
// more speeds, rests are not looked for.
constexpr size_t most_cuts = 40;
constexpr int most_speeds = 200;

// Of the most that a rope carries at rest in a run: with less it is empty, and no factor means anything.
constexpr double empty_share = 0.05;

std::string name_of_stretch(const Scenario& scenario, const std::vector<operation::Status>& statuses) {
  using operation::Status;
  std::string under_way, last;
  const auto& phases = scenario.operation.phases();
  for (size_t i = 0; i < phases.size(); ++i) {
    if (statuses[i] == Status::running || statuses[i] == Status::stopping)
      under_way += (under_way.empty() ? "" : ", ") + phases[i].name;
    if (statuses[i] == Status::done || statuses[i] == Status::failed) last = phases[i].name;
  }
  return !under_way.empty() ? under_way : last.empty() ? "start" : "after " + last;
}

// What ropes and hooks carry at one rest.
struct Carried {
  std::map<std::string, double> ropes, hooks;
};

// A winch that keeps a tension makes its target the tension at rest, wherever its drum would have to stand for it.
void take_targets(const Scenario& scenario, const State& state, const Workspace& work, Carried& out) {
  using Mode = rope::WinchMode;
  for (const auto& [name, winch] : scenario.specification.elements.of<rope::WinchSpec>()) {
    if (winch.mode != Mode::tension && winch.mode != Mode::constant_tension) continue;
    for (const Channel& channel : channels_of_elements(*scenario.model, "winch", {".target"}))
      if (channel.name == name + ".target") out.ropes[winch.rope.name] = channel.value(state, work);
  }
}

Carried carried_at(const Scenario& scenario, System& system, const State& rest) {
  Carried out;
  const LoadsAtRest loads = loads_at(scenario, system, rest);
  for (const RopeAtRest& rope : loads.ropes) out.ropes[rope.name] = rope.tension;
  for (const BodyOnRopes& body : loads.on_ropes) out.hooks[body.name] = body.carried;
  // The workspace sees signals where the state that was evaluated last has them.
  system.evaluate(rest, System::Want::unconstrained);
  take_targets(scenario, rest, system.workspace(), out);
  return out;
}

// From a state of a run: signals stay as they are, drums are held where they are, and the sea is that of the start.
std::optional<Carried> carried_at_rest_from(const State& of_run, const Scenario& scenario, System& system) {
  if (!of_run.q.allFinite()) return std::nullopt;
  State state = of_run;
  for (int i = 0; i < state.discrete.signals.size(); ++i)
    state.discrete.signals.set(i, Motion(state.discrete.signals[i].value(state.t)));
  state.t = scenario.initial_state().t;
  state.u.setZero();
  for (const auto& drive : forces_with<HeldBeforeRun>(*scenario.model))
    drive.as->come_to_rest(state.discrete, drive.force->first_slot);
  try {
    system.commit(state);
    const Equilibrium rest = find_equilibrium(system, state);
    return rest.converged ? std::optional(carried_at(scenario, system, rest.state)) : std::nullopt;
  } catch (const std::exception&) {  // a rope that has no way there
    return std::nullopt;
  }
}

std::vector<std::optional<Carried>> rests_at_cuts(const PhaseLoads& watched, const State& end, const Scenario& scenario,
                                                  const Preparation& prepared, System& system) {
  std::vector<std::optional<Carried>> out(watched.stretches().size() + 1);
  if (watched.stretches().size() > most_cuts || scenario.model->nu() > most_speeds) return out;
  for (size_t k = 0; k < out.size(); ++k)
    out[k] = k == 0 && prepared.start.equilibrium.converged
                 ? carried_at(scenario, system, prepared.start.equilibrium.state)
                 : carried_at_rest_from(k + 1 < out.size() ? watched.stretches()[k].state : end, scenario, system);
  return out;
}

double load_of(const std::map<std::string, double>& loads, const std::string& name) {
  const auto at = loads.find(name);
  return at == loads.end() ? 0 : at->second;
}

// The larger of the rests on both sides of a stretch; none where one of them was not found.
using Loads = std::map<std::string, double> Carried::*;
std::optional<double> reference(const std::vector<std::optional<Carried>>& rests, size_t stretch, Loads loads,
                                const std::string& name) {
  if (!rests[stretch] || !rests[stretch + 1]) return std::nullopt;
  return std::max(load_of((*rests[stretch]).*loads, name), load_of((*rests[stretch + 1]).*loads, name));
}

void compare(result::RopeUse& use, size_t rope, const PhaseLoads& watched,
             const std::vector<std::optional<Carried>>& rests) {
  use.at_rest.reset();
  double most = 0;
  for (size_t k = 0; k < watched.stretches().size(); ++k) {
    const PhaseLoads::Stretch& stretch = watched.stretches()[k];
    const auto rest = reference(rests, k, &Carried::ropes, use.name);
    most = std::max(most, rest.value_or(0));
    use.phases.push_back({stretch.name, rest, stretch.largest[rope].value, stretch.largest[rope].time});
  }
  for (result::RopeInPhase& phase : use.phases)
    if (phase.at_rest && *phase.at_rest < empty_share * most) phase.empty = true;
  const auto worst = std::max_element(use.phases.begin(), use.phases.end(),
                                      [](const auto& a, const auto& b) { return a.largest < b.largest; });
  if (worst != use.phases.end() && !worst->empty) use.at_rest = worst->at_rest;
}

}  // namespace

PhaseLoads::PhaseLoads(const Scenario& scenario) : scenario_(scenario) {
  const auto recorded = recorded_channels(scenario);
  for (const auto& rope : forces_with<RiggingStrand>(*scenario.model))
    for (size_t c = 0; c < recorded.size(); ++c)
      if (recorded[c].name == rope.name() + ".tension") {
        ropes_.push_back(rope.name());
        channels_.push_back(c);
      }
  cuts_ = !ropes_.empty() && !scenario.operation.empty();
  statuses_.assign(scenario.operation.phases().size(), operation::Status::waiting);
}

void PhaseLoads::cut(const State& state) {
  stretches_.push_back(
      {name_of_stretch(scenario_, statuses_), state.t, state, std::vector<result::LargestValue>(ropes_.size())});
  if (stretches_.size() > most_cuts) stretches_.back().state = State();
}

void PhaseLoads::watch(const Snapshot& now) {
  bool changed = stretches_.empty();
  for (size_t i = 0; i < statuses_.size(); ++i) {
    const operation::Status status = scenario_.operation.status(now.state, static_cast<int>(i));
    const bool was_under_way =
        statuses_[i] == operation::Status::running || statuses_[i] == operation::Status::stopping;
    changed = changed || was_under_way != scenario_.operation.is_under_way(now.state, static_cast<int>(i));
    statuses_[i] = status;
  }
  if (changed) cut(now.state);
  for (size_t r = 0; r < ropes_.size(); ++r)
    if (result::LargestValue& most = stretches_.back().largest[r]; now.values[channels_[r]] > most.value)
      most = {now.values[channels_[r]], now.state.t};
}

void compare_with_phases(const PhaseLoads& watched, const State& end, const Scenario& scenario,
                         const Preparation& prepared, System& system, result::RunSummary& summary) {
  const auto& stretches = watched.stretches();
  if (stretches.empty()) return;
  const auto rests = rests_at_cuts(watched, end, scenario, prepared, system);
  for (result::RopeUse& use : summary.ropes) {
    const auto at = std::find(watched.ropes().begin(), watched.ropes().end(), use.name);
    if (at != watched.ropes().end()) compare(use, static_cast<size_t>(at - watched.ropes().begin()), watched, rests);
  }
  for (result::HookLoad& hook : summary.extremes.hooks) {
    const auto next = std::find_if(stretches.begin(), stretches.end(),
                                   [&](const auto& stretch) { return stretch.begins > hook.largest.time; });
    const auto stretch = static_cast<size_t>(next - stretches.begin());
    hook.at_rest = stretch > 0 ? reference(rests, stretch - 1, &Carried::hooks, hook.name) : std::nullopt;
  }
  summary.ropes_at_rest = "at rest with what hangs in the phase in which each carried most";
}

}  // namespace davit
