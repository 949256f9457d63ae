// The scene of a scenario, and the frames that a run adds to it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "davit/hull/hull_file.hpp"
#include "davit/run/sinks.hpp"
#include "davit/scene/scenario_scene.hpp"
#include "davit/scene/scene_shapes.hpp"
#include "davit/simulation/preparation.hpp"
#include "davit/simulation/simulation.hpp"
#include "davit/test/read_scenario.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit {
namespace {

using nlohmann::json;

constexpr const char* lift = R"(
davit: 1
title: a rope over a sheave and a beam
environment: {waves: {spectrum: regular, height: 2 m, period: 8 s}, wave_probes: [mast]}
bodies:
  mast: {mass: 1 t, points: {sheave: [-8 m, 0, 2 m]}}
  left: {at: [-8.5 m, 0, -2 m], joint: {prismatic: z}, mass: 2 t, box: {size: [1 m, 1 m, 1 m]}}
  right: {at: [3 m, 0, 1 m], joint: free, mass: 2 t, inertia: [1 t m^2, 1 t m^2, 1 t m^2]}
surfaces:
  beam: {box: [2 m, 2 m, 2 m], at: [-1 m, 0, 1 m]}
ropes:
  hoist: {from: left, to: right, tension: 10 kN, EA: 1 MN, mbl: 1 MN, touches: [beam], friction: 0.2,
          path: [{sheave: mast.sheave, radius: 0.5 m, axis: y}, {around: [-1 m, 0, 4 m]}]}
limits: [{channel: hoist.tension, below: 100 kN, why: strong}]
run: {duration: 0.5 s, step: 10 ms, output: 250 ms, frames: 20 Hz}
)";

TEST(Scene, HasWhatTheFileGivesAndMarksWhatItGuesses) {
  const Scenario scenario = test::read_scenario(lift);
  const auto made = scene_of(scenario, scenario.initial_state());
  ASSERT_TRUE(made);
  const json document = json::parse(made->scene.document);
  EXPECT_EQ(made->interval, 0.05);
  EXPECT_EQ(made->scene.frames.bodies, 3u);
  EXPECT_EQ(made->scene.frames.lines, 1u);
  const json& bodies = document["bodies"];
  const auto roles = [&](std::size_t body) {
    std::string all;
    for (const json& shape : bodies[body]["shapes"]) all += shape["role"].get<std::string>() + " ";
    return all;
  };
  EXPECT_EQ(bodies[0]["name"], "mast");
  EXPECT_EQ(roles(0), "guess sheave ");  // a beam from its joint to its point, and what the rope goes over
  EXPECT_EQ(roles(1), "body ");
  EXPECT_EQ(bodies[1]["shapes"][0]["size"], (json{1.0, 1.0, 1.0}));
  EXPECT_EQ(roles(2), "guess ");
  EXPECT_EQ(document["world"][0]["name"], "beam");
  EXPECT_EQ(made->scene.meshes.triangles.size(), 3u * 12);
  EXPECT_EQ(document["lines"][0],
            (json{{"name", "hoist"}, {"kind", "rope"}, {"mbl", 1e6}, {"winches", json::array()}}));
  ASSERT_EQ(document["sea"]["waves"].size(), 1u);
  EXPECT_NEAR(document["sea"]["waves"][0][0].get<double>(), 1, 1e-12);  // the amplitude of this very sea
  EXPECT_EQ(document["limits"][0]["bound"], 1e5);
  // Steps in which a picture of 12 m, and pulls of a few tens of kN, cannot be told from the truth.
  EXPECT_LE(made->scene.frames.length_step, 1e-3);
  EXPECT_LE(made->scene.frames.tension_step, 1);
}

// So that sheaves can turn, and no weight is drawn where none is.
TEST(Scene, NamesWinchesWithTheirEndsAndWeightlessBodies) {
  std::string text = lift;
  text.replace(text.find("mass: 2 t, box"), 9, "mass: 2 t, weightless: true");
  text.replace(text.find("limits:"), 0, "winches: {main: {rope: hoist, end: to, mode: length}}\n");
  const Scenario scenario = test::read_scenario(text);
  const json document = json::parse(scene_of(scenario, scenario.initial_state())->scene.document);
  EXPECT_EQ(document["lines"][0]["winches"], json::array({{{"name", "main"}, {"end", "to"}}}));
  EXPECT_FALSE(document["bodies"][0].contains("weightless"));
  EXPECT_EQ(document["bodies"][1]["weightless"], true);
}

