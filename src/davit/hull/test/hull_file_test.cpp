// Files of all formats give the same hull; broken ones are refused with their place and a remedy.
#include "davit/hull/hull_file.hpp"

#include <gtest/gtest.h>

#include "davit/hull/hydrostatics.hpp"
#include "davit/hull/panel_geometry.hpp"
#include "davit/mesh/shapes.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit::hull {
namespace {

void expect_refused(const std::string& bytes, const std::string& name, const std::string& part) {
  try {
    parse_hull(bytes, name);
    FAIL() << "accepted; due was " << part;
  } catch (const MeshFileError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    EXPECT_FALSE(error.remedy.empty());
  }
}

// A box of 2 x 2 x 1 below the water: a quarter of it in three panels.
const std::string gdf_header = "a box\n0.5 9.81 ULEN GRAV\n1 1 ISX ISY\n3\n";
const std::string gdf_panels =
    "0 0 -2 0 2 -2 2 2 -2 2 0 -2\n2 0 -2 2 2 -2\n2 2 0 2 0 0\n 0 2 -2\n0 2 0.0D0 2 2 0 2.0 +2 -2e0\n";

TEST(HullFile, GdfWithUnitAndFreeLines) {
  const PanelMesh mesh = parse_hull(gdf_header + gdf_panels, "box.gdf");
  EXPECT_EQ(mesh.count(), 3);
  EXPECT_EQ(mesh.points.size(), 7u);
  EXPECT_TRUE(mesh.mirror_x && mesh.mirror_y);
  EXPECT_NEAR(hydrostatics(mesh).volume, 4, 1e-12);
}

TEST(HullFile, Nemoh) {
  const PanelMesh mesh = parse_hull(
      "2 1\n1 -1 0 -1\n2 1 0 -1\n3 1 1 -1\n4 -1 1 -1\n5 -1 0 0\n6 1 0 0\n7 1 1 0\n8 -1 1 0\n0 0. 0. 0.\n"
      "1 4 3 2\n2 3 7 6\n4 8 7 3\n1 5 8 4\n0 0 0 0\n",
      "box.dat");
  EXPECT_EQ(mesh.count(), 4);
  EXPECT_TRUE(mesh.mirror_y && !mesh.mirror_x);
  EXPECT_NEAR(hydrostatics(mesh).volume, 4, 1e-12);
}

TEST(HullFile, TriangleFiles) {
  const test::TempFolder folder;
  const TriangleMesh box = transformed(box_mesh({4, 2, 1}), {Mat3::Identity(), Vec3(0, 0, -0.5)});
  write_stl(box, folder / "box.stl");
  write_obj(box, folder / "box.obj");
  for (const char* name : {"box.stl", "box.obj"}) {
    const PanelMesh mesh = read_hull(folder / name);
    EXPECT_EQ(mesh.count(), 12);
    EXPECT_EQ(mesh.points.size(), 8u);
    EXPECT_NEAR(hydrostatics(mesh).volume, 8, 1e-12);
    EXPECT_EQ(corners_of(mesh.panels[0]).count, 3);
  }
}

TEST(HullFile, BrokenFilesAreRefused) {
  expect_refused("", "a.gdf", "empty");
  expect_refused("title\n1 9.81\n", "a.gdf", "ends in its header");
  expect_refused("title\n1 9.81\n0 2\n1\n", "a.gdf", "line 3: ISY = 2");
  expect_refused("title\n0 9.81\n0 0\n1\n", "a.gdf", "ULEN = 0");
  expect_refused("title\n1 9.81\n0 0\n100000\n1 2 3\n", "a.gdf", "NPAN = 100000");
  expect_refused("title\n1 9.81\n0 0\n1\n1 2 3 4 5 6 7 8 9 10 11 x\n", "a.gdf", "line 5: 'x' is not a number");
  expect_refused("title\n1 9.81\n0 0\n1\n1 2 3 4 5 6 7 8 9 10 11 \n        \n", "a.gdf", "a number is missing");
  expect_refused("title\n1 9.81\n0 0\n1\n1 2 3 4 5 6 7 8 9 10 11 nan\n", "a.gdf", "no length");
  expect_refused("3 0\n", "a.dat", "2 0");
  expect_refused("2 0\n2 0 0 0\n", "a.dat", "point 2 follows point 0");
  expect_refused("2 0\n1 0 0 0\n0 0 0 0\n1 1 1 2\n", "a.dat", "names point 2, but there are 1");
  expect_refused("2 0\n1 0 0 0\n0 0 0 0\n0 0 0 0\n", "a.dat", "no panel");
  expect_refused("nonsense", "a.stl", "a.stl");
  EXPECT_THROW(read_hull("/nowhere/a.gdf"), MeshFileError);
}

}  // namespace
}  // namespace davit::hull
