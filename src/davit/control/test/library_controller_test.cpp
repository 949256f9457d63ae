// A controller in a shared library: the same motion as one that is compiled in, and what happens when it fails.
#include "davit/control/library_controller.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "davit/control/joint_pid.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/solve/run_loop.hpp"
#include "davit/test/source_tree.hpp"

namespace davit::control {
namespace {

using Parameters = std::vector<std::pair<std::string, double>>;

std::filesystem::path library(const std::string& name) { return in_build("controllers/lib" + name + ".so"); }

// A wheel of 2 kg m² about z with a motor.
std::unique_ptr<Model> wheel_with(std::shared_ptr<const Controller> controller) {
  Body wheel;
  wheel.name = "wheel";
  wheel.joint.kind = JointKind::revolute;
  wheel.joint.position = {0.7};
  wheel.joint.rate = {-0.4};
  wheel.mass = 1;
  wheel.inertia = Sym3::diagonal(2, 2, 2);
  const auto tree = std::make_shared<Tree>(std::vector{wheel});
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  parts.inputs = {{"torque", "N m"}};
  parts.add(SignalInfo{"wheel.angle", "rad", Motion(0)});
  parts.forces = {std::make_shared<JointActuator>("motor", JointCoordinate{"wheel.angle", 0, 0, 1, true}, 0)};
  parts.controllers = {std::move(controller)};
  return std::make_unique<Model>(std::move(parts));
}

struct Options {
  std::string library = "pid";
  Parameters parameters{{"kp", 12}, {"ki", 3}, {"kd", 6}};
  double sample_time = 0.1, time_limit = 10;
  int states = 1;
  std::vector<Sensor> sensors{{"wheel.angle"}, {"wheel.angle_rate"}};
};

std::unique_ptr<Model> wheel_with(const Options& options) {
  LibraryController::Data data;
  data.library = library(options.library);
  data.setup = {"own", options.sample_time, {}, {{"wheel", "N m"}}, options.parameters};
  for (const Sensor& s : options.sensors) data.setup.measured.push_back({s.channel, ""});
  data.outputs = {{0, 0}};
  data.sensors = std::make_shared<SensorBank>("own", options.sensors, options.sample_time);
  data.states = options.states;
  data.time_limit = options.time_limit;
  return wheel_with(std::make_shared<LibraryController>(std::move(data)));
}

Options faulty(double fault, double at = 5) {
  return {.library = "faulty", .parameters = {{"fault", fault}, {"at", at}}, .time_limit = 1, .states = 0};
}

class Rows final : public Observer {
 public:
  void record(const State& s, System& system) override {
    for (const double x : {s.t, s.q[0], s.u[0], system.workspace().w[0]}) values.push_back(x);
  }
  std::vector<double> values;
};

struct Result {
  RunOutcome outcome;
  std::vector<double> rows;  // t, q, u, torque
};

Result run_by(Stepper& stepper, const Model& model, double end) {
  System system(model);
  State state = model.initial_state();
  Rows rows;
  Result out;
  out.outcome = simulate(system, stepper, state, {end, 0.025, 0.025}, rows);
  out.rows = rows.values;
  return out;
}
Result run(const Model& model, double end = 4, bool adaptive = false) {
  const auto stepper = adaptive ? make_dormand_prince(model, {}) : make_rk4(model);
  return run_by(*stepper, model, end);
}

TEST(LibraryController, is_the_same_as_one_that_is_compiled_in) {
  Options options;
  const JointPid::Gains gains{.kp = 12, .ki = 3, .kd = 6, .derivative_of_error = false};
  for (const bool adaptive : {false, true}) {
    const Result own = run(*wheel_with(options), 4, adaptive);
    ASSERT_EQ(own.outcome.status, RunStatus::complete) << own.outcome.why;
    const auto pid = std::make_shared<JointPid>(
        "pid", std::vector<JointPid::Axis>{{{"wheel.angle", 0, 0, 1, true}, Signal(0), 0}}, gains, 0.1);
    const Result built_in = run(*wheel_with(pid), 4, adaptive);
    ASSERT_EQ(own.rows.size(), built_in.rows.size());
    for (size_t i = 0; i < own.rows.size(); ++i) EXPECT_NEAR(own.rows[i], built_in.rows[i], 1e-13) << i;
  }
}

TEST(LibraryController, runs_are_repeatable) {
  Options noisy;
  noisy.sensors[0].noise = 0.01;
  noisy.sensors[1].delay = 0.13;
  EXPECT_EQ(run(*wheel_with(noisy)).rows, run(*wheel_with(noisy)).rows);
  EXPECT_NE(run(*wheel_with(noisy)).rows, run(*wheel_with(Options{})).rows);
}

// In a State that was saved inside a run, what the controller lets Davit keep goes on with the same bits; what it keeps
// inside itself does not.
TEST(LibraryController, a_saved_state_goes_on_if_the_controller_keeps_its_memory_there) {
  for (const bool inside : {false, true}) {
    Options options;
    options.sensors[0] = {.channel = "wheel.angle", .delay = 0.15, .noise = 0.01};
    options.parameters.emplace_back("inside", inside);
    options.states = inside ? 0 : 1;
    const auto model = wheel_with(options);
    const auto stepper = make_rk4(*model);
    const auto advance = [&](System& system, State& state, int steps) {
      for (int i = 0; i < steps; ++i) {
        ASSERT_TRUE(stepper->step(system, state, 0.025).ok);
        if (system.commit(state)) stepper->restart(state);
      }
    };
    System system(*model);
    State state = model->initial_state();
    system.commit(state);
    advance(system, state, 30);
    State saved = state;
    advance(system, state, 40);
    System other(*model);
    advance(other, saved, 40);
    EXPECT_EQ(state.hash() == saved.hash(), !inside);
  }
}

// Before a run begins elements are committed more than once: the controller begins anew each time.
TEST(LibraryController, begins_anew_until_time_passes) {
  for (const double inside : {0.0, 1.0}) {
    Options options;
    options.parameters.emplace_back("inside", inside);
    options.states = inside ? 0 : 1;
    const auto model = wheel_with(options);
    System system(*model);
    State state = model->initial_state();
    system.commit(state);
    const auto hash = state.hash();
    for (int i = 0; i < 3; ++i) system.commit(state);
    EXPECT_EQ(state.hash(), hash);
    EXPECT_NEAR(state.discrete.record(1, 0)[0], -(12 * 0.7 + 3 * 0.07 - 6 * 0.4), 1e-14);
  }
}

// Trial evaluations and derivatives see the output that is held.
TEST(LibraryController, holds_its_output_between_samples) {
  const auto model = wheel_with(Options{});
  System system(*model);
  State state = model->initial_state();
  system.commit(state);
  const double held = state.discrete.record(1, 0)[0];
  state.q[0] = 3;
  state.t = 0.05;
  ASSERT_TRUE(system.evaluate(state));
  EXPECT_EQ(system.workspace().w[0], held);
  EXPECT_EQ(system.linearise(state, system.workspace().a).K(0, 0), 0);
}

// A row at a sample shows what is commanded from there on, whatever the method: the torque of all rows until the next
// sample. Between samples the wheel turns with a constant torque, which both methods follow exactly.
TEST(LibraryController, rows_show_the_torque_of_their_instant_by_every_method) {
  const auto model = wheel_with(Options{});
  const Result explicit_rows = run(*model);
  for (const auto method : {ImplicitMethod::conserving, ImplicitMethod::implicit_euler}) {
    const auto stepper = make_implicit(method, *model);
    const Result rows = run_by(*stepper, *model, 4);
    ASSERT_EQ(rows.rows.size(), explicit_rows.rows.size());
    for (size_t i = 0; i + 3 < rows.rows.size(); i += 4) {
      const double torque = rows.rows[i + 3];
      EXPECT_EQ(torque, rows.rows[i / 16 * 16 + 3]) << rows.rows[i];
      if (method == ImplicitMethod::conserving) EXPECT_NEAR(torque, explicit_rows.rows[i + 3], 1e-8) << rows.rows[i];
    }
  }
}

struct Fault {
  double fault;
  std::string words;
};

TEST(LibraryController, whatever_goes_wrong_ends_the_run_with_words) {
  for (const auto& [fault, words] :
       std::vector<Fault>{{1, "crashed (Segmentation fault) in a step"},
                          {2, "crashed (Aborted) in a step"},
                          {3, "crashed (Floating point exception) in a step"},
                          {4, "gave no answer within 1 s in a step"},
                          {5, "its output for 'wheel' is nan"},
                          {6, "its output for 'wheel' is -inf"},
                          {7, "the load cell is \\x1b[31mbroken"},
                          {8, "ended its own process (it called exit, with code 7) in a step"},
                          {9, "it gave no reason"},
                          {10, "crashed (Segmentation fault) in a step"},
                          {11, "xxxxxxxxxx"}}) {
    const Result out = run(*wheel_with(faulty(fault)));
    EXPECT_EQ(out.outcome.status, RunStatus::broken) << fault;
    EXPECT_EQ(out.outcome.element, "own");
    EXPECT_NEAR(out.outcome.t, 0.5, 1e-9) << fault;
    EXPECT_NE(out.outcome.why.find(words), std::string::npos) << out.outcome.why;
    EXPECT_NE(out.outcome.why.find("the controller in libfaulty.so failed at 0.5 s: "), std::string::npos)
        << out.outcome.why;
    // What came before was recorded: 0 to 0.475 s.
    EXPECT_EQ(out.rows.size(), 20u * 4) << fault;
  }
}

TEST(LibraryController, fails_at_the_first_sample_too) {
  const Result out = run(*wheel_with(faulty(1, 0)));
  EXPECT_EQ(out.outcome.status, RunStatus::broken);
  EXPECT_NE(out.outcome.why.find("failed at 0 s: it crashed"), std::string::npos) << out.outcome.why;
}

TEST(LibraryController, one_that_does_not_end_is_ended) {
  for (const double fault : {31.0, 32.0}) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(run(*wheel_with(faulty(fault)), 1).outcome.status, RunStatus::complete);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  }
}

TEST(LibraryController, asks_always_for_as_many_states) {
  Options options;
  options.states = 7;
  const Result out = run(*wheel_with(options));
  EXPECT_NE(out.outcome.why.find("another number of states"), std::string::npos) << out.outcome.why;
}

TEST(LibraryController, mistakes_of_a_library_have_words) {
  const auto said = [](const std::filesystem::path& file, const Parameters& parameters = {}) -> std::string {
    try {
      check_library(file);
      ControllerProcess(file, {"own", 0.1, {}, {{"wheel", "N m"}}, parameters}, 0, 1);
    } catch (const ControllerError& error) {
      EXPECT_FALSE(error.remedy.empty());
      return error.what();
    }
    return "nothing";
  };
  const auto expect = [](const std::string& text, const std::string& words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  EXPECT_EQ(said(library("pid")), "nothing");
  expect(said(library("nobody")), "there is no such file");
  expect(said(in_build("controllers")), "this is a directory");
  expect(said("/dev/zero"), "this is not a regular file");
  expect(said(in_source("README.md")), "this is not a shared library");
  expect(said(library("incomplete")), "it has no function davit_controller_step");
  expect(said(library("other_version")), "it was built for version 99 of the interface, and this is version 1");
  expect(said(library("unresolved")), "it cannot be loaded (");
  expect(said(library("unresolved")), "a_function_that_nobody_has");
  expect(said(library("faulty"), {{"fault", 21}}), "the parameter length is missing");
  expect(said(library("faulty"), {{"fault", 22}}), "it crashed (Segmentation fault) while it was created");
  expect(said(library("faulty"), {{"fault", 23}}), "it gave no answer within 1 s while it was created");
  expect(said(library("faulty"), {{"fault", 25}}), "it gave no reason");
}

TEST(LibraryController, says_what_it_is) {
  const auto model = wheel_with(Options{});
  EXPECT_EQ(model->controllers()[0].element->summary(),
            "libpid.so drives wheel, sampled every 0.1 s, measures wheel.angle, wheel.angle_rate");
}

}  // namespace
}  // namespace davit::control
