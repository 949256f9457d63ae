// Peaks that are looked at again at half the step, and runs that go on from the middle.
#include "davit/run/confirmation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "davit/run/run_quality.hpp"
#include "davit/simulation/preparation.hpp"
#include "davit/simulation/simulation.hpp"
#include "davit/test/read_scenario.hpp"

namespace davit {
namespace {

struct Confirmed {
  std::vector<result::Peak> peaks;
  result::Quality quality;
  bool good_if_broken = false;  // with a peak whose repetition broke off
  RunOutcome outcome;
};

Confirmed confirmed(const std::string& text) {
  const Scenario scenario = test::read_scenario(text);
  System system(*scenario.model);
  const auto stepper = scenario.make_stepper();
  const Preparation prepared = prepare(scenario, *stepper, system);
  Monitors monitors(scenario.limits, recorded_channels(scenario));
  Checkpoints checkpoints(scenario);
  Confirmed out;
  out.outcome = Simulation(scenario, prepared.start, {.sinks = {&monitors, &checkpoints}}).run();
  result::Confirmation confirmation = confirm_peaks(scenario, checkpoints, monitors, out.outcome.t);
  out.peaks = confirmation.peaks;
  out.quality = judge_quality(scenario, *stepper, prepared, out.outcome, confirmation);
  confirmation.broken = {"hoist.tension at 1 s"};
  out.good_if_broken = judge_quality(scenario, *stepper, prepared, out.outcome, confirmation).good();
  return out;
}

constexpr const char* swing = R"(
davit: 1
title: a load on a rope that is let go
bodies:
  top: {points: {p: [0, 0, 0]}}
  load: {at: [0, 0, -10 m], joint: {prismatic: z}, mass: 2 t}
ropes: {hoist: {from: top.p, to: load, tension: 0 N, EA: 2 MN}}
limits: [{channel: hoist.tension, below: 100 kN}]
run: {duration: 4 s, step: 5 ms, method: conserving}
)";

TEST(Confirmation, ResolvedPeaksStay) {
  const Confirmed run = confirmed(swing);
  ASSERT_EQ(run.outcome.status, RunStatus::complete);
  ASSERT_FALSE(run.peaks.empty());
  for (const result::Peak& peak : run.peaks) {
    EXPECT_LT(peak.moved(), 1e-3);
    EXPECT_NE(peak.value, peak.at_half_step) << "the stretch was not run at another step";
    EXPECT_FALSE(peak.verdict_changes);
  }
  EXPECT_TRUE(run.quality.good());
  EXPECT_TRUE(run.quality.remarks.empty());
  EXPECT_FALSE(run.good_if_broken);
}

// Twelve loads on ropes of different stiffness, which are stretched most at twelve times.
Confirmed let_go_twelve(double bound) {
  std::string bodies = "bodies: {top: {points: {p: [0, 0, 0]}}", ropes = "ropes: {", limits = "limits: [";
  for (int i = 0; i < 12; ++i) {
    bodies += fmt::format(", load{}: {{at: [0, 0, -10 m], joint: {{prismatic: z}}, mass: 2 t}}", i);
    ropes += fmt::format("hoist{0}: {{from: top.p, to: load{0}, tension: 0 N, EA: {1} kN, damping: 50 ms}}, ", i,
                         300 * std::pow(1.5, i));
    limits += fmt::format("{{channel: hoist{}.tension, below: {} kN}}, ", i, bound);
  }
  return confirmed(
      fmt::format("davit: 1\ntitle: loads that are let go\n{}}}\n{}}}\n{}]\nrun: {{duration: 4 s, step: 5 "
                  "ms, method: conserving}}\n",
                  bodies, ropes.substr(0, ropes.size() - 2), limits.substr(0, limits.size() - 2)));
}

TEST(Confirmation, EveryLimitNearItsBoundIsLookedAt) {
  const Confirmed near = let_go_twelve(45), far = let_go_twelve(450);
  const auto limits = [](const Confirmed& run) {
    return std::count_if(run.peaks.begin(), run.peaks.end(), [](const auto& peak) { return peak.bound; });
  };
  EXPECT_EQ(limits(near), 12);
  EXPECT_LT(limits(far), 12);
  ASSERT_EQ(far.quality.remarks.size(), 1U) << "what was left out is said";
}

// A rigid contact has no peak force: what it shows of an impact is the impulse over the step.
TEST(Confirmation, ImpulsesAreNoForces) {
  const Confirmed run = confirmed(R"(
davit: 1
title: a stone falls on rock
bodies: {stone: {at: [0, 0, 1 m], joint: {prismatic: z}, mass: 100 kg, points: {p: [0, 0, 0]}}}
constraints: {rock: {contact: {surface: world, point: stone.p}}}
limits: [{channel: rock.normal, below: 60 kN}]
run: {duration: 1 s, step: 10 ms, method: conserving}
)");
  ASSERT_EQ(run.outcome.status, RunStatus::complete);
  const auto limited = std::find_if(run.peaks.begin(), run.peaks.end(), [](const auto& peak) { return peak.bound; });
  ASSERT_NE(limited, run.peaks.end());
  EXPECT_GT(limited->moved(), 0.4);
  EXPECT_TRUE(limited->verdict_changes);
  EXPECT_FALSE(run.quality.good());
}

TEST(Confirmation, AreFewAndNeverTooMany) {
  Scenario scenario = test::read_scenario(swing);
  Checkpoints checkpoints(scenario);
  Simulation(scenario, find_start(scenario), {.sinks = {&checkpoints}}).run();
  double last = -1;
  for (double t = 0; t <= 4; t += 0.1) {
    const State& kept = checkpoints.before(t);
    EXPECT_LE(kept.t, t + 1e-12);
    EXPECT_GT(kept.t, t - 0.1) << "one in every forty at least";
    EXPECT_GE(kept.t, last);
    last = kept.t;
  }
}

// A State from the middle of an operation, with steps that were shortened, goes on bit for bit.
TEST(Confirmation, RunsGoOnFromTheMiddle) {
  const Scenario scenario = test::read_scenario(R"(
davit: 1
title: a load is lowered onto a deck
bodies:
  top: {joint: {prismatic: x}, mass: 1 t, points: {p: [0, 0, 0]}}
  load: {at: [0, 0, -9.9 m], joint: {prismatic: z}, mass: 2 t, points: {p: [0, 0, 0]}}
  deck: {at: [0, 0, -10.5 m]}
forces:
  seat: {contact: {surface: deck, points: [load.p], stiffness: 5 MN/m, damping_time: 5 ms}}
  brake: {joint_spring: {joint: top, stiffness: 1 MN/m}}
ropes: {hoist: {from: top.p, to: load, length: 9.9 m, EA: 20 MN, damping: 1 ms}}
winches: {drum: {rope: hoist}}
operation: [{name: lower, at: 0.2 s, move: {drum: 1 m}, speed: 0.4 m/s, acceleration: 2 m/s^2, until: {channel: seat.normal, above: 5 kN}}]
run: {duration: 3.2 s, step: 20 ms, method: conserving}
)");
  struct Middle final : Sink {
    State state;
    bool wants_every_step() const override { return true; }
    void record(const Snapshot&) override {}
    void watch(const Snapshot& now) override {
      if (now.state.step > 0 && now.state.step % 16 == 0 && now.state.next_step > 0) state = now.state;
    }
  } middle;
  Simulation run(scenario, find_start(scenario), {.sinks = {&middle}});
  const RunOutcome whole = run.run();
  ASSERT_EQ(whole.status, RunStatus::complete) << whole.element << whole.why;
  ASSERT_GT(whole.load_steps.retried, 0) << "nothing happened that needs shorter steps";
  ASSERT_GT(middle.state.t, 0) << "no state with a shortened step";
  SimulationOptions options = scenario.options;
  options.resumes = true;
  Simulation again(scenario, middle.state, {.options = options});
  again.run();
  EXPECT_EQ(again.state().hash(), run.state().hash());
}

}  // namespace
}  // namespace davit
