#include "davit/planning/planning.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace davit {
namespace {

std::optional<PlanResult> plan_of(const std::string& text, input::Problems& problems) {
  const auto scenario = parse_scenario(text, "plan.yaml", problems);
  if (!scenario) return std::nullopt;
  return plan_scenario(*scenario, problems);
}

std::string overhead(const std::string& plan) {
  return R"(davit: 1
title: a load on a rope below a trolley
bodies:
  trolley: {at: [0, 0, 12 m], joint: {prismatic: x}, mass: 4 t}
  load: {at: [0, 0, 4 m], coordinates: particle, mass: 20 t}
ropes:
  hoist: {from: trolley, to: load, EA: 600 MN, tension: 196.133 kN, damping: 0.02}
winches:
  winch: {rope: hoist, drum: {radius: 0.3 m, inertia: 60 kg m^2}}
run: {duration: 20 s, step: 10 ms}
plan:
)" + plan;
}

TEST(Planning, follows_a_load_and_plays_it_back) {
  input::Problems problems;
  const auto result = plan_of(overhead(R"(  inputs: [trolley, winch]
  outputs: {load: {point: load, along: xz, to: [6 m, 0, 6 m]}}
  over: 8 s
  method: minimal_extension
  scheme: radau
)"),
                              problems);
  ASSERT_TRUE(result) << problems.to_text();
  ASSERT_TRUE(result->plan.complete) << result->plan.why;
  EXPECT_EQ(result->analysis.index, 5);
  EXPECT_FALSE(result->analysis.flat);
  EXPECT_EQ(result->analysis.internal_states, 2);  // sway across the rails
  EXPECT_TRUE(result->analysis.internal_stable());
  ASSERT_TRUE(result->rigid && result->rigid->complete);
  EXPECT_LT(result->rigid->largest.maxCoeff(), 1e-3);
  ASSERT_TRUE(result->elastic && result->elastic->complete);
  EXPECT_LT(result->elastic->largest.maxCoeff(), 0.02);  // the rope stretches by 2.6 mm at rest
  EXPECT_TRUE(result->pushes.empty());
}

// Rest to rest over d with force F at most: T² = c m d/F, with c = 10/√3 of the quintic that two derivatives ask for.
TEST(Planning, finds_the_shortest_time_of_a_double_integrator) {
  input::Problems problems;
  const auto result = plan_of(R"(davit: 1
title: a mass that is pushed
bodies: {mass: {joint: {prismatic: x}, mass: 3 t}}
run: {duration: 20 s, step: 10 ms}
plan:
  inputs: [mass]
  outputs: {place: {point: mass, along: x, by: [10 m, 0, 0]}}
  limits: {mass: {force: 2 kN}}
)",
                              problems);
  ASSERT_TRUE(result) << problems.to_text();
  EXPECT_EQ(result->analysis.index, 3);
  EXPECT_EQ(result->smoothness, 2);
  EXPECT_NEAR(result->over, std::sqrt(10 / std::sqrt(3.0) * 3000 * 10 / 2000), 2e-3);
  EXPECT_TRUE(result->uses.at(0).kept());
  EXPECT_NEAR(result->uses[0].largest, 2000, 1);
}

// m ẍ of the quintic that was asked for, and limits that are used by so much.
TEST(Planning, PushesByTheMassTimesWhatIsDesired) {
  input::Problems problems;
  const auto result = plan_of(R"(davit: 1
title: a mass that is pushed
bodies: {mass: {joint: {prismatic: x}, mass: 3 t}}
run: {duration: 20 s, step: 10 ms}
plan:
  inputs: [mass]
  outputs: {place: {point: mass, along: x, by: [10 m, 0, 0]}}
  over: 5 s
  limits: {mass: {force: 5 kN}}
)",
                              problems);
  ASSERT_TRUE(result) << problems.to_text();
  ASSERT_TRUE(result->plan.complete) << result->plan.why;
  EXPECT_FALSE(result->shortest);
  EXPECT_EQ(result->over, 5);
  for (const auto& at : result->plan.points) {
    const double s = at.t / 5, a = 10 * (60 * s - 180 * s * s + 120 * s * s * s) / 25;
    ASSERT_NEAR(at.w[0], 3000 * a, 1e-3) << at.t;
  }
  // The largest acceleration of the quintic is 10/√3 d/T².
  ASSERT_EQ(result->uses.size(), 1u);
  EXPECT_NEAR(result->uses[0].largest, 3000 * 10 / std::sqrt(3.0) * 10 / 25, 5);
  EXPECT_FALSE(result->uses[0].kept());
}

