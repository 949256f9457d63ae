// Cuts conserve volume wherever they are; lids cover the waterplane and nothing else.
#include "davit/hull/waterplane.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "davit/hull/check.hpp"
#include "davit/hull/hydrostatics.hpp"
#include "davit/hull/named_hulls.hpp"
#include "davit/hull/panel_geometry.hpp"
#include "davit/hull/panel_grid.hpp"
#include "davit/math/constants.hpp"

namespace davit::hull {
namespace {

Mat3 about(const Vec3& axis, double angle) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

TEST(Waterplane, PlacingKeepsWhatSymmetryItCan) {
  const PanelMesh quarter = panelled(Barge{60, 20, 10, 5.0}, {4}, Part::whole);
  const PanelMesh sunk = placed(quarter, {Mat3::Identity(), Vec3(0, 0, -1)});
  EXPECT_TRUE(sunk.mirror_x && sunk.mirror_y);
  const PanelMesh heeled = placed(quarter, {about(Vec3::UnitX(), 0.1), Vec3::Zero()});
  EXPECT_TRUE(heeled.mirror_x && !heeled.mirror_y);
  const PanelMesh trimmed = placed(quarter, {about(Vec3::UnitY(), 0.1), Vec3::Zero()});
  EXPECT_TRUE(!trimmed.mirror_x && trimmed.mirror_y);
  const PanelMesh moved = placed(quarter, {Mat3::Identity(), Vec3(1, 0, 0)});
  EXPECT_TRUE(!moved.mirror_x && moved.mirror_y);
  for (const PanelMesh& mesh : {sunk, heeled, trimmed, moved})
    EXPECT_NEAR(hydrostatics(mesh).volume, 60 * 20 * 10, 1e-8);
}

RC_GTEST_PROP(Waterplane, BothSidesOfACutAreTheWhole, ()) {
  static const std::vector<PanelMesh> hulls{
      panelled(Barge{60, 20, 10, 5.0}, {4}, Part::whole), panelled(Cylinder{20, 12, 6.0}, {3}, Part::whole),
      panelled(Sphere{10, {}}, {1}, Part::whole), panelled(Ship{100, 20, 12, 6, 0.7}, {4}, Part::whole)};
  const PanelMesh& hull = hulls[*rc::gen::inRange<size_t>(0, hulls.size())];
  const auto number = [] { return *rc::gen::inRange(-1000, 1001) / 1000.0; };
  Vec3 axis(number(), number(), number());
  if (axis.norm() < 1e-3) axis = Vec3::UnitX();
  const Pose pose{about(axis.normalized(), pi * number()), Vec3(10 * number(), 10 * number(), 12 * number())};
  const PanelMesh whole = placed(hull, pose);
  const double size = extent(whole), total = hydrostatics(whole).volume;
  const Hydrostatics below = hydrostatics(cut_at_waterplane(whole));
  const Hydrostatics above = hydrostatics(cut_at_waterplane(placed(whole, {about(Vec3::UnitX(), pi), Vec3::Zero()})));
  // Points may be moved by a millionth of the size when they are set on the plane.
  RC_ASSERT(std::abs(below.volume + above.volume - total) <= 1e-6 * size * (below.waterplane + 1e-6 * size * size));
  RC_ASSERT(std::abs(below.waterplane - above.waterplane) <= 1e-5 * size * size);
  RC_ASSERT(below.volume >= -1e-9 * total && above.volume >= -1e-9 * total);
  // Static moments about the vertical axes are shared out as well (x and y of the whole, mirrored above).
  const Vec3 sum =
      below.volume * below.buoyancy + above.volume * Vec3(above.buoyancy.x(), -above.buoyancy.y(), -above.buoyancy.z());
  RC_ASSERT((sum - total * (pose * Vec3(hydrostatics(hull).buoyancy))).norm() <= 1e-5 * total * size);
}

// Twice the signed area of the loops, and how often they go round a point.
double inside(const std::vector<Loop>& loops) {
  double twice = 0;
  for (const Loop& loop : loops)
    for (size_t k = 0; k < loop.size(); ++k) {
      const Vec2 &a = loop[k], &b = loop[(k + 1) % loop.size()];
      twice += a.x() * b.y() - a.y() * b.x();
    }
  return 0.5 * twice;
}
int turns(const std::vector<Loop>& loops, const Vec2& p) {
  int count = 0;
  for (const Loop& loop : loops)
    for (size_t k = 0; k < loop.size(); ++k) {
      const Vec2 a = loop[k] - p, b = loop[(k + 1) % loop.size()] - p;
      const double side = a.x() * b.y() - a.y() * b.x();
      if (a.y() <= 0 && b.y() > 0 && side > 0) ++count;
      if (a.y() > 0 && b.y() <= 0 && side < 0) --count;
    }
  return count;
}

void expect_lid(const PanelMesh& wetted, double size, const std::string& name) {
  const std::vector<Loop> loops = waterline(wetted);
  const PanelMesh cover = lid(wetted, size);
  EXPECT_EQ(cover.mirror_x, wetted.mirror_x);
  EXPECT_EQ(cover.mirror_y, wetted.mirror_y);
  double sum = 0;
  for (const auto& g : panel_geometries(expand(cover))) {
    EXPECT_NEAR(g.normal.z(), 1, 1e-12) << name;
    EXPECT_EQ(g.centroid.z(), 0) << name;
    EXPECT_EQ(turns(loops, g.centroid.head<2>()), 1) << name << " at " << g.centroid.transpose();
    EXPECT_LT(g.longest_side, 1.7 * size) << name;
    sum += g.area;
  }
  EXPECT_NEAR(sum / hydrostatics(cut_at_waterplane(wetted)).waterplane, 1, 1e-3) << name;
  EXPECT_NEAR(sum / inside(loops), 1, 1e-3) << name;
}

// One of four columns, or all of them; each with its bottom.
PanelMesh columns(bool symmetric) {
  PanelMesh mesh = placed(panelled(Cylinder{12, 20, 15.0}, {1.5}), {Mat3::Identity(), Vec3(30, 25, 0)});
  mesh.mirror_x = mesh.mirror_y = true;
  return symmetric ? mesh : expand(mesh);
}

// A barge of 40 x 20 with a pool of 10 x 8 through it, 4 m deep.
PanelMesh with_moonpool() {
  PanelMesh mesh;
  mesh.mirror_x = mesh.mirror_y = true;
  const auto z = spaced(-4, 0, 1);
  const auto range = [](double a, double b) { return spaced(a, b, 1); };
  add_grid(mesh, z, range(0, 20), [](double h, double x) { return Vec3(x, 10, h); });
  add_grid(mesh, range(0, 10), z, [](double y, double h) { return Vec3(20, y, h); });
  add_grid(mesh, range(0, 5), z, [](double x, double h) { return Vec3(x, 4, h); });
  add_grid(mesh, z, range(0, 4), [](double h, double y) { return Vec3(5, y, h); });
  add_grid(mesh, range(4, 10), range(0, 5), [](double y, double x) { return Vec3(x, y, -4); });
  add_grid(mesh, range(0, 10), range(5, 20), [](double y, double x) { return Vec3(x, y, -4); });
  return welded(mesh, 1e-6);
}

TEST(Lid, CoversTheWaterplaneOfManyHulls) {
  for (const double size : {0.7, 1.5, 3.0}) {
    expect_lid(panelled(Barge{60, 20, 10, 5.0}, {2}), size, "barge");
    expect_lid(panelled(Cylinder{20, 12, 6.0}, {1.5}), size, "cylinder");
    expect_lid(panelled(Sphere{10, 3.0}, {0.7}), size, "sphere");
    expect_lid(panelled(Ship{100, 20, 12, 6, 0.7}, {2}), size, "ship");
    expect_lid(expand(panelled(Ship{100, 20, 12, 6, 0.8}, {2})), size, "ship without symmetry");
    expect_lid(columns(true), size, "quarter of a semisubmersible");
    expect_lid(columns(false), size, "semisubmersible");
    expect_lid(with_moonpool(), size, "moonpool");
    expect_lid(expand(with_moonpool()), size, "moonpool without symmetry");
  }
}

TEST(Lid, CoversHullsThatWereCutAskew) {
  const Pose pose{about(Vec3(1, 0.2, 0).normalized(), 0.15), Vec3(1, 2, 0.4)};
  for (const Shape& shape : {Shape(Barge{60, 20, 10, 5.0}), Shape(Cylinder{20, 12, 6.0}), Shape(Sphere{10, {}}),
                             Shape(Ship{100, 20, 12, 6, 0.7})})
    expect_lid(cut_at_waterplane(placed(panelled(shape, {1.5}, Part::whole), pose)), 1.5, "askew");
}

TEST(Waterline, MoonpoolGoesTheOtherWay) {
  const std::vector<Loop> loops = waterline(with_moonpool());
  ASSERT_EQ(loops.size(), 2u);
  std::array areas{inside({loops[0]}), inside({loops[1]})};
  std::sort(areas.begin(), areas.end());
  EXPECT_NEAR(areas[0], -80, 1e-9);
  EXPECT_NEAR(areas[1], 800, 1e-9);
  EXPECT_NEAR(hydrostatics(with_moonpool()).volume, 720 * 4, 1e-8);
  for (const Finding& f : check(with_moonpool(), 0)) ADD_FAILURE() << in_words(f);
}

TEST(Waterline, FullySubmergedHullHasNone) {
  const PanelMesh mesh = placed(panelled(Sphere{10, {}}, {1}, Part::whole), {Mat3::Identity(), Vec3(0, 0, -20)});
  EXPECT_TRUE(waterline(cut_at_waterplane(mesh)).empty());
  EXPECT_EQ(lid(mesh, 1).count(), 0);
}

}  // namespace
}  // namespace davit::hull
