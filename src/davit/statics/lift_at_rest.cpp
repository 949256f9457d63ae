#include "davit/statics/lift_at_rest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "davit/math/rotation.hpp"
#include "davit/model/forces_with.hpp"
#include "davit/model/strand.hpp"
#include "davit/simulation/body_names.hpp"
#include "davit/simulation/preparation.hpp"
#include "davit/simulation/rest_cautions.hpp"
#include "davit/solve/rest.hpp"
#include "davit/statics/mode_table.hpp"
#include "davit/statics/statics.hpp"

namespace davit {

namespace {

// Beside values of this size, relatively, others are round-off.
constexpr double round_off = 1e-9;
double without_noise(double x, double scale) { return std::abs(x) < round_off * scale ? 0 : x; }

RopeEndAtRest end_at(const std::string& at, const std::string& body, const Vec3& force) {
  RopeEndAtRest out{at, body, force, 0, 0};
  const double size = force.norm();
  for (double& x : out.force) x = without_noise(x, size);
  out.from_z = std::atan2(out.force.head<2>().norm(), out.force.z());
  out.plane = std::atan2(out.force.y(), out.force.x());
  return out;
}

// All that is seen of ropes at a state.
class RopesSeen {
 public:
  RopesSeen(const Scenario& scenario, System& system, const State& state)
      : scenario_(scenario), names_(scenario), kin_(system.workspace().kin) {
    for (const auto& rope : forces_with<RiggingStrand>(*scenario.model))
      add(rope.name(), *rope.as, rope.context(state, system.workspace()));
    double most = 0;
    for (const RopeAtRest& r : ropes) most = std::max(most, r.tension);
    for (RopeAtRest& r : ropes) r.tension = without_noise(r.tension, most);
  }

  std::vector<RopeAtRest> ropes;
  struct Pull {
    double up = 0, down = 0;
  };
  std::map<size_t, Pull> pulls;  // by body

 private:
  void add(const std::string& name, const RiggingStrand& rope, const ContextT<double>& c) {
    RopeAtRest out;
    out.name = name;
    out.connected = rope.is_connected(kin_);
    out.tension = rope.tension(c);
    out.mbl = rope.breaking_load();
    out.angle = without_noise(rope.angle_to_vertical(c), 1);
    const auto places = rope.places();
    std::vector<RiggingStrand::Pull> pulling;
    rope.pulls(c, pulling);
    // Of bodies, by all that it does to them: it may pull up at a lug and press on an edge.
    std::map<size_t, double> lifts;
    for (const auto& [place, force] : pulling) {
      const auto body = names_.of_place(places[place]);
      if (body) lifts[*body] += force.z();
      if (!places[place].lug) continue;
      const Mat3 R = body ? Mat3(rotation(kin_, scenario_.body_frames[*body])) : Mat3(Mat3::Identity());
      out.ends.push_back(
          end_at(places[place].name, body ? scenario_.bodies[*body].first : "world", R.transpose() * force));
    }
    for (const auto& [body, lift] : lifts) (lift > 0 ? pulls[body].up : pulls[body].down) += std::abs(lift);
    ropes.push_back(std::move(out));
  }

