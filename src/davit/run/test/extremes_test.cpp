// Extremes of motions and reactions beside what they are by hand, whatever is recorded.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/run/extremes_monitor.hpp"
#include "davit/simulation/simulation.hpp"

namespace davit {
namespace {

constexpr double g = 9.80665;

result::Extremes extremes_of(const std::string& text) {
  input::Problems problems;
  auto scenario = parse_scenario(text, "lift.yaml", problems);
  if (!scenario) throw std::runtime_error(problems.to_text());
  System system(*scenario->model);
  State state = scenario->initial_state();
  system.commit(state);
  ExtremesMonitor monitor(*scenario);
  Simulation(*scenario, state, {.sinks = {&monitor}}).run();
  return monitor.results();
}

template <typename Items>
const auto& named(const Items& items, const std::string& name) {
  for (const auto& item : items)
    if (item.name == name) return item;
  throw std::runtime_error("there is no " + name);
}

// A point of 2 kg turns about z at 3 rad/s on an arm of 1.5 m, with no gravity: v = ωr, a = ω²r, F = mω²r inwards.
const char* const turning_arm =
    "davit: 1\ntitle: a turning arm\nenvironment: {gravity: 0}\n"
    "bodies:\n  arm: {joint: {revolute: z}, mass: 2 kg, centre: [1.5 m, 0, 0], inertia: [1, 1, 1],\n"
    "        start: {angle_rate: 3 rad/s}, points: {end: [2 m, 0, 0.5 m]}}\n";

TEST(Extremes, of_a_turning_arm_are_exact) {
  const auto seen =
      extremes_of(std::string(turning_arm) + "run: {duration: 3 s, step: 1 ms, output: 1 s, channels: [arm.angle]}\n");
  ASSERT_EQ(seen.motions.size(), 1u) << "the origin of the arm does not move";
  const result::PointMotion& end = named(seen.motions, "arm.end");
  EXPECT_NEAR(end.low[0], -2, 1e-5);
  EXPECT_NEAR(end.high[0], 2, 1e-12);
  EXPECT_NEAR(end.low[1], -2, 1e-5);
  EXPECT_NEAR(end.high[1], 2, 1e-5);
  EXPECT_NEAR(end.low[2], 0.5, 1e-12);
  EXPECT_NEAR(end.speed.size, 6, 1e-8);
  // The chord of the turning velocity over a step of 1 ms.
  EXPECT_NEAR(end.acceleration.size, 2 * 6 * std::sin(3 * 0.5e-3) / 1e-3, 1e-6);
  const result::Reaction& joint = named(seen.reactions, "arm");
  EXPECT_TRUE(joint.in_body_axes);
  EXPECT_NEAR(joint.force.size, 2 * 9 * 1.5, 1e-6);
  EXPECT_NEAR(joint.force.parts[0], -2 * 9 * 1.5, 1e-6);
  EXPECT_NEAR(joint.force.parts[1], 0, 1e-6);
}

// A load hangs on a rope and is let fall into it: hook load and lug force are the rope's tension, and in the axes of
// the load, which is turned by 90 deg about x, the pull is along y.
TEST(Extremes, of_a_load_on_a_rope) {
  const auto seen = extremes_of(
      "davit: 1\ntitle: a load\nbodies:\n  top: {at: [0, 0, 10 m]}\n"
      "  load: {at: [0, 0, 0], joint: free, mass: 100 kg, inertia: [1, 1, 1], start: {roll: 90 deg}}\n"
      "ropes:\n  hoist: {from: top, to: load, EA: 100 kN, damping: 0.1 s, tension: 980.665 N}\n"
      "run: {duration: 2 s, step: 1 ms, output: 1 s, channels: [load.position_z]}\n");
  const result::HookLoad& hook = named(seen.hooks, "load");
  EXPECT_NEAR(hook.weight, 100 * g, 1e-9);
  EXPECT_NEAR(hook.largest.value, 100 * g, 1e-3);
  ASSERT_EQ(seen.lugs.size(), 2u);
  EXPECT_EQ(seen.lugs[0].lug, "top");
  EXPECT_EQ(seen.lugs[1].body, "load");
  EXPECT_NEAR(seen.lugs[1].pull.parts[1], 100 * g, 1e-3);
  EXPECT_NEAR(seen.lugs[1].pull.parts[2], 0, 1e-3);
  EXPECT_NEAR(seen.lugs[1].from_z(), M_PI / 2, 1e-6);
  EXPECT_NEAR(seen.lugs[1].plane(), M_PI / 2, 1e-6);
  EXPECT_NEAR(seen.lugs[0].from_z(), M_PI, 1e-6) << "the rope pulls the top down";
}

// What happens between rows is seen: an impact of 5 ms, with rows once a second.
TEST(Extremes, see_what_no_row_has) {
  const std::string text =
      "davit: 1\ntitle: a drop\nbodies:\n  ground: {}\n"
      "  ball: {at: [0, 0, 0.5 m], joint: {prismatic: z}, mass: 10 kg}\n"
      "forces:\n  floor: {contact: {surface: ground, points: [ball], stiffness: 4 MN/m, damping_time: 0}}\n"
      "run: {step: 0.1 ms, channels: [ball.travel], duration: ";
  const auto seen = extremes_of(text + "1 s, output: 1 s}\n");
  ASSERT_GE(seen.contacts.size(), 1u);
  const result::NamedExtreme& floor = named(seen.contacts, "floor.normal");
  // Half a period of a spring: the largest force is weight + √(weight² + k m v²), v² = 2 g h.
  const double weight = 10 * g, largest = weight + std::sqrt(weight * weight + 4e6 * 10 * 2 * g * 0.5);
  EXPECT_NEAR(floor.at.value, largest, 0.01 * largest);
  EXPECT_NEAR(floor.at.time, std::sqrt(2 * 0.5 / g) + M_PI / 2 * std::sqrt(10 / 4e6), 1e-3);
}

}  // namespace
}  // namespace davit