// The plan as an operation: the scenario goes as planned.
TEST(Planning, IsPlayedBackAsAnOperation) {
  const std::string text = overhead(R"(  inputs: [trolley, winch]
  outputs: {load: {point: load, along: xz, to: [6 m, 0, 6 m]}}
  over: 8 s
  method: minimal_extension
  scheme: radau
)");
  input::Problems problems;
  const auto scenario = parse_scenario(text, "plan.yaml", problems);
  ASSERT_TRUE(scenario) << problems.to_text();
  const auto result = plan_scenario(*scenario, problems);
  ASSERT_TRUE(result) << problems.to_text();
  const auto played = playback_scenario(*scenario, *result, problems);
  ASSERT_TRUE(played) << problems.to_text();
  ASSERT_EQ(played->operation.phases().size(), 1u);
  const auto& moves = played->operation.phases()[0].moves;
  ASSERT_EQ(moves.size(), 2u);
  // The trolley goes to where the load is to be, the winch takes in what it is lifted by.
  EXPECT_NEAR(moves[0].table.end_value(), 6, 1e-3);
  EXPECT_NEAR(std::abs(moves[1].table.end_value()), 2, 1e-2);
  EXPECT_EQ(played->options.end, 8);
  EXPECT_TRUE(played->from_equilibrium);
}

void expect_mistake(const std::string& text, const std::string& words) {
  input::Problems problems;
  EXPECT_FALSE(plan_of(text, problems));
  EXPECT_NE(problems.to_text().find(words), std::string::npos) << problems.to_text();
}

TEST(Planning, says_what_cannot_be) {
  expect_mistake(overhead("  inputs: [trolley]\n  outputs: {load: {point: load, along: xz}}\n  over: 8 s\n"),
                 "there are 2 outputs and 1 inputs");
  expect_mistake(overhead("  inputs: [trolley, winch]\n  outputs: {load: {point: load, along: x}}\n  over: 8 s\n"),
                 "there are 2 inputs and only 1 outputs");
  expect_mistake(overhead("  inputs: [trolley, winch]\n  outputs: {load: {point: load, along: yz}}\n  over: 8 s\n"),
                 "no input moves the output 'load, row 1 of 2'");
  expect_mistake(overhead("  inputs: [trolley, trolley]\n  outputs: {load: {point: load, along: xz}}\n  over: 8 s\n"),
                 "'trolley' is named twice");
  expect_mistake(overhead("  inputs: [troley, winch]\n  outputs: {load: {point: load, along: xz}}\n  over: 8 s\n"),
                 "trolley");
  expect_mistake(overhead("  inputs: [trolley, winch]\n  outputs: {load: {point: load, turn: load}}\n  over: 8 s\n"),
                 "several things");
  expect_mistake(overhead("  inputs: [trolley, winch]\n  outputs: {load: {point: load, along: xz}}\n  over: 8 s\n"
                          "  step: 1e-9 s\n"),
                 "8e+09 points");
}

TEST(Planning, stops_where_the_motion_leaves_what_can_be_reached) {
  input::Problems problems;
  // Above the trolley the rope would have to push it up there: there is no way through its own height.
  const auto result = plan_of(overhead(R"(  inputs: [trolley, winch]
  outputs: {load: {point: load, along: xz, to: [0, 0, 14 m]}}
  over: 8 s
  method: minimal_extension
)"),
                              problems);
  ASSERT_TRUE(result) << problems.to_text();
  EXPECT_TRUE(!result->plan.complete || !result->pushes.empty());
}

