// Steps of ropes with all that they may have allocate nothing, and a fresh workspace gives the same bits.
#include <gtest/gtest.h>

#include "davit/scenario/scenario.hpp"
#include "davit/solve/test/count_allocations.hpp"

namespace davit::test {
namespace {

const char* const hook_lift = R"(
davit: 1
title: everything that a rope may have
bodies:
  crown: {at: [0, 0, 10 m], mass: 1 t, points: {winch: [-3 m, 0, 0], ring: [2 m, 0, 0.5 m]}}
  load: {at: [4 m, 0.2 m, 3 m], joint: free, mass: 500 kg, box: {size: [1 m, 1 m, 1 m]}, points: {lug: [0, 0, 0.5 m]}}
  beam: {at: [3 m, 0, 9 m], mass: 1 t}
surfaces: {beam_surface: {on: beam, box: [0.4 m, 2 m, 0.4 m]}}
ropes:
  hoist:
    from: crown.winch
    path:
      - {sheave: crown, radius: 0.4 m, axis: y, inertia: 3 kg m^2}
      - {eye: crown.ring, friction: 0.05}
    to: load.lug
    tension: 4.9 kN
    EA: 5 MN
    damping: 20 ms
    mass: 2 kg/m
    touches: [beam_surface]
    friction: 0.2
winches:
  winch:
    {rope: hoist, mode: speed, drum: {radius: 0.3 m, inertia: 20 kg m^2, axis: y, layers: {width: 1 m, rope_diameter: 20 mm}}}
operation: [{at: 0 s, over: 1 s, move: {winch: 0.5 m/s}}]
run: {duration: 2 s, step: 5 ms}
)";

TEST(RopeSteps, AllocateNothingAndRepeat) {
  input::Problems problems;
  const auto scenario = parse_scenario(hook_lift, "lift", problems);
  ASSERT_TRUE(scenario) << problems.to_text();
  const auto run = [&](bool fresh, long* counted) {
    auto system = std::make_unique<System>(*scenario->model);
    const auto stepper = scenario->make_stepper();
    State s = scenario->initial_state();
    system->commit(s);
    long before = 0;
    for (int i = 0; i < 200; ++i) {
      if (fresh) system = std::make_unique<System>(*scenario->model);
      if (i == 100) before = allocations;
      EXPECT_TRUE(stepper->step(*system, s, scenario->options.step).ok);
      system->commit(s);
    }
    if (counted) *counted = allocations - before;
    return s;
  };
  run(false, nullptr);  // scratch grows to its size
  long counted = 0;
  const State plain = run(false, &counted);
  EXPECT_EQ(counted, 0);
  EXPECT_EQ(run(true, nullptr).hash(), plain.hash());
}

}  // namespace
}  // namespace davit::test