// A pontoon with sloping ends, so that a box of its size would be another body.
TEST(Scene, DrawsThePanelsOfAHullFromAFile) {
  test::TempFolder folder;
  hull::PanelMesh panels;
  panels.points = {{-10, -4, 0}, {10, -4, 0}, {10, 4, 0}, {-10, 4, 0},
                   {-14, -4, 5}, {14, -4, 5}, {14, 4, 5}, {-14, 4, 5}};
  for (const std::array<int, 4>& p :
       {std::array{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {2, 3, 7, 6}, {1, 2, 6, 5}, {3, 0, 4, 7}})
    panels.panels.push_back(p);
  hull::write_gdf(panels, folder / "pontoon.gdf");
  input::Problems problems;
  const auto scenario = load_scenario(folder.write("lift.yaml", R"(
davit: 1
title: a pontoon
vessels: {pontoon: {hull: pontoon.gdf, draft: 3 m}}
run: {duration: 1 s, step: 50 ms}
)"),
                                      {}, problems, vessel::NewHulls::plan);
  ASSERT_TRUE(scenario) << problems.to_text();
  const auto hull = hull_mesh(*scenario, 0, std::nullopt);
  ASSERT_TRUE(hull);
  EXPECT_FALSE(hull->guessed);
  Box box;
  for (const Vec3& p : hull->mesh.points) box.add(p);
  EXPECT_LT((box.low - Vec3(-14, -4, -3)).norm(), 1e-6);
  EXPECT_LT((box.high - Vec3(14, 4, 2)).norm(), 1e-6);
  double bottom = 0;
  for (const Vec3& p : hull->mesh.points)
    if (p.z() < 0) bottom = std::max(bottom, p.x());
  EXPECT_NEAR(bottom, 10, 1e-6);
}

TEST(Scene, IsNotMadeWhereItIsNotWanted) {
  std::string text = lift;
  text.replace(text.find("frames: 20 Hz"), 13, "frames: 0");
  const Scenario scenario = test::read_scenario(text);
  EXPECT_FALSE(scene_of(scenario, scenario.initial_state()));
}

// At a rate of their own, whatever is recorded of channels; as the model had its bodies and ropes at that time.
TEST(Scene, FramesAreTheMotionAtTheirOwnRate) {
  std::string text = lift;
  const Scenario coarse = test::read_scenario(text);
  text.replace(text.find("output: 250 ms"), 14, "output: 10 ms ");
  const Scenario fine = test::read_scenario(text);
  test::TempFolder folder;
  {
    const Start start = find_start(coarse);
    FileSink file(folder / "result.h5", {}, recorded_channels(coarse), 3, scene_of(coarse, start.state));
    Simulation(coarse, start, {.sinks = {&file}}).run();
  }
  MemorySink seen(true);
  Simulation(fine, find_start(fine), {.sinks = {&seen}}).run();

  const result::Result result = result::Result::open(folder / "result.h5");
  EXPECT_EQ(result.rows(), 3u);
  ASSERT_EQ(result.frames(), 11u);
  const result::FrameShape& shape = result.scene()->frames;
  const auto frames = unpack(shape, result.read_frames(0, 11));
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const std::size_t row = 5 * f;
    ASSERT_NEAR(frames[f].time, seen.times[row], 1e-9);
    for (std::size_t b = 0; b < 3; ++b)
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(frames[f].bodies[b].at[static_cast<std::size_t>(k)], seen.poses[row][b].p[k], shape.length_step);
    const auto& line = seen.polylines[row][0].vertices;
    ASSERT_EQ(frames[f].lines[0].size(), line.size());
    bool touches = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      EXPECT_NEAR(frames[f].lines[0][i].tension, line[i].tension, shape.tension_step);
      const unsigned flags = frames[f].lines[0][i].flags;
      EXPECT_EQ((flags & result::LineVertex::sticks) != 0, line[i].contact == Polyline::Contact::sticks);
      EXPECT_EQ((flags & result::LineVertex::slips) != 0, line[i].contact == Polyline::Contact::slips);
      touches = touches || flags != 0;
    }
    EXPECT_TRUE(touches);  // the beam
  }
}

}  // namespace
}  // namespace davit
