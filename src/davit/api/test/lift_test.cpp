// A lift run from a program is the run of `davit run`: phases, releases and the start that a file asks for.
#include "davit/api/lift.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "davit/result/reader.hpp"

namespace davit {
namespace {

// A load on a rope that is let go once its winch has lowered it to 6 m and come to rest.
const char* const dropped = R"(
davit: 1
title: A load that is let go
bodies:
  load: {at: [0, 0, 10 m], joint: {prismatic: z}, mass: 1 t, points: {eye: [0, 0, 0]}}
  top: {at: [0, 0, 20 m]}
ropes: {fall: {from: top, to: load.eye, EA: 10 MN, damping: 20 ms, tension: 9.80665 kN}}
winches: {hoist: {rope: fall, limits: {speed: 1 m/s, acceleration: 0.5 m/s^2}}}
operation:
  - {name: lower, lower: {hoist: 8 m}, until: {channel: load.position_z, below: 6 m}}
  - {name: let_go, release: [fall]}
run: {duration: 9 s, step: 10 ms, precision: full}
)";

TEST(Lift, PhasesAndReleasesHappen) {
  const Lift lift = Lift::parse(dropped);
  const size_t height = lift.channel("load.position_z");
  std::vector<double> heights;
  const LiftOutcome outcome = lift.run([&](const Instant& now) {
    heights.push_back(now.value(height));
    return true;
  });
  EXPECT_TRUE(outcome.complete) << outcome.why;
  // It falls freely in the last half second, by g/8 and more.
  ASSERT_EQ(heights.size(), 901u);
  EXPECT_LT(heights.back(), heights[850] - 1);

  const auto folder = std::filesystem::temp_directory_path() / ("davit_lift_test_" + std::to_string(getpid()));
  lift.write(folder);
  const auto written = result::Result::open(folder / "result.h5");
  EXPECT_EQ(heights, written.channel("load.position_z"));
  std::filesystem::remove_all(folder);
}

TEST(Lift, BeginsOnlyWhereTheFileSays) {
  const Lift lift = Lift::parse(R"(
davit: 1
title: Nothing holds it
bodies: {load: {joint: {prismatic: z}, mass: 1 t}}
run: {duration: 1 s, step: 10 ms, from_equilibrium: true}
)");
  int calls = 0;
  const LiftOutcome outcome = lift.run([&](const Instant&) {
    ++calls;
    return true;
  });
  EXPECT_FALSE(outcome.complete);
  EXPECT_NE(outcome.why.find("should begin in equilibrium"), std::string::npos) << outcome.why;
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace davit
