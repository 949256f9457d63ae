// Faults made on purpose are found and named; sound hulls are not blamed.
#include "davit/hull/check.hpp"

#include <gtest/gtest.h>

#include <random>

#include "davit/hull/hull_file.hpp"
#include "davit/hull/hydrostatics.hpp"
#include "davit/hull/panel_edges.hpp"
#include "davit/hull/panel_geometry.hpp"
#include "davit/hull/shapes.hpp"
#include "davit/hull/test/shared_data.hpp"
#include "davit/hull/waterplane.hpp"

namespace davit::hull {
namespace {

using Severity = Finding::Severity;

bool has(const std::vector<Finding>& found, Severity severity, const std::string& part) {
  for (const Finding& f : found)
    if (f.severity == severity && in_words(f).find(part) != std::string::npos) return !f.remedy.empty();
  return false;
}

PanelMesh barge() { return panelled(Barge{60, 20, 10, 5.0}, {2}); }

TEST(Check, SoundHullsHaveNoFindings) {
  for (const Shape& shape : {Shape(Barge{60, 20, 10, 5.0}), Shape(Cylinder{20, 12, 6.0}), Shape(Sphere{10, {}}),
                             Shape(Ship{100, 20, 12, 6, 0.7})}) {
    for (const Finding& f : check(panelled(shape, {2}), 15)) ADD_FAILURE() << in_words(f);
    for (const Finding& f : check(expand(panelled(shape, {2})), 15)) ADD_FAILURE() << in_words(f);
  }
}

// Whole hulls are closed also above the water: turned over and sunk, nothing is found.
TEST(Check, WholeHullsAreClosed) {
  const Pose sunk{exp_rotation(Vec3(2, 0.3, 0.5)), Vec3(0, 0, -500)};
  for (const Shape& shape : {Shape(Barge{60, 20, 10, 4.0}), Shape(Cylinder{20, 12, 6.0}), Shape(Sphere{10, 3.0}),
                             Shape(Sphere{10, 8.0}), Shape(Sphere{10, {}}), Shape(Ship{100, 20, 12, 6, 0.7})})
    for (const double refine : {0.0, 1.0})
      for (const Finding& f : check(placed(panelled(shape, {2, 4000, refine}, Part::whole), sunk), 0))
        if (f.what.find("as long as wide") == std::string::npos) ADD_FAILURE() << in_words(f);
}

TEST(Check, FindsNormalsOfOneAndOfAll) {
  PanelMesh mesh = barge();
  mesh.panels[20] = turned(mesh.panels[20]);
  EXPECT_TRUE(has(check(mesh, 0), Severity::error, "opposite sides at 4 edges"));
  mesh = barge();
  for (auto& panel : mesh.panels) panel = turned(panel);
  EXPECT_TRUE(has(check(mesh, 0), Severity::error, "negative"));
}

TEST(Check, FindsHolesAndSeams) {
  PanelMesh mesh = barge();
  mesh.panels.erase(mesh.panels.begin() + 20);
  EXPECT_TRUE(has(check(mesh, 0), Severity::error, "hole"));
  // One quadrilateral of the bottom divided at the middle of a side that its neighbour has whole.
  mesh = barge();
  const auto [a, b, c, d] = mesh.panels[20];
  const int middle = static_cast<int>(mesh.points.size());
  mesh.points.push_back(0.5 * (mesh.points[static_cast<size_t>(a)] + mesh.points[static_cast<size_t>(b)]));
  mesh.panels[20] = {a, middle, d, d};
  mesh.panels.push_back({middle, b, c, d});
  EXPECT_TRUE(has(check(mesh, 0), Severity::note, "not corner to corner"));
  EXPECT_FALSE(has(check(mesh, 0), Severity::error, ""));
}

TEST(Check, FindsWhatPanelsMayHave) {
  PanelMesh mesh = barge();
  mesh.panels.push_back(mesh.panels[7]);
  EXPECT_TRUE(has(check(mesh, 0), Severity::error, "found twice"));
  mesh = barge();
  mesh.panels.push_back({0, 1, 1, 1});
  EXPECT_TRUE(has(check(mesh, 0), Severity::warning, "without area"));
  mesh = barge();
  mesh.points[static_cast<size_t>(mesh.panels[20][2])].z() -= 1.5;
  EXPECT_TRUE(has(check(mesh, 0), Severity::warning, "warped"));
  EXPECT_TRUE(has(check(panelled(Barge{600, 20, 10, 0.5}, {10}), 0), Severity::warning, "as long as wide"));
  const auto coarse = check(barge(), 10);
  EXPECT_TRUE(has(coarse, Severity::warning, "waves of 12 m and longer are resolved"));
  EXPECT_DOUBLE_EQ(shortest_wave_resolved(barge()), 12);
}

TEST(Check, FindsWhatIsNotInTheWater) {
  const PanelMesh whole = panelled(Barge{60, 20, 10, 5.0}, {2}, Part::whole);
  EXPECT_TRUE(has(check(whole, 0), Severity::note, "above the water"));
  EXPECT_TRUE(has(check(placed(whole, {Mat3::Identity(), Vec3(0, 0, 20)}), 0), Severity::error, "whole hull is above"));
  EXPECT_TRUE(has(check(panelled(Barge{60, 20, 5, {}}, {2}, Part::whole), 0), Severity::note, "a deck or a lid"));
  EXPECT_TRUE(has(check({}, 0), Severity::error, "no panels"));
}

TEST(Check, FindsBothSidesOfASymmetricHull) {
  PanelMesh mesh = expand(barge());
  mesh.mirror_y = true;
  EXPECT_TRUE(has(check(mesh, 0), Severity::error, "plane of symmetry y = 0"));
}

TEST(Check, TankerIsSound) {
  const auto file = shared_data("mss-tanker/tanker.gdf");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  EXPECT_FALSE(has(check(read_hull(file), 0), Severity::error, ""));
}

TEST(Orient, PutsRandomlyTurnedPanelsRight) {
  std::mt19937 random(7);
  for (const Shape& shape : {Shape(Barge{60, 20, 10, 5.0}), Shape(Cylinder{20, 12, 6.0}), Shape(Sphere{10, {}}),
                             Shape(Ship{100, 20, 12, 6, 0.7})})
    for (const bool symmetric : {true, false})
      for (const Part part : {Part::wetted, Part::whole}) {
        const PanelMesh mesh = symmetric ? panelled(shape, {2}, part) : expand(panelled(shape, {2}, part));
        PanelMesh muddled = mesh;
        for (auto& panel : muddled.panels)
          if (random() % 2) panel = turned(panel);
        const PanelMesh again = orient(muddled);
        for (int i = 0; i < mesh.count(); ++i)
          ASSERT_GT(panel_geometry(again, i).normal.dot(panel_geometry(mesh, i).normal), 0.999);
      }
}

}  // namespace
}  // namespace davit::hull
