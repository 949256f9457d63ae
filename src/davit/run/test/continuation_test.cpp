// A run that was interrupted, or that is to last longer, goes on into its result as if nothing had happened.
#include "davit/run/continuation.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "davit/result/reader.hpp"
#include "davit/run/run.hpp"

namespace davit {
namespace {

std::string lowered_for(const std::string& duration) {
  return R"(
davit: 1
title: a load is lowered onto a deck
bodies:
  load: {at: [0, 0, -9.9 m], joint: {prismatic: z}, mass: 2 t, points: {p: [0, 0, 0]}}
  top: {points: {p: [0, 0, 0]}}
  deck: {at: [0, 0, -10.5 m]}
forces: {seat: {contact: {surface: deck, points: [load.p], stiffness: 5 MN/m, damping_time: 5 ms}}}
ropes: {hoist: {from: top.p, to: load.p, length: 9.9 m, EA: 20 MN, damping: 1 ms, mbl: 200 kN}}
winches: {drum: {rope: hoist}}
operation: [{name: lower, at: 0.2 s, lower: {drum: 1 m}, speed: 0.4 m/s, acceleration: 2 m/s^2, until: {channel: seat.normal, above: 5 kN}}]
limits: [{channel: hoist.tension, below: 0.5 * mbl}, {channel: seat.normal, below: 100 kN}]
run: {step: 20 ms, method: conserving, duration: )" +
         duration + "}\n";
}

class GoingOn : public ::testing::Test {
 protected:
  GoingOn() : folder_(std::filesystem::temp_directory_path() / ("davit_going_on_" + std::to_string(getpid()))) {}
  ~GoingOn() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  RunReport run(const std::string& text, const std::string& name, bool goes_on = false, double interrupt_at = 1e9) {
    input::Problems problems;
    const auto scenario = parse_scenario(text, "lift.yaml", problems);
    if (!scenario) throw std::runtime_error(problems.to_text());
    RunSettings settings;
    settings.directory = folder_ / name;
    settings.goes_on = goes_on;
    settings.proceed = [=](double t) { return t < interrupt_at; };
    return run_scenario(*scenario, settings);
  }
  void expect_same(const std::string& a, const std::string& b, bool frames = true) const {
    const auto one = result::Result::open(folder_ / a / "result.h5"),
               two = result::Result::open(folder_ / b / "result.h5");
    EXPECT_EQ(one.times(), two.times());
    for (const auto& channel : one.channels())
      EXPECT_EQ(one.channel(channel.name), two.channel(channel.name)) << channel.name;
    EXPECT_EQ(one.events(), two.events());
    EXPECT_EQ(one.hashes(), two.hashes());
    // Frames reach the file a block at a time: those of the last block go with a kill.
    if (frames) EXPECT_EQ(one.frame_times(), two.frame_times());
  }
  std::filesystem::path folder_;
};

TEST_F(GoingOn, AfterAnInterruption) {
  const RunReport whole = run(lowered_for("3 s"), "whole");
  // In the phase, in contact, and once more.
  EXPECT_EQ(run(lowered_for("3 s"), "parts", false, 0.9).outcome.status, RunStatus::interrupted);
  EXPECT_EQ(run(lowered_for("3 s"), "parts", true, 1.77).outcome.status, RunStatus::interrupted);
  const RunReport parts = run(lowered_for("3 s"), "parts", true);
  EXPECT_EQ(parts.outcome.status, RunStatus::complete) << parts.outcome.why;
  expect_same("whole", "parts");
  ASSERT_EQ(parts.summary.limits.size(), whole.summary.limits.size());
  for (size_t i = 0; i < whole.summary.limits.size(); ++i)
    EXPECT_EQ(parts.summary.limits[i].result, whole.summary.limits[i].result);
  for (size_t i = 0; i < whole.summary.channels.size(); ++i)
    EXPECT_EQ(parts.summary.channels[i].statistics, whole.summary.channels[i].statistics) << i;
  EXPECT_EQ(parts.summary.extremes.hooks.size(), whole.summary.extremes.hooks.size());
  EXPECT_EQ(parts.summary.quality.peaks.size(), whole.summary.quality.peaks.size());
  EXPECT_EQ(parts.outcome.counts.steps, whole.outcome.counts.steps);
}

// Nothing is put in order: what was saved last counts, and rows that came after it are made again.
TEST_F(GoingOn, AfterAKill) {
  run(lowered_for("3 s"), "whole");
  const pid_t child = fork();
  if (child == 0) {
    input::Problems problems;
    const auto scenario = parse_scenario(lowered_for("3 s"), "lift.yaml", problems);
    RunSettings settings;
    settings.directory = folder_ / "parts";
    settings.save_every = 0;
    settings.proceed = [](double t) {
      if (t > 1.9) _exit(0);
      return true;
    };
    run_scenario(*scenario, settings);
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  const RunReport parts = run(lowered_for("3 s"), "parts", true);
  EXPECT_EQ(parts.outcome.status, RunStatus::complete) << parts.outcome.why;
  expect_same("whole", "parts", false);
}

TEST_F(GoingOn, BeyondItsEnd) {
  run(lowered_for("3 s"), "whole");
  run(lowered_for("1.5 s"), "parts");
  run(lowered_for("3 s"), "parts", true);
  expect_same("whole", "parts");
}

TEST_F(GoingOn, RefusesWhatIsNotItsOwn) {
  run(lowered_for("1 s"), "a");
  std::string heavier = lowered_for("2 s");
  heavier.replace(heavier.find("mass: 2 t"), 9, "mass: 3 t");
  EXPECT_THROW(run(heavier, "a", true), BadSave);
  // The result is still there.
  EXPECT_EQ(result::Result::open(folder_ / "a" / "result.h5").rows(), 51u);
  std::ofstream(folder_ / "a" / "run.state") << "not a run";
  EXPECT_THROW(run(lowered_for("2 s"), "a", true), BadSave);
  std::filesystem::remove(folder_ / "a" / "run.state");
  EXPECT_THROW(run(lowered_for("2 s"), "a", true), BadSave);
  EXPECT_EQ(result::Result::open(folder_ / "a" / "result.h5").rows(), 51u);
}

}  // namespace
}  // namespace davit
