// Segments, points and distances against brute force, exact bodies and a second formulation.
#include "davit/mesh/triangle_tree.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numbers>
#include <random>

#include "davit/mesh/repair.hpp"
#include "davit/mesh/shapes.hpp"

namespace davit {
namespace {

struct Random {
  std::mt19937_64 engine{11};
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3 point(double r) { return {between(-r, r), between(-r, r), between(-r, r)}; }
  Pose pose(double r) { return {exp_rotation(point(3)), point(r)}; }
  Corners triangle(double r) { return {point(r), point(r), point(r)}; }
};

TEST(TriangleDistance, PointAgainstSamplingAndKuhnTucker) {
  Random random;
  for (int i = 0; i < 2000; ++i) {
    const Corners t = random.triangle(1);
    const Vec3 p = random.point(2), on = closest_on_triangle(p, t);
    // The closest point of a convex set: nothing of it lies beyond the plane through that point.
    for (const Vec3& c : t) EXPECT_LE((p - on).dot(c - on), 1e-13);
  }
}

// The direction of a thin triangle's normal, and with it every foot of a perpendicular, is known to round-off times
// this.
double thinness(const Corners& t) {
  double longest = 0;
  for (size_t k = 0; k < 3; ++k) longest = std::max(longest, (t[(k + 1) % 3] - t[k]).norm());
  return longest * longest / (t[1] - t[0]).cross(t[2] - t[0]).norm();
}

// Two convex sets apart: a and b are closest if and only if each set lies behind its plane. Cutting ones share the
// point.
TEST(TriangleDistance, TrianglesFulfilKuhnTucker) {
  Random random;
  int cutting = 0, apart = 0;
  for (int i = 0; i < 20000; ++i) {
    const Corners s = random.triangle(1);
    Corners t = random.triangle(1);
    const Vec3 shift = random.point(i % 3);
    for (Vec3& c : t) c += shift;
    const PointPair found = closest_of_triangles(s, t);
    EXPECT_NEAR((found.a - found.b).squaredNorm(), found.square, 1e-14);
    const double rounding = 1e-14 * std::max(thinness(s), thinness(t));
    EXPECT_LT((closest_on_triangle(found.a, s) - found.a).norm(), rounding);
    EXPECT_LT((closest_on_triangle(found.b, t) - found.b).norm(), rounding);
    const Vec3 between = found.b - found.a;
    for (const Vec3& c : s) EXPECT_LE(between.dot(c - found.a), 1e-12);
    for (const Vec3& c : t) EXPECT_GE(between.dot(c - found.b), -1e-12);
    ++(found.square == 0 ? cutting : apart);
  }
  EXPECT_GT(cutting, 100);
  EXPECT_GT(apart, 1000);
}

TEST(TriangleDistance, FlatAndParallelOnes) {
  const Corners base{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  const Corners above{Vec3(0.1, 0.1, 2), Vec3(0.2, 0.1, 2), Vec3(0.1, 0.2, 2)};
  EXPECT_DOUBLE_EQ(closest_of_triangles(base, above).square, 4);
  EXPECT_DOUBLE_EQ(closest_of_triangles(above, base).square, 4);
  const Corners within{Vec3(0.1, 0.1, 0), Vec3(0.2, 0.1, 0), Vec3(0.1, 0.2, 0)};
  EXPECT_DOUBLE_EQ(closest_of_triangles(base, within).square, 0);
  const Corners point{Vec3(3, 0, 4), Vec3(3, 0, 4), Vec3(3, 0, 4)};
  EXPECT_DOUBLE_EQ(closest_of_triangles(base, point).square, 20);
  EXPECT_DOUBLE_EQ(closest_of_triangles(point, base).square, 20);
}

TEST(TriangleTree, SegmentsAgainstBruteForce) {
  Random random;
  for (const TriangleMesh& mesh :
       {box_mesh({2, 3, 4}), eared_mesh(4, 3), refine_irregularly(box_mesh({2, 3, 4}), 800, 3)}) {
    const TriangleTree tree(mesh);
    int hits = 0;
    for (int i = 0; i < 500; ++i) {
      const Vec3 p = random.point(4), q = random.point(4);
      std::map<int, double> found, expected;
      tree.all_hits(p, q, [&](const SegmentHit& h) { EXPECT_TRUE(found.emplace(h.triangle, h.at).second); });
      double first = 2;
      for (int t = 0; t < mesh.count(); ++t) {
        // By volumes of tetrahedra: both ends on different sides, and all three sides passed the same way.
        const Vec3 a = mesh.corner(t, 0) - p, b = mesh.corner(t, 1) - p, c = mesh.corner(t, 2) - p, d = q - p;
        const double u = d.dot(b.cross(c)), v = d.dot(c.cross(a)), w = d.dot(a.cross(b));
        if (!((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0))) continue;
        const double at = a.dot(b.cross(c)) / (u + v + w);
        if (at < 0 || at > 1) continue;
        expected[t] = at;
        first = std::min(first, at);
      }
      ASSERT_EQ(found.size(), expected.size());
      for (const auto& [t, at] : expected) EXPECT_NEAR(found.at(t), at, 1e-11);
      const auto nearest = tree.first_hit(p, q);
      ASSERT_EQ(nearest.has_value(), !expected.empty());
      if (nearest) {
        EXPECT_NEAR(nearest->at, first, 1e-11);
      }
      hits += static_cast<int>(expected.size());
    }
    EXPECT_GT(hits, 100);
  }
}

TEST(TriangleTree, NothingSlipsThroughSidesAndCorners) {
  const TriangleMesh mesh = sphere_mesh(1, 3);
  const TriangleTree tree(mesh);
  Random random;
  for (int i = 0; i < 3000; ++i) {
    // From the outside through a corner or a point of a side to the middle.
    const auto& t = mesh.triangles[static_cast<size_t>(i % mesh.count())];
    const double s = i % 3 == 0 ? 0 : random.between(0, 1);
    const Vec3 on = (1 - s) * mesh.points[static_cast<size_t>(t[0])] + s * mesh.points[static_cast<size_t>(t[1])];
    const auto hit = tree.first_hit(3 * on, Vec3::Zero());
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->at, 2.0 / 3, 1e-12);
  }
}

TEST(TriangleTree, InsideOfBoxAndEars) {
  Random random;
  const TriangleTree box(refine_irregularly(box_mesh({2, 2, 2}), 2000, 4));
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = random.point(1.5);
    EXPECT_EQ(box.inside(p), p.cwiseAbs().maxCoeff() < 1);
  }
  EXPECT_TRUE(box.inside(Vec3::Zero()));
  // Star-shaped about its middle: a point is inside if the segment to the middle meets nothing.
  const TriangleTree ears(eared_mesh(2));
  int within = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = random.point(1.2);
    EXPECT_EQ(ears.inside(p), !ears.first_hit(p, Vec3::Zero()).has_value());
    within += ears.inside(p);
  }
  EXPECT_GT(within, 100);
}

