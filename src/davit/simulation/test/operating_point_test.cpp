// The states that linear models are about.
#include "davit/simulation/operating_point.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "davit/solve/linear_model.hpp"
#include "davit/test/read_scenario.hpp"

namespace davit {
namespace {

const char* const free_fall =
    "davit: 1\ntitle: t\nbodies: {load: {joint: {prismatic: z}, mass: 1 t}}\n"
    "run: {duration: 2 s, step: 10 ms, method: rk4}\n";

TEST(OperatingPoint, is_where_the_run_has_come_to) {
  const Scenario scenario = test::read_scenario(free_fall);
  System system(*scenario.model);
  const OperatingPoint start = operating_point(scenario, system), later = operating_point(scenario, system, 1.5);
  EXPECT_EQ(start.state.t, 0);
  EXPECT_EQ(start.state.q[0], 0);
  EXPECT_NEAR(later.state.t, 1.5, 1e-12);
  EXPECT_NEAR(later.state.q[0], -0.5 * 9.80665 * 1.5 * 1.5, 1e-9);
  EXPECT_NEAR(later.state.u[0], -9.80665 * 1.5, 1e-9);
  EXPECT_NE(later.about.find("1.5 s"), std::string::npos);
}

TEST(OperatingPoint, is_a_time_of_the_run) {
  const Scenario scenario = test::read_scenario(free_fall);
  System system(*scenario.model);
  EXPECT_THROW(operating_point(scenario, system, 2.1), std::invalid_argument);
  EXPECT_THROW(operating_point(scenario, system, -0.1), std::invalid_argument);
  EXPECT_THROW(operating_point(scenario, system, std::nan("")), std::invalid_argument);
}

TEST(OperatingPoint, needs_the_equilibrium_that_the_file_asks_for) {
  const Scenario scenario = test::read_scenario(
      "davit: 1\ntitle: t\nbodies: {load: {joint: {prismatic: z}, mass: 1 t}}\n"
      "run: {duration: 2 s, step: 10 ms, method: rk4, from_equilibrium: true}\n");
  System system(*scenario.model);
  EXPECT_THROW(operating_point(scenario, system), std::runtime_error);
}

// Before its first step a winch holds its drum and does not look at its target; the linear model is of what it does
// then.
TEST(OperatingPoint, winches_have_begun) {
  const Scenario scenario = test::read_scenario(
      "davit: 1\ntitle: t\nbodies:\n  top: {at: [0, 0, 20 m]}\n"
      "  load: {at: [0, 0, 10 m], joint: {prismatic: z}, mass: 1000 kg}\n"
      "ropes: {rope: {from: top, to: load, tension: 9806.65 N, EA: 2e8 N, damping: 20 ms}}\n"
      "winches: {w: {rope: rope, mode: speed, response: 0.5 s, drum: {radius: 0.4 m, inertia: 50 kg m^2}}}\n"
      "run: {duration: 10 s, step: 1 ms, method: rk4, from_equilibrium: true}\n");
  System system(*scenario.model);
  PortSelection selection;
  selection.signals = {0};
  for (const Channel& c : scenario.model->channels())
    if (c.name == "load.travel_rate") selection.outputs.push_back(c);
  const LinearModel linear = linear_model(system, operating_point(scenario, system).state, selection);
  ASSERT_TRUE(linear.unread_signals.empty());
  ASSERT_EQ(linear.inputs[0].derivative, 1);
  // In slow motion the load goes down as fast as the drum is told to give out rope.
  const linear::Complex s(0, 1e-3);
  EXPECT_LT(std::abs(s * linear::transfer(linear.space, s)(0, 0) + 1.0), 1e-3);
  for (const linear::Complex& pole : linear::poles(linear.space)) EXPECT_LT(pole.real(), 1e-9) << pole;
}

}  // namespace
}  // namespace davit
