// Loads that are shown are those that act: tensions with damping and with the rope's own weight, and dynamic factors
// against what hangs.
#include <fmt/format.h>

#include <cmath>

#include "davit/run/extremes_monitor.hpp"
#include "davit/run/phase_loads.hpp"
#include "davit/run/rope_use.hpp"
#include "davit/run/sinks.hpp"
#include "davit/simulation/simulation.hpp"
#include "verify/linear/linear_models.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double g = 9.80665;

// A mass that runs into a damped rope: m ẍ = m g - k (x + c ẋ), at first x₀ stretched and fast.
struct Snatch {
  double mass = 1000, EA = 2e6, length = 10, damping = 0.1, first = 0.01, speed = 3;
  double stiffness() const { return EA / length; }
  struct Motion {
    double stretch, rate;
  };
  Motion at(double t) const {
    const double w = std::sqrt(stiffness() / mass), decay = 0.5 * damping * w * w,
                 wd = std::sqrt(w * w - decay * decay);
    const double rest = g / (w * w), A = first - rest, B = (speed + decay * A) / wd;
    const double c = std::cos(wd * t), s = std::sin(wd * t), e = std::exp(-decay * t);
    return {rest + e * (A * c + B * s), e * ((wd * B - decay * A) * c - (wd * A + decay * B) * s)};
  }
  double elastic(double t) const { return stiffness() * at(t).stretch; }
  double tension(double t) const { return stiffness() * (at(t).stretch + damping * at(t).rate); }

  std::string text(const std::string& what, const std::string& method, const std::string& more = {}) const {
    std::string strand;
    if (what == "rope")
      strand = fmt::format("ropes: {{r: {{from: top, to: load, EA: {} N, length: {} m, damping: {} s, mbl: 100 kN}}}}",
                           EA, length, damping);
    else if (what == "slings")
      strand = fmt::format("slings: {{r: {{from: top, to: [load], EA: {} N, total_length: {} m, damping: {} s}}}}", EA,
                           length, damping);
    else
      strand = fmt::format(
          "forces: {{r: {{line: {{from: top, to: load, length: {} m, stiffness: {} N/m, damping: {} N s/m}}}}}}",
          length, stiffness(), stiffness() * damping);
    return fmt::format(
        "davit: 1\ntitle: snatch\nbodies:\n  top: {{at: [0, 0, 20 m]}}\n"
        "  load: {{at: [0, 0, {:.17g} m], joint: {{prismatic: z}}, mass: {} kg, start: {{travel_rate: {} "
        "m/s}}}}\n{}\n{}"
        "run: {{duration: 1 s, step: 0.2 ms, output: 1 ms, method: {}, from_equilibrium: false}}\n",
        20 - length - first, mass, -speed, strand, more, method);
  }
};

void with_damping(Checker& check) {
  const Snatch snatch;
  for (const char* what : {"rope", "slings", "line"})
    for (const char* method : {"conserving", "midpoint", "generalised_alpha", "rk4"}) {
      ScenarioRun run(snatch.text(what, method));
      run.look();
      double beside = 0, most = 0;
      for (int i = 0; i <= 500; ++i) {
        if (i > 0) run.step(2e-4);
        run.look();
        most = std::max(most, run.channel("r.tension"));
        beside = std::max(beside, std::abs(run.channel("r.tension") - run.channel("top.reaction.Fz")));
      }
      const std::string name = fmt::format("a mass snatched by a damped {}, {}", what, method);
      check.relative(name, "largest tension", "N", rounded(snatch.tension(0)), "exact: EA (e + c ė) at first", most,
                     1e-9);
      check.relative(name, "tension after 0.1 s", "N", rounded(snatch.tension(0.1)), "exact: damped oscillation",
                     run.channel("r.tension"), 2e-4);
      check.relative(name, "elastic part of it", "N", rounded(snatch.elastic(0.1)), "exact: damped oscillation",
                     run.channel("r.tension_elastic"), 2e-4);
      check.at_most(name, "tension beside the support's reaction, largest difference over the largest", "1",
                    "invariant: what acts on bodies", beside / most, 1e-9);
    }
}

// In verdicts, statistics and linear models.
void in_limits(Checker& check) {
  const Snatch snatch;
  const Scenario scenario =
      scenario_of(snatch.text("rope", "conserving", "limits: [{channel: r.tension, below: 0.3 * mbl}]\n"));
  System system(*scenario.model);
  State state = scenario.initial_state();
  system.commit(state);
  Monitors monitors(scenario.limits, recorded_channels(scenario));
  Simulation(scenario, state, {.sinks = {&monitors}}).run();
  check.relative("a mass snatched by a damped rope, limit of 0.3 MBL", "utilisation of the limit", "",
                 rounded(snatch.tension(0) / 30e3), "exact: EA (e + c ė) at first",
                 monitors.limits.results(true).at(0).utilisation.value_or(NAN), 5e-6);

  // About a state at rest the tension goes with the stretch by EA/L and with its rate by c EA/L.
  ScenarioRun still(snatch.text("rope", "rk4"));
  const double rest = snatch.mass * g / snatch.stiffness();
  still.state().q[0] -= rest - snatch.first;
  still.state().u.setZero();
  still.begin();
  const LinearModel model = linear_model(
      still.system(), still.state(), ports(*still.scenario().model, Loop::closed, {}, {"r.tension", "load.travel"}));
  const MatX& C = model.space.C;
  check.relative("a load on a damped rope, linear model", "tension by place", "N/m", -snatch.stiffness(),
                 "exact: -EA/L", C(0, 0) * C(1, 0), 1e-6);
  check.relative("a load on a damped rope, linear model", "tension by speed", "N s/m",
                 -snatch.stiffness() * snatch.damping, "exact: -c EA/L", C(0, 1) * C(1, 0), 1e-6);
}

