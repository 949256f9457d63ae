// Levers in a run: what they do to what they move, and that a record does it again, bit for bit.
#include "davit/operation/levers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "davit/io/write_file.hpp"
#include "davit/live/replay_file.hpp"
#include "davit/result/reader.hpp"
#include "davit/run/run.hpp"
#include "davit/run/sinks.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit::live {
namespace {

using operation::LeverCommand;
using operation::LeverVerb;
using operation::RecordedCommand;

// A trolley whose drive follows exactly, a load under it, and a winch that lowers another.
const std::string crane = R"(davit: 1
title: a trolley on levers
bodies:
  trolley: {at: [0, 0, 18 m], joint: {prismatic: x}, mass: 8 t}
  rope: {on: trolley, joint: {revolute: -y}}
  load: {on: rope, at: [0, 0, -12 m], joint: {prismatic: -z}, mass: 20 t, points: {hook: [0, 0, 0]}}
constraints:
  drive: {motion: {joint: trolley}}
control:
  hoist: {pid: {joints: [load], kp: 800 kN/m, ki: 100 kN/m/s, kd: 200 kN s/m}}
operation:
  - {name: travel, at: 1 s, over: 8 s, move: {trolley: 6 m}}
  - {name: lower, move: {load: 2 m}, over: 4 s}
)";

// Commands at ticks, as a person would give them.
class Script final : public operation::CommandSource {
 public:
  explicit Script(std::vector<RecordedCommand> commands) : commands_(std::move(commands)) {}
  std::vector<LeverCommand> at_tick(std::int64_t tick, const State& state, const Workspace&, EventSink*) override {
    last_tick = tick;
    states.push_back(state);
    std::vector<LeverCommand> out;
    for (const RecordedCommand& command : commands_)
      if (command.tick == tick) out.push_back(command.command);
    return out;
  }
  // Value, speed and acceleration of a signal over the ticks.
  std::vector<std::array<double, 3>> motion(int signal) const {
    std::vector<std::array<double, 3>> out;
    for (const State& state : states) {
      std::array<double, 3> x{};
      state.discrete.signals[signal].derivatives(state.t, x);
      out.push_back(x);
    }
    return out;
  }
  std::int64_t last_tick = -1;
  std::vector<State> states;

 private:
  std::vector<RecordedCommand> commands_;
};

class Levers : public ::testing::Test {
 protected:
  Scenario load(const std::string& text, const std::string& name = "crane.yaml") {
    input::Problems problems;
    auto scenario = load_scenario(folder.write(name, text), {}, problems);
    if (!scenario) throw std::runtime_error(problems.to_text());
    return *std::move(scenario);
  }
  RunReport run(const Scenario& scenario, const std::string& name, operation::CommandSource* commands = nullptr,
                std::vector<Sink*> sinks = {}) {
    RunSettings settings;
    settings.directory = folder / name;
    settings.created = "2026-01-02T03:04:05Z";
    settings.commands = commands;
    settings.sinks = std::move(sinks);
    return run_scenario(scenario, settings);
  }
  static std::string with_levers(const std::string& levers, const std::string& run) {
    return crane + "levers: " + levers + "\nrun: " + run + "\n";
  }
  test::TempFolder folder;
};

TEST_F(Levers, AreThereForAllThatMoves) {
  const Scenario scenario = load(with_levers("{of: {trolley: {speed: 1 m/s, acceleration: 0.4 m/s^2, most: 5 m}}}",
                                             "{duration: 10 s, step: 10 ms}"));
  ASSERT_TRUE(scenario.levers);
  EXPECT_DOUBLE_EQ(scenario.levers->tick, 0.02);
  ASSERT_EQ(scenario.levers->levers.size(), 2u);
  const auto at = scenario.levers->find("trolley");
  ASSERT_TRUE(at);
  const operation::Lever& trolley = scenario.levers->levers[static_cast<size_t>(*at)];
  EXPECT_EQ(trolley.limits.speed, 1);
  EXPECT_EQ(trolley.limits.acceleration, 0.4);
  EXPECT_EQ(trolley.most, 5);
}

