#include "davit/simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "davit/simulation/preparation.hpp"
#include "davit/test/read_scenario.hpp"

namespace davit {
namespace {

std::string hoisted(const std::string& more = {}, const std::string& run = "duration: 4 s, step: 10 ms") {
  return "davit: 1\ntitle: a load on a winch\nbodies:\n  load: {at: [0, 0, 10 m], joint: {prismatic: z}, mass: 1 t, "
         "points: "
         "{eye: [0, 0, 0]}}\n  top: {at: [0, 0, 20 m]}\nropes: {fall: {from: top, to: load.eye, EA: 10 MN, damping: 50 "
         "ms, "
         "tension: 9.80665 kN}}\nwinches: {hoist: {rope: fall, mode: length, limits: {speed: 0.5 m/s, acceleration: "
         "0.5 "
         "m/s^2}}}\n" +
         more + "run: {" + run + "}\n";
}
const std::string lowering = "operation: [{name: lower, at: 1 s, lower: {hoist: 1 m}}]\n",
                  lowering_late = "operation: [{name: lower, at: 3.6 s, lower: {hoist: 1 m}}]\n";

TEST(Simulation, WinchesGoWhereTheyAreSent) {
  const Scenario scenario = test::read_scenario(hoisted(lowering_late));
  Simulation run(scenario, find_start(scenario));
  run.advance(0.2);
  run.set("hoist", 0.3);
  run.advance(3.5);
  EXPECT_NEAR(run.get("load.position_z"), 9.7, 0.02);
}

TEST(Simulation, ASpeedIsKeptToTheEndOfTravel) {
  const Scenario scenario = test::read_scenario(hoisted(lowering_late));
  Simulation run(scenario, find_start(scenario));
  run.drive("hoist", 10);  // its drive has 0.5 m/s
  run.advance(2);
  const double early = run.get("load.position_z");
  run.advance(2.5);
  EXPECT_NEAR(run.get("load.position_z") - early, -0.25, 0.01);
}

TEST(Simulation, NamesThatAreNotThereAreSaid) {
  const Scenario scenario = test::read_scenario(hoisted(lowering));
  Simulation run(scenario, find_start(scenario));
  try {
    run.set("hoits", 1);
    FAIL();
  } catch (const std::out_of_range& wrong) {
    EXPECT_NE(std::string(wrong.what()).find("did you mean 'hoist'"), std::string::npos) << wrong.what();
  }
  try {
    run.get("load.positionz");
    FAIL();
  } catch (const std::out_of_range& wrong) {
    EXPECT_NE(std::string(wrong.what()).find("load.position_z"), std::string::npos) << wrong.what();
  }
}

TEST(Simulation, AdvancesInItsOwnStepsOrLands) {
  const Scenario scenario = test::read_scenario(hoisted(lowering));
  Simulation run(scenario, find_start(scenario));
  run.advance(0.123);
  EXPECT_NEAR(run.time(), 0.13, 1e-12);
  run.advance(0.1777, Simulation::Landing::on);
  EXPECT_EQ(run.time(), 0.1777);
  // It can be saved there, where no step would have ended.
  const std::string saved = run.save();
  run.run();
  Simulation again(scenario, find_start(scenario));
  again.restore(saved);
  EXPECT_EQ(again.time(), 0.1777);
  again.run();
  EXPECT_EQ(again.state().hash(), run.state().hash());
}

// What was done by hand is done again from what was saved after it, and not from what was saved before.
TEST(Simulation, WhatWasSavedKnowsWhatWasDone) {
  const Scenario scenario = test::read_scenario(hoisted(lowering));
  Simulation run(scenario, find_start(scenario));
  run.advance(0.5);
  const std::string before = run.save();
  run.set("hoist", 0.4);
  run.advance(0.53);
  const std::string after = run.save();
  run.run();
  Simulation again(scenario, find_start(scenario)), without(scenario, find_start(scenario));
  again.restore(after);
  again.run();
  EXPECT_EQ(again.state().hash(), run.state().hash());
  without.restore(before);
  without.run();
  EXPECT_NE(without.state().hash(), run.state().hash());
}

TEST(Simulation, BytesOfOtherRunsAreRefused) {
  const Scenario scenario = test::read_scenario(hoisted(lowering)),
                 heavier = test::read_scenario(hoisted(lowering + "# \n"));
  std::string changed = hoisted(lowering);
  changed.replace(changed.find("mass: 1 t"), 9, "mass: 2 t");
  const Scenario other = test::read_scenario(changed);
  Simulation run(scenario, find_start(scenario));
  run.advance(1);
  const std::string saved = run.save();
  const auto refused = [&](const Scenario& of, const std::string& bytes) -> std::string {
    Simulation again(of, find_start(of));
    try {
      again.restore(bytes);
    } catch (const BadSave& bad) {
      return bad.what();
    }
    return {};
  };
  EXPECT_EQ(refused(heavier, saved), "");  // a comment is no change
  EXPECT_NE(refused(other, saved).find("another scenario"), std::string::npos);
  EXPECT_NE(refused(scenario, "davit"), "");
  EXPECT_NE(refused(scenario, ""), "");
  for (size_t length = 0; length < saved.size(); length += 97)
    EXPECT_NE(refused(scenario, saved.substr(0, length)), "");
  for (size_t at = 0; at < saved.size(); at += 13) {
    std::string damaged = saved;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    EXPECT_NE(refused(scenario, damaged), "") << at;
  }
}

// A run that was to end may go on.
TEST(Simulation, GoesOnBeyondItsEnd) {
  const Scenario shorter = test::read_scenario(hoisted(lowering, "duration: 2 s, step: 10 ms")),
                 whole = test::read_scenario(hoisted(lowering));
  Simulation first(shorter, find_start(shorter)), at_once(whole, find_start(whole)), on(whole, find_start(whole));
  // Its last step lands on its end.
  first.advance(1.985);
  on.restore(first.save());
  on.run();
  at_once.run();
  EXPECT_NEAR(on.time(), 4, 1e-12);
  EXPECT_EQ(on.state().hash(), at_once.state().hash());
  first.run();
  Simulation from_its_end(whole, find_start(whole));
  from_its_end.restore(first.save());
  from_its_end.run();
  EXPECT_LT((from_its_end.state().q - at_once.state().q).norm(), 1e-9);
}

TEST(Simulation, EndsWhereItCannotBegin) {
  const Scenario scenario = test::read_scenario(
      "davit: 1\ntitle: falls\nbodies: {load: {joint: {prismatic: z}, mass: 1 t}}\nrun: {duration: 1 s, step: 10 ms, "
      "from_equilibrium: true}\n");
  Simulation run(scenario, find_start(scenario));
  EXPECT_TRUE(run.is_over());
  const RunOutcome& outcome = run.finish();
  EXPECT_EQ(outcome.status, RunStatus::broken);
  EXPECT_NE(outcome.why.find("should begin in equilibrium"), std::string::npos) << outcome.why;
}

}  // namespace
}  // namespace davit
