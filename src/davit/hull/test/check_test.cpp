// Faults made on purpose are found and named; sound hulls are not blamed.
#include "davit/hull/check.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "davit/hull/hull_file.hpp"
#include "davit/hull/hydrostatics.hpp"
#include "davit/hull/named_hulls.hpp"
#include "davit/hull/panel_edges.hpp"
#include "davit/hull/panel_geometry.hpp"
#include "davit/hull/test/shared_data.hpp"
#include "davit/hull/waterplane.hpp"
#include "davit/math/constants.hpp"

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
  EXPECT_TRUE(has(check(mesh, 0), Severity::error, "a hole"));
  // One of four quarters: a fifth of a per cent of the surface.
  mesh = expand(barge());
  const double area = panel_geometry(mesh, 20).area;
  mesh.panels.erase(mesh.panels.begin() + 20);
  EXPECT_TRUE(has(check(mesh, 0), Severity::error, fmt::format("a hole below the water, of about {:.2g} m²", area)));
  mesh.panels.erase(mesh.panels.begin() + 120);
  EXPECT_TRUE(has(check(mesh, 0), Severity::error, "holes below the water"));
  // A panel that hardly counts is said and does not stop anybody.
  mesh = expand(panelled(Barge{60, 20, 10, 5.0}, {0.8, 20000, 0}));
  mesh.panels.erase(mesh.panels.begin() + 20);
  EXPECT_TRUE(has(check(mesh, 0), Severity::warning, "a hole"));
  EXPECT_FALSE(has(check(mesh, 0), Severity::error, ""));
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

// A rectangle from `corner` along two vectors in n × m panels, with points of its own: normal along u × v.
void add_patch(PanelMesh& mesh, const Vec3& corner, const Vec3& u, const Vec3& v, int n, int m) {
  const int first = static_cast<int>(mesh.points.size());
  for (int j = 0; j <= m; ++j)
    for (int i = 0; i <= n; ++i) mesh.points.push_back(corner + u * i / n + v * j / m);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      const int at = first + j * (n + 1) + i;
      mesh.panels.push_back({at, at + 1, at + n + 2, at + n + 1});
    }
}

// Half a semi-submersible: a pontoon 80 × 16 × 8 m at y = 30 m, 18 m deep, and two columns of 10 × 10 m up to the
// water. Every side is a patch of its own number of panels, so that hardly any corners meet; the top of the pontoon is
// laid around the feet of the columns.
PanelMesh semisubmersible_of_patches() {
  PanelMesh mesh;
  mesh.mirror_y = true;
  const double x0 = -40, x1 = 40, y0 = 22, y1 = 38, z0 = -18, z1 = -10;
  const Vec3 X(x1 - x0, 0, 0), Y(0, y1 - y0, 0), Z(0, 0, z1 - z0);
  add_patch(mesh, {x0, y0, z0}, Y, X, 5, 23);  // bottom
  add_patch(mesh, {x0, y0, z0}, X, Z, 19, 3);  // inner wall
  add_patch(mesh, {x0, y1, z0}, Z, X, 4, 29);  // outer wall
  add_patch(mesh, {x0, y0, z0}, Z, Y, 3, 7);   // ends
  add_patch(mesh, {x1, y0, z0}, Y, Z, 6, 5);
  const auto top = [&](double xa, double xb, double ya, double yb, int n, int m) {
    add_patch(mesh, {xa, ya, z1}, Vec3(xb - xa, 0, 0), Vec3(0, yb - ya, 0), n, m);
  };
  top(x0, x1, y0, 25, 17, 2);
  top(x0, x1, 35, y1, 13, 1);
  for (const auto& [a, b] : {std::pair{-40.0, -35.0}, std::pair{-25.0, 25.0}, std::pair{35.0, 40.0}})
    top(a, b, 25, 35, 7, 3);
  for (const double x : {-30.0, 30.0}) {
    const Vec3 low(x - 5, 25, z1), up(0, 0, -z1), along(10, 0, 0), across(0, 10, 0);
    add_patch(mesh, low, along, up, 4, 5);
    add_patch(mesh, low + across, up, along, 3, 6);
    add_patch(mesh, low, up, across, 6, 3);
    add_patch(mesh, low + along, across, up, 7, 4);
  }
  return welded(mesh, 1e-6);
}

