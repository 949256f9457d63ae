// Rests on decks with friction, however stiff: what is set down stays where it came to touch, pulled by no more than
// its weight along the deck; what is too steep slides and is at no rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "davit/simulation/preparation.hpp"
#include "davit/solve/rest.hpp"
#include "davit/statics/lift_at_rest.hpp"
#include "davit/statics/test/lifts.hpp"
#include "davit/test/source_tree.hpp"

namespace davit {
namespace {

using test::gravity;

constexpr double degree = M_PI / 180;
const char* const over_and_down =
    "operation:\n  - {name: up, hoist: {main: 3 m}}\n  - {name: over, slew: {king: 90 deg}, over: 60 s}\n"
    "  - {name: down, lower: {main: 3 m}}\n  - {name: slacken, lower: {main: 1 m}}\n"
    "  - {name: go, release: [hoist]}\n";

double value_of(const LiftAtRest& lift, const std::string& name) {
  const auto at =
      std::find_if(lift.contacts.begin(), lift.contacts.end(), [&](const ValueAtRest& v) { return v.name == name; });
  return at == lift.contacts.end() ? NAN : at->value;
}

// From below the tip of the crane, where a load is set down; it turns about the edge that touches first.
double way_from_the_plumb(const Scenario& scenario, System& system, const LiftAtRest& lift) {
  State state = lift.equilibrium.state;
  system.evaluate(state);
  const auto load = std::find_if(scenario.bodies.begin(), scenario.bodies.end(),
                                 [](const auto& body) { return body.first == "load"; });
  const Frame& frame = scenario.body_frames[static_cast<size_t>(load - scenario.bodies.begin())];
  return (position(system.workspace().kin, frame) - Vec3(0, 20, 1)).norm();
}

TEST(FrictionAtRest, WhatIsSetDownStaysWhereItTouched) {
  const double lean = 2 * degree, weight = test::two_decks_mass * gravity;
  for (const double stiffness : {1e6, 1e8, 1e10}) {
    SCOPED_TRACE(stiffness);
    const Scenario scenario = test::on_two_decks({lean, stiffness, 0.3}, over_and_down);
    System system(*scenario.model);
    const auto lifts = find_lifts_at_rest(scenario, system);
    ASSERT_EQ(lifts.size(), 6u);
    for (const LiftAtRest& lift : lifts) {
      ASSERT_TRUE(lift.equilibrium.converged) << lift.after << ": " << lift.equilibrium.why;
      EXPECT_TRUE(lift.equilibrium.stable) << lift.after;
      EXPECT_LT(rest_point(system, lift.equilibrium.state).acceleration, 1e-6) << lift.after;
    }
    EXPECT_NEAR(value_of(lifts[0], "here.normal"), weight, 1e-6 * weight);
    EXPECT_EQ(value_of(lifts[2], "there.normal"), 0);
    for (const size_t i : {4u, 5u}) {
      EXPECT_NEAR(value_of(lifts[i], "there.normal"), weight * std::cos(lean), 1e-6 * weight) << lifts[i].after;
      EXPECT_NEAR(value_of(lifts[i], "there.friction"), weight * std::sin(lean), 1e-6 * weight) << lifts[i].after;
      EXPECT_LT(way_from_the_plumb(scenario, system, lifts[i]), 0.1) << lifts[i].after;
    }
  }
}

// Beside drives that hold their joints by unknown forces, rests are looked for in another way.
TEST(FrictionAtRest, WhatIsSetDownBesideServosStaysToo) {
  const double lean = 2 * degree, weight = test::two_decks_mass * gravity;
  const std::string arm =
      "  turret: {at: [60 m, 0, 0], joint: {revolute: z}, mass: 3 t, cylinder: {radius: 0.5 m, length: 2 m}}\n"
      "  inner: {on: turret, at: [0, 0, 2 m], joint: {revolute: -x}, mass: 2 t, centre: [0, -2 m, 0], cylinder: "
      "{radius: "
      "0.3 m, length: 4 m, axis: y}, start: {angle: 60 deg}}\n"
      "  outer: {on: inner, at: [0, -4 m, 0], joint: {revolute: -x}, mass: 1 t, centre: [0, -2 m, 0], cylinder: "
      "{radius: "
      "0.3 m, length: 4 m, axis: y}, start: {angle: -70 deg}, points: {tip: [0, -4 m, 0]}}\n";
  const Scenario scenario = test::on_two_decks(
      {lean, 1e6, 0.3, arm, ", tip: {tip: {point: outer.tip, joints: [turret, inner, outer], period: 2 s}}"},
      over_and_down);
  System system(*scenario.model);
  ASSERT_GT(scenario.model->drives(), 0);
  const auto lifts = find_lifts_at_rest(scenario, system);
  ASSERT_TRUE(lifts.at(4).equilibrium.converged) << lifts[4].equilibrium.why;
  EXPECT_NEAR(value_of(lifts[4], "there.friction"), weight * std::sin(lean), 1e-6 * weight);
  EXPECT_LT(way_from_the_plumb(scenario, system, lifts[4]), 0.1);
}

// Every phase of the shipped lifts has its rest, and where the load was let go its deck bears all of it.
TEST(FrictionAtRest, ShippedLiftsAreSetDown) {
  struct Lift {
    const char *file, *deck;
    double mass;
  };
  for (const Lift& shipped :
       {Lift{"quay_to_ship.yaml", "deck/bearing", 12e3}, Lift{"module_lift.yaml", "crane_deck/bearing", 120e3}}) {
    SCOPED_TRACE(shipped.file);
    input::Problems problems;
    const auto scenario = load_scenario(in_source("scenarios/") + shipped.file, {"run.modes=false"}, problems);
    ASSERT_TRUE(scenario) << problems.to_text();
    System system(*scenario->model);
    const auto lifts = find_lifts_at_rest(*scenario, system);
    for (const LiftAtRest& lift : lifts) {
      ASSERT_TRUE(lift.equilibrium.converged) << lift.after << ": " << lift.equilibrium.why;
      EXPECT_TRUE(lift.equilibrium.stable) << lift.after;
      EXPECT_LT(rest_point(system, lift.equilibrium.state).acceleration, 1e-6) << lift.after;
    }
    const double normal = value_of(lifts.back(), std::string(shipped.deck) + ".normal"),
                 friction = value_of(lifts.back(), std::string(shipped.deck) + ".friction");
    EXPECT_NEAR(std::hypot(normal, friction), shipped.mass * gravity, 1e-6 * shipped.mass * gravity);
  }
}

TEST(FrictionAtRest, WhatIsTooSteepIsAtNoRest) {
  const Scenario scenario = test::on_two_decks({20 * degree, 1e8, 0.3}, over_and_down);
  System system(*scenario.model);
  const auto lifts = find_lifts_at_rest(scenario, system);
  ASSERT_EQ(lifts.size(), 6u);
  EXPECT_TRUE(lifts[2].equilibrium.converged);
  EXPECT_FALSE(lifts[5].equilibrium.converged);
  EXPECT_FALSE(lifts[5].equilibrium.why.empty());
}

// A box that is turned a little and begins 0.2 m above a ramp, with a stop 0.5 m down the ramp.
Scenario above_a_ramp(double slope, double stiffness, const std::string& turned = {}) {
  return test::read_scenario(fmt::format(
      "davit: 1\ntitle: ramp\nbodies:\n  ramp: {{turn: [{{y: {0} rad}}]}}\n"
      "  stop: {{on: ramp, at: [1.5 m, 0, 0], turn: [{{y: -90 deg}}]}}\n"
      "  box: {{turn: [{{y: {0} rad}}{1}], joint: free, start: {{z: 1.2 m}}, mass: 10 t, box: {{size: [2 m, 2 m, 2 "
      "m]}}, "
      "points: {{a: [1 m, 1 m, -1 m], b: [-1 m, 1 m, -1 m], c: [-1 m, -1 m, -1 m], d: [1 m, -1 m, -1 m]}}}}\nforces:\n"
      "  deck: {{contact: {{surface: ramp, points: [box.a, box.b, box.c, box.d], stiffness: {2} N/m, friction: "
      "0.3}}}}\n"
      "  edge: {{contact: {{surface: stop, points: [box.a, box.d], stiffness: {2} N/m}}}}\n"
      "run: {{duration: 1 s, step: 1 ms, from_equilibrium: true}}\n",
      slope, turned, stiffness));
}

// It comes down on a corner, and its feet are drawn together and apart: no friction holds them where the file has them.
TEST(FrictionAtRest, ABoxThatTiltsSettles) {
  const double weight = 10e3 * gravity;
  for (const double stiffness : {1e6, 1e8, 1e10, 1e12}) {
    SCOPED_TRACE(stiffness);
    const Scenario scenario = above_a_ramp(0, stiffness, ", {x: 3 deg}, {y: 2 deg}, {z: 10 deg}");
    System system(*scenario.model);
    const LiftAtRest lift = find_lifts_at_rest(scenario, system).front();
    ASSERT_TRUE(lift.equilibrium.converged) << lift.equilibrium.why;
    EXPECT_NEAR(value_of(lift, "deck.normal"), weight, 1e-6 * weight);
    for (const char* foot : {"deck.a.normal", "deck.b.normal", "deck.c.normal", "deck.d.normal"})
      EXPECT_NEAR(value_of(lift, foot), weight / 4, 0.02 * weight) << foot;
  }
}

// Of friction 0.3 it stands on 16 degrees, though its upper feet alone would slide, and not on 20: there it would slide
// to the stop, which is not where the file has it.
TEST(FrictionAtRest, ARampIsStoodOnUpToItsFriction) {
  const double weight = 10e3 * gravity;
  const Scenario gentle = above_a_ramp(16 * degree, 1e8), steep = above_a_ramp(20 * degree, 1e8);
  System system(*gentle.model);
  const LiftAtRest lift = find_lifts_at_rest(gentle, system).front();
  ASSERT_TRUE(lift.equilibrium.converged) << lift.equilibrium.why;
  EXPECT_NEAR(value_of(lift, "deck.friction"), weight * std::sin(16 * degree), 1e-6 * weight);
  const Start start = find_start(steep);
  EXPECT_FALSE(start.equilibrium.converged);
  EXPECT_NE(start.equilibrium.why.find("slides"), std::string::npos) << start.equilibrium.why;
  // And no run begins there.
  EXPECT_TRUE(cannot_begin(steep, start));
}

}  // namespace
}  // namespace davit
