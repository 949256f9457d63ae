// When phases begin: by the clock, after others, on conditions.
#include <gtest/gtest.h>

#include "davit/operation/test/signals_alone.hpp"

namespace davit::operation {
namespace {

using test::above;
using test::pause;
using test::SignalsAlone;
using test::Trial;

// 1 where it is within one of these times, else 0.
std::function<double(double)> one_within(std::vector<std::pair<double, double>> times) {
  return [times](double t) {
    for (const auto& [from, to] : times)
      if (t >= from && t < to) return 1.0;
    return 0.0;
  };
}

TEST(PhaseBegins, AtItsTimeAlthoughNoStepEndsThere) {
  Phase phase = pause("one", 0.0005);
  phase.at = 1.2345;
  Trial trial({}, {phase});
  EXPECT_EQ(trial.run.next_time(trial.state), 1.2345);
  trial.until(2);
  EXPECT_EQ(trial.of(0).begun, 1.2345);
  EXPECT_NEAR(*trial.of(0).ended, 1.235, 1e-12);
}

TEST(PhaseBegins, WhenAllBeforeItHaveEndedAndItsDelayHasPassed) {
  Phase third = pause("third", 0, {0, 1});
  third.delay = 0.505;
  Trial trial({}, {pause("short", 1), pause("long", 3), third});
  trial.until(10);
  EXPECT_NEAR(*trial.of(0).ended, 1, 1e-12);
  EXPECT_NEAR(*trial.of(2).begun, 3.505, 1e-12);
  EXPECT_EQ(trial.of(2).status, Status::done);
}

TEST(PhaseBegins, AtTheLaterOfItsTimeAndTheEndOfThoseBefore) {
  Phase early = pause("early", 0, {0}), late = pause("late", 0, {0});
  early.at = 0.5;
  late.at = 5;
  Trial trial({}, {pause("first", 1), early, late});
  trial.until(6);
  EXPECT_NEAR(*trial.of(1).begun, 1, 1e-12);
  EXPECT_NEAR(*trial.of(2).begun, 5, 1e-12);
}

TEST(PhaseBegins, InOneDecisionWithAllThatFollowAtOnceWhateverTheirOrder) {
  Trial trial({}, {pause("third", 0, {1}), pause("second", 0, {2}), pause("first", 0)});
  trial.run.decide(trial.state, trial.work);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(trial.of(i).ended, 0.0);
  const std::vector<std::string> expected = {"first begins", "first ends",   "second begins",
                                             "second ends",  "third begins", "third ends"};
  EXPECT_EQ(trial.told.events, expected);
}

TEST(PhaseBegins, WhenItsConditionHasHeldWithoutABreak) {
  SignalsAlone signals;
  signals.add_channel("force", one_within({{1, 1.4}, {2, 10}}));
  Phase phase = pause("waits", 0);
  phase.when = above(test::channel(signals.model(), "force"), 0.5, 0.505);
  Trial trial(signals, {phase});
  trial.until(5);
  EXPECT_NEAR(*trial.of(0).begun, 2.505, 1e-9) << "not before, and not a step later";
}

TEST(PhaseBegins, AfterItsDelayOnlyIfTheConditionHoldsThen) {
  SignalsAlone signals;
  signals.add_channel("force", one_within({{0, 1}, {3, 10}}));
  Phase phase = pause("waits", 0);
  phase.delay = 2;
  phase.when = above(test::channel(signals.model(), "force"), 0.5);
  Trial trial(signals, {phase});
  trial.until(5);
  EXPECT_NEAR(*trial.of(0).begun, 3, 1e-9);
}

TEST(Condition, ToReachABoundIsToBeWithin) {
  SignalsAlone signals;
  signals.add_channel("force", [](double) { return 3.0; });
  const Channel force = test::channel(signals.model(), "force");
  const auto holds = [&](double least, double most) {
    Phase phase = pause("waits", 0);
    phase.when = Condition{{{force, least, most}}, {}, 0, ""};
    Trial trial(signals, {phase});
    trial.run.decide(trial.state, trial.work);
    return trial.of(0).begun.has_value();
  };
  EXPECT_TRUE(holds(3, never));
  EXPECT_TRUE(holds(-never, 3));
  EXPECT_FALSE(holds(std::nextafter(3, 4), never));
  EXPECT_FALSE(holds(-never, std::nextafter(3, 2)));
}

TEST(Condition, TakesAllOfTheFirstAndOneOfTheSecond) {
  // Each of four channels is 0 or 1 as the bits of a number say.
  for (int bits = 0; bits < 16; ++bits) {
    SignalsAlone signals;
    for (int i = 0; i < 4; ++i)
      signals.add_channel(fmt::format("bit {}", i), [bits, i](double) { return (bits >> i) & 1; });
    const Model model = signals.model();
    const auto set = [&](int i) { return Comparison{test::channel(model, fmt::format("bit {}", i)), 0.5, never}; };
    Phase phase = pause("waits", 0), other = pause("waits for others", 0);
    other.when = Condition{{set(0)}, {}, 0, ""};
    phase.when = Condition{{set(0), set(1)}, {set(2), set(3)}, 0, ""};
    Trial trial(signals, {other, phase});
    trial.run.decide(trial.state, trial.work);
    EXPECT_EQ(trial.of(0).begun.has_value(), (bits & 1) != 0) << bits;
    EXPECT_EQ(trial.of(1).begun.has_value(), (bits & 3) == 3 && (bits & 12) != 0) << bits;
  }
}

TEST(Timeout, StopsTheOperationWithTheReason) {
  SignalsAlone signals;
  signals.add_channel("force", one_within({}));
  Phase phase = pause("waits", 0);
  phase.delay = 1;
  phase.timeout = 2.5;
  phase.when = above(test::channel(signals.model(), "force"), 0.5);
  Trial trial(signals, {phase, pause("after it", 0, {0})});
  const Supervisor::Decision decision = trial.until(10);
  EXPECT_TRUE(decision.stop);
  EXPECT_NEAR(trial.state.t, 3.5, 1e-9);
  EXPECT_EQ(decision.element, "waits");
  EXPECT_EQ(decision.why, "at 3.5 s it waited 2.5 s to begin when it is above the bound");
  EXPECT_EQ(trial.of(0).status, Status::failed);
  EXPECT_EQ(trial.of(1).status, Status::waiting);
  EXPECT_EQ(trial.run.next_time(trial.state), never);
}

TEST(Timeout, OrGoesOnIfItMay) {
  SignalsAlone signals;
  signals.add_channel("force", one_within({}));
  Phase phase = pause("waits", 0);
  phase.timeout = 2.5;
  phase.continue_on_timeout = true;
  phase.when = above(test::channel(signals.model(), "force"), 0.5);
  Trial trial(signals, {phase});
  EXPECT_FALSE(trial.until(10).stop);
  EXPECT_NEAR(*trial.of(0).begun, 2.5, 1e-9);
}

TEST(HasCome, OnceWhileAPhaseLooksForIt) {
  SignalsAlone signals;
  signals.add_channel("force", one_within({{0, 10}}));
  Phase phase = pause("waits", 5);
  phase.delay = 1;
  phase.when = above(test::channel(signals.model(), "force"), 0.5, 0.5);
  Trial trial(signals, {phase});
  EXPECT_TRUE(trial.run.waits(trial.state));
  EXPECT_FALSE(trial.run.has_come(trial.state, trial.work)) << "before the delay nobody looks";
  trial.run.decide(trial.state, trial.work);
  EXPECT_EQ(trial.run.next_time(trial.state), 1);
  trial.state.t = 1;
  EXPECT_TRUE(trial.run.has_come(trial.state, trial.work));
  trial.run.decide(trial.state, trial.work);
  EXPECT_FALSE(trial.run.has_come(trial.state, trial.work)) << "it is known since when it holds";
  EXPECT_EQ(trial.run.next_time(trial.state), 1.5);
  trial.state.t = 1.5;
  trial.run.decide(trial.state, trial.work);
  EXPECT_EQ(trial.of(0).begun, 1.5);
  EXPECT_FALSE(trial.run.waits(trial.state)) << "it runs, and ends by the clock";
}

TEST(ByHand, NothingBeginsUntilItIsToldTo) {
  Trial trial({}, {pause("first", 1), pause("second", 1)}, false);
  trial.until(5);
  EXPECT_EQ(trial.of(0).status, Status::waiting);
  trial.run.begin_now(1, trial.state);
  trial.run.begin_now(1, trial.state);  // it runs already
  trial.until(10);
  EXPECT_EQ(trial.of(0).status, Status::waiting);
  EXPECT_EQ(trial.of(1).begun, 5.0);
  EXPECT_NEAR(*trial.of(1).ended, 6, 1e-12);
  trial.operation.set_automatic(trial.state, true);
  trial.until(20);
  EXPECT_EQ(trial.of(0).begun, 10.0);
  EXPECT_EQ(trial.of(1).begun, 5.0) << "once";
}

TEST(Operation, WithoutPhasesHasNothingToDecide) {
  Trial trial({}, {});
  EXPECT_TRUE(trial.state.operation.empty());
  EXPECT_EQ(trial.run.next_time(trial.state), never);
  EXPECT_FALSE(trial.run.waits(trial.state));
  EXPECT_FALSE(trial.operation.is_automatic(trial.state));
  EXPECT_EQ(trial.operation.find("one"), std::nullopt);
  EXPECT_EQ(Operation({pause("zero", 0), pause("one", 0)}).find("one"), 1);
}

}  // namespace
}  // namespace davit::operation
