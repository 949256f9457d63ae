// Beds by maps of heights.
#include "davit/cable/height_map.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lines.hpp"

namespace davit::cable {
namespace {

template <class Height>
std::shared_ptr<const HeightMap> map_of(Height&& height, double spacing, Vec2 from, int columns, int rows) {
  std::vector<double> z;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) z.push_back(height(from.x() + i * spacing, from.y() + j * spacing));
  return std::make_shared<const HeightMap>(from, spacing, columns, rows, std::move(z));
}

TEST(HeightMap, IsSmoothAndExactForPlanes) {
  const auto plane = map_of([](double x, double y) { return -50 + 0.1 * x - 0.2 * y; }, 5, {-20, -10}, 12, 9);
  for (const Vec2& p : {Vec2(-10, 0), Vec2(3.3, 7.1), Vec2(14.9, 19)}) {
    const auto at = plane->at(p.x(), p.y());
    EXPECT_NEAR(at.height, -50 + 0.1 * p.x() - 0.2 * p.y(), 1e-12);
    EXPECT_NEAR(at.slope.x(), 0.1, 1e-12);
    EXPECT_NEAR(at.slope.y(), -0.2, 1e-12);
  }
  const auto hills =
      map_of([](double x, double y) { return std::sin(0.1 * x) * std::cos(0.07 * y); }, 5, {0, 0}, 40, 40);
  for (const Vec2& p : {Vec2(50, 50), Vec2(51.3, 44.9), Vec2(60, 62.5)}) {
    constexpr double d = 1e-6;
    const auto at = hills->at(p.x(), p.y());
    EXPECT_NEAR(at.height, std::sin(0.1 * p.x()) * std::cos(0.07 * p.y()), 5e-3);
    EXPECT_NEAR((hills->at(p.x() + d, p.y()).height - hills->at(p.x() - d, p.y()).height) / (2 * d), at.slope.x(),
                1e-7);
    EXPECT_NEAR((hills->at(p.x(), p.y() + d).height - hills->at(p.x(), p.y() - d).height) / (2 * d), at.slope.y(),
                1e-7);
  }
  // Level beyond its border.
  EXPECT_EQ(hills->at(-30, 50).height, hills->at(0, 50).height);
  EXPECT_EQ(hills->at(-30, 50).slope.x(), 0);
}

TEST(HeightMap, OfAPlaneHoldsALineAsThePlaneDoes) {
  Bed plane = winkler_bed(-40), map = plane;
  plane.normal = Vec3(std::tan(0.1), 0.05, 1).normalized();
  plane.friction_along = 0.5, plane.friction_across = 0.8;
  map = plane;
  map.map = map_of([&](double x, double y) { return plane.level(x, y); }, 10, {-100, -100}, 40, 40);
  Moored on_plane(Line({chain(170, 60)}, {{.at = 60, .mass = 1000, .displacement = 0.1}}, plane, {}));
  Moored on_map(Line({chain(170, 60)}, {{.at = 60, .mass = 1000, .displacement = 0.1}}, map, {}));
  const Vec3 a(0, 0, -40), b(150, 0, -10);
  ASSERT_TRUE(on_plane.settle(a, b).converged);
  ASSERT_TRUE(on_map.settle(a, b).converged);
  EXPECT_LT((on_plane.view().force_b - on_map.view().force_b).norm(), 1e-6 * on_plane.view().tension_b);
  for (int i = 0; i < 20; ++i) {
    const Vec3 moved = b + Vec3(0, 0.1 * i, 0.05 * i);
    ASSERT_TRUE(on_plane.step(0.1 * i, 0.1, a, moved).converged);
    ASSERT_TRUE(on_map.step(0.1 * i, 0.1, a, moved).converged);
  }
  EXPECT_LT((on_plane.forces.b - on_map.forces.b).norm(), 1e-6 * on_plane.forces.b.norm());
  EXPECT_NEAR(on_plane.line.energy(on_plane.state.data()).total() / on_map.line.energy(on_map.state.data()).total(), 1,
              1e-6);
}

// Without friction a line at rest on any bed has T = w z + constant along it.
TEST(HeightMap, TensionFollowsTheHeightOverHills) {
  Bed bed = winkler_bed(-40);
  bed.stiffness = 1e5;
  bed.map = map_of([](double x, double) { return -40 + 1.5 * std::sin(0.05 * x); }, 2, {-50, -50}, 200, 50);
  Moored m(Line({chain(220, 220)}, {}, bed, {}));
  ASSERT_TRUE(m.settle(Vec3(0, 0, -40), Vec3(205, 0, -10)).converged);
  const LineView view = m.view();
  EXPECT_GT(view.grounded_length, 50);
  double least = INFINITY, most = -INFINITY, low = INFINITY, high = -INFINITY;
  for (size_t i = 5; i < 220; ++i) {
    const double z = 0.5 * (view.positions[i].z() + view.positions[i + 1].z());
    const double constant = view.tension[i] - 203.9 * 9.80665 * z;
    least = std::min(least, constant), most = std::max(most, constant);
    low = std::min(low, z), high = std::max(high, z);
  }
  EXPECT_GT(high - low, 3);
  EXPECT_LT(most - least, 0.01 * 203.9 * 9.80665 * (high - low));
}

TEST(HeightMap, SaysWhatIsWrong) {
  EXPECT_THROW(HeightMap({0, 0}, 1, 1, 5, std::vector<double>(5)), std::invalid_argument);
  EXPECT_THROW(HeightMap({0, 0}, 0, 2, 2, std::vector<double>(4)), std::invalid_argument);
  EXPECT_THROW(HeightMap({0, 0}, 1, 2, 2, std::vector<double>(3)), std::invalid_argument);
  EXPECT_THROW(HeightMap({0, 0}, 1, 2, 2, {0, 1, 2, NAN}), std::invalid_argument);
}

}  // namespace
}  // namespace davit::cable