// A standing cylinder whose wall is two rings of unlike division gapes by the sagitta of its edges, and has no hole.
TEST(Check, UnlikeRingsOfACylinderAreASeam) {
  for (const int coarse : {16, 24, 40}) {
    PanelMesh mesh;
    const auto ring = [&](int n, double z0, double z1) {
      for (int i = 0; i < n; ++i) {
        const auto at = [&](int k, double z) {
          const double angle = 2 * pi * k / n;
          return Vec3(5 * std::cos(angle), 5 * std::sin(angle), z);
        };
        const int first = static_cast<int>(mesh.points.size());
        for (const Vec3& p : {at(i, z0), at(i + 1, z0), at(i + 1, z1), at(i, z1)}) mesh.points.push_back(p);
        mesh.panels.push_back({first, first + 1, first + 2, first + 3});
        if (z0 > -8) continue;
        mesh.points.push_back({0, 0, z0});
        mesh.panels.push_back({first + 1, first, first + 4, first + 4});
      }
    };
    ring(coarse, -8, -4);
    ring(3 * coarse / 2, -4, 0);
    const auto found = check(welded(mesh, 1e-6), 0);
    EXPECT_FALSE(has(found, Severity::error, "hole") || has(found, Severity::warning, "hole")) << coarse;
    EXPECT_TRUE(has(found, Severity::note, "open edges") || has(found, Severity::warning, "open edges")) << coarse;
  }
}

// By flux about the centreline the inner wall of a pontoon looks turned over, and was turned.
TEST(Orient, PatchesOfASemisubmersibleStayAndAreFound) {
  const double exact = 2 * (80 * 16 * 8 + 2 * 10 * 10 * 10);
  std::mt19937 random(3);
  for (const bool symmetric : {true, false}) {
    const PanelMesh listed = semisubmersible_of_patches(), good = symmetric ? listed : expand(listed);
    EXPECT_NEAR(hydrostatics(good).volume, exact, 1e-6 * exact);
    EXPECT_EQ(orient(good).panels, good.panels);
    EXPECT_FALSE(has(check(orient(good), 0), Severity::error, ""));
    PanelMesh muddled = good;
    for (auto& panel : muddled.panels)
      if (random() % 3 == 0) panel = turned(panel);
    EXPECT_NEAR(hydrostatics(orient(muddled)).volume, exact, 1e-6 * exact);
    for (auto& panel : muddled.panels) panel = turned(panel);
    EXPECT_NEAR(hydrostatics(orient(muddled)).volume, exact, 1e-6 * exact);
  }
  const auto of_sound = check(semisubmersible_of_patches(), 0);
  EXPECT_TRUE(has(of_sound, Severity::note, "not corner to corner"));
  EXPECT_FALSE(has(of_sound, Severity::error, "") || has(of_sound, Severity::warning, "hole"));
  // Any one panel that is missing leaves a hole, at a seam too.
  for (size_t i = 0; i < semisubmersible_of_patches().panels.size(); i += 7) {
    PanelMesh torn = semisubmersible_of_patches();
    torn.panels.erase(torn.panels.begin() + static_cast<std::ptrdiff_t>(i));
    const auto found = check(torn, 0);
    EXPECT_TRUE(has(found, Severity::error, "hole") || has(found, Severity::warning, "hole")) << i;
  }
  const Hydrostatics s = hydrostatics(semisubmersible_of_patches());
  EXPECT_NEAR(s.length, 80, 1e-9);
  EXPECT_NEAR(s.waterline_length, 70, 1e-9);  // from column to column
  EXPECT_NEAR(s.waterline_beam, 70, 1e-9);
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
