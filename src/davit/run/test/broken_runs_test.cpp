// Runs that must not say that they are complete: energy out of nothing, contacts that are entered, values that are no
// numbers, steps that resolve nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "davit/run/run.hpp"
#include "davit/test/source_tree.hpp"

namespace davit {
namespace {

namespace fs = std::filesystem;

RunReport run_of(const Scenario& scenario) {
  std::string folder = (fs::temp_directory_path() / "davit_broken_XXXXXX").string();
  if (!mkdtemp(folder.data())) throw std::runtime_error("no temporary folder");
  RunSettings settings;
  settings.directory = folder;
  const RunReport report = run_scenario(scenario, settings);
  fs::remove_all(folder);
  return report;
}
RunReport run_of(const std::string& text) {
  input::Problems problems;
  const auto scenario = parse_scenario(text, "lift.yaml", problems);
  if (!scenario) throw std::runtime_error(problems.to_text());
  return run_of(*scenario);
}

std::string falling(const std::string& start, const std::string& length, const std::string& stiffness,
                    const std::string& run) {
  return "davit: 1\ntitle: a fall into a line\nbodies: {a: {coordinates: particle, at: " + start +
         ", mass: 1 kg}}\nforces: {l: {line: {from: world, to: a, length: " + length + ", stiffness: " + stiffness +
         "}}}\nrun: {" + run + "}\n";
}

// 1 kg falls 1 m into a line of 1e9 N/m: a line that is caught between two steps throws it back with whatever the
// step has made of it.
TEST(BrokenRuns, EnergyOutOfNothing) {
  for (const std::string method : {"midpoint", "variational_midpoint", "minimal_extension"})
    for (const std::string step : {"10 ms", "1 ms"}) {
      const RunReport report =
          run_of(falling("[0, 0, -1 m]", "2 m", "1e9 N/m", "duration: 3 s, step: " + step + ", method: " + method));
      EXPECT_FALSE(report.outcome.status == RunStatus::complete && report.summary.quality.good())
          << method << " at " << step << ": " << report.outcome.energy_gain.share();
    }
  const RunReport wild =
      run_of(falling("[0, 0, -10 m]", "9 m", "1e12 N/m", "duration: 1 s, step: 10 ms, method: midpoint"));
  EXPECT_EQ(wild.outcome.status, RunStatus::broken);
}

TEST(BrokenRuns, AConservingStepMakesNone) {
  const RunReport report =
      run_of(falling("[0, 0, -1 m]", "2 m", "1e6 N/m", "duration: 3 s, step: 1 ms, method: conserving"));
  EXPECT_EQ(report.outcome.status, RunStatus::complete);
  EXPECT_LT(report.outcome.energy_gain.share(), 1e-9);
}

// What forces bring in is not out of nothing: a mass that a wrench drives up and down, and one that is moved.
TEST(BrokenRuns, WorkIsNotOutOfNothing) {
  const RunReport report = run_of(
      "davit: 1\ntitle: driven\nbodies:\n  a: {joint: {prismatic: x}, mass: 4 kg}\n  b: {joint: {prismatic: y}, mass: "
      "2 "
      "kg}\nforces:\n  push: {wrench: {on: a, force: [30 N, 0, 0], ramp: 0.3 s, until: 4 s}}\n  k: {joint_spring: "
      "{joint: "
      "a, stiffness: 200 N/m}}\nconstraints: {m: {motion: {joint: b}}}\noperation: [{at: 1 s, over: 2 s, move: {b: 3 "
      "m}}]\nrun: {duration: 6 s, step: 10 ms}\n");
  EXPECT_EQ(report.outcome.status, RunStatus::complete);
  EXPECT_LT(report.outcome.energy_gain.share(), 1e-3);
}

// A lid that is driven down onto a point on the ground.
TEST(BrokenRuns, AContactThatIsEntered) {
  const RunReport report = run_of(
      "davit: 1\ntitle: squeezed\nbodies:\n  a: {joint: free, mass: 1 kg, inertia: [1, 1, 1]}\n  lid: {joint: "
      "{prismatic: "
      "z}, at: [0, 0, 1 m], mass: 1 t, start: {travel_rate: -1 m/s}}\nconstraints:\n  c1: {contact: {surface: world, "
      "point: a}}\n  c2: {contact: {surface: lid, point: a, normal: -z}}\n  mo: {motion: {joint: lid}}\noperation: "
      "[{at: 0 "
      "s, over: 1 s, move: {lid: -3 m}}]\nrun: {duration: 2 s, step: 10 ms}\n");
  EXPECT_EQ(report.outcome.status, RunStatus::broken);
  EXPECT_EQ(report.outcome.element, "c1, c2");
}

// A swinging arm has no motion across its plane, and none along the normal where it hangs: rows of a contact without a
// response of their own. It rests on a floor at 0.9 of its length with its whole weight, stops there when it falls onto
// it, and swings past one that it just reaches.
TEST(BrokenRuns, ContactsOfAPlanarMechanismDoNotBreak) {
  const double angle = std::asin(0.9);
  const auto arm = [](double depth, const std::string& start, double friction) {
    return run_of(fmt::format(
        "davit: 1\ntitle: an arm\nbodies:\n  ground: {{at: [0, 0, {:.17g} m], mass: 1 kg}}\n  arm: {{joint: "
        "{{revolute: "
        "y}}, mass: 2 kg, centre: [1 m, 0, 0], inertia: [0.1, 0.2, 0.2], points: {{tip: [1 m, 0, "
        "0]}}{}}}\nconstraints: "
        "{{floor: {{contact: {{surface: ground, point: arm.tip, friction: {}}}}}}}\nrun: {{duration: 2 s, step: 10 ms, "
        "method: conserving}}\n",
        -depth, start, friction));
  };
  const auto statistics = [](const RunReport& report, const std::string& channel) {
    for (const auto& c : report.summary.channels)
      if (c.channel.name == channel) return c.statistics;
    throw std::runtime_error("there is no channel " + channel);
  };
  for (const double friction : {0.0, 0.3}) {
    const RunReport falls = arm(0.9, "", friction), passes = arm(1, "", friction);
    EXPECT_EQ(falls.outcome.status, RunStatus::complete) << falls.outcome.why;
    EXPECT_NEAR(statistics(falls, "arm.angle").max, angle, 1e-6);
    EXPECT_EQ(passes.outcome.status, RunStatus::complete) << passes.outcome.why;
    EXPECT_NEAR(statistics(passes, "arm.angle").max, std::numbers::pi, 1e-3);
  }
  const RunReport rests = arm(0.9, fmt::format(", start: {{angle: {:.17g} rad}}", angle), 0);
  EXPECT_EQ(rests.outcome.status, RunStatus::complete) << rests.outcome.why;
  EXPECT_NEAR(statistics(rests, "floor.normal").mean, 2 * 9.80665, 1e-5);
}

// More than a period in a step: that is certain long before the end, and the run does not go on for it.
TEST(BrokenRuns, AHopelessRunEndsAsSoonAsThatIsCertain) {
  const std::string spring =
      "davit: 1\ntitle: a spring\nbodies: {bob: {joint: {prismatic: x}, mass: 1 kg, start: {travel: 1 m}}}\nforces: "
      "{k: "
      "{joint_spring: {joint: bob, stiffness: 100 N/m}}}\nrun: {duration: 400 s, method: conserving, step: ";
  const RunReport hopeless = run_of(spring + "1 s}\n"), coarse = run_of(spring + "20 ms}\n");
  EXPECT_EQ(hopeless.outcome.status, RunStatus::broken);
  EXPECT_LT(hopeless.outcome.t, 100);
  EXPECT_GT(hopeless.outcome.local_error, 1e-2);
  EXPECT_EQ(coarse.outcome.status, RunStatus::complete);
  EXPECT_EQ(coarse.outcome.t, 400);
}

// Ropes of 1e15 N: no step has a solution, and the run does not go on for it.
TEST(BrokenRuns, StepsWithoutASolution) {
  input::Problems problems;
  const auto scenario = load_scenario(
      in_source("scenarios/equalizer.yaml"),
      {"ropes.fore_hoist.EA=1e15 N", "ropes.aft_hoist.EA=1e15 N", "run.from_equilibrium=false"}, problems);
  ASSERT_TRUE(scenario) << problems.to_text();
  const RunReport report = run_of(*scenario);
  EXPECT_EQ(report.outcome.status, RunStatus::broken);
  EXPECT_LE(report.outcome.t, 50 * scenario->options.step) << "it went on for long";
}

TEST(BrokenRuns, AnEquilibriumThatIsAskedForAndDoesNotExist) {
  const auto falling = [](const std::string& wish) {
    return run_of(
        "davit: 1\ntitle: a stone\nbodies: {stone: {joint: {prismatic: z}, mass: 1 kg}}\nrun: {duration: 1 s, "
        "step: 10 ms, method: rk4, from_equilibrium: " +
        wish + "}\n");
  };
  const RunReport asked = falling("true"), tried = falling("try"), not_asked = falling("false");
  EXPECT_EQ(asked.outcome.status, RunStatus::broken);
  EXPECT_NE(asked.outcome.why.find("should begin in equilibrium"), std::string::npos) << asked.outcome.why;
  EXPECT_EQ(tried.outcome.status, RunStatus::complete);
  EXPECT_EQ(not_asked.outcome.status, RunStatus::complete);
  EXPECT_EQ(tried.summary.warnings.size(), not_asked.summary.warnings.size() + 1);
}

TEST(BrokenRuns, AChannelThatIsNoNumber) {
  const RunReport report = run_of(
      "davit: 1\ntitle: too large\nbodies: {a: {joint: {prismatic: x}, mass: 1 kg, start: {travel_rate: 1 "
      "m/s}}}\nforces: "
      "{c: {joint_damper: {joint: a, damping: 1e308}}}\nrun: {duration: 1 s, step: 10 ms, method: rk4}\n");
  EXPECT_EQ(report.outcome.status, RunStatus::broken);
}

std::string forced_line(const std::string& line, const std::string& operation,
                        const std::string& stiffness = "61560 kN") {
  return "davit: 1\ntitle: a forced line\nenvironment: {water_depth: 35.8 m}\nbodies: {fairlead: {at: [159 m, 0, -10 "
         "m], "
         "joint: {prismatic: x}, mass: 100 t, weightless: true}}\nconstraints: {drive: {motion: {joint: fairlead}}}\n"
         "forces: {line: {mooring_line: {anchor: [0, 0, -35.8 m], to: fairlead, sections: [{length: 170 m, diameter: "
         "195 "
         "mm, EA: " +
         stiffness + ", mass: 234.52 kg/m, submerged_weight: 2000 N/m}], " + line + "}}}\noperation: [" + operation +
         "]\nrun: {duration: 40 s, step: 50 ms, modes: false}\n";
}

// A line that finds no shape is named, and not the joint that it pulls at: a thousand times as stiff as steel,
// and jerked to and fro.
TEST(BrokenRuns, ALineThatFindsNoShapeIsNamed) {
  const RunReport report =
      run_of(forced_line("seabed: {stiffness: 1e9 N/m^2}",
                         "{at: 1 s, over: 0.05 s, move: {fairlead: -25 m}}, {at: 1.5 s, over: 0.05 s, move: "
                         "{fairlead: 25 m}}",
                         "6e9 kN"));
  ASSERT_EQ(report.outcome.status, RunStatus::broken);
  EXPECT_EQ(report.outcome.element, "line");
  EXPECT_NE(report.outcome.why.find("finds no shape between its ends"), std::string::npos) << report.outcome.why;
}

TEST(BrokenRuns, ALineThatBrokeIsTold) {
  const RunReport report =
      run_of(forced_line("breaks: {above: 130 kN}", "{at: 1 s, over: 20 s, move: {fairlead: 4 m}}"));
  ASSERT_EQ(report.outcome.status, RunStatus::complete);
  const auto& said = report.summary.warnings;
  EXPECT_TRUE(std::any_of(said.begin(), said.end(), [](const std::string& warning) {
    return warning.find("the mooring line 'line' broke") != std::string::npos;
  }));
}

TEST(BrokenRuns, ALoadThatGoesUnderWaterIsTold) {
  const RunReport report = run_of(
      "davit: 1\ntitle: a load into the water\nenvironment: {water_depth: 50 m}\nbodies: {load: {at: [0, 0, 1.5 m], "
      "joint: "
      "{prismatic: z}, mass: 10 t, box: {size: [2 m, 2 m, 2 m]}}}\nconstraints: {drive: {motion: {joint: load}}}\n"
      "operation: [{at: 0 s, over: 2 s, move: {load: -3 m}}]\nrun: {duration: 3 s, step: 20 ms}\n");
  const auto& said = report.summary.warnings;
  EXPECT_TRUE(std::any_of(said.begin(), said.end(), [](const std::string& warning) {
    return warning.find("'load' goes under water at ") != std::string::npos;
  }));
}

}  // namespace
}  // namespace davit
