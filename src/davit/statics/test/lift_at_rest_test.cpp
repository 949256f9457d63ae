// The lift at rest phase by phase, and variations of its rigging.
#include "davit/statics/lift_at_rest.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "davit/simulation/preparation.hpp"
#include "davit/simulation/rest_cautions.hpp"
#include "davit/statics/test/lifts.hpp"
#include "davit/test/source_tree.hpp"

namespace davit {
namespace {

using test::gravity;
using test::on_a_winch;

double height_of(const Scenario& scenario, const State& state) {
  System system(*scenario.model);
  system.evaluate(state);
  return position(system.workspace().kin, scenario.body_frames[1]).z();
}

TEST(LiftAtRest, GoesThroughPhases) {
  const Scenario scenario = test::read_scenario(
      on_a_winch("operation:\n"
                 "  - {name: up, hoist: {main: 7 m}}\n"
                 "  - {name: wait, hold: 2 s}\n"
                 "  - {name: down, lower: {main: 12 m}, until: {channel: hoist.tension, below: 1 kN}, timeout: 60 s}\n"
                 "  - {name: go, release: [hoist]}\n"
                 "  - {name: back, attach: [hoist]}\n"));
  System system(*scenario.model);
  const auto lifts = find_lifts_at_rest(scenario, system);
  ASSERT_EQ(lifts.size(), 5u);
  EXPECT_EQ(lifts[1].after, "up");
  ASSERT_TRUE(lifts[0].equilibrium.converged && lifts[1].equilibrium.converged && lifts[2].equilibrium.converged);
  EXPECT_NEAR(height_of(scenario, lifts[0].equilibrium.state), 10, 1e-6);
  // A shorter rope stretches less: by T/EA of what was taken in.
  const double stretch = 20e3 * gravity / 500e6;
  EXPECT_NEAR(height_of(scenario, lifts[1].equilibrium.state), 17 + 7 * stretch, 1e-6);
  EXPECT_NEAR(height_of(scenario, lifts[2].equilibrium.state), 5 - 5 * stretch, 1e-6);
  EXPECT_NEAR(lifts[2].ropes[0].tension, 20e3 * gravity, 1e-3);
  EXPECT_NEAR(*utilisation(lifts[2].ropes[0]), 0.196133, 1e-6);
  ASSERT_EQ(lifts[2].remarks.size(), 1u);
  EXPECT_NE(lifts[2].remarks[0].find("not until hoist.tension below 1 kN"), std::string::npos);
  // Nothing holds a load that was let go.
  EXPECT_EQ(lifts[3].after, "go");
  EXPECT_FALSE(lifts[3].equilibrium.converged);
  EXPECT_FALSE(lifts[3].equilibrium.why.empty());
  EXPECT_TRUE(lifts[4].equilibrium.converged);
  EXPECT_NEAR(lifts[4].ropes[0].tension, 20e3 * gravity, 1e-3);
}

TEST(LiftAtRest, TakesPhasesInTheirOrder) {
  const Scenario scenario =
      test::read_scenario(on_a_winch("operation:\n"
                                     "  - {name: second, after: [first], hoist: {main: 5 m}}\n"
                                     "  - {name: first, at: 1 s, lower: {main: 2 m}}\n"));
  System system(*scenario.model);
  const auto lifts = find_lifts_at_rest(scenario, system);
  ASSERT_EQ(lifts.size(), 3u);
  EXPECT_EQ(lifts[1].after, "first");
  EXPECT_NEAR(height_of(scenario, lifts[1].equilibrium.state), 8, 5e-3);
  EXPECT_NEAR(height_of(scenario, lifts[2].equilibrium.state), 13, 5e-3);
}

// Two hooks that lift one beam: one after the other it would hang askew in between.
TEST(LiftAtRest, PhasesThatBeginTogetherAreOne) {
  const Scenario scenario = test::read_scenario(
      "davit: 1\ntitle: tandem\nbodies:\n"
      "  crane: {at: [0, 0, 40 m], points: {a: [-5 m, 0, 0], b: [5 m, 0, 0]}}\n"
      "  beam: {at: [0, 0, 10 m], joint: free, mass: 20 t, box: {size: [10 m, 2 m, 2 m]}, points: {a: [-5 m, 0, 1 m], "
      "b: "
      "[5 m, 0, 1 m]}}\n"
      "ropes:\n  a: {from: crane.a, to: beam.a, EA: 500 MN, tension: 98.0665 kN}\n"
      "  b: {from: crane.b, to: beam.b, EA: 500 MN, tension: 98.0665 kN}\n"
      "winches:\n  wa: {rope: a, limits: {speed: 0.5 m/s, acceleration: 0.2 m/s^2}}\n"
      "  wb: {rope: b, limits: {speed: 0.5 m/s, acceleration: 0.2 m/s^2}}\n"
      "operation:\n  - {name: both, parallel: [{name: up_a, hoist: {wa: 6 m}}, {name: up_b, hoist: {wb: 6 m}}]}\n"
      "  - {name: tilt, hoist: {wa: 1 m}}\n"
      "run: {duration: 10 s, step: 10 ms}\n");
  System system(*scenario.model);
  const auto lifts = find_lifts_at_rest(scenario, system);
  ASSERT_EQ(lifts.size(), 3u);
  EXPECT_NE(lifts[1].after.find("up_a"), std::string::npos);
  EXPECT_NE(lifts[1].after.find("up_b"), std::string::npos);
  ASSERT_TRUE(lifts[1].equilibrium.converged && lifts[2].equilibrium.converged);
  ASSERT_EQ(lifts[1].on_ropes.size(), 1u);
  EXPECT_NEAR(lifts[1].on_ropes[0].place.z(), 16, 5e-3);
  EXPECT_NEAR(lifts[1].on_ropes[0].turn.y(), 0, 1e-9);
  // The end at -x is 1 m higher over a span of 10 m, but for the little that the ropes lean.
  EXPECT_NEAR(lifts[2].on_ropes[0].turn.y(), 0.1, 2e-3);
}

// Slings that pull at lugs on its sides and press on its upper edges carry a block by no more than its weight.
TEST(LiftAtRest, EdgesThatRopesPressOnAreCounted) {
  std::string ropes, points;
  const std::pair<const char*, const char*> lugs[] = {
      {"a", "2.02 m, 0.8 m"}, {"b", "2.02 m, -0.8 m"}, {"c", "-2.02 m, 0.8 m"}, {"d", "-2.02 m, -0.8 m"}};
  for (const auto& [name, at] : lugs) {
    points += fmt::format("{}: [{}, -0.8 m], ", name, at);
    ropes += fmt::format(
        "  s{0}: {{from: hook, to: block.{0}, path: [{{around: [{1}, 11.3 m]}}], EA: 50 MN, tension: 30 kN, touches: "
        "[steel], friction: 0.2}}\n",
        name, at);
  }
  const Scenario scenario = test::read_scenario(
      "davit: 1\ntitle: edges\nbodies:\n  hook: {at: [0, 0, 16 m]}\n"
      "  block: {at: [0, 0, 10 m], joint: free, mass: 10 t, box: {size: [4 m, 2 m, 2 m]}, points: {" +
      points.substr(0, points.size() - 2) + "}}\nsurfaces: {steel: {on: block, box: [4 m, 2 m, 2 m]}}\nropes:\n" +
      ropes + "run: {duration: 10 s, step: 10 ms}\n");
  System system(*scenario.model);
  const LiftAtRest lift = find_lifts_at_rest(scenario, system).front();
  ASSERT_TRUE(lift.equilibrium.converged) << lift.equilibrium.why;
  double at_lugs = 0;
  for (const RopeAtRest& rope : lift.ropes) at_lugs += rope.ends.back().force.z();
  const double weight = 10e3 * gravity;
  EXPECT_GT(at_lugs, 1.01 * weight) << "no rope presses on an edge";
  ASSERT_EQ(lift.on_ropes.size(), 1u);
  EXPECT_NEAR(lift.on_ropes[0].carried, weight, 1e-4 * weight);
  EXPECT_EQ(lift.on_ropes[0].below, 0);
}

// Its centre of gravity is above its lugs: it comes to rest upside down.
TEST(LiftAtRest, ALoadThatTurnsOverIsSaid) {
  const Scenario scenario = test::read_scenario(
      "davit: 1\ntitle: top heavy\nbodies:\n  top: {at: [0, 0, 20 m]}\n"
      "  load: {at: [0, 0, 17.7 m], joint: free, mass: 1 t, inertia: [500, 500, 500], centre: [0, 0, 3 m], points: {a: "
      "[-1 m, 0, 0], b: [1 m, 0, 0], c: [0, -1 m, 0], d: [0, 1 m, 0]}}\n"
      "ropes:\n  a: {from: top, to: load.a, EA: 10 MN, length: 2.5 m}\n  b: {from: top, to: load.b, EA: 10 MN, length: "
      "2.5 "
      "m}\n  c: {from: top, to: load.c, EA: 10 MN, length: 2.5 m}\n  d: {from: top, to: load.d, EA: 10 MN, length: 2.5 "
      "m}\n"
      "run: {duration: 1 s, step: 10 ms, from_equilibrium: true}\n");
  System system(*scenario.model);
  const auto said = [](const std::vector<std::string>& texts) {
    return std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
      return text.find("'load'") != std::string::npos && text.find("turned by 180 deg") != std::string::npos;
    });
  };
  const LiftAtRest lift = find_lifts_at_rest(scenario, system).front();
  EXPECT_TRUE(said(lift.remarks));
  const Start start = find_start(scenario, system);
  EXPECT_TRUE(said(start.warnings));
  // Near it, and not stable.
  Equilibrium saddle;
  saddle.state = start.given;
  saddle.converged = true;
  const auto cautions = cautions_on(saddle, start.given, scenario, system);
  ASSERT_EQ(cautions.size(), 1u);
  EXPECT_NE(cautions[0].find("not stable"), std::string::npos);
}

