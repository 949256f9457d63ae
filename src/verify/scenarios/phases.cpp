// Operations of phases against exact motions: when conditions fire, how fast moves are, how an operation stops, what is
// let go and connected; and operations written in two ways, which are the same run bit for bit.
#include <fmt/format.h>

#include <cstring>
#include <numbers>

#include "davit/run/sinks.hpp"
#include "davit/simulation/preparation.hpp"
#include "davit/simulation/simulation.hpp"
#include "verify/scenarios/carried_run.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

// Largest difference of all channels at all rows; infinite where the rows are not of the same times.
double difference(const CarriedRun& a, const CarriedRun& b) {
  if (a.memory.times != b.memory.times) return INFINITY;
  double most = 0;
  for (size_t i = 0; i < a.memory.rows.size(); ++i)
    for (size_t k = 0; k < a.memory.rows[i].size(); ++k)
      if (std::memcmp(&a.memory.rows[i][k], &b.memory.rows[i][k], sizeof(double)) != 0)
        most = std::max(most, std::max(std::abs(a.memory.rows[i][k] - b.memory.rows[i][k]), 1e-300));
  return most;
}

constexpr const char* bit_for_bit = "invariant: the same operation, bit for bit";

// A mass on a spring, x = a sin(2π t/T), and a trolley that the operation moves.
constexpr double period = 1.2, amplitude = 0.4;
std::string beside_a_spring(const std::string& operation, const std::string& run) {
  const double w = 2 * std::numbers::pi / period, mass = 1000;
  return fmt::format(
      "davit: 1\ntitle: phases\n"
      "bodies:\n"
      "  bob: {{joint: {{prismatic: x}}, mass: {} kg, start: {{travel_rate: {:.17g} m/s}}}}\n"
      "  trolley: {{joint: {{prismatic: y}}, mass: 100 kg}}\n"
      "forces: {{k: {{joint_spring: {{joint: bob, stiffness: {:.17g} N/m}}}}}}\n"
      "constraints: {{drive: {{motion: {{joint: trolley}}}}}}\n"
      "operation:\n{}run: {{{}}}\n",
      mass, amplitude * w, mass * w * w, operation, run);
}

void conditions_of_phases(Checker& check) {
  // x rises through 0.23 m, between steps, and falls below it less than half a period later.
  const double through = period / (2 * std::numbers::pi) * std::asin(0.23 / amplitude);
  for (const auto& [method, step] : {std::pair("rk4, step: 5 ms", 5e-3), std::pair("conserving, step: 1 ms", 1e-3),
                                     std::pair("conserving, step: 20 ms", 2e-2)}) {
    const std::string run = fmt::format("duration: 5 s, method: {}", method);
    const CarriedRun fires = carried_out(
        beside_a_spring("  - {when: {channel: bob.travel, above: 0.23 m}, move: {trolley: 1 m}, over: 1 s}\n", run));
    // The swing of the midpoint rule is slower by (ω h)²/12.
    const double slower =
        std::string(method).starts_with("rk4") ? 0 : std::pow(2 * std::numbers::pi / period * step, 2) / 12;
    check.absolute(fmt::format("a condition, {}", method), "begins at the crossing", "s", through,
                   "exact: a sin(2π t/T) = 0.23 m", fires.begun(0), 1e-6 + 2 * slower * through);
    check.absolute(fmt::format("a condition, {}", method), "its move of 1 s then ends", "s", fires.begun(0) + 1,
                   "exact: one second later", fires.ended(0), 1e-9);
    const CarriedRun lasting = carried_out(beside_a_spring(
        "  - {when: {channel: bob.travel, above: 0.23 m, for: 0.3 s}, move: {trolley: 1 m}, over: 1 s}\n", run));
    check.absolute(fmt::format("a condition for 0.3 s, {}", method), "begins after it was first seen", "s",
                   fires.begun(0) + 0.3, "exact: 0.3 s later, on which steps land", lasting.begun(0), 1e-9);
    // It never lasts for half a period, and the wait is over at its time.
    const CarriedRun vain =
        carried_out(beside_a_spring("  - {when: {channel: bob.travel, above: 0.23 m, for: 0.6 s}, "
                                    "timeout: 2.345 s, move: {trolley: 1 m}, over: 1 s}\n",
                                    run));
    check.absolute(fmt::format("a condition that never lasts, {}", method), "the run ends at its timeout", "s", 2.345,
                   "exact: as given", vain.outcome.t, 1e-9);
    check.absolute(fmt::format("a condition that never lasts, {}", method), "status: stopped", "",
                   static_cast<double>(RunStatus::stopped), "exact: a timeout stops the operation",
                   static_cast<double>(vain.outcome.status), 0);
  }
}