// A trolley of 4 t with 20 t on a rope in the plane; the load begins beside it by so much.
std::string in_the_plane(const std::string& plan, double beside = 0, double mass = 1) {
  return fmt::format(R"(davit: 1
title: a load on a rope below a trolley, in the plane
environment: {{gravity: 9.81 m/s^2, wind: {{speed: 10 m/s}}}}
bodies:
  trolley: {{at: [0, 0, 12 m], joint: {{prismatic: x}}, mass: {0} kg}}
  slide: {{joint: {{prismatic: x}}, start: {{travel: {1} m}}}}
  load: {{on: slide, joint: {{prismatic: z}}, mass: {2} kg, start: {{travel: 4 m}}}}
ropes:
  hoist: {{from: trolley, to: load, EA: {3} N, damping: 0.02}}
winches:
  winch: {{rope: hoist, drum: {{radius: 0.3 m, inertia: {4} kg m^2}}}}
run: {{duration: 20 s, step: 10 ms}}
forces: {{w: {{wind_area: {{on: load, areas: [10 m^2, 10 m^2, 10 m^2]}}}}}}
plan:
  inputs: [trolley, winch]
)",
                     4000 * mass, beside, 20000 * mass, 6e7 * mass, 60 * mass) +
         plan;
}
const std::string goes_aside = "  outputs: {load: {point: load, along: xz, by: [6 m, 0, 1 m]}}\n";

// Forces are proportional to masses, of any size.
TEST(Planning, IsTheSameWithMassesOfAnySize) {
  VecX most;
  for (const double mass : {1.0, 1e-6, 1e6}) {
    input::Problems problems;
    const auto result = plan_of(in_the_plane(goes_aside + "  over: 12 s\n", 0, mass), problems);
    ASSERT_TRUE(result) << problems.to_text();
    ASSERT_TRUE(result->plan.complete) << result->plan.why;
    EXPECT_EQ(result->analysis.index, 5);
    EXPECT_TRUE(result->analysis.flat);
    EXPECT_TRUE(result->analysis.ranks_clear());
    VecX largest = VecX::Zero(2);
    for (const auto& at : result->plan.points) largest = largest.cwiseMax(at.w.cwiseAbs() / mass);
    if (most.size() == 0) most = largest;
    EXPECT_LT((largest - most).norm(), 1e-8 * most.norm()) << mass;
  }
}

TEST(Planning, TellsAStartThatIsNotAtRest) {
  for (const char* method : {"minimal_extension", "projection", "projection_constrained"})
    expect_mistake(in_the_plane(goes_aside + "  over: 12 s\n  method: " + method + "\n", 0.5),
                   "'trolley.travel' is 0.5 from where it would have to be");
  input::Problems of_exact;
  ASSERT_TRUE(plan_of(in_the_plane(goes_aside + "  over: 12 s\n", 0.5), of_exact)) << of_exact.to_text();
  EXPECT_NE(of_exact.to_text().find("does not rest where the motion starts"), std::string::npos);
  input::Problems problems;
  const auto result = plan_of(
      in_the_plane(goes_aside + "  over: 12 s\n  method: minimal_extension\n  start: consistent\n", 0.5), problems);
  ASSERT_TRUE(result) << problems.to_text();
  EXPECT_NEAR(result->plan.points.front().q[0], 0.5, 1e-9);
  for (const auto& at : result->plan.points) EXPECT_LT(std::abs(at.w[0]), 3e4) << at.t;  // not 20 MN
  ASSERT_FALSE(result->warnings.empty());
}

