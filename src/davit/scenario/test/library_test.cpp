// Controllers in shared libraries as a file names them: what they drive and measure, and mistakes.
#include <cmath>
#include <fstream>

#include "davit/scenario/test/support.hpp"
#include "davit/solve/equilibrium.hpp"
#include "davit/test/source_tree.hpp"

namespace davit {
namespace {

using test::lift;
using test::read_lift;

const std::string libraries = in_build("controllers");

const std::string trolley_and_load =
    "  trolley: {joint: {prismatic: x}, mass: 1 t}\n"
    "  sway: {on: trolley, joint: {revolute: y}, mass: 100 kg, centre: [0, 0, -12 m], start: {angle: 3 deg}}\n";
const std::string load_on_rope =
    "  top: {at: [0, 0, 20 m]}\n"
    "  load: {at: [0, 0, 10 m], joint: {prismatic: z}, mass: 1 t}\n";

std::string rope_and_winch(const std::string& winch) {
  return "ropes: {rope: {from: top, to: load, tension: 9806.65 N, EA: 100 MN}}\nwinches: {w: {rope: rope" + winch +
         "}}\n";
}
const std::string with_drum = ", mode: speed, drum: {radius: 0.4 m, inertia: 100 kg m^2}";

std::string own_library(const std::string& file, const std::string& keys) {
  return "control: {own: {library: {file: " + libraries + "/lib" + file + ".so, sample_time: 20 ms, " + keys + "}}}\n";
}

std::string said_of(const std::string& text) {
  input::Problems problems;
  EXPECT_FALSE(parse_scenario(text, "lift.yaml", problems)) << text;
  return problems.to_text();
}

void expect_says(const std::string& text, const std::string& words) {
  const std::string said = said_of(text);
  EXPECT_NE(said.find(words), std::string::npos) << said;
  EXPECT_NE(said.find("lift.yaml:"), std::string::npos) << said;
}

double seen_value(const Scenario& s, const State& state, const System& system, const std::string& channel) {
  for (const Channel& c : s.model->channels())
    if (c.name == channel) return c.value(state, system.workspace());
  throw std::runtime_error("no channel " + channel);
}

TEST(Library, drives_joints_by_what_it_measures) {
  const Scenario s =
      read_lift(lift(trolley_and_load,
                     own_library("pid",
                                 "measure: [sway.angle, sway.angle_rate], drive: [trolley], limits: {trolley: 20 N}, "
                                 "parameters: {kp: 1 kN, kd: 5}")));
  System system(*s.model);
  State state = s.initial_state();
  system.commit(state);
  ASSERT_TRUE(system.evaluate(state));
  // 1 kN for a radian, told in SI; cut at the limit.
  EXPECT_NEAR(seen_value(s, state, system, "own.sees.sway.angle"), 3 * M_PI / 180, 1e-15);
  EXPECT_EQ(seen_value(s, state, system, "own.trolley.force"), -20);
  EXPECT_EQ(seen_value(s, state, system, "own.trolley.target"), 0);
  for (const Channel& c : s.model->channels())
    if (c.name == "own.sees.sway.angle") EXPECT_EQ(c.unit, "rad");
}

TEST(Library, measures_forces_and_accelerations_of_the_instant) {
  const Scenario s = read_lift(
      lift(trolley_and_load,
           own_library("pass_on", "measure: [sway.reaction.Fz, trolley.travel_acceleration], drive: [trolley, sway]")));
  System system(*s.model);
  State state = s.initial_state();
  ASSERT_TRUE(system.evaluate(state));
  const double force = seen_value(s, state, system, "sway.reaction.Fz"),
               acceleration = seen_value(s, state, system, "trolley.travel_acceleration");
  EXPECT_GT(std::abs(force), 900);
  EXPECT_GT(std::abs(acceleration), 0.01);
  system.commit(state);
  ASSERT_TRUE(system.evaluate(state));
  EXPECT_EQ(seen_value(s, state, system, "own.trolley.force"), force);
  EXPECT_EQ(seen_value(s, state, system, "own.sway.torque"), acceleration);
}

TEST(Library, sees_what_the_operation_asks) {
  const Scenario s =
      read_lift(lift(trolley_and_load, own_library("pass_on", "measure: [own.trolley.target_rate], drive: [trolley]") +
                                           "operation: [{at: 0 s, over: 1 s, move: {trolley: 2 m}}]\n"));
  System system(*s.model);
  State state = s.initial_state();
  system.commit(state);
  state.t = 0.5;
  system.commit(state);
  ASSERT_TRUE(system.evaluate(state));
  const double rate = Motion(0).move(0, 1, 2).derivative(1, 0.5);
  EXPECT_GT(rate, 2);
  EXPECT_NEAR(seen_value(s, state, system, "own.trolley.force"), rate, 1e-12);
}

TEST(Library, sensors_have_their_units_and_the_seed_of_the_run) {
  const auto seen = [&](const std::string& sensor, const std::string& seed) {
    const Scenario s = read_lift(lift(
        trolley_and_load,
        own_library("pid",
                    "measure: [sway.angle, sway.angle_rate], drive: [trolley], sensors: {sway.angle: " + sensor + "}"),
        "{duration: 1 s, step: 10 ms, seed: " + seed + "}"));
    System system(*s.model);
    State state = s.initial_state();
    system.commit(state);
    return seen_value(s, state, system, "own.sees.sway.angle") * 180 / M_PI;
  };
  EXPECT_NEAR(seen("{bias: 0.5 deg}", "1"), 3.5, 1e-12);
  EXPECT_NEAR(seen("{quantisation: 2 deg}", "1"), 4, 1e-12);  // 1.5 steps, rounded away from zero
  EXPECT_NE(seen("{noise: 0.1 deg}", "1"), seen("{noise: 0.1 deg}", "2"));
  EXPECT_EQ(seen("{noise: 0.1 deg}", "1"), seen("{noise: 0.1 deg}", "1"));
}

TEST(Library, commands_winches_with_a_drum) {
  const Scenario s = read_lift(lift(load_on_rope, rope_and_winch(with_drum + ", target: 0.1 m/s") +
                                                      own_library("pass_on", "measure: [own.w.target], drive: [w]")));
  System system(*s.model);
  State state = s.initial_state();
  // Until the first sample it has the target of the file.
  ASSERT_TRUE(system.evaluate(state));
  EXPECT_EQ(seen_value(s, state, system, "w.target"), 0.1);
  system.commit(state);
  ASSERT_TRUE(system.evaluate(state));
  EXPECT_EQ(seen_value(s, state, system, "w.target"), 0.1);
  EXPECT_EQ(s.model->inputs()[0].unit, "m/s");
}

// The drum is held at rest, whatever the controller says.
TEST(Library, equilibria_hold_the_last_output) {
  const Scenario s = read_lift(lift(load_on_rope, rope_and_winch(with_drum + ", target: -0.2 m/s") +
                                                      own_library("pass_on", "measure: [own.w.target], drive: [w]")));
  System system(*s.model);
  State state = s.initial_state();
  system.commit(state);
  const Equilibrium rest = find_equilibrium(system, state);
  EXPECT_TRUE(rest.converged) << rest.why;
  EXPECT_EQ(rest.state.discrete, state.discrete);
}

TEST(Library, mistakes_have_words) {
  const std::string measure = "measure: [sway.angle, sway.angle_rate], ", drive = "drive: [trolley]";
  const auto says = [&](const std::string& more, const std::string& words) {
    expect_says(lift(trolley_and_load, more), words);
  };
  says(own_library("nobody", measure + drive), "there is no such file");
  says(own_library("other_version", measure + drive), "it was built for version 99 of the interface");
  says(own_library("incomplete", measure + drive), "it has no function davit_controller_step");
  says(own_library("faulty", drive + ", parameters: {fault: 21}"), "the parameter length is missing");
  says(own_library("faulty", drive + ", parameters: {fault: 22}"),
       "it crashed (Segmentation fault) while it was created");
  says(own_library("faulty", drive + ", time_limit: 0.5 s, parameters: {fault: 23}"), "it gave no answer within 0.5 s");
  says(own_library("faulty", drive + ", parameters: {fault: 24}"), "it wants -5 numbers of state");
  says(own_library("faulty", drive + ", parameters: {fault: 1}"),
       "error: control.own: the controller in libfaulty.so failed at 0 s: it crashed (Segmentation fault) in a step");
  says(own_library("pid", "measure: [sway.angel, sway.angle_rate], " + drive), "there is no channel 'sway.angel'");
  says(own_library("pid", "measure: [sway.angle, sway.angle], " + drive), "'sway.angle' is measured twice");
  says(own_library("pid", measure + "drive: []"), "'drive' is empty");
  says(own_library("pid", measure + "drive: [trolley, trolley.travel]"), "'trolley.travel' is named twice");
  says(own_library("pid", measure + "drive: [nobody]"), "there is no body 'nobody'");
  says(own_library("pid", measure + drive + ", limits: {trolley: 5 deg}"), "deg");
  says(own_library("pid", measure + drive + ", limits: {trolley: -5 N}"), "the limit must be above zero");
  says(own_library("pid", measure + drive + ", limits: {sway: 5 N}"), "'sway' has a limit and is not driven");
  says(own_library("pid", measure + drive + ", sensors: {sway.angle: {noise: 3 kg}}"), "kg");
  says(own_library("pid", measure + drive + ", sensors: {sway.angle: {noise: -3 deg}}"), "'-3 deg' is below zero");
  says(own_library("pid", measure + drive + ", sensors: {trolley.travel: {delay: 1 s}}"),
       "there is no channel in 'measure' 'trolley.travel'");
  says(own_library("pid", measure + drive + ", sensors: {sway.angle: {delay: 1e9 s}}"), "longer than 100000 samples");
  says(own_library("pid", measure + drive + ", sensors: [sway.angle]"), "a map from channels to sensors is expected");
  // Beside a mistake that is not about elements.
  says(own_library("pid", "measure: [sway.angel, sway.angle_rate], " + drive) +
           "operation: [{at: 1 s, over: 1 s, move: {nobody: 1 m}}]\n",
       "there is no channel 'sway.angel'");
  // Steps must divide the sample time.
  expect_says(lift(trolley_and_load, own_library("pid", measure + drive), "{duration: 1 s, step: 15 ms, method: rk4}"),
              "'own' samples every 0.02");
}

TEST(Library, mistakes_about_winches_have_words) {
  const auto says = [&](const std::string& more, const std::string& words) {
    expect_says(lift(load_on_rope, more), words);
  };
  const std::string passes = "measure: [w.speed], drive: [w]";
  says(rope_and_winch("") + own_library("pass_on", passes), "'w' takes no commands from a controller");
  says(rope_and_winch(with_drum) + own_library("pass_on", passes + ", limits: {w: 1 m/s}"),
       "a winch has its limits under");
  says(rope_and_winch(with_drum) + "control: {a: {library: {file: " + libraries +
           "/libpass_on.so, sample_time: 20 ms, " + passes + "}}, b: {library: {file: " + libraries +
           "/libpass_on.so, sample_time: 20 ms, " + passes + "}}}\n",
       "'w' is commanded by 'a' already");
}

}  // namespace
}  // namespace davit
