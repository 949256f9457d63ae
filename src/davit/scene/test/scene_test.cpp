// The scene of a scenario, its sketch and its tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "davit/hull/hull_file.hpp"
#include "davit/scene/description.hpp"
#include "davit/scene/scenario_scene.hpp"
#include "davit/scene/scenario_sketch.hpp"
#include "davit/scene/scene_shapes.hpp"
#include "davit/scene/test/sheave_and_beam.hpp"
#include "davit/test/read_scenario.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit {
namespace {

using nlohmann::json;

TEST(Scene, HasWhatTheFileGivesAndMarksWhatItGuesses) {
  const Scenario scenario = test::read_scenario(test::sheave_and_beam);
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
  std::string text = test::sheave_and_beam;
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
  std::string text = test::sheave_and_beam;
  text.replace(text.find("frames: 20 Hz"), 13, "frames: 0");
  const Scenario scenario = test::read_scenario(text);
  EXPECT_FALSE(scene_of(scenario, scenario.initial_state()));
}

// Of a box its edges where it stands, of a body without a solid the line from its joint to what hangs on it.
TEST(Sketch, DrawsBodiesWhereTheyAre) {
  const Scenario scenario = test::read_scenario(R"(
davit: 1
title: an arm
bodies:
  arm: {at: [1 m, 2 m, 3 m], joint: {revolute: y}, mass: 2 t, centre: [1 m, 0, 0], inertia: [1 t m^2, 1 t m^2, 1 t m^2]}
  crate: {on: arm, at: [4 m, 0, 0], joint: {prismatic: z}, mass: 3 t, box: {size: [2 m, 4 m, 6 m]}, start: {travel: 1 m}}
forces: {spring: {joint_spring: {joint: crate, stiffness: 50 kN/m}}}
run: {duration: 1 s, step: 10 ms}
)");
  const ModelSketch sketch = sketch_of(scenario, scenario.initial_state());
  ASSERT_EQ(sketch.drawing.size(), 2u);
  const auto has_line = [](const result::SketchBody& body, const result::Point& from, const result::Point& to) {
    return std::any_of(body.polylines.begin(), body.polylines.end(), [&](const auto& line) {
      const auto near = [](const result::Point& a, const result::Point& b) {
        return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) < 1e-9;
      };
      return near(line.front(), from) && near(line.back(), to);
    });
  };
  EXPECT_TRUE(has_line(sketch.drawing[0], {1, 2, 3}, {5, 2, 4}));
  // An upright edge of the crate, a metre above where it is held.
  EXPECT_TRUE(has_line(sketch.drawing[1], {4, 0, 1}, {4, 0, 7}));
  ASSERT_EQ(sketch.tables.bodies.size(), 2u);
  EXPECT_EQ(sketch.tables.bodies[1].parent, "arm");
  EXPECT_EQ(sketch.tables.bodies[0].joint, "revolute");
  ASSERT_FALSE(sketch.tables.forces.empty());
  bool told = false;
  for (const auto& row : sketch.tables.forces)
    told = told || (row.name == "spring" && row.description.find("50") != std::string::npos);
  EXPECT_TRUE(told);
}

// Beams to all that hangs on a body, with its mass; a block where nothing does.
TEST(Shapes, GuessedOnesHaveTheMass) {
  const json beams = guessed_shapes(2000, {}, {0, 0, 0}, {{4, 0, 0}, {0, 0, 2}});
  ASSERT_EQ(beams.size(), 2u);
  EXPECT_EQ(beams[0]["size"][2], 4.0);
  EXPECT_EQ(beams[1]["size"][2], 2.0);
  EXPECT_EQ(beams[0]["pose"][0], 2.0);  // its middle
  const json light = guessed_shapes(1000, Vec3(0, 0, 1), {0, 0, 0}, {}),
             heavy = guessed_shapes(8000, Vec3(0, 0, 1), {0, 0, 0}, {});
  ASSERT_EQ(light.size(), 1u);
  EXPECT_NEAR(heavy[0]["size"][0].get<double>() / light[0]["size"][0].get<double>(), 2, 1e-12);
  EXPECT_EQ(light[0]["pose"][2], 1.0);
}

TEST(Description, HasFiguresThatAreNotZero) {
  struct Rated final : Named {
    Rated() : Named("brake") {}
    std::string summary() const override { return "holds"; }
    std::vector<Figure> figures() const override {
      return {{"torque", 25e3, "N m"}, {"play", 0, "m"}, {"friction", 0.3, ""}};
    }
  } brake;
  EXPECT_EQ(description(brake, html::UnitSystem::engineering), "holds: torque 25 kN m, friction 0.3");
  EXPECT_EQ(description(brake, html::UnitSystem::si), "holds: torque 25000 N m, friction 0.3");
}

}  // namespace
}  // namespace davit
