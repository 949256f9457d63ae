// Levers move signals at the ticks of a clock, within their travel, and take them out of the hands of phases.
#include "davit/operation/levers.hpp"

#include <gtest/gtest.h>

#include "davit/operation/test/signals_alone.hpp"

namespace davit::operation {
namespace {

using test::at;
using test::SignalsAlone;
using test::to;

// Hears at which ticks it is asked.
class CountedTicks final : public CommandSource {
 public:
  std::vector<std::int64_t> ticks;
  std::vector<LeverCommand> at_tick(std::int64_t tick, const State&, const Workspace&, EventSink*) override {
    ticks.push_back(tick);
    return {};
  }
};

class LeverTrial : public ::testing::Test {
 protected:
  SignalsAlone signals;
  Signal hoist = signals.add("hoist", 2, {0.5, 0.2}), sea = signals.add("sea.height", 1),
         sling = signals.add("sling", 1, {}, "1");
  Operation operation;
  Levers levers = [&] {
    Levers out;
    out.tick = 0.1;
    out.levers = {{"hoist", "m", hoist, Lever::Kind::driven, {0.5, 0.2}, 0, 10},
                  {"sea.height", "1", sea, Lever::Kind::set, {0.05, 0.02}, 0, 3},
                  {"sling", "1", sling, Lever::Kind::switched, {}, 0, 1}};
    return out;
  }();
  test::Told told;
  State state;