// A speed is reached with the acceleration of the lever, kept, and lost again; the way is the integral of it.
TEST_F(Levers, DriveWithTheirSpeed) {
  const Scenario scenario = load(with_levers("{of: {trolley: {speed: 1 m/s, acceleration: 0.5 m/s^2}}}",
                                             "{duration: 12 s, step: 10 ms, from_equilibrium: true}"));
  Script script({{50, {LeverVerb::speed, "trolley", 0.8}}, {300, {LeverVerb::speed, "trolley", 0}}});
  EXPECT_EQ(run(scenario, "a", &script).outcome.status, RunStatus::complete);
  const auto x = script.motion(*scenario.levers->find("trolley"));
  ASSERT_EQ(x.size(), 601u);
  // 1.5 · 0.8/0.5 = 2.4 s to speed up.
  const double rise = 1.5 * 0.8 / 0.5;
  double fastest = 0, hardest = 0;
  for (const auto& at : x) {
    fastest = std::max(fastest, std::abs(at[1]));
    hardest = std::max(hardest, std::abs(at[2]));
  }
  EXPECT_NEAR(fastest, 0.8, 1e-12);
  EXPECT_LE(hardest, 0.5 + 1e-12);
  EXPECT_GE(hardest, 0.5 - 1e-3);
  EXPECT_EQ(x[50][1], 0);
  EXPECT_NEAR(x[50 + static_cast<size_t>(rise / 0.02)][1], 0.8, 1e-9);
  EXPECT_NEAR(x.back()[0], 0.8 * (300 - 50) * 0.02, 1e-9);  // both ramps have half their time
  EXPECT_EQ(x.back()[1], 0);
}

TEST_F(Levers, StopAtTheirEnds) {
  const Scenario scenario = load(with_levers("{of: {trolley: {speed: 1 m/s, acceleration: 0.5 m/s^2, most: 3 m}}}",
                                             "{duration: 12 s, step: 10 ms}"));
  Script script({{0, {LeverVerb::speed, "trolley", 1}}});
  MemorySink events;
  run(scenario, "a", &script, {&events});
  const auto x = script.motion(*scenario.levers->find("trolley"));
  EXPECT_LE(x.back()[0], 3);
  EXPECT_GE(x.back()[0], 3 - 0.05);
  EXPECT_EQ(x.back()[1], 0);
  EXPECT_TRUE(std::any_of(events.events.begin(), events.events.end(),
                          [](const result::Event& e) { return e.key == "end of travel" && e.element == "trolley"; }));
}

TEST_F(Levers, GoToAPlaceAlsoOutOfAMotion) {
  const Scenario scenario =
      load(with_levers("{of: {trolley: {speed: 1 m/s, acceleration: 0.5 m/s^2}}}", "{duration: 20 s, step: 10 ms}"));
  Script script({{0, {LeverVerb::speed, "trolley", 1}}, {200, {LeverVerb::move, "trolley", -1.5}}});
  run(scenario, "a", &script);
  const auto x = script.motion(*scenario.levers->find("trolley"));
  EXPECT_EQ(x.back()[0], -1.5);
  EXPECT_EQ(x.back()[1], 0);
  double largest_jump = 0;
  for (size_t i = 1; i < x.size(); ++i) largest_jump = std::max(largest_jump, std::abs(x[i][1] - x[i - 1][1]));
  EXPECT_LE(largest_jump, 0.5 * 0.02 + 1e-12);
}

TEST_F(Levers, BeginPhasesAndTakeThemOver) {
  const Scenario scenario = load(with_levers("{}", "{duration: 12 s, step: 10 ms}"));
  const auto statuses = [&](std::vector<RecordedCommand> commands) {
    Script script(std::move(commands));
    MemorySink events;
    run(scenario, "a", &script, {&events});
    const auto report = scenario.operation.report(script.states.back());
    return std::pair(report, script.states.back());
  };
  // By hand nothing begins by itself.
  auto [waiting, at_rest] = statuses({});
  for (const auto& phase : waiting) EXPECT_EQ(phase.status, operation::Status::waiting);
  auto [begun, later] = statuses({{10, {LeverVerb::phase, "lower"}}});
  EXPECT_EQ(begun[0].status, operation::Status::waiting);
  EXPECT_EQ(begun[1].status, operation::Status::done);
  EXPECT_NEAR(*begun[1].begun, 0.2, 1e-12);
  // Automatic from 2 s on: the first phase's time has come, and the second follows.
  auto [automatic, end] = statuses({{100, {LeverVerb::automatic, "", 1}}});
  EXPECT_NEAR(*automatic[0].begun, 2, 1e-9);
  EXPECT_EQ(automatic[0].status, operation::Status::done);
  EXPECT_EQ(automatic[1].status, operation::Status::running);
  // A lever takes what a phase moves, and the operation goes on only by hand.
  auto [taken, after] = statuses({{100, {LeverVerb::automatic, "", 1}}, {200, {LeverVerb::speed, "trolley", -0.2}}});
  EXPECT_EQ(taken[0].status, operation::Status::done);
  EXPECT_NEAR(*taken[0].ended, 4, 1e-9);
  EXPECT_EQ(taken[1].status, operation::Status::waiting);
  EXPECT_LT(after.discrete.signals[*scenario.levers->find("trolley")].derivative(1, after.t), 0);
}

std::vector<std::uint64_t> hashes(const Script& script) {
  std::vector<std::uint64_t> out;
  for (const State& state : script.states) out.push_back(state.hash());
  return out;
}

class Again : public Levers, public ::testing::WithParamInterface<const char*> {};

