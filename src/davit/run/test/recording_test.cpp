// What sinks are shown of a run: numbers, poses, polylines and events, without allocating.
#include <gtest/gtest.h>

#include "davit/run/sinks.hpp"
#include "davit/simulation/preparation.hpp"
#include "davit/simulation/simulation.hpp"
#include "davit/solve/test/count_allocations.hpp"
#include "davit/test/read_scenario.hpp"

namespace davit {
namespace {

// A load pulled down by a rope that goes over a sheave and a beam, near a wall that it comes to touch.
constexpr const char* hoist = R"(
davit: 1
title: a rope over a sheave and a beam
bodies:
  mast: {mass: 1 t, points: {sheave: [-8 m, 0, 2 m]}}
  left: {at: [-8.5 m, 0, -2 m], joint: {prismatic: z}, mass: 2 t}
  right: {at: [3 m, 0, 1 m], joint: free, mass: 2 t, inertia: [1 t m^2, 1 t m^2, 1 t m^2]}
surfaces:
  beam: {box: [2 m, 2 m, 2 m], at: [-1 m, 0, 1 m]}
  crate: {on: left, box: [1 m, 1 m, 1 m]}
  floor: {box: [10 m, 10 m, 1 m], at: [-8 m, 0, -3.2 m]}
clearances: {gap: {between: [crate, floor]}}
ropes:
  hoist: {from: left, to: right, tension: 10 kN, EA: 1 MN, touches: [beam], friction: 0.2,
          path: [{sheave: mast.sheave, radius: 0.5 m, axis: y}, {around: [-1 m, 0, 4 m]}]}
run: {duration: 0.5 s, step: 10 ms, output: 10 ms}
)";

size_t index_of(const std::vector<result::ChannelInfo>& channels, const std::string& name) {
  for (size_t i = 0; i < channels.size(); ++i)
    if (channels[i].name == name) return i;
  throw std::runtime_error("no channel " + name);
}

TEST(Recording, ShowsNumbersPosesAndPolylines) {
  const Scenario scenario = test::read_scenario(hoist);
  MemorySink all(true), numbers;
  const RunOutcome outcome = Simulation(scenario, find_start(scenario), {.sinks = {&all, &numbers}}).run();
  ASSERT_EQ(outcome.status, RunStatus::complete) << outcome.element << outcome.why;
  ASSERT_EQ(all.times.size(), 51u);
  EXPECT_EQ(all.rows, numbers.rows);
  const auto channels = recorded_channels(scenario);
  const size_t height = index_of(channels, "left.position_z"), tension = index_of(channels, "hoist.tension_to"),
               x = index_of(channels, "right.position_x"), roll = index_of(channels, "right.roll");
  const Observables& seen = scenario.model->observables();
  ASSERT_EQ(seen.poses.size(), 3u);
  ASSERT_EQ(seen.polylines.size(), 1u);
  EXPECT_EQ(seen.surfaces.size(), 3u);
  for (size_t i = 0; i < all.times.size(); ++i) {
    ASSERT_EQ(all.rows[i].size(), channels.size());
    ASSERT_EQ(all.poses[i].size(), 3u);
    EXPECT_EQ(all.poses[i][1].p.z(), all.rows[i][height]);
    EXPECT_EQ(all.poses[i][2].p.x(), all.rows[i][x]);
    EXPECT_EQ(rpy_of_rotation(all.poses[i][2].R)[0], all.rows[i][roll]);
    const auto& path = all.polylines[i].at(0).vertices;
    EXPECT_EQ(path.front().at, all.poses[i][1].p);
    EXPECT_EQ(path.back().at, all.poses[i][2].p);
    EXPECT_EQ(path[path.size() - 2].tension, all.rows[i][tension]);
  }
  EXPECT_NE(all.poses.front()[1].p.z(), all.poses.back()[1].p.z()) << "nothing moved, and this shows nothing";
}

TEST(Recording, HandsOnEvents) {
  const Scenario scenario = test::read_scenario(hoist);
  MemorySink a, b;
  Simulation(scenario, find_start(scenario), {.sinks = {&a, &b}}).run();
  EXPECT_EQ(a.events, b.events);
  int touched = 0, nodes = 0;
  for (const result::Event& event : a.events) {
    touched += event.element == "gap" && event.key == "touch";
    nodes += event.element == "hoist" && event.text == "beam";
  }
  EXPECT_EQ(touched, 1);
  EXPECT_GT(nodes, 50);
}

TEST(Recording, AllocatesNothing) {
  struct Nothing final : Sink {
    bool wants_shapes() const override { return true; }
    void record(const Snapshot& now) override { shown += now.poses.size() + now.polylines.size(); }
    size_t shown = 0;
  } nothing;
  const Scenario scenario = test::read_scenario(hoist);
  System system(*scenario.model);
  const State state = find_start(scenario, system).state;
  const auto stepper = scenario.make_stepper();
  Recording recording(scenario, *stepper, {&nothing});
  ASSERT_TRUE(system.evaluate(state));
  recording.watch(state, system, system.energy(state));
  recording.record(state, system);
  const long before = allocations;
  for (int i = 0; i < 10; ++i) {
    recording.watch(state, system, system.energy(state));
    recording.record(state, system);
  }
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(nothing.shown, 44u);
}

}  // namespace
}  // namespace davit