TEST(LiftAtRest, RoundOffIsZero) {
  const Scenario scenario = test::read_scenario(on_a_winch(""));
  System system(*scenario.model);
  const LiftAtRest lift = find_lifts_at_rest(scenario, system).front();
  EXPECT_EQ(lift.ropes[0].angle, 0);
  ASSERT_EQ(lift.ropes[0].ends.size(), 2u);
  EXPECT_EQ(lift.ropes[0].ends[1].force.x(), 0);
  EXPECT_EQ(lift.ropes[0].ends[1].from_z, 0);
  EXPECT_EQ(lift.ropes[0].ends[1].body, "load");
}

// Six slings round a load: more than a few variations, each from the nominal rest.
TEST(Skew, DoesNotDependOnWhatWasFoundBefore) {
  std::string ropes;
  for (int i = 0; i < 6; ++i)
    ropes +=
        "  s" + std::to_string(i) + ": {from: hook, to: load.p" + std::to_string(i) + ", EA: 80 MN, tension: 30 kN}\n";
  const Scenario scenario = test::read_scenario(
      "davit: 1\ntitle: test\nbodies:\n  hook: {at: [0, 0, 9 m]}\n"
      "  load: {joint: free, mass: 20 t, centre: [0.2 m, 0.1 m, -1 m], box: {size: [3 m, 3 m, 3 m]}, points: {p0: [3, "
      "1, "
      "0], p1: [1, 3, 0], p2: [-2, 2, 0], p3: [-3, -1, 0], p4: [-1, -3, 0], p5: [2, -2, 0]}}\n"
      "ropes:\n" +
      ropes +
      "rigging: {slings: [s*], length_tolerance: 3 mm, centre_of_gravity: {of: load, x: 0.1 m}}\n"
      "run: {duration: 1 s, step: 10 ms}\n");
  System system(*scenario.model);
  LiftAtRest lift = find_lifts_at_rest(scenario, system).front();
  ASSERT_TRUE(lift.equilibrium.converged);
  vary_rigging_of(lift, scenario, system);
  EXPECT_NE(lift.variations.find("128 equilibria)"), std::string::npos) << lift.variations;
  System fresh(*scenario.model);
  State state = lift.equilibrium.state;
  fresh.commit(state);
  const auto again = vary_rigging(scenario, fresh, state);
  const auto once_more = vary_rigging(scenario, fresh, state);
  for (size_t i = 0; i < lift.ropes.size(); ++i) {
    EXPECT_EQ(*lift.ropes[i].largest, again->largest[i]);
    EXPECT_EQ(again->largest[i], once_more->largest[i]);
    EXPECT_GT(*lift.ropes[i].largest, lift.ropes[i].tension);
  }
}

// Loads stand on what they are lifted from, in slack slings: all their weight is there.
TEST(LiftAtRest, ShippedLiftsBeginOnTheirSupports) {
  struct Lift {
    const char *file, *support;
    double mass;
  };
  for (const Lift& lift : {Lift{"quay_to_ship.yaml", "quay/bearing.normal", 12e3},
                           Lift{"module_lift.yaml", "cargo_deck/bearing.normal", 120e3}}) {
    input::Problems problems;
    const auto scenario = load_scenario(in_source("scenarios/") + lift.file, {}, problems);
    ASSERT_TRUE(scenario) << problems.to_text();
    System system(*scenario->model);
    Start start = find_start(*scenario, system);
    ASSERT_TRUE(start.equilibrium.converged) << start.equilibrium.why;
    system.commit(start.state);
    system.evaluate(start.state);
    const auto& channels = scenario->model->channels();
    const auto support =
        std::find_if(channels.begin(), channels.end(), [&](const Channel& c) { return c.name == lift.support; });
    ASSERT_NE(support, channels.end());
    EXPECT_NEAR(support->value(start.state, system.workspace()), lift.mass * 9.80665, 1e-3 * lift.mass) << lift.file;
  }
}

}  // namespace
}  // namespace davit
