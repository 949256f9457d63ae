// What phases make signals do, and how that ends.
#include <gtest/gtest.h>

#include "davit/operation/test/signals_alone.hpp"

namespace davit::operation {
namespace {

using test::above;
using test::at;
using test::pause;
using test::SignalsAlone;
using test::to;
using test::Trial;
using MoveKind = SignalMove::Kind;

constexpr DriveLimits winch{0.5, 0.2};

// The largest speed and acceleration of a signal from now on.
struct Largest {
  double speed = 0, acceleration = 0;
};
Largest largest_until(double end, Trial& trial, Signal signal) {
  Largest out;
  trial.until(end, [&] {
    out.speed = std::max(out.speed, std::abs(at(trial.state, signal, 1)));
    out.acceleration = std::max(out.acceleration, std::abs(at(trial.state, signal, 2)));
  });
  return out;
}

class Moves : public ::testing::Test {
 protected:
  SignalsAlone signals;
  Signal hoist = signals.add("hoist", 2, winch), slew = signals.add("slew", 0, {0.1, 0.05}, "rad");

  Phase moving(SignalMove move) const {
    Phase phase = pause("moves", 0);
    phase.moves = {std::move(move)};
    return phase;
  }
  // Hoists towards 20 m until it has come to 5 m.
  Phase until_it_is_at_5() {
    signals.add_channel("hoist.length", hoist);
    Phase phase = moving(to(hoist, 20, winch));
    phase.until = above(test::channel(signals.model(), "hoist.length"), 5);
    return phase;
  }
};

TEST_F(Moves, TakeTheirDrivesToTheirLimitsAndNotBeyond) {
  Trial trial(signals, {moving(to(hoist, 12, winch))});
  const Largest largest = largest_until(60, trial, hoist);
  EXPECT_EQ(at(trial.state, hoist), 12);
  EXPECT_NEAR(largest.speed, winch.speed, 1e-9);
  EXPECT_LE(largest.acceleration, winch.acceleration * (1 + 1e-9));
  EXPECT_GT(largest.acceleration, winch.acceleration * 0.999);
  EXPECT_EQ(trial.of(0).status, Status::done);
}

TEST_F(Moves, GoToAPlaceOrByAWay) {
  SignalMove by = to(hoist, -1.5, winch);
  by.kind = MoveKind::by;
  by.over = 3;
  Phase again = moving(by);
  again.after = {0};
  Trial trial(signals, {moving(by), again});
  trial.until(10);
  EXPECT_NEAR(at(trial.state, hoist), 2 - 1.5 - 1.5, 1e-12);
  EXPECT_NEAR(*trial.of(0).ended, 3, 1e-12);
  EXPECT_NEAR(*trial.of(1).ended, 6, 1e-12);
}

TEST_F(Moves, ThatHaveNowhereToGoAreOverAtOnce) {
  Trial trial(signals, {moving(to(hoist, 2, winch))});
  EXPECT_FALSE(trial.run.decide(trial.state, trial.work).jumped);
  EXPECT_EQ(trial.of(0).ended, 0.0);
}

TEST_F(Moves, FollowATableFromTheBeginningOfTheirPhase) {
  SignalMove follow;
  follow.signal = hoist;
  follow.kind = MoveKind::follow;
  follow.table = Motion::through(std::vector{0.0, 1.0, 3.0}, std::vector{2.0, 4.0, 3.0}, Motion::Interpolation::linear);
  Phase phase = moving(follow);
  phase.at = 1.5;
  Trial trial(signals, {phase});
  trial.until(2);
  EXPECT_NEAR(at(trial.state, hoist), 3, 1e-12);
  trial.until(4);
  EXPECT_NEAR(at(trial.state, hoist), 3.25, 1e-12);
  trial.until(6);
  EXPECT_NEAR(*trial.of(0).ended, 4.5, 1e-9);
}

TEST_F(Moves, DoNotFollowATableThatBeginsSomewhereElse) {
  SignalMove follow;
  follow.signal = hoist;
  follow.kind = MoveKind::follow;
  follow.table = Motion::through(std::vector{0.0, 1.0}, std::vector{2.1, 4.0}, Motion::Interpolation::linear);
  Trial trial(signals, {moving(follow)});
  const Supervisor::Decision decision = trial.until(1);
  EXPECT_TRUE(decision.stop);
  EXPECT_EQ(decision.why, "at 0 s its table for 'hoist' begins at 2.1, and that is at 2");
  EXPECT_EQ(at(trial.state, hoist), 2);
}

TEST_F(Moves, LetGoAndConnectAtOnceAndSaySo) {
  const Signal sling = signals.add("sling", 1, {}, "1");
  SignalMove release;
  release.signal = sling;
  release.kind = MoveKind::jump;
  release.value = 0;
  Phase phase = moving(release);
  phase.at = 1;
  Trial trial(signals, {phase});
  EXPECT_FALSE(trial.run.decide(trial.state, trial.work).jumped);
  trial.state.t = 1;
  EXPECT_EQ(at(trial.state, sling), 1);
  EXPECT_TRUE(trial.run.decide(trial.state, trial.work).jumped);
  EXPECT_EQ(at(trial.state, sling), 0);
  EXPECT_EQ(trial.of(0).ended, 1.0);
  EXPECT_FALSE(trial.run.decide(trial.state, trial.work).jumped) << "it is told once";
}

TEST_F(Moves, ThatWereKnownBeforeTheRunAreLeftToTheirSchedule) {
  SignalMove known = to(hoist, 7, winch);
  known.over = 4;
  known.scheduled = true;
  Phase phase = moving(known);
  phase.at = 1;
  Trial trial(signals, {phase});
  trial.until(10);
  EXPECT_EQ(at(trial.state, hoist), 2);
  EXPECT_NEAR(*trial.of(0).ended, 5, 1e-12);
}

TEST_F(Moves, AreBroughtToRestByTheirDriveWhenTheConditionHolds) {
  Trial trial(signals, {until_it_is_at_5(), pause("next", 0, {0})});
  double fired = 0, t = 0, speed = 0;
  trial.until(60, [&] {
    EXPECT_LE(std::abs(at(trial.state, hoist, 1) - speed), winch.acceleration * (trial.state.t - t) + 1e-9) << t;
    t = trial.state.t;
    speed = at(trial.state, hoist, 1);
    if (fired == 0 && trial.of(0).status == Status::stopping) fired = t;
  });
  EXPECT_GE(at(trial.state, hoist), 5);
  // From a speed v, within 1.5 v/a, half the way that it would have gone.
  const double over = 1.5 * winch.speed / winch.acceleration;
  EXPECT_NEAR(at(trial.state, hoist), 5 + winch.speed * over / 2, 0.01 * winch.speed);
  EXPECT_NEAR(*trial.of(0).ended, fired + over, 1e-9);
  EXPECT_EQ(trial.of(1).begun, trial.of(0).ended);
}

TEST_F(Moves, LastAsLongAsTheirPhaseIsHeldAlthoughTheConditionHolds) {
  signals.add_channel("force", [](double) { return 1.0; });
  Phase phase = moving(to(hoist, 20, winch));
  phase.hold = 4;
  phase.until = above(test::channel(signals.model(), "force"), 0.5);
  Trial trial(signals, {phase});
  trial.until(3.99);
  EXPECT_EQ(trial.of(0).status, Status::running);
  trial.until(4);
  EXPECT_EQ(trial.of(0).status, Status::stopping);
}

TEST_F(Moves, ThatAreOverBeforeTheConditionHoldsStopTheOperation) {
  Phase phase = until_it_is_at_5();
  phase.moves[0].value = 4;
  Trial trial(signals, {phase});
  const Supervisor::Decision decision = trial.until(60);
  EXPECT_TRUE(decision.stop);
  EXPECT_NE(decision.why.find("its moves are over, and it should last until it is above the bound"), std::string::npos)
      << decision.why;
  phase.continue_on_timeout = true;
  Trial regardless(signals, {phase});
  EXPECT_FALSE(regardless.until(60).stop);
  EXPECT_EQ(regardless.of(0).status, Status::done);
  EXPECT_EQ(at(regardless.state, hoist), 4);
}

TEST_F(Moves, WaitForTheConditionAsLongAsTheTimeoutLets) {
  Phase phase = until_it_is_at_5();
  phase.moves[0].value = 4;
  phase.timeout = 30;
  Trial trial(signals, {phase});
  EXPECT_TRUE(trial.until(60).stop);
  EXPECT_NEAR(trial.state.t, 30, 1e-9);
  phase.continue_on_timeout = true;
  Trial regardless(signals, {phase});
  EXPECT_FALSE(regardless.until(60).stop);
  EXPECT_NEAR(*regardless.of(0).ended, 30, 1e-9);
}

TEST_F(Moves, OfAllPhasesAreBroughtToRestWhenOneFailsAndThenTheRunStops) {
  signals.add_channel("force", [](double) { return 0.0; });
  Phase waits = pause("waits", 0);
  waits.timeout = 10;
  waits.when = above(test::channel(signals.model(), "force"), 0.5);
  const DriveLimits turning{0.1, 0.05};
  Phase slews = pause("slews", 0);
  slews.moves = {to(slew, 3, turning)};
  Trial trial(signals, {moving(to(hoist, 20, winch)), slews, waits});
  const Supervisor::Decision decision = trial.until(100);
  EXPECT_TRUE(decision.stop);
  EXPECT_EQ(decision.element, "waits");
  // The winch takes longest: 1.5 v/a.
  EXPECT_NEAR(trial.state.t, 10 + 1.5 * std::max(winch.speed / winch.acceleration, 0.1 / 0.05), 0.01 + 1e-9);
  for (const Signal signal : {hoist, slew}) EXPECT_NEAR(at(trial.state, signal, 1), 0, 1e-12);
  EXPECT_LT(at(trial.state, hoist), 20);
}

TEST_F(Moves, OfAnotherPhaseGoOnWhenOneFailsByHand) {
  SignalMove follow;
  follow.signal = slew;
  follow.kind = MoveKind::follow;
  follow.table = Motion(1.0);
  Phase fails = pause("fails", 0);
  fails.moves = {follow};
  Trial trial(signals, {moving(to(hoist, 20, winch)), fails}, false);
  trial.run.begin_now(0, trial.state);
  trial.until(5);
  trial.run.begin_now(1, trial.state);
  EXPECT_EQ(trial.of(1).status, Status::failed);
  EXPECT_FALSE(trial.until(100).stop);
  EXPECT_EQ(at(trial.state, hoist), 20);
}

TEST_F(Moves, AreBroughtToRestWhereSomebodyElseTakesOver) {
  const DriveLimits turning{0.1, 0.05};
  Phase slews = pause("slews", 0);
  slews.moves = {to(slew, 3, turning)};
  Phase next = moving(to(hoist, 2, winch));
  next.after = {0};
  Trial trial(signals, {moving(to(hoist, 20, winch)), slews, next});
  trial.until(8);
  trial.run.take_over(hoist.index(), trial.state);
  EXPECT_EQ(trial.of(0).status, Status::done);
  EXPECT_EQ(trial.of(1).status, Status::running);
  EXPECT_FALSE(trial.operation.is_automatic(trial.state));
  const double speed = at(trial.state, hoist, 1),
               rest = at(trial.state, hoist) + speed * 0.75 * speed / winch.acceleration;
  trial.until(100);
  EXPECT_NEAR(at(trial.state, hoist), rest, 1e-9) << "half the way in 1.5 v/a";
  EXPECT_EQ(at(trial.state, slew), 3) << "nobody took that";
  EXPECT_EQ(trial.of(2).status, Status::waiting);
}

TEST_F(Moves, GoOnFromTheStateAloneWithoutADifference) {
  const Phase phase = until_it_is_at_5();
  Trial whole(signals, {phase, pause("next", 1, {0})}), parts(signals, {phase, pause("next", 1, {0})});
  whole.until(40);
  for (double t = 1; t <= 40; t += 1) {
    OperationRun fresh(parts.operation, parts.model, nullptr);
    test::decide_until(t, fresh, parts.state, parts.work);
  }
  EXPECT_EQ(parts.state.operation, whole.state.operation);
  EXPECT_EQ(parts.state.hash(), whole.state.hash());
}

TEST(FollowFromHere, SaysWhetherTheEquationsChange) {
  SignalsAlone signals;
  const Signal signal = signals.add("hoist", 1);
  State state = signals.model().initial_state();
  state.t = 2;
  Motion moves(1), jumps(1);
  moves.move(2, 3, 5);
  jumps.jump(2, 1.5);
  EXPECT_FALSE(follow_from_here(state, signal.index(), moves)) << "smooth: minimum jerk from rest";
  state.t = 3;
  EXPECT_FALSE(follow_from_here(state, signal.index(), moves)) << "the same";
  EXPECT_TRUE(follow_from_here(state, signal.index(), Motion(moves.value(3)))) << "the speed jumps";
  EXPECT_TRUE(follow_from_here(state, signal.index(), jumps)) << "the value jumps";
  EXPECT_TRUE(follow_from_here(state, signal.index(), Motion(1.5).move(3, 1, 2, {1, 0}))) << "the acceleration jumps";
}

}  // namespace
}  // namespace davit::operation