// A rope as heavy as its load, and a heavy rope over a sheave.
void with_weight(Checker& check) {
  const double m = 1000, w = 500, L = 2;
  ScenarioRun run(
      fmt::format("davit: 1\ntitle: heavy rope\nbodies:\n  b: {{at: [0, 0, -2.1 m], mass: {} kg, joint: "
                  "{{prismatic: z}}}}\n"
                  "ropes: {{c: {{from: world, to: b, EA: 1000 MN, length: {} m, mass: {} kg/m, mbl: 40 kN}}}}\n"
                  "run: {{duration: 1 s, step: 1 ms, method: conserving}}\n",
                  m, L, w));
  const Equilibrium rest = find_equilibrium(run.system(), run.state());
  run.state() = rest.state;
  run.begin();
  run.look();
  const std::string name = "a load on a rope of its own weight";
  const char* source = "exact: what hangs below";
  check.relative(name, "largest tension", "N", rounded((m + w * L) * g), source, run.channel("c.tension"), 1e-6);
  check.relative(name, "tension at its upper end", "N", rounded((m + w * L) * g), source, run.channel("c.tension_from"),
                 1e-6);
  check.relative(name, "tension at its lower end", "N", rounded(m * g), source, run.channel("c.tension_to"), 1e-6);
  const LoadsAtRest loads = loads_at(run.scenario(), run.system(), run.state());
  check.relative(name, "tension in statics", "N", rounded((m + w * L) * g), source, loads.ropes.at(0).tension, 1e-6);
  check.relative(name, "utilisation in statics", "", rounded((m + w * L) * g / 40e3), source,
                 utilisation(loads.ropes.at(0)).value_or(NAN), 5e-6);

  const double down = 60, back = 20, of_rope = 40, r = 0.05;
  ScenarioRun over(
      fmt::format("davit: 1\ntitle: heavy rope over a sheave\nbodies:\n  crown: {{at: [0, 0, 80 m]}}\n"
                  "  load: {{at: [{} m, 0, {} m], mass: {} kg, joint: {{prismatic: z}}}}\n"
                  "  foot: {{at: [{} m, 0, {} m]}}\n"
                  "ropes: {{c: {{from: foot, to: load, EA: 10000 MN, tension: 20 kN, mass: {} kg/m, path: [{{sheave: "
                  "crown, radius: {} "
                  "m, axis: y}}]}}}}\n"
                  "run: {{duration: 1 s, step: 1 ms, method: conserving}}\n",
                  r, 80 - down, m, -r, 80 - back, of_rope, r));
  over.state() = find_equilibrium(over.system(), over.state()).state;
  over.begin();
  over.look();
  const std::string passes = "heavy rope over a sheave, 60 m to the load and 20 m back down";
  // The rope on the sheave, 0.16 m of 80, weighs at the height of its centre.
  check.relative(passes, "largest tension, at the sheave", "N", rounded((m + of_rope * down) * g), source,
                 over.channel("c.tension"), 2e-3);
  check.relative(passes, "tension at the load", "N", rounded(m * g), source, over.channel("c.tension_to"), 1e-6);
  check.relative(passes, "tension at its other end", "N", rounded((m + of_rope * (down - back)) * g), source,
                 over.channel("c.tension_from"), 2e-3);
}

result::RunSummary run_of(const Scenario& scenario) {
  System system(*scenario.model);
  const Preparation prepared = prepare(scenario, *scenario.make_stepper(), system);
  const auto channels = recorded_channels(scenario);
  Monitors monitors(scenario.limits, channels);
  ExtremesMonitor extremes(scenario);
  PhaseLoads phases(scenario);
  Simulation run(scenario, prepared.start, {.sinks = {&monitors, &extremes, &phases}});
  run.run();
  result::RunSummary out;
  for (size_t i = 0; i < channels.size(); ++i) out.channels.push_back({channels[i], monitors.statistics.results()[i]});
  out.ropes = rope_use(scenario, ropes_at_rest(scenario, prepared, system), prepared.start.state, out.channels);
  out.extremes = extremes.results();
  compare_with_phases(phases, run.state(), scenario, prepared, system, out);
  return out;
}