  const Scenario& scenario_;
  BodyNames names_;
  const Kin& kin_;
};

struct PlaceAndTurn {
  Vec3 place, turn;
};
PlaceAndTurn place_and_turn(const Kin& kin, const Frame& frame) {
  PlaceAndTurn out{position(kin, frame), rpy_of_rotation<double>(rotation(kin, frame))};
  for (double& x : out.turn) x = without_noise(x, 1);
  for (double& x : out.place) x = without_noise(x, 1);
  return out;
}

std::vector<BodyOnRopes> bodies_on_ropes(const Scenario& scenario, const RopesSeen& seen, const Kin& kin) {
  std::vector<BodyOnRopes> out;
  for (const auto& [i, pull] : seen.pulls) {
    const auto& [name, body] = scenario.bodies[i];
    const double scale = pull.up + pull.down;
    if (!is_free(body) || is_vessel(scenario, name) || without_noise(pull.up, scale) == 0) continue;
    const auto [place, turn] = place_and_turn(kin, scenario.body_frames[i]);
    out.push_back({name, pull.up, weight_of(scenario, body), without_noise(pull.down, scale), place, turn});
  }
  return out;
}

std::vector<VesselAtRest> vessels_at(const Scenario& scenario, const Kin& kin) {
  std::vector<VesselAtRest> out;
  for (const auto& [name, vessel] : scenario.specification.elements.of<vessel::VesselSpec>())
    for (size_t i = 0; i < scenario.body_frames.size(); ++i) {
      if (scenario.bodies[i].first != name) continue;
      const auto [place, turn] = place_and_turn(kin, scenario.body_frames[i]);
      out.push_back({name, place, turn});
    }
  return out;
}

std::vector<ValueAtRest> values_of(const std::string& kind, const std::vector<std::string>& endings, double scale,
                                   const Scenario& scenario, const State& state, const Workspace& work) {
  std::vector<ValueAtRest> out;
  for (const Channel& channel : channels_of_elements(*scenario.model, kind, endings))
    out.push_back({channel.name, channel.unit, without_noise(channel.value(state, work), scale)});
  return out;
}

double total_weight(const Scenario& scenario) {
  double mass = 0;
  for (const auto& [name, body] : scenario.bodies) mass += body.mass;
  return mass * scenario.specification.environment.gravity;
}

void look_at(const Scenario& scenario, System& system, LiftAtRest& lift) {
  State& state = lift.equilibrium.state;
  system.commit(state);
  system.evaluate(state);
  const Workspace& work = system.workspace();
  RopesSeen seen(scenario, system, state);
  lift.on_ropes = bodies_on_ropes(scenario, seen, work.kin);
  lift.ropes = std::move(seen.ropes);
  lift.vessels = vessels_at(scenario, work.kin);
  lift.clearances = values_of("clearance", {".distance"}, 1, scenario, state, work);
  lift.contacts = values_of("contact", {".normal", ".friction"}, total_weight(scenario), scenario, state, work);
  if (wants_modes(scenario) && scenario.model->contacts().empty() && scenario.unsolved_hulls.empty())
    lift.modes = mode_table(vibration_modes(system, state));
}

// Phases in the order in which they come: after those that they wait for, by time, and as they stand in the list. Those
// that begin together, on the same condition if there is one, are one group: two hooks that lift one load.
using PhaseGroup = std::vector<size_t>;
std::vector<PhaseGroup> groups_of(const std::vector<operation::Phase>& phases) {
  std::vector<PhaseGroup> out;
  std::vector<char> done(phases.size(), 0);
  const auto condition = [](const operation::Phase& phase) { return phase.when ? phase.when->text : std::string(); };
  for (;;) {
    std::vector<size_t> ready;
    for (size_t i = 0; i < phases.size(); ++i) {
      const auto& after = phases[i].after;
      if (!done[i] && std::all_of(after.begin(), after.end(), [&](int a) { return done[static_cast<size_t>(a)] != 0; }))
        ready.push_back(i);
    }
    if (ready.empty()) return out;
    const operation::Phase& first = phases[*std::min_element(
        ready.begin(), ready.end(), [&](size_t a, size_t b) { return phases[a].at < phases[b].at; })];
    out.emplace_back();
    for (const size_t i : ready)
      if (phases[i].at == first.at && phases[i].after == first.after && condition(phases[i]) == condition(first)) {
        done[i] = 1;
        out.back().push_back(i);
      }
  }
}

// How far a signal goes from one equilibrium to the next, so that each is near the one before.
double longest_step(const std::string& unit) { return unit == "m" ? 0.5 : unit == "rad" ? 0.1 : operation::never; }

struct Change {
  int signal;
  double from, to;
};

// What a phase makes of the signals in a state; jumps are made at once.
void add_changes_of(const operation::Phase& phase, State& state, std::vector<Change>& out) {
  using Kind = operation::SignalMove::Kind;
  for (const operation::SignalMove& move : phase.moves) {
    const int signal = move.signal.index();
    const double from = state.discrete.signals[signal].value(state.t);
    if (move.kind == Kind::jump)
      state.discrete.signals.set(signal, Motion(move.value));
    else
      out.push_back({signal, from,
                     move.kind == Kind::by       ? from + move.value
                     : move.kind == Kind::follow ? move.table.end_value()
                                                 : move.value});
  }
}

void set_signals(const std::vector<Change>& changes, double part, State& state) {
  for (const Change& c : changes) state.discrete.signals.set(c.signal, Motion(c.from + part * (c.to - c.from)));
}

bool proceeds(const RestWatch& watch) { return !watch.proceeds || watch.proceeds(); }
Equilibrium out_of_time() {
  Equilibrium out;
  out.why = "it was not looked for any longer";
  return out;
}

// The rest near a state, with all that is decided there. Where a rope has no way, that is why there is none.
Equilibrium committed_rest(System& system, const State& near, Nearness nearness) {
  try {
    Equilibrium rest = find_rest(system, near, nearness);
    if (rest.converged) system.commit(rest.state);
    return rest;
  } catch (const Breakdown& breakdown) {
    Equilibrium none;
    none.why = breakdown.what();
    return none;
  }
}

// Follows the changes in small steps, from rest to rest. Returns the last rest that was found.
Equilibrium follow(const std::vector<Change>& changes, const Model& model, System& system, const State& state,
                   Nearness nearness, const RestWatch& watch) {
  double steps = 1;
  constexpr double most_steps = 200;
  for (const Change& c : changes)
    steps = std::max(
        steps, std::ceil(std::abs(c.to - c.from) / longest_step(model.signals()[static_cast<size_t>(c.signal)].unit)));
  steps = std::min(steps, most_steps);
  // Where a step is too long it is tried in shorter ones.
  for (const double finer : {1.0, 8.0}) {
    State s = state;
    Equilibrium rest;
    for (double k = 1; k <= finer * steps; ++k) {
      if (!proceeds(watch)) return out_of_time();
      set_signals(changes, k / (finer * steps), s);
      rest = committed_rest(system, s, nearness);
      if (!rest.converged) break;
      s = rest.state;
    }
    if (rest.converged || finer > 1) return rest;
  }
  return {};
}

std::vector<std::string> remarks_on(const operation::Phase& phase) {
  if (!phase.until || phase.moves.empty()) return {};
  return {fmt::format("taken to the full length of its moves, not until {}", phase.until->text)};
}

// Before a run begins drums that follow what they measure, or a speed, stand still (rope/winch_drive.hpp).
std::vector<std::string> remarks_on(const Specification& spec) {
  std::vector<std::string> out;
  for (const auto& [name, winch] : spec.elements.of<rope::WinchSpec>()) {
    using Mode = rope::WinchMode;
    if (winch.mode == Mode::tension || winch.mode == Mode::constant_tension || winch.mode == Mode::speed)
      out.push_back(fmt::format("winch '{}' is held where it is; mode force pulls with its target at rest too", name));
  }
  return out;
}

}  // namespace

std::optional<double> RopeAtRest::skew_factor() const {
  return largest && tension > 0 ? std::optional(*largest / tension) : std::nullopt;
}

std::optional<double> utilisation(const RopeAtRest& r) {
  return r.mbl ? std::optional(r.largest.value_or(r.tension) / *r.mbl) : std::nullopt;
}

std::optional<double> safety_factor(const RopeAtRest& r) {
  const double most = r.largest.value_or(r.tension);
  return r.mbl && most > 0 ? std::optional(*r.mbl / most) : std::nullopt;
}

std::vector<Channel> channels_of_elements(const Model& model, const std::string& kind,
                                          const std::vector<std::string>& endings) {
  std::vector<Channel> out;
  for (const Channel& channel : model.channels())
    if (channel.source.starts_with(kind + " ") &&
        std::any_of(endings.begin(), endings.end(), [&](const auto& e) { return channel.name.ends_with(e); }))
      out.push_back(channel);
  return out;
}

LoadsAtRest loads_at(const Scenario& scenario, System& system, const State& at) {
  State state = at;
  system.commit(state);
  system.evaluate(state, System::Want::unconstrained);
  RopesSeen seen(scenario, system, state);
  auto on_ropes = bodies_on_ropes(scenario, seen, system.workspace().kin);
  return {std::move(seen.ropes), std::move(on_ropes), vessels_at(scenario, system.workspace().kin)};
}

void vary_rigging_of(LiftAtRest& lift, const Scenario& scenario, System& system) {
  if (!lift.equilibrium.converged) return;
  const auto varied = vary_rigging(scenario, system, lift.equilibrium.state);
  if (!varied) return;
  lift.variations = varied->how;
  for (size_t i = 0; i < lift.ropes.size(); ++i) lift.ropes[i].largest = varied->largest[i];
}

std::vector<LiftAtRest> find_lifts_at_rest(const Scenario& scenario, System& system, const RestWatch& watch) {
  State state = scenario.initial_state();
  state.operation = scenario.operation.beginning();
  for (int i = 0; i < state.discrete.signals.size(); ++i)
    state.discrete.signals.set(i, Motion(state.discrete.signals[i].value(state.t)));
  system.commit(state);
  std::vector<LiftAtRest> out;
  const auto add = [&](const std::string& after, std::vector<std::string> remarks, Equilibrium rest) {
    LiftAtRest lift;
    lift.after = after;
    lift.remarks = std::move(remarks);
    lift.equilibrium = std::move(rest);
    if (lift.equilibrium.converged) {
      look_at(scenario, system, lift);
      state = lift.equilibrium.state;
      hold_where_it_touches(system, state);  // and not where the file has it
    }
    out.push_back(std::move(lift));
  };
  const auto begins = [&](const std::string& phase) {
    if (watch.begins) watch.begins(phase);
  };
  begins("");
  Equilibrium at_start = committed_rest(system, state, Nearness::anywhere);
  std::vector<std::string> remarks = remarks_on(scenario.specification);
  for (std::string& caution : cautions_on(at_start, state, scenario, system)) remarks.push_back(std::move(caution));
  add("", std::move(remarks), std::move(at_start));
  const auto& phases = scenario.operation.phases();
  for (const PhaseGroup& group : groups_of(phases)) {
    State before = state;
    std::string name;
    std::vector<Change> changes;
    size_t moves = 0;
    remarks.clear();
    for (const size_t i : group) {
      if (phases[i].moves.empty()) continue;
      name += (name.empty() ? "" : "' and '") + phases[i].name;
      add_changes_of(phases[i], before, changes);
      moves += phases[i].moves.size();
      for (std::string& remark : remarks_on(phases[i])) remarks.push_back(std::move(remark));
    }
    if (moves == 0) continue;
    begins(name);
    // Where ropes are let go or connected, nothing is said of how far the next rest is.
    const Nearness nearness = changes.size() == moves ? Nearness::near : Nearness::anywhere;
    Equilibrium rest = follow(changes, *scenario.model, system, before, nearness, watch);
    const bool found = rest.converged;
    add(name, remarks, std::move(rest));
    if (found) continue;
    // What comes next goes on from the last rest, with the signals where the phase brings them.
    set_signals(changes, 1, before);
    state.discrete.signals = before.discrete.signals;
  }
  return out;
}

}  // namespace davit