TEST_P(Again, IsTheSameBitForBit) {
  const Scenario scenario = load(with_levers("{}", std::string("{duration: 20 s, ") + GetParam() + "}"));
  const std::vector<RecordedCommand> done = {
      {3, {LeverVerb::speed, "trolley", 1.0 / 3}}, {150, {LeverVerb::speed, "load", -0.1}},
      {151, {LeverVerb::speed, "trolley", 0.1}},   {260, {LeverVerb::stop}},
      {300, {LeverVerb::phase, "lower"}},          {420, {LeverVerb::move, "trolley", 0.7}}};
  Script first(done);
  const RunReport report = run(scenario, "first", &first);
  std::string text = std::string(operation::lever_record_head) + "\n";
  for (const RecordedCommand& command : done) text += line_of(command);
  std::ofstream(folder / "first" / "levers.csv", std::ios::binary) << text;
  write_replay(scenario, {}, {}, report.outcome.t, folder / "first");

  input::Problems problems;
  const auto again = load_scenario(folder / "first" / "replay.yaml", {}, problems);
  ASSERT_TRUE(again) << problems.to_text();
  EXPECT_EQ(again->levers->recorded, done);
  Script second(again->levers->recorded);
  run(*again, "second", &second);
  EXPECT_EQ(hashes(first), hashes(second));
  // … and as a user does it, every row of every channel.
  run(*again, "third");
  const result::Result a = result::Result::open(folder / "first" / "result.h5"),
                       b = result::Result::open(folder / "third" / "result.h5");
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_GT(a.rows(), 100u);
  for (size_t c = 0; c < a.channels().size(); ++c) {
    std::vector<double> x(a.rows()), y(a.rows());
    a.read_channel(c, 0, x);
    b.read_channel(c, 0, y);
    EXPECT_EQ(x, y) << a.channels()[c].name;
  }
  // It moved at all.
  EXPECT_NE(first.states.front().q, first.states.back().q);
}

INSTANTIATE_TEST_SUITE_P(Methods, Again,
                         ::testing::Values("step: 10 ms, method: rk4", "step: 10 ms, method: conserving",
                                           "method: dopri5, output: 50 ms", "step: 10 ms, method: generalised_alpha"));

// Also where a setting reaches into a list, which a variation alone could not say.
TEST_F(Levers, AReplayHasTheCaseAndTheSettings) {
  const auto file = folder.write("crane.yaml", with_levers("{}", "{duration: 20 s, step: 10 ms}") +
                                                   "cases: {heavy: {bodies.load.mass: 30 t, run.duration: 3 s}}\n");
  const std::vector<std::string> settings = {"operation[1].over=6 s", "bodies.trolley.mass=9 t"};
  input::Problems problems;
  const auto heavy = load_scenario(file, settings, problems, vessel::NewHulls::solve, "heavy");
  ASSERT_TRUE(heavy) << problems.to_text();
  std::filesystem::create_directories(folder / "live-1");
  io::write_file(folder / "live-1" / "levers.csv", std::string(operation::lever_record_head) + "\n");
  write_replay(*heavy, settings, "heavy", 12, folder / "live-1");
  const auto again = load_scenario(folder / "live-1" / "replay.yaml", {}, problems);
  ASSERT_TRUE(again) << problems.to_text();
  for (const auto& [name, body] : again->specification.bodies) {
    if (name == "load") EXPECT_EQ(body.mass, 30e3);
    if (name == "trolley") EXPECT_EQ(body.mass, 9e3);
  }
  EXPECT_EQ(again->options.end, 12);
  EXPECT_NE(again->effective_text.find("over: 6 s"), std::string::npos);
  EXPECT_TRUE(cases_of(folder / "live-1" / "replay.yaml", problems).empty());
}

TEST_F(Levers, SayWhatIsWrongWithThem) {
  const auto mistake = [&](const std::string& levers) {
    input::Problems problems;
    const auto scenario =
        load_scenario(folder.write("wrong.yaml", with_levers(levers, "{duration: 1 s, step: 10 ms}")), {}, problems);
    return scenario ? std::string() : problems.to_text();
  };
  EXPECT_NE(mistake("{tick: 15 ms}").find("no whole number of steps"), std::string::npos);
  EXPECT_NE(mistake("{of: {troley: {speed: 1 m/s}}}").find("troley"), std::string::npos);
  EXPECT_NE(mistake("{of: {trolley: {speed: 1 rad/s}}}").find("m/s"), std::string::npos);
  EXPECT_NE(mistake("{of: {trolley: {least: 2 m, most: 1 m}}}").find("no way to go"), std::string::npos);
  EXPECT_NE(mistake("{file: none.csv}").find("none.csv"), std::string::npos);
  folder.write("other.csv", "1,speed,winch,2\n");
  EXPECT_NE(mistake("{file: other.csv}").find("there is no lever 'winch'"), std::string::npos);
}

}  // namespace
}  // namespace davit::live