  Supervisor::Decision run_until(double end, std::vector<RecordedCommand> commands,
                                 const std::function<void()>& after_each = {}) {
    const Model model = signals.model();
    if (state.discrete.signals.size() == 0) {
      state = model.initial_state();
      state.operation = operation.beginning(levers.automatic);
    }
    RecordedCommands source(commands);
    LeverRun run(levers, source, operation, model, &told);
    return test::decide_until(end, run, state, model.make_workspace(), after_each);
  }
  bool was_told(const std::string& event) const {
    return std::find(told.events.begin(), told.events.end(), event) != told.events.end();
  }
  // An operation whose only phase hoists by 6 m.
  void hoists_by_itself() {
    Phase phase;
    phase.name = "hoists";
    phase.moves = {to(hoist, 8, {0.5, 0.2})};
    operation = Operation({phase});
    levers.automatic = true;
  }
};

TEST_F(LeverTrial, CommandsTakeEffectAtTheirTick) {
  run_until(0.69, {{7, {LeverVerb::speed, "hoist", 0.4}}});
  EXPECT_EQ(at(state, hoist), 2);
  run_until(1.7, {{7, {LeverVerb::speed, "hoist", 0.4}}});
  EXPECT_GT(at(state, hoist), 2);
  run_until(10.7, {});
  EXPECT_NEAR(at(state, hoist), 2 + 0.4 * (10 - 1.5), 1e-9) << "half the way while it speeds up in 1.5 v/a";
  EXPECT_NEAR(at(state, hoist, 1), 0.4, 1e-12);
}

TEST_F(LeverTrial, EveryTickIsAskedForOnce) {
  levers.tick = 0.02;
  const Model model = signals.model();
  state = model.initial_state();
  CountedTicks source;
  LeverRun run(levers, source, operation, model, nullptr);
  test::decide_until(100, run, state, model.make_workspace());
  ASSERT_EQ(source.ticks.size(), 5001u);
  for (size_t i = 0; i < source.ticks.size(); ++i) EXPECT_EQ(source.ticks[i], static_cast<std::int64_t>(i));
}

TEST_F(LeverTrial, CommandsOfOneTickAreCarriedOutInOrder) {
  const std::vector<RecordedCommand> commands = {
      {0, {LeverVerb::move, "sling", 0}}, {0, {LeverVerb::move, "sling", 1}}, {3, {LeverVerb::move, "sling", 0}}};
  EXPECT_TRUE(run_until(0.2, commands).jumped == false);
  EXPECT_EQ(at(state, sling), 1);
  EXPECT_TRUE(run_until(0.3, commands).jumped);
  EXPECT_EQ(at(state, sling), 0);
}

TEST_F(LeverTrial, StopBringsAllThatIsDrivenToRest) {
  run_until(
      20,
      {{0, {LeverVerb::speed, "hoist", 0.3}}, {0, {LeverVerb::move, "sea.height", 2}}, {50, {LeverVerb::stop, "", 0}}});
  // 0.3 m/s within 1.5 v/a = 2.25 s, half the way each time.
  EXPECT_NEAR(at(state, hoist), 2 + 0.3 * 5, 1e-9);
  EXPECT_EQ(at(state, hoist, 1), 0);
  EXPECT_GT(at(state, sea, 1), 0) << "what is set goes on to its value";
}

TEST_F(LeverTrial, SpeedsEndWithinTheTravel) {
  double least = 2, most = 2;
  run_until(100, {{0, {LeverVerb::speed, "hoist", 0.5}}, {500, {LeverVerb::speed, "hoist", -0.5}}}, [&] {
    least = std::min(least, at(state, hoist));
    most = std::max(most, at(state, hoist));
  });
  const double tick_way = 0.1 * 0.5;
  EXPECT_LE(most, 10);
  EXPECT_GE(most, 10 - 2 * tick_way);
  EXPECT_GE(least, 0);
  EXPECT_LE(least, 2 * tick_way);
  EXPECT_EQ(at(state, hoist, 1), 0);
  EXPECT_EQ(std::count(told.events.begin(), told.events.end(), "hoist end of travel"), 2);
}

TEST_F(LeverTrial, ALeverTakesASignalOutOfThePhasesHands) {
  hoists_by_itself();
  run_until(3, {});
  EXPECT_EQ(operation.status(state, 0), Status::running);
  run_until(60, {{30, {LeverVerb::speed, "hoist", -0.1}}});
  EXPECT_EQ(operation.status(state, 0), Status::done);
  EXPECT_FALSE(operation.is_automatic(state));
  EXPECT_TRUE(was_told("hoists taken over"));
  EXPECT_LT(at(state, hoist), 2);
}

TEST_F(LeverTrial, ALeverAtRestThatIsLetGoLeavesAPhaseAlone) {
  hoists_by_itself();
  run_until(60, {{0, {LeverVerb::speed, "hoist", 0}}});
  EXPECT_EQ(at(state, hoist), 8);
  EXPECT_FALSE(was_told("hoists taken over"));
}

TEST_F(LeverTrial, PhasesBeginByHandOrByThemselvesAsIsSaid) {
  hoists_by_itself();
  levers.automatic = false;
  run_until(5, {});
  EXPECT_EQ(operation.status(state, 0), Status::waiting);
  run_until(6, {{55, {LeverVerb::phase, "hoists", 0}}});
  EXPECT_NEAR(*operation.report(state)[0].begun, 5.5, 1e-12);
  run_until(7, {{65, {LeverVerb::automatic, "", 1}}});
  EXPECT_TRUE(operation.is_automatic(state));
}

TEST_F(LeverTrial, MistakesAreNamedAndNotCarriedOut) {
  const auto mistake = [&](LeverVerb verb, const std::string& name, double value) {
    return mistake_in({verb, name, value}, levers, operation);
  };
  EXPECT_EQ(mistake(LeverVerb::speed, "boist", 1), "there is no lever 'boist'");
  EXPECT_EQ(mistake(LeverVerb::speed, "sling", 1), "'sling' is set to a value with 'move', it has no speed");
  EXPECT_EQ(mistake(LeverVerb::move, "hoist", 10.5), "'hoist' goes from 0 to 10 m");
  EXPECT_EQ(mistake(LeverVerb::move, "hoist", NAN), "the value is not a number");
  EXPECT_EQ(mistake(LeverVerb::speed, "hoist", 2e6), "2e+06 m is beyond any sense for 'hoist'");
  EXPECT_EQ(mistake(LeverVerb::phase, "lift", 0), "there is no phase 'lift'");
  EXPECT_EQ(mistake(LeverVerb::automatic, "", 1), "there is no operation");
  EXPECT_EQ(mistake(LeverVerb::move, "hoist", 10), "");
  EXPECT_EQ(mistake(LeverVerb::stop, "", 0), "");
  run_until(1, {{0, {LeverVerb::move, "hoist", 11}}, {1, {LeverVerb::phase, "lift", 0}}});
  EXPECT_EQ(at(state, hoist), 2);
}

}  // namespace
}  // namespace davit::operation