void speeds(Checker& check) {
  const double v = 0.4, a = 0.15, way = 5, ramp = 1.5 * v / a;
  const char* source = "exact: speed rises as 3s² − 2s³ over 1.5 v/a";
  const CarriedRun run = carried_out(beside_a_spring(
      fmt::format("  - {{move: {{trolley: {} m}}, speed: {} m/s, acceleration: {} m/s^2}}\n", way, v, a),
      "duration: 25 s, step: 10 ms, method: rk4"));
  check.absolute("a move within limits", "takes", "s", way / v + ramp, source, run.ended(0), 1e-9);
  check.relative("a move within limits", "largest speed", "m/s", v, source, run.largest("trolley.travel_rate"), 1e-9);
  check.relative("a move within limits", "largest acceleration", "m/s²", a, source,
                 run.largest("trolley.travel_acceleration"), 1e-5);
  const CarriedRun near =
      carried_out(beside_a_spring("  - {move: {trolley: 0.3 m}, speed: 0.4 m/s, acceleration: 0.15 m/s^2}\n",
                                  "duration: 5 s, step: 1 ms, method: rk4"));
  check.absolute("a move too short for its speed", "takes", "s", 2 * std::sqrt(1.5 * 0.3 / a), source, near.ended(0),
                 1e-9);
  check.relative("a move too short for its speed", "largest acceleration", "m/s²", a, source,
                 near.largest("trolley.travel_acceleration"), 1e-5);
}

// The trolley goes at a constant speed when it is to stop: from v to rest in T = 1.5 v/a it goes v T/2 more.
void stops(Checker& check) {
  const double v = 0.4, a = 0.15, ramp = 1.5 * v / a;
  for (const auto& [name, phase] :
       {std::pair("a move until a condition", "until: {channel: trolley.travel, above: 2 m}"),
        std::pair("a move that waits too long", "until: {channel: trolley.travel, above: 100 m}, timeout: 8 s")}) {
    const CarriedRun run = carried_out(beside_a_spring(
        fmt::format("  - {{move: {{trolley: 9 m}}, speed: {} m/s, acceleration: {} m/s^2, {}}}\n", v, a, phase),
        "duration: 25 s, step: 10 ms, method: rk4"));
    const bool too_long = run.outcome.status == RunStatus::stopped;
    const double from = too_long ? v * (8 - ramp / 2) : 2;  // m
    check.absolute(name, "comes to rest at", "m", from + v * ramp / 2, "exact: v T/2 further on",
                   run.last("trolley.travel"), too_long ? 1e-9 : 1e-8);  // an instant is found to 1e-9 of the time
    check.relative(name, "largest deceleration", "m/s²", a, "exact: that of the drive",
                   run.largest("trolley.travel_acceleration"), 1e-5);
    if (too_long) {
      check.absolute(name, "the run ends when all is at rest", "s", 8 + ramp, "exact: 8 s and the time to stop",
                     run.outcome.t, 1e-9);
    } else {
      const double seen = run.ended(0) - ramp, exact = 2 / v + ramp / 2;
      check.absolute(name, "fires at", "s", exact, "exact: 2 m at v t − v ramp/2", seen, 1e-7);
    }
  }
}

void same_operations(Checker& check) {
  const std::string run = "duration: 12 s, step: 20 ms";
  const CarriedRun phases =
      carried_out(beside_a_spring("  - {name: out, move: {trolley: 2 m}, over: 3 s}\n  - {hold: 1.5 s}\n"
                                  "  - {name: back, move_by: {trolley: -0.7 m}, over: 2 s, smoothness: 4}\n"
                                  "  - {parallel: [{move: {trolley: 3 m}, over: 1 s}, {sequence: [{hold: 1 s}]}]}\n",
                                  run));
  const CarriedRun times =
      carried_out(beside_a_spring("  - {at: 0 s, over: 3 s, move: {trolley: 2 m}}\n"
                                  "  - {at: 4.5 s, over: 2 s, smoothness: 4, move: {trolley: 1.3 m}}\n  - {at: 6.5 s, "
                                  "over: 1 s, move: {trolley: 3 m}}\n",
                                  run));
  check.absolute("phases and the same with times", "difference of all channels", "", 0, bit_for_bit,
                 difference(phases, times), 0);
  // What conditions decided, written down with its times, is replayed.
  const std::string conditional =
      "  - {name: out, move: {trolley: 9 m}, over: 9 s, until: {channel: bob.travel, above: 0.39 m, for: 0.05 s}}\n"
      "  - {name: back, move: {trolley: 0 m}, over: 2 s}\n";
  const CarriedRun first = carried_out(beside_a_spring(conditional, run)),
                   again = carried_out(beside_a_spring(conditional, run));
  check.absolute("an operation with conditions, twice", "difference of all channels", "", 0, bit_for_bit,
                 difference(first, again), 0);
  check.absolute("an operation with conditions, twice", "hashes of the last states agree", "", 1, bit_for_bit,
                 first.end.hash() == again.end.hash(), 0);
  const std::string back = fmt::format(
      "  - {{name: out, move: {{trolley: 9 m}}, over: 9 s, until: {{channel: bob.travel, above: 0.39 m, for: 0.05 "
      "s}}}}\n"
      "  - {{name: back, after: [out], at: {:.17g} s, move: {{trolley: 0 m}}, over: 2 s}}\n",
      first.begun(1));
  check.absolute("the time of a phase written down", "difference of all channels", "", 0, bit_for_bit,
                 difference(first, carried_out(beside_a_spring(back, run))), 0);
  const char* table = "  - {follow: {trolley: {table: [[0 s, 0 m], [1 s, 0.5 m], [2.5 s, 0.3 m], [4 s, 1 m]]}}}\n";
  const CarriedRun follows = carried_out(beside_a_spring(table, run));
  check.absolute("a table, twice", "difference of all channels", "", 0, bit_for_bit,
                 difference(follows, carried_out(beside_a_spring(table, run))), 0);
  check.absolute("a table", "at a point of it", "m", 0.3, "exact: as given", follows.at("trolley.travel", 2.5), 1e-12);
  check.absolute("a table", "and at its end", "m", 1, "exact: as given", follows.last("trolley.travel"), 1e-12);
}