TEST(TriangleTree, ClosestPointAgainstBruteForce) {
  Random random;
  const TriangleMesh mesh = eared_mesh(2, 3);
  const TriangleTree tree(mesh);
  for (int i = 0; i < 300; ++i) {
    const Vec3 p = random.point(2);
    double least = 1e9;
    for (int t = 0; t < mesh.count(); ++t)
      least = std::min(least,
                       (closest_on_triangle(p, {mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)}) - p).norm());
    const ClosestPoint found = tree.closest(p);
    EXPECT_NEAR(found.distance, least, 1e-14);
    EXPECT_NEAR((found.point - p).norm(), least, 1e-14);
  }
}

TEST(TriangleTree, DistanceOfBoxesIsExact) {
  const TriangleTree a(refine_irregularly(box_mesh({2, 2, 2}), 1500, 1)),
      b(refine_irregularly(box_mesh({4, 2, 2}), 1500, 2));
  // Face to face, side to face at 45°, corner to corner.
  EXPECT_NEAR(distance(a, {}, b, {Mat3::Identity(), Vec3(5, 0, 0)}).distance, 2, 1e-12);
  EXPECT_NEAR(distance(a, {}, b, {exp_rotation(Vec3(0, 0, std::numbers::pi / 4)), Vec3(0, 6, 0)}).distance,
              5 - 3 / std::sqrt(2.0), 1e-12);
  const Separation corners = distance(a, {}, b, {Mat3::Identity(), Vec3(5, 4, 4)});
  EXPECT_NEAR(corners.distance, std::sqrt(12.0), 1e-12);
  EXPECT_NEAR((corners.a - Vec3(1, 1, 1)).norm(), 0, 1e-12);
  EXPECT_NEAR((corners.b - Vec3(3, 3, 3)).norm(), 0, 1e-12);
  EXPECT_EQ(distance(a, {}, b, {exp_rotation(Vec3(0.3, 0.4, 0.5)), Vec3(2, 0.3, 0)}).distance, 0);
}

TEST(TriangleTree, DistanceAgainstBruteForceAtAnyPose) {
  Random random;
  const TriangleMesh m = eared_mesh(2), n = cylinder_mesh(0.5, 2, 12);
  const TriangleTree a(m), b(n);
  for (int i = 0; i < 60; ++i) {
    const Pose x = random.pose(2), y = random.pose(2);
    const TriangleMesh s = transformed(m, x), t = transformed(n, y);
    double least = 1e9;
    for (int j = 0; j < s.count(); ++j)
      for (int k = 0; k < t.count(); ++k)
        least = std::min(least, closest_of_triangles({s.corner(j, 0), s.corner(j, 1), s.corner(j, 2)},
                                                     {t.corner(k, 0), t.corner(k, 1), t.corner(k, 2)})
                                    .square);
    const Separation found = distance(a, x, b, y);
    EXPECT_NEAR(found.distance, std::sqrt(least), 1e-12);
    EXPECT_NEAR((found.a - found.b).norm(), found.distance, 1e-12);
    // The points are where they say.
    EXPECT_NEAR(a.closest(x.inverse() * found.a).distance, 0, 1e-12);
    EXPECT_NEAR(b.closest(y.inverse() * found.b).distance, 0, 1e-12);
  }
}

}  // namespace
}  // namespace davit
