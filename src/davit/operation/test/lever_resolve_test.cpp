// Which levers a model has, by its signals and what a file says of them.
#include "davit/operation/lever_resolve.hpp"

#include <gtest/gtest.h>

#include "davit/operation/test/signals_alone.hpp"

namespace davit::operation {
namespace {

class LeversOfModel : public ::testing::Test {
 protected:
  test::SignalsAlone signals;
  LeversSpec spec;
  input::Problems problems;

  std::optional<Levers> resolved(double step = 0) {
    problems = {};
    return resolve_levers(spec, signals.model(), Operation{}, step, problems);
  }
  LeverSpec& given(const std::string& name) {
    spec.of.emplace_back(name, LeverSpec{});
    return spec.of.back().second;
  }
  static input::Quantity quantity(const char* text) { return *input::parse_quantity(text).value; }
  void expect_mistake(const std::string& part) const {
    ASSERT_TRUE(problems.has_errors());
    EXPECT_NE(problems.to_text().find(part), std::string::npos) << problems.to_text();
  }
};

TEST_F(LeversOfModel, AreOneForEachSignalWithTheLimitsOfItsDrive) {
  signals.add("main", 0, {0.5, 0.2});
  signals.add("sling", 1, {}, "1");
  const auto levers = resolved();
  ASSERT_TRUE(levers);
  ASSERT_EQ(levers->levers.size(), 2u);
  const Lever& main = levers->levers[*levers->find("main")];
  EXPECT_EQ(main.kind, Lever::Kind::driven);
  EXPECT_EQ(main.limits.speed, 0.5);
  EXPECT_EQ(main.limits.acceleration, 0.2);
  EXPECT_EQ(levers->levers[*levers->find("sling")].kind, Lever::Kind::switched);
  EXPECT_FALSE(levers->find("king"));
}

TEST_F(LeversOfModel, HaveSpeedsThatEndWhereADriveHasNoLimits) {
  signals.add("king", 0, {}, "rad");
  const auto levers = resolved();
  ASSERT_TRUE(levers);
  EXPECT_TRUE(std::isfinite(levers->levers[0].limits.speed));
  EXPECT_TRUE(std::isfinite(levers->levers[0].limits.acceleration));
}

TEST_F(LeversOfModel, AreCalledAsTheJointWhereItHasOneSignal) {
  signals.add("king.angle", 0, {0.1, 0.1}, "rad");
  signals.add("boom.angle", 0, {0.1, 0.1}, "rad");
  signals.add("boom.travel", 0, {0.1, 0.1});
  const auto levers = resolved();
  ASSERT_TRUE(levers);
  EXPECT_TRUE(levers->find("king"));
  EXPECT_TRUE(levers->find("boom.angle"));
  EXPECT_TRUE(levers->find("boom.travel"));
}

TEST_F(LeversOfModel, AreAsTheFileSaysOfThem) {
  signals.add("main", 0, {0.5, 0.2});
  LeverSpec& main = given("main");
  main.speed = quantity("0.3 m/s");
  main.least = quantity("-2 m");
  main.most = quantity("8 m");
  const auto levers = resolved();
  ASSERT_TRUE(levers) << problems.to_text();
  EXPECT_EQ(levers->levers[0].limits.speed, 0.3);
  EXPECT_EQ(levers->levers[0].least, -2);
  EXPECT_EQ(levers->levers[0].most, 8);
}

TEST_F(LeversOfModel, ThatNobodyHasAreReported) {
  signals.add("main", 0, {0.5, 0.2});
  given("mian").speed = quantity("0.3 m/s");
  EXPECT_FALSE(resolved());
  expect_mistake("mian");
}

TEST_F(LeversOfModel, HaveAWayToGoAndASpeedAboveZero) {
  signals.add("main", 0, {0.5, 0.2});
  given("main").least = quantity("3 m");
  spec.of[0].second.most = quantity("3 m");
  EXPECT_FALSE(resolved());
  expect_mistake("the lever 'main' has no way to go");
  spec.of[0].second = {};
  spec.of[0].second.speed = quantity("-0.3 m/s");
  EXPECT_FALSE(resolved());
  expect_mistake("it must be above zero");
  spec.of[0].second.speed = quantity("0.3 rad/s");
  EXPECT_FALSE(resolved());
}

TEST_F(LeversOfModel, OfSwitchesCannotBeChanged) {
  signals.add("sling", 1, {}, "1");
  given("sling").speed = quantity("0.3 m/s");
  EXPECT_FALSE(resolved());
  expect_mistake("'sling' is only let go and connected");
}

TEST_F(LeversOfModel, TicksAreWholeSteps) {
  signals.add("main", 0, {0.5, 0.2});
  for (const double step : {0.003, 0.01, 0.05}) {
    const auto levers = resolved(step);
    ASSERT_TRUE(levers);
    const double steps = levers->tick / step;
    EXPECT_NEAR(steps, std::round(steps), 1e-9) << step;
    EXPECT_GE(steps, 1 - 1e-9);
  }
  spec.tick = 0.04;
  EXPECT_TRUE(resolved(0.01));
  EXPECT_FALSE(resolved(0.03)) << "not a whole number of them";
}

}  // namespace
}  // namespace davit::operation