TEST(Planning, RefusesLimitsThatDoNotFit) {
  const auto limited = [](const std::string& limits) {
    return in_the_plane(goes_aside + "  over: 12 s\n  limits: " + limits + "\n");
  };
  expect_mistake(limited("{hoist: {force: 3 kN}}"), "'hoist' is a rope, which has no 'force'");
  expect_mistake(limited("{trolley: {sway: 1 deg}}"), "'trolley' is an input, which has no 'sway'");
  expect_mistake(limited("{trolley: {tension: 1 N}}"), "'trolley' is an input, which has no 'tension'");
  expect_mistake(limited("{nothing: {force: 1 N}}"), "'nothing' is neither an input nor a rope");
  expect_mistake(in_the_plane(goes_aside + "  over: 12 s\n  scheme: radau\n"), "'scheme' is given");
}

TEST(Planning, KeepsTheLimitsOfTheShortestTime) {
  input::Problems problems;
  const auto result = plan_of(in_the_plane("  outputs: {load: {point: load, along: xz, by: [10 m, 0, 0]}}\n"
                                           "  smoothness: 5\n  limits: {trolley: {force: 10 kN}}\n"),
                              problems);
  ASSERT_TRUE(result) << problems.to_text();
  ASSERT_EQ(result->uses.size(), 1u);
  EXPECT_TRUE(result->uses[0].kept());
  EXPECT_GT(result->uses[0].largest, 9990);
}

TEST(Planning, SaysWhatIsLeftOut) {
  input::Problems problems;
  const auto scenario = parse_scenario(in_the_plane(goes_aside + "  over: 12 s\n"), "plan.yaml", problems);
  ASSERT_TRUE(scenario) << problems.to_text();
  const auto posed = pose_plan(*scenario, problems);
  ASSERT_TRUE(posed) << problems.to_text();
  EXPECT_EQ(posed->model.notes, std::vector<std::string>{"the wind on 'load' is left out"});
}

// A mass on a slide and a load on a second one, each pushed: what is proposed as an output is accepted.
TEST(Planning, ProposesOutputsAsTheyCanBeWritten) {
  const std::string one = in_the_plane("  outputs: {height: {point: load, along: z, by: [0, 0, 1 m]}}\n  over: 12 s\n");
  input::Problems problems;
  EXPECT_FALSE(plan_of(one, problems));
  const std::string text = problems.to_text(), before = "these would do: ";
  const size_t at = text.find(before);
  ASSERT_NE(at, std::string::npos) << text;
  const size_t begin = at + before.size(), end = std::min(text.find(", or ", begin), text.find('\n', begin));
  const std::string proposed = text.substr(begin, end - begin);
  input::Problems of_both;
  const auto result = plan_of(
      in_the_plane("  outputs: {height: {point: load, along: z, by: [0, 0, 1 m]}, " + proposed + "}\n  over: 12 s\n"),
      of_both);
  EXPECT_TRUE(result) << proposed << "\n" << of_both.to_text();
}

// An upright boom falls with the least error of planned torques; held by feedback about the plan it goes as planned.
TEST(Planning, HoldsWhatRunsAwayWhenItIsPlayedBack) {
  input::Problems problems;
  const auto result = plan_of(R"(davit: 1
title: an arm that stands upright
bodies:
  boom: {joint: {revolute: -y}, mass: 30 t, centre: [18 m, 0, 0], inertia: [1e4 kg m^2, 4e6 kg m^2, 4e6 kg m^2], start: {angle: 60 deg}}
run: {duration: 40 s, step: 20 ms}
plan:
  inputs: [boom]
  outputs: {angle: {combination: {boom: 1}, change: 10 deg}}
  over: 40 s
  step: 0.1 s
)",
                              problems);
  ASSERT_TRUE(result) << problems.to_text();
  const double inertia = 4e6 + 30e3 * 18 * 18, falls = std::sqrt(30e3 * 9.80665 * 18 * std::sin(M_PI / 3) / inertia);
  EXPECT_NEAR(result->growth, falls, 1e-6);
  ASSERT_TRUE(result->rigid && result->rigid->complete);
  EXPECT_LT(result->rigid->largest.maxCoeff(), 1e-4);
  EXPECT_NE(result->rigid_method.find("held by feedback"), std::string::npos);
}

}  // namespace
}  // namespace davit