// An empty hook takes a load over from what held it before. The start says nothing of what will hang: a factor on it
// would be above twenty.
void against_what_hangs(Checker& check, const std::string& mode) {
  const double hook = 1000, load = 20000;
  const std::string drum =
      mode == "length" ? "" : ", drum: {radius: 0.4 m, inertia: 100 kg m^2}, response: 0.3 s, load: 21 t";
  const bool by_speed = mode == "speed";
  const result::RunSummary summary = run_of(scenario_of(fmt::format(
      "davit: 1\ntitle: an empty hook takes a load\nbodies:\n"
      "  crane: {{at: [0, 0, 40 m]}}\n"
      "  hook: {{at: [0, 0, 12 m], joint: {{prismatic: z}}, mass: {} kg}}\n"
      "  load: {{joint: {{prismatic: z}}, mass: {} kg}}\n"
      "forces: {{gantry: {{line: {{from: crane, to: load, length: 40 m, stiffness: 20 MN/m, damping: 400 kN s/m}}}}}}\n"
      "ropes:\n"
      "  hoist: {{from: crane, to: hook, EA: 200 MN, tension: {} N, damping: 20 ms}}\n"
      "  sling: {{from: hook, to: load, EA: 100 MN, length: 12.5 m, damping: 20 ms}}\n"
      "winches: {{w: {{rope: hoist, mode: {}{}}}}}\n"
      "operation:\n"
      "  - {{name: empty, at: 1 s, over: 3 s, move: {{w: {}}}}}\n"
      "  - {{name: still, at: 5 s, over: 1 s, move: {{w: {}}}}}\n"
      "  - {{name: take, at: 8 s, over: 10 s, move: {{w: {}}}}}\n"
      "  - {{name: stop, at: 30 s, over: 2 s, move: {{w: {}}}}}\n"
      "run: {{duration: 40 s, step: 2 ms, output: 50 ms, method: conserving, from_equilibrium: true}}\n",
      hook, load, hook * g, mode, drum, by_speed ? -0.1 : -0.2, by_speed ? 0.0 : -0.2, by_speed ? -0.1 : -2.0,
      by_speed ? 0.0 : -2.0)));
  const result::RopeUse& use = summary.ropes.at(0);
  const std::string name = fmt::format("an empty hook takes a load, winch in mode {}", mode);
  check.relative(name, "static tension of the hoist in the phase of its largest", "N", rounded((hook + load) * g),
                 "exact: hook and load", use.at_rest.value_or(NAN), 1e-5);
  // Of a load that is taken at v, v √(k m)/W; a smooth move by 1.8 m in 10 s has 15/8 of its mean speed at most.
  const double soft = 1 / (28 / 200e6 + 12.5 / 100e6), fastest = by_speed ? 0.1 : 15.0 / 8 * 0.18;
  check.at_most(name, "its dynamic factor less one", "1", "exact: at most v √(k m)/W of a load taken at v",
                use.dynamic_factor().value_or(NAN) - 1,
                fastest * std::sqrt(soft * (hook + load)) / ((hook + load) * g));
  double of_empty = 0;
  for (const result::RopeInPhase& phase : use.phases)
    if (phase.phase == "empty" || phase.phase == "start") of_empty += phase.dynamic_factor().has_value();
  check.absolute(name, "factors given for the empty hook", "", 0, "exact: none", of_empty, 0);
  check.relative(
      name, "what the hook carries at rest", "N", rounded((hook + load) * g), "exact: hook and load",
      summary.extremes.hooks.empty() ? use.at_rest.value_or(NAN) : summary.extremes.hooks[0].at_rest.value_or(NAN),
      1e-5);
}

// A winch that keeps a tension: static is its target, not what a held drum would carry.
void against_a_kept_tension(Checker& check) {
  const double target = 30e3;
  const result::RunSummary summary = run_of(scenario_of(
      "davit: 1\ntitle: tugger\nbodies:\n"
      "  crane: {at: [0, 0, 20 m]}\n"
      "  load: {at: [0, 0, 5 m], joint: {prismatic: z}, mass: 10 t}\n"
      "forces: {spring: {joint_spring: {joint: load, stiffness: 100 kN/m}}}\n"
      "ropes: {tug: {from: crane, to: load, EA: 5 MN, tension: 2 kN, damping: 50 ms}}\n"
      "winches: {w: {rope: tug, mode: tension, target: 30 kN, gain: 2e-5 m/s/N, drum: {radius: 0.3 m, inertia: 20 kg "
      "m^2}, response: 0.2 s}}\n"
      "operation: [{name: wait, at: 20 s, over: 1 s, move: {w: 30 kN}}]\n"
      "run: {duration: 30 s, step: 5 ms, output: 50 ms, method: conserving, from_equilibrium: true}\n"));
  check.relative("a winch that keeps 30 kN", "static tension", "N", target, "exact: its target",
                 summary.ropes.at(0).at_rest.value_or(NAN), 1e-9);
}

}  // namespace

void acting_loads(Checker& check) {
  with_damping(check);
  in_limits(check);
  with_weight(check);
  for (const char* mode : {"length", "speed"}) against_what_hangs(check, mode);
  against_a_kept_tension(check);
}

}  // namespace davit::verify
