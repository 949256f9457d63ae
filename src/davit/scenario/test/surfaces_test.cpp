// Surfaces and clearances in scenarios: distances that are known, files found, mistakes named.
#include <cmath>

#include "davit/assembly/surface.hpp"
#include "davit/mesh/mesh_file.hpp"
#include "davit/mesh/shapes.hpp"
#include "davit/scenario/test/support.hpp"

namespace davit::test {
namespace {

// A box on a slide along x, 2 m wide, and one on the world, 4 m wide, 10 m from it.
std::string slide(const std::string& surfaces, const std::string& clearance = "[car_shape, wall]") {
  return lift("  car: {joint: {prismatic: x}, mass: 1 t, start: {travel: 0 m}, points: {nose: [1 m, 0, 0]}}\n",
              "surfaces:\n" + surfaces + "clearances:\n  gap: {between: " + clearance + "}\n");
}
const std::string car = "  car_shape: {on: car, box: [2 m, 2 m, 2 m]}\n";
const std::string wall = "  wall: {box: [4 m, 8 m, 8 m], at: [13 m, 0, 0]}\n";

double value(const Scenario& s, const std::string& name, double travel) {
  System system(*s.model);
  State state = s.initial_state();
  state.q[0] = travel;
  system.commit(state);
  EXPECT_TRUE(system.evaluate(state));
  for (const Channel& c : s.model->channels())
    if (c.name == name) return c.value(state, system.workspace());
  ADD_FAILURE() << "no channel " << name;
  return NAN;
}

TEST(Surfaces, DistanceOfTwoBoxes) {
  const Scenario s = read_lift(slide(car + wall));
  EXPECT_NEAR(value(s, "gap.distance", 0), 10, 1e-12);
  EXPECT_NEAR(value(s, "gap.distance", 7.5), 2.5, 1e-12);
  EXPECT_EQ(value(s, "gap.distance", 10.5), 0);  // they cut
  EXPECT_EQ(value(s, "gap.distance", 13), 0);    // one is inside the other
  EXPECT_NEAR(value(s, "gap.distance", 17), 1, 1e-12);
}

TEST(Surfaces, PlacedOnAPointAndTurned) {
  // A rod of 4 m on the nose, turned from z to y and moved by 3 m along y: ends 5 m off the axis.
  const Scenario s =
      read_lift(slide("  rod: {on: car.nose, cylinder: {radius: 0.1 m, length: 4 m, sides: 16}, at: [0, 3 m, 0], "
                      "turn: [{x: 90 deg}]}\n  wall: {box: [2 m, 2 m, 2 m], at: [1 m, 8 m, 0]}\n",
                      "[rod, wall]"));
  EXPECT_NEAR(value(s, "gap.distance", 0), 2, 1e-12);
  const Scenario ball =
      read_lift(slide("  ball: {on: car, sphere: {radius: 1 m, subdivisions: 5}}\n" + wall, "[ball, wall]"));
  EXPECT_NEAR(value(ball, "gap.distance", 0), 10, 1e-3);
}

TEST(Surfaces, MeshFileBesideTheScenario) {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "parts");
  write_stl(scaled(box_mesh({2, 2, 2}), 1000), folder / "parts/box.stl");
  folder.write("parts/base.yaml", slide("  car_shape: {on: car, mesh: box.stl, scale: 0.001}\n" + wall));
  // The path is that of the file in which it stands, also when another file takes it as its base.
  folder.write("lift.yaml", "base: parts/base.yaml\ntitle: other\n");
  input::Problems problems;
  const auto s = load_scenario(folder / "lift.yaml", {}, problems);
  ASSERT_TRUE(s) << problems.to_text();
  EXPECT_TRUE(problems.all().empty()) << problems.to_text();
  EXPECT_NEAR(value(*s, "gap.distance", 0), 10, 1e-12);
  // The effective text names it as the scenario itself would.
  EXPECT_NE(s->effective_text.find("parts/box.stl"), std::string::npos) << s->effective_text;
}

TEST(Surfaces, FaultsOfAMeshAreWarningsAtItsKey) {
  const TempFolder folder;
  TriangleMesh mesh = with_t_junctions(box_mesh({2, 2, 2}), 5, 3);
  mesh.triangles.push_back(mesh.triangles[0]);
  write_obj(mesh, folder / "box.obj");
  const auto file = folder.write("lift.yaml", slide("  car_shape: {on: car, mesh: box.obj}\n" + wall));
  input::Problems problems;
  const auto s = load_scenario(file, {}, problems);
  ASSERT_TRUE(s) << problems.to_text();
  const auto found = problems.all();
  ASSERT_EQ(found.size(), 2u) << problems.to_text();
  for (const auto& p : found) {
    EXPECT_EQ(p.severity, input::Problem::warning);
    EXPECT_EQ(p.where.path, "surfaces.car_shape.mesh");
    EXPECT_EQ(p.where.line, 6);
    EXPECT_NE(p.message.find("the mesh of 'car_shape': "), std::string::npos);
  }
  EXPECT_NEAR(value(*s, "gap.distance", 0), 10, 1e-12);
}

struct BadSurface {
  const char* surfaces;
  const char* clearance;
  const char* path;
  const char* message;
};

TEST(Surfaces, MistakesAreNamedOnceWithTheirPlace) {
  const BadSurface list[] = {
      {"  car_shape: {on: car}\n", "[car_shape, wall]", "surfaces.car_shape", "no shape"},
      {"  car_shape: {on: car, box: [1, 1, 1], sphere: {radius: 1 m}}\n", "[car_shape, wall]", "surfaces.car_shape",
       "more than one shape"},
      {"  car_shape: {on: car, box: [1, 1, 1], scale: 2}\n", "[car_shape, wall]", "surfaces.car_shape", "mesh files"},
      {"  car_shape: {on: car, box: [1, -1, 1]}\n", "[car_shape, wall]", "surfaces.car_shape.box[1]", "too small"},
      {"  car_shape: {on: kar, box: [1, 1, 1]}\n", "[car_shape, wall]", "surfaces.car_shape.on",
       "no body or point 'kar'"},
      {"  car_shape: {on: car, mesh: absent.stl}\n", "[car_shape, wall]", "surfaces.car_shape.mesh", "no such file"},
      {"  car_shape: {on: car, box: [1, 1, 1]}\n", "[car_shape, wal]", "clearances.gap.between[1]", "no surface 'wal'"},
      {"  car_shape: {on: car, box: [1, 1, 1]}\n", "[car_shape]", "clearances.gap", "between two surfaces"},
      {"  car_shape: {on: car, box: [1, 1, 1]}\n", "[car_shape, car_shape]", "clearances.gap.between[1]",
       "on one body"},
      {"  car: {on: car, box: [1, 1, 1]}\n", "[car, wall]", "surfaces.car", "name of something else"}};
  for (const BadSurface& bad : list) {
    input::Problems problems;
    EXPECT_FALSE(parse_scenario(slide(bad.surfaces + wall, bad.clearance), "lift.yaml", problems));
    const auto found = problems.all();
    ASSERT_EQ(found.size(), 1u) << bad.message << "\n" << problems.to_text();
    EXPECT_EQ(found[0].where.path, bad.path);
    EXPECT_NE(found[0].message.find(bad.message), std::string::npos) << found[0].message;
    EXPECT_FALSE(found[0].remedy.empty());
  }
}

TEST(Surfaces, RecordedWhateverChannelsAreChosen) {
  std::string text = slide(car + wall);
  text.replace(text.find("step: 10 ms"), 11, "step: 10 ms, channels: [car.travel]");
  const Scenario s = read_lift(text);
  EXPECT_TRUE(
      std::any_of(s.channels.begin(), s.channels.end(), [](const Channel& c) { return c.name == "gap.distance"; }));
}

}  // namespace
}  // namespace davit::test
