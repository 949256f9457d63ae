// Panels, images, shapes, cuts and lids against what is known exactly.
#include <gtest/gtest.h>

#include "davit/hull/hull_file.hpp"
#include "davit/hull/named_hulls.hpp"
#include "davit/hull/panel_geometry.hpp"
#include "davit/hull/test/shared_data.hpp"
#include "davit/hull/waterplane.hpp"
#include "davit/math/constants.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit::hull {
namespace {

double area(const PanelMesh& mesh) {
  double sum = 0;
  for (const auto& g : panel_geometries(mesh)) sum += g.area;
  return sum * static_cast<double>(images(mesh).size());
}
// Of a surface closed by z = 0: the flux of (0, 0, z), at the mean of panels.
double volume(const PanelMesh& mesh) {
  double sum = 0;
  for (const auto& g : panel_geometries(mesh)) sum += g.area * g.normal.z() * g.centroid.z();
  return sum * static_cast<double>(images(mesh).size());
}

TEST(PanelGeometry, FlatQuadrilateralAndTriangle) {
  PanelMesh mesh;
  mesh.points = {{0, 0, 0}, {4, 0, 0}, {2, 2, 0}, {0, 2, 0}};
  mesh.panels = {{0, 1, 2, 3}, {0, 1, 2, 2}};
  const auto trapezoid = panel_geometry(mesh, 0);
  EXPECT_DOUBLE_EQ(trapezoid.area, 6);
  EXPECT_NEAR((trapezoid.centroid - Vec3(14.0 / 9, 8.0 / 9, 0)).norm(), 0, 1e-14);
  EXPECT_EQ(trapezoid.normal, Vec3(0, 0, 1));
  EXPECT_DOUBLE_EQ(trapezoid.longest_side, 4);
  const auto triangle = panel_geometry(mesh, 1);
  EXPECT_DOUBLE_EQ(triangle.area, 4);
  EXPECT_NEAR((triangle.centroid - Vec3(2, 2.0 / 3, 0)).norm(), 0, 1e-14);
}

TEST(PanelGeometry, WarpedQuadrilateralLiesOnThePlaneOfItsSides) {
  PanelMesh mesh;
  mesh.points = {{0, 0, 0.1}, {1, 0, -0.1}, {1, 1, 0.1}, {0, 1, -0.1}};
  mesh.panels = {{0, 1, 2, 3}};
  const auto g = panel_geometry(mesh, 0);
  EXPECT_NEAR((g.normal - Vec3(0, 0, 1)).norm(), 0, 1e-14);
  EXPECT_NEAR(g.area, 1, 1e-14);
  EXPECT_NEAR(g.warp, 0.1, 1e-14);
}

TEST(PanelMesh, ImagesKeepNormalsOutwards) {
  const PanelMesh quarter = panelled(Sphere{10, {}}, {1});
  const PanelMesh whole = expand(quarter);
  EXPECT_EQ(whole.count(), 4 * quarter.count());
  EXPECT_FALSE(whole.mirror_x || whole.mirror_y);
  for (const auto& g : panel_geometries(whole)) EXPECT_GT(g.normal.dot(g.centroid), 0);
  EXPECT_NEAR(area(whole), area(quarter), 1e-9);
  const PanelMesh half = expand(quarter, true, false);
  EXPECT_EQ(half.count(), 2 * quarter.count());
  EXPECT_TRUE(half.mirror_y && !half.mirror_x);
}

TEST(Shapes, BargeIsExact) {
  const PanelMesh mesh = panelled(Barge{100, 20, 8, 5.0}, {2.5});
  EXPECT_NEAR(volume(mesh), 100 * 20 * 5, 1e-8);
  EXPECT_NEAR(area(mesh), 100 * 20 + 2 * (100 + 20) * 5, 1e-8);
  const PanelMesh whole = panelled(Barge{100, 20, 8, 5.0}, {2.5, 4000, 1}, Part::whole);
  EXPECT_NEAR(volume(whole), 100 * 20 * 8, 1e-8);
  EXPECT_NEAR(area(cut_at_waterplane(whole)), area(mesh), 1e-8);
}

TEST(Shapes, SphereAndCylinderConvergeWithTheSquareOfTheSize) {
  const auto error = [](const Shape& shape, double exact, double size) {
    return std::abs(volume(panelled(shape, {size, 1 << 20})) / exact - 1);
  };
  const Sphere sphere{10, {}}, deep{10, 7.0};
  const Cylinder cylinder{20, 12, 10.0};
  for (const auto& [shape, exact] : {std::pair<Shape, double>{sphere, 2.0 / 3 * pi * 125},
                                     {deep, pi * 49 * (15 - 7) / 3},
                                     {cylinder, pi * 100 * 10}}) {
    const double coarse = error(shape, exact, 1), fine = error(shape, exact, 0.25);
    EXPECT_LT(coarse, 0.02);
    EXPECT_NEAR(std::log(coarse / fine) / std::log(4), 2, 0.25);
  }
}

// Refinement changes the panels, not the hull: those at the waterline have 2^−refine of the height of the largest.
TEST(Shapes, RefinedTowardsTheWaterline) {
  for (const Shape& shape : {Shape(Barge{100, 20, 8, 5.0}), Shape(Cylinder{20, 12, 10.0}), Shape(Sphere{10, {}}),
                             Shape(Ship{100, 20, 10, 6, 0.7})}) {
    const PanelMesh even = panelled(shape, {1}), fine = panelled(shape, {1, 20000, 2});
    EXPECT_NEAR(volume(fine) / volume(even), 1, 0.01);
    double at_water = 0, largest = 0;
    for (int i = 0; i < fine.count(); ++i) {
      double low = 0, high = -1e9;
      for (int k = 0; k < 4; ++k) {
        low = std::min(low, fine.corner(i, k).z());
        high = std::max(high, fine.corner(i, k).z());
      }
      if (high == 0) at_water = std::max(at_water, high - low);
      largest = std::max(largest, high - low);
    }
    EXPECT_LT(at_water, 0.4 * largest);
    EXPECT_LT(largest, 1.3);
  }
}

TEST(Shapes, NumberOfPanelsIsLimited) {
  EXPECT_LE(panelled(Barge{100, 20, 8, 5.0}, {0.1, 500}).count(), 500);
  EXPECT_LE(panelled(Sphere{10, {}}, {0.01, 300}, Part::whole).count(), 300);
  EXPECT_LE(panelled(Cylinder{10, 5, {}}, {1e-9, 300}).count(), 300);
  EXPECT_THROW(panelled(Barge{100, 20, 8, 9.0}, {1}), std::invalid_argument);
  EXPECT_THROW(panelled(Barge{100, 1e30, 8, 2.0}, {1}), std::invalid_argument);
  EXPECT_THROW(panelled(Barge{100, 20, 8, 2.0}, {0}), std::invalid_argument);
}

TEST(Lid, CoversBargeCylinderAndSphere) {
  for (const auto& [shape, exact] : {std::pair<Shape, double>{Barge{100, 20, 8, 5.0}, 2000},
                                     {Cylinder{20, 10, {}}, pi * 100},
                                     {Sphere{10, {}}, pi * 25}}) {
    const PanelMesh mesh = panelled(shape, {1});
    const PanelMesh cover = lid(mesh, 1);
    for (const auto& g : panel_geometries(cover)) EXPECT_GT(g.normal.z(), 0.999);
    // The area of the waterline polygon, by its loops.
    double inside = 0;
    for (const Loop& loop : waterline(mesh))
      for (size_t k = 0; k < loop.size(); ++k) {
        const Vec2 &a = loop[k], &b = loop[(k + 1) % loop.size()];
        inside += 0.5 * (a.x() * b.y() - a.y() * b.x());
      }
    EXPECT_NEAR(inside / exact, 1, 0.01);
    EXPECT_NEAR(area(cover) / inside, 1, 1e-3);
    EXPECT_TRUE(cover.mirror_x && cover.mirror_y);
  }
}

// WAMIT's output for this tanker has the mass 94,620,210 kg in water of 1025 kg/m³.
TEST(HullFile, Tanker) {
  const auto file = shared_data("mss-tanker/tanker.gdf");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  const PanelMesh mesh = read_hull(file);
  EXPECT_EQ(mesh.count(), 2375);
  EXPECT_TRUE(mesh.mirror_y && !mesh.mirror_x);
  EXPECT_NEAR(volume(mesh) * 1025 / 94620210, 1, 1e-3);
  const PanelMesh cover = lid(mesh, 5);
  // Waterplane area of tanker.hst: C33/(ρ g) = 10221.5.
  EXPECT_NEAR(area(cover), 10221.5, 10);
  EXPECT_EQ(cut_at_waterplane(mesh).count(), mesh.count());
}

// A sphere of 10 m in a frame of its own, 2 m above the waterplane; the file has a lid in the waterplane as well.
TEST(HullFile, SphereInItsOwnFrame) {
  const auto file = shared_data("oes-sphere/wamit_sphere.gdf");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  const PanelMesh mesh = placed(read_hull(file), {Mat3::Identity(), Vec3(0, 0, -2)});
  EXPECT_NEAR(volume(mesh) / (2.0 / 3 * pi * 125), 1, 2e-3);
  const PanelMesh wetted = cut_at_waterplane(mesh);
  EXPECT_NEAR(area(wetted) / (2 * pi * 25), 1, 2e-3);
  EXPECT_NEAR((area(mesh) - area(wetted)) / (pi * 25), 1, 2e-3);
  for (const PanelMesh& hull : {mesh, wetted}) EXPECT_NEAR(area(lid(hull, 0.5)) / (pi * 25), 1, 2e-3);
}

TEST(HullFile, GdfRoundTrip) {
  const test::TempFolder folder;
  const PanelMesh mesh = panelled(Cylinder{20, 10, {}}, {2});
  write_gdf(mesh, folder.path() / "c.gdf");
  const PanelMesh again = read_hull(folder.path() / "c.gdf");
  EXPECT_EQ(again.count(), mesh.count());
  EXPECT_EQ(again.points.size(), mesh.points.size());
  EXPECT_TRUE(again.mirror_x && again.mirror_y);
  EXPECT_NEAR(volume(again), volume(mesh), 1e-9);
}

}  // namespace
}  // namespace davit::hull