// A load on a rope is let go, falls, and is caught by a rope that was connected in the meantime.
void ropes(Checker& check) {
  const double g = 9.80665, mass = 1000, EA = 2e6, length = 10, W = mass * g, drop = 1.5;
  const auto text = [&](const std::string& operation) {
    return fmt::format(
        "davit: 1\ntitle: let go\n"
        "bodies: {{load: {{joint: {{prismatic: z}}, at: [0, 0, -10], mass: 1 t}}}}\n"
        "ropes:\n"
        "  held: {{from: world, to: load, EA: 2 MN, tension: {:.17g} N}}\n"
        "  spare: {{from: world, to: load, EA: 2 MN, length: {} m}}\n"
        "operation:\n{}run: {{duration: 2.5 s, step: 0.5 ms, method: conserving, modes: false}}\n",
        W, length + drop, operation);
  };
  const CarriedRun falls = carried_out(text("  - {at: 0.5 s, release: [held, spare]}\n"));
  check.relative("a load that is let go", "falls in 1.25 s", "m", -g * 1.25 * 1.25 / 2, "exact: g t²/2",
                 falls.at("load.travel", 1.75), 1e-9);
  const CarriedRun caught =
      carried_out(text("  - {at: 0.5 s, release: [held]}\n  - {delay: 0.3 s, attach: [spare]}\n"));
  const double stiffness = EA / (length + drop);
  check.relative("a load that is let go and caught", "largest tension", "N",
                 W * (1 + std::sqrt(1 + 2 * stiffness * drop / W)), "exact: energy of the fall in the rope",
                 caught.largest("spare.tension"), 2e-4);
  check.absolute("a load that hangs before it is let go", "tension", "N", W, "exact: its weight",
                 caught.at("held.tension", 0.4), 1e-6 * W);
}

// A limit that holds in one phase sees that phase alone.
void windows(Checker& check) {
  const Scenario scenario = scenario_of(beside_a_spring(
      "  - {name: first, move: {trolley: 1 m}, over: 1 s}\n  - {name: second, move: {trolley: 3 m}, over: 2 s}\n"
      "limits:\n  - {channel: trolley.travel_rate, below: 1.9 m/s, phase: second}\n"
      "  - {channel: trolley.travel, below: 1.001 m, phase: first}\n",
      "duration: 6 s, step: 5 ms, method: rk4"));
  const Start start = find_start(scenario);
  Monitors monitors(limits_from(start, scenario), recorded_channels(scenario),
                    {&scenario.operation, scenario.limit_phases});
  Simulation(scenario, start, {.sinks = {&monitors}}).run();
  const auto results = monitors.limits.results(true);
  check.relative("limits by phase", "largest speed in the second of two moves", "m/s", 1.875, "exact: 15/8 · 2 m/2 s",
                 results[0].worst.value_or(NAN), 1e-9);
  check.absolute("limits by phase", "largest travel in the first", "m", 1, "exact: as given",
                 results[1].worst.value_or(NAN), 1e-9);
  check.absolute("limits by phase", "verdicts passed of two", "", 2, "exact: both bounds are beyond",
                 results[0].passed + results[1].passed, 0);
}

}  // namespace

void phases(Checker& check) {
  conditions_of_phases(check);
  speeds(check);
  stops(check);
  same_operations(check);
  ropes(check);
  windows(check);
}

}  // namespace davit::verify
