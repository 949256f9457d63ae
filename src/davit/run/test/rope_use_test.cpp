// What ropes carry at rest, for the factors of a report.
#include "davit/run/rope_use.hpp"

#include <gtest/gtest.h>

#include "davit/simulation/preparation.hpp"
#include "davit/statics/test/lifts.hpp"

namespace davit {
namespace {

TEST(RopeUse, WithRiggingTheLargestRestOfAllPhasesCounts) {
  const Scenario scenario = test::read_scenario(test::on_a_winch(
      "rigging: {centre_of_gravity: {of: load, x: 0.3 m}}\noperation:\n  - {name: up, hoist: {main: 7 m}}\n"));
  System system(*scenario.model);
  const auto stepper = scenario.make_stepper();
  const RopesAtRest rests = ropes_at_rest(scenario, prepare(scenario, *stepper, system), system);
  EXPECT_EQ(rests.of, "the largest at rest, at the start and after each phase");
  EXPECT_NEAR(rests.ropes.at(0).tension.value(), 20e3 * test::gravity, 1e-3);
  EXPECT_NEAR(rests.ropes.at(0).skew_factor.value(), 1, 1e-9);
  result::RopeUse slack{"tag", 100, 1, 0.0, std::nullopt, std::nullopt};
  EXPECT_FALSE(slack.dynamic_factor());
}

}  // namespace
}  // namespace davit
