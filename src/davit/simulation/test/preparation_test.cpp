// What is found before the first step: the start, whether there is a run at all, and what is said of it.
#include "davit/simulation/preparation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "davit/simulation/body_names.hpp"
#include "davit/test/read_scenario.hpp"

namespace davit {
namespace {

std::string hanging(const std::string& more, const std::string& run) {
  return "davit: 1\ntitle: t\nbodies:\n  load: {at: [0, 0, 9.9 m], joint: {prismatic: z}, mass: 1 t, points: {eye: [0, "
         "0, "
         "0]}}\n  top: {at: [0, 0, 20 m]}\nropes: {fall: {from: top, to: load.eye, EA: 1 MN, damping: 50 ms, length: "
         "10 "
         "m}}\n" +
         more + "run: {duration: 4 s, step: 10 ms" + run + "}\n";
}
constexpr double stretch = 10 * 1000 * 9.80665 / 1e6;  // of the rope under the load

TEST(Start, IsTheEquilibriumWhereThatIsWanted) {
  const Scenario given = test::read_scenario(hanging("", "")),
                 wanted = test::read_scenario(hanging("", ", from_equilibrium: true"));
  EXPECT_EQ(find_start(given).state.q[0], 0);
  const Start start = find_start(wanted);
  EXPECT_NEAR(start.state.q[0], 0.1 - stretch, 1e-9);
  EXPECT_EQ(start.given.q[0], 0);
  EXPECT_FALSE(cannot_begin(wanted, start));
  // And nobody asked for one who wants modes of the other.
  System system(*given.model);
  const Start anyway = find_start(given, system, true);
  EXPECT_EQ(anyway.state.q[0], 0);
  EXPECT_NEAR(anyway.equilibrium.state.q[0], 0.1 - stretch, 1e-9);
}

// A run that should begin at rest does not go on from the pose of the file with a warning.
TEST(Start, WithoutTheEquilibriumThatIsNeededThereIsNoRun) {
  const char* const sliding =
      "davit: 1\ntitle: t\nbodies:\n  ramp: {turn: [{y: 20 deg}]}\n"
      "  box: {turn: [{y: 20 deg}], joint: free, start: {z: 1 m}, mass: 10 t, box: {size: [2 m, 2 m, 2 m]}, points: "
      "{a: "
      "[1 m, 1 m, -1 m], b: [-1 m, 1 m, -1 m], c: [-1 m, -1 m, -1 m], d: [1 m, -1 m, -1 m]}}\n"
      "forces: {deck: {contact: {surface: ramp, points: [box.a, box.b, box.c, box.d], stiffness: 1e10 N/m, friction: "
      "0.3}}}\nrun: {duration: 1 s, step: 1 ms, from_equilibrium: ";
  for (const char* wish : {"true", "try"}) {
    const Scenario scenario = test::read_scenario(sliding + std::string(wish) + "}\n");
    const Start start = find_start(scenario);
    EXPECT_FALSE(start.equilibrium.converged);
    const auto why = cannot_begin(scenario, start);
    EXPECT_EQ(why.has_value(), wish == std::string("true"));
    EXPECT_EQ(start.warnings.empty(), wish == std::string("true"));
    if (why) EXPECT_NE(why->find("slides"), std::string::npos) << *why;
  }
}

TEST(Start, IsThatOfAnotherSeaAndNotOfAnotherWind) {
  const auto with = [](const std::string& environment) {
    return test::read_scenario(hanging("environment: {" + environment + "}\n", ", from_equilibrium: true"));
  };
  const Scenario calm = with("waves: {spectrum: regular, height: 1 m, period: 8 s}");
  const Start start = find_start(calm);
  input::Problems problems;
  const auto rough = in_another_sea(calm, {"environment.waves.height=3 m"}, problems);
  ASSERT_TRUE(rough) << problems.to_text();
  const auto same = same_start(start, calm, *rough);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->state.q, start.state.q);
  EXPECT_EQ(same->state.discrete.environment, rough->environment);
  // Another model has another start.
  EXPECT_FALSE(same_start(start, calm, with("waves: {spectrum: regular, height: 1 m, period: 8 s}")));
}

TEST(Limits, OfStaticValuesHaveNoBoundWithoutThem) {
  const Scenario scenario = test::read_scenario(
      hanging("limits: [{channel: fall.tension, below: 1.5 * static}, {channel: load.travel_rate, below: 1 m/s}]\n",
              ", from_equilibrium: true"));
  Start start = find_start(scenario);
  ASSERT_EQ(scenario.limits.size(), 2u);
  ASSERT_TRUE(scenario.limits[0].of_first);
  EXPECT_EQ(limits_from(start, scenario)[0].bound, 1.5);
  start.equilibrium.converged = false;
  EXPECT_TRUE(std::isnan(limits_from(start, scenario)[0].bound));
  EXPECT_EQ(limits_from(start, scenario)[1].bound, 1);
}

TEST(Preparation, FindsModesAndWhatTheStepMisses) {
  const Scenario scenario = test::read_scenario(hanging("", ", from_equilibrium: true"));
  System system(*scenario.model);
  const auto stepper = scenario.make_stepper();
  const Preparation prepared = prepare(scenario, *stepper, system);
  const double expected = std::sqrt(1e6 / 10 / 1000) / (2 * M_PI);  // EA/L over m; the damping shifts it a little
  const VibrationMode* mode = nullptr;
  for (const VibrationMode& m : prepared.vibration.modes)
    if (m.frequency > 0) mode = &m;
  ASSERT_TRUE(mode);
  EXPECT_NEAR(mode->frequency, expected, 0.05 * expected);
  EXPECT_NE(prepared.modes_about.find("equilibrium"), std::string::npos);
  EXPECT_TRUE(prepared.instability.empty());
  EXPECT_TRUE(wants_modes(scenario));
  EXPECT_FALSE(wants_modes(test::read_scenario(hanging("", ", modes: false"))));
}

// A damper that feeds what it should brake.
TEST(Preparation, SaysThatAModelFeedsItself) {
  const Scenario scenario = test::read_scenario(
      "davit: 1\ntitle: t\nbodies: {a: {joint: {prismatic: x}, mass: 1 t}}\n"
      "forces: {s: {joint_spring: {joint: a, stiffness: 100 kN/m}}}\n"
      "control: {c: {pid: {joints: [a], kp: 0 N/m, kd: -2 kN s/m}}}\n"
      "run: {duration: 20 s, step: 10 ms}\n");
  System system(*scenario.model);
  const auto stepper = scenario.make_stepper();
  const Preparation prepared = prepare(scenario, *stepper, system);
  EXPECT_NE(prepared.instability.find("grows by itself"), std::string::npos);
  ASSERT_FALSE(prepared.warnings.empty());
}

TEST(BodyNames, AreFoundByPointsAndFrames) {
  const Scenario scenario = test::read_scenario(hanging("", ""));
  const BodyNames names(scenario);
  EXPECT_EQ(names.of_point("load.eye"), 0u);
  EXPECT_EQ(names.of_point("load"), 0u);
  EXPECT_EQ(names.of_point("top"), 1u);
  EXPECT_FALSE(names.of_point("crane.tip"));
  EXPECT_EQ(names.of_frame(scenario.body_frames[0].body), 0u);
  EXPECT_FALSE(names.of_frame(0));
  EXPECT_FALSE(is_free(scenario.bodies[0].second));
  EXPECT_NEAR(weight_of(scenario, scenario.bodies[0].second), 9806.65, 1e-9);
}

}  // namespace
}  // namespace davit
