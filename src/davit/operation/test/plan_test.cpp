// Phases as they stand in a file become phases that wait for each other, and find their signals in the model.
#include <gtest/gtest.h>

#include "davit/operation/phase_plan.hpp"
#include "davit/operation/resolve.hpp"
#include "davit/operation/verbs.hpp"

namespace davit::operation {
namespace {

using PlannedKind = SignalMove::Kind;

class Planning : public ::testing::Test {
 protected:
  input::Problems problems;
  Assembly assembly{std::make_shared<Tree>(std::vector<Body>{}), problems};
  Planning() {
    assembly.add_target("main", "m");
    assembly.add_target("aux", "m");
  }

  static PhaseSpec named(const std::string& name) {
    PhaseSpec out;
    out.name = name;
    return out;
  }
  static input::Quantity quantity(const std::string& text) { return *input::parse_quantity(text).value; }
  static TargetsSpec target(const std::string& name, const std::string& value) {
    return {{{input::Reference{name, {}}, quantity(value)}}};
  }
  static PhaseSpec hoisting(const std::string& name, const std::string& winch, std::optional<double> over = 5) {
    PhaseSpec out = named(name);
    out.add(HoistVerb{target(winch, "3 m")});
    out.over = over;
    return out;
  }
  // What each phase waits for.
  static std::vector<std::vector<int>> waits(const Plan& plan) {
    std::vector<std::vector<int>> out;
    for (const PlannedPhase& p : plan.phases) out.push_back(p.phase.after);
    return out;
  }
  Plan plan(const std::vector<PhaseSpec>& specs, bool levers = false) {
    return plan_operation(specs, 100, levers, assembly);
  }
  Operation resolved(const std::vector<PhaseSpec>& specs, const DriveLimits& limits = {}) {
    Plan made = plan(specs);
    for (const char* name : {"main", "aux"}) assembly.take_signal(name, 4, limits);
    model = assembly.finish();
    const auto bound = [this](const input::Threshold& t, const Channel&) {
      return t.is_relative() ? std::optional(t.factor * 100) : input::require(t.quantity, input::unit("m"), problems);
    };
    return resolve_operation(std::move(made), {*model, bound, [](const std::string&) { return false; }, 100}, problems);
  }
  void expect_one_mistake(const std::string& part) const {
    ASSERT_EQ(problems.all().size(), 1u) << problems.to_text();
    EXPECT_NE(problems.all()[0].message.find(part), std::string::npos) << problems.to_text();
  }
  std::unique_ptr<Model> model;
};

using Waits = std::vector<std::vector<int>>;

TEST_F(Planning, PhasesWaitForTheOneBeforeThemUnlessTheySayWhenTheyBegin) {
  std::vector<PhaseSpec> specs = {named("a"), named("b"), named("c"), named("d")};
  specs[2].at = 12;
  specs[3].after = {{input::Reference{"a", {}}}};
  const Plan made = plan(specs);
  EXPECT_EQ(waits(made), (Waits{{}, {0}, {}, {0}}));
  EXPECT_EQ(made.phases[2].phase.at, 12);
  EXPECT_TRUE(problems.all().empty()) << problems.to_text();
}

TEST_F(Planning, WhatFollowsSideBySideWaitsForAllOfIt) {
  PhaseSpec both = named("both"), row = named("");
  row.sequence = {named("b"), named("c")};
  both.parallel = {named("a"), row};
  PhaseSpec last = named("last"), other = named("other");
  other.after = {{input::Reference{"both", {}}}};
  // first, a, b, c, last, other
  EXPECT_EQ(waits(plan({named("first"), both, last, other})), (Waits{{}, {0}, {0}, {2}, {1, 3}, {1, 3}}));
}

TEST_F(Planning, AGroupWithADelayHasItsPhasesWaitForThat) {
  PhaseSpec both = named("both");
  both.delay = 3;
  both.parallel = {named("a"), named("b")};
  const Plan made = plan({named("first"), both});
  EXPECT_EQ(waits(made), (Waits{{}, {0}, {1}, {1}}));
  EXPECT_EQ(made.phases[1].phase.delay, 3);
  EXPECT_EQ(made.phases[2].phase.delay, 0);
}

TEST_F(Planning, NamesThatNobodyHasAreReported) {
  PhaseSpec waits_in_vain = named("b");
  waits_in_vain.after = {{input::Reference{"lift_off", {}}}};
  plan({named("lift_of"), waits_in_vain});
  expect_one_mistake("lift_off");
}

TEST_F(Planning, TwoPhasesHaveNotOneName) {
  plan({named("lift"), named("lift")});
  expect_one_mistake("two phases have the name");
}

TEST_F(Planning, PhasesThatWaitForEachOtherNeverBegin) {
  PhaseSpec a = named("a"), b = named("b");
  a.after = {{input::Reference{"b", {}}}};
  b.after = {{input::Reference{"a", {}}}};
  plan({a, b});
  expect_one_mistake("waits for itself and never begins");
}

TEST_F(Planning, HoistTakesRopeInAndLowerGivesItOut) {
  PhaseSpec lowers = named("lowers");
  lowers.add(LowerVerb{target("main", "2 m")});
  const Plan made = plan({hoisting("hoists", "main"), lowers});
  EXPECT_EQ(made.phases[0].moves[0].move.kind, PlannedKind::by);
  EXPECT_EQ(made.phases[0].moves[0].move.value, -3);
  EXPECT_EQ(made.phases[1].moves[0].move.value, 2);
}

TEST_F(Planning, MovesWhoseTimeIsKnownAreScheduledUnlessLeversMayChangeThem) {
  PhaseSpec phase = named("moves");
  phase.at = 2;
  phase.over = 5;
  phase.add(MoveVerb{target("main", "7 m")});
  EXPECT_TRUE(plan({phase}).phases[0].moves[0].move.scheduled);
  const Signal main = assembly.take_signal("main", 4);
  EXPECT_EQ(assembly.motion(main).value(7), 7);
  EXPECT_FALSE(plan({phase}, true).phases[0].moves[0].move.scheduled);
}

TEST_F(Planning, OneSignalIsNotMovedByPhasesOfWhichNeitherWaits) {
  PhaseSpec both = named("both");
  both.parallel = {hoisting("a", "main"), hoisting("b", "main")};
  plan({both});
  expect_one_mistake("'main' is moved by the phases 'a' and 'b', and neither waits for the other");
}

TEST_F(Planning, TwoSignalsMoveSideBySide) {
  PhaseSpec both = named("both");
  both.parallel = {hoisting("a", "main"), hoisting("b", "aux")};
  plan({both});
  EXPECT_TRUE(problems.all().empty()) << problems.to_text();
}

TEST_F(Planning, ByTheClockTheLaterWaitsForTheEarlierOfOneSignal) {
  PhaseSpec early = hoisting("early", "main"), late = hoisting("late", "main"), overlaps = hoisting("overlaps", "main");
  early.at = 1;
  late.at = 6;
  EXPECT_EQ(waits(plan({late, early})), (Waits{{1}, {}}));
  EXPECT_TRUE(problems.all().empty()) << problems.to_text();
  overlaps.at = 5.9;
  plan({early, overlaps});
  expect_one_mistake("neither waits for the other");
}

TEST_F(Planning, WhatIsLetGoFirstIsConnectedAtTheStart) {
  PhaseSpec phase = named("lets_go");
  phase.add(ReleaseVerb{{{input::Reference{"sling", {}}}}});
  const Plan made = plan({phase});
  EXPECT_EQ(made.phases[0].moves[0].move.kind, PlannedKind::jump);
  EXPECT_EQ(made.phases[0].moves[0].move.value, 0);
  const auto connected = assembly.take_switch("sling");
  ASSERT_TRUE(connected);
  EXPECT_EQ(assembly.motion(*connected).value(0), 1);
}

TEST_F(Planning, TheRangeOfASignalCoversAllThatItsPhasesMoveIt) {
  PhaseSpec out = named("out");
  out.add(LowerVerb{target("main", "6 m")});
  out.over = 5;
  plan({hoisting("in", "main"), out});
  const auto [least, most] = assembly.range(assembly.take_signal("main", 4));
  EXPECT_LE(least, 4 - 3);
  EXPECT_GE(most, 4 - 3 + 6);
}

TEST_F(Planning, APhaseAsksForNoMoreThanItsDriveCanDo) {
  PhaseSpec phase = hoisting("hoists", "main", std::nullopt);
  phase.speed = quantity("0.6 m/s");
  resolved({phase}, {0.5, 0.2});
  expect_one_mistake("the drive of 'main' can do 0.5 m/s, and 0.6 m/s is asked for");
}

TEST_F(Planning, APhaseMayAskForLessThanItsDriveCanDo) {
  PhaseSpec phase = hoisting("hoists", "main", std::nullopt);
  phase.speed = quantity("0.3 m/s");
  const Operation operation = resolved({phase}, {0.5, 0.2});
  EXPECT_TRUE(problems.all().empty()) << problems.to_text();
  EXPECT_EQ(operation.phases()[0].moves[0].limits.speed, 0.3);
  EXPECT_EQ(operation.phases()[0].moves[0].limits.acceleration, 0.2);
}

TEST_F(Planning, AMoveWithoutTimeOrLimitsIsAMistake) {
  resolved({hoisting("hoists", "main", std::nullopt)});
  expect_one_mistake("it is not said how fast 'main' moves, and its drive has no limits");
}

}  // namespace
}  // namespace davit::operation
