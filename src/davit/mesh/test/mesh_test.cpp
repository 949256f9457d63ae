// Shapes, repair and features: counts that are known for each body, whatever mesh it is given as.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "davit/mesh/edge_tree.hpp"
#include "davit/mesh/features.hpp"
#include "davit/mesh/neighbours.hpp"
#include "davit/mesh/repair.hpp"
#include "davit/mesh/shapes.hpp"

namespace davit {
namespace {

size_t at(int i) { return static_cast<size_t>(i); }

int euler_characteristic(const TriangleMesh& mesh) {
  std::set<std::pair<int, int>> edges;
  std::set<int> points;
  for (int h = 0; h < 3 * mesh.count(); ++h) {
    edges.insert(std::minmax(start_of(mesh, h), end_of(mesh, h)));
    points.insert(start_of(mesh, h));
  }
  return static_cast<int>(points.size()) - static_cast<int>(edges.size()) + mesh.count();
}

int convex_edges(const Features& features) {
  return static_cast<int>(
      std::count_if(features.edges.begin(), features.edges.end(), [](const FeatureEdge& e) { return e.convex; }));
}

// About a vertex: the face after an edge is the face before the next one.
void expect_cyclic(const Features& features, bool open = false) {
  int listed = 0;
  for (size_t v = 0; v < features.vertices.size(); ++v) {
    const std::vector<int>& edges = features.vertices[v].edges;
    listed += static_cast<int>(edges.size());
    for (size_t i = 0; i < edges.size(); ++i) {
      const auto after = [&](int e) {
        return e >= 0 ? features.edges[at(e)].left_face : features.edges[at(~e)].right_face;
      };
      const auto before = [&](int e) {
        return e >= 0 ? features.edges[at(e)].right_face : features.edges[at(~e)].left_face;
      };
      const int e = edges[i], next = edges[(i + 1) % edges.size()];
      EXPECT_EQ(e >= 0 ? features.edges[at(e)].from : features.edges[at(~e)].to, static_cast<int>(v));
      if (open && i + 1 == edges.size()) continue;
      EXPECT_EQ(after(e), before(next)) << "vertex " << v;
    }
  }
  EXPECT_EQ(listed, 2 * static_cast<int>(features.edges.size()));
}

void expect_box(const TriangleMesh& given, double size, double tolerance) {
  const RepairedMesh repaired = repair(given);
  EXPECT_TRUE(repaired.closed);
  EXPECT_EQ(euler_characteristic(repaired.mesh), 2);
  EXPECT_NEAR(repaired.volume, size * size * size, 6 * size * size * tolerance + 1e-12 * size * size * size);
  const Features features = find_features(repaired.mesh);
  ASSERT_EQ(features.edges.size(), 12u);
  ASSERT_EQ(features.vertices.size(), 8u);
  EXPECT_EQ(features.faces.size(), 6u);
  EXPECT_EQ(convex_edges(features), 12);
  expect_cyclic(features);
  for (const FeatureEdge& e : features.edges) {
    EXPECT_NEAR((e.b - e.a).norm(), size, 4 * tolerance + 1e-13 * size);
    // Edges lie in both faces, and the corner is square.
    EXPECT_NEAR((e.b - e.a).dot(e.left), 0, 1e-6 * tolerance + 1e-13 * size);
    EXPECT_NEAR((e.b - e.a).dot(e.right), 0, 1e-6 * tolerance + 1e-13 * size);
    EXPECT_NEAR(e.left.dot(e.right), 0, 4 * tolerance / size + 1e-14);
    EXPECT_GT(e.left.cross(e.right).dot(e.b - e.a), 0);
    EXPECT_GT((e.a + e.b).dot(e.left), 0);
  }
  for (const FeatureVertex& v : features.vertices) EXPECT_EQ(v.edges.size(), 3u);
}

const Vec3 ten(10, 10, 10);

TEST(Features, BoxHasTwelveEdgesHoweverItIsMeshed) {
  expect_box(box_mesh(ten), 10, 0);
  expect_box(unshared(box_mesh(ten)), 10, 0);
  for (const unsigned seed : {1, 2, 127, 153}) {  // the last two have stacks of triangles without height
    const TriangleMesh fine = refine_irregularly(box_mesh(ten), 12000, seed);
    EXPECT_GE(fine.count(), 12000);
    expect_box(fine, 10, 0);
    expect_box(roughen(fine, 1e-9, seed), 10, 1e-9);
    expect_box(roughen(unshared(fine), 1e-9, seed), 10, 1e-9);
    expect_box(with_t_junctions(box_mesh(ten), 40, seed), 10, 0);
    expect_box(roughen(with_t_junctions(refine_irregularly(box_mesh(ten), 600, seed), 200, seed), 1e-9, seed), 10,
               1e-9);
  }
}

TEST(Features, SizeAndPlaceDoNotMatter) {
  const Pose pose{exp_rotation(Vec3(0.3, -1.1, 0.7)), Vec3(40, -25, 60)};
  for (const double size : {1e-3, 1.0, 1e3}) {
    const TriangleMesh mesh =
        transformed(refine_irregularly(box_mesh(Vec3::Constant(size)), 3000, 7), {pose.R, size / 10 * pose.p});
    const Features features = find_features(repair(mesh).mesh);
    EXPECT_EQ(features.edges.size(), 12u);
    EXPECT_EQ(features.vertices.size(), 8u);
    expect_cyclic(features);
  }
}

TEST(Features, SinglePrecisionOfATurnedBoxIsABox) {
  for (const unsigned seed : {3, 4, 5}) {
    TriangleMesh mesh = transformed(refine_irregularly(box_mesh(ten), 12000, seed),
                                    {exp_rotation(Vec3(0.3, 0.1 * seed, 0.7)), Vec3(4, -2, 6)});
    for (Vec3& p : mesh.points) p = p.cast<float>().cast<double>().eval();
    const RepairedMesh repaired = repair(unshared(mesh));
    EXPECT_TRUE(repaired.closed);
    const Features features = find_features(repaired.mesh);
    EXPECT_EQ(features.edges.size(), 12u);
    EXPECT_EQ(features.vertices.size(), 8u);
    expect_cyclic(features);
  }
}

TEST(Features, CurvedBodiesKeepTheirEdges) {
  const TriangleMesh sphere = sphere_mesh(10, 4);
  const Features features = find_features(repair(sphere).mesh);
  EXPECT_EQ(static_cast<int>(features.edges.size()), sphere.count() * 3 / 2);
  EXPECT_EQ(convex_edges(features), sphere.count() * 3 / 2);
  expect_cyclic(features);

  const Features cylinder = find_features(repair(refine_irregularly(cylinder_mesh(2, 10, 360), 9000, 3)).mesh);
  EXPECT_EQ(cylinder.edges.size(), 3u * 360);
  EXPECT_EQ(cylinder.vertices.size(), 2u * 360);
  EXPECT_EQ(convex_edges(cylinder), 3 * 360);
  expect_cyclic(cylinder);
}

TEST(Features, NoisyCylinderIsTheSameCylinder) {
  const TriangleMesh fine = refine_irregularly(cylinder_mesh(2, 10, 36), 8000, 5);
  const Features features = find_features(repair(roughen(fine, 1e-9, 5)).mesh);
  EXPECT_EQ(features.edges.size(), 3u * 36);
  EXPECT_EQ(features.vertices.size(), 2u * 36);
  expect_cyclic(features);
}

TEST(Features, ConcaveEdgeOfAnAngle) {
  const TriangleMesh angle = prism_mesh({{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 4}, {0, 4}}, 10);
  for (const TriangleMesh& mesh : {angle, refine_irregularly(angle, 2000, 11)}) {
    const RepairedMesh repaired = repair(mesh);
    EXPECT_NEAR(repaired.volume, 70, 1e-10);
    const Features features = find_features(repaired.mesh);
    EXPECT_EQ(features.edges.size(), 18u);
    EXPECT_EQ(features.vertices.size(), 12u);
    EXPECT_EQ(features.faces.size(), 8u);
    EXPECT_EQ(convex_edges(features), 17);
    for (const FeatureEdge& e : features.edges) {
      if (e.convex) continue;
      EXPECT_NEAR(e.a.x(), 1, 1e-12);
      EXPECT_NEAR(e.a.y(), 1, 1e-12);
      EXPECT_NEAR((e.b - e.a).norm(), 10, 1e-12);
    }
    expect_cyclic(features);
  }
}

TEST(Features, RimsOfAnOpenPlateAreConvex) {
  TriangleMesh plate;
  plate.points = {{0, 0, 0}, {3, 0, 0}, {3, 2, 0}, {0, 2, 0}};
  plate.triangles = {{0, 1, 2}, {0, 2, 3}};
  for (const TriangleMesh& mesh : {plate, refine_irregularly(plate, 500, 2)}) {
    const RepairedMesh repaired = repair(mesh);
    EXPECT_FALSE(repaired.closed);
    const Features features = find_features(repaired.mesh);
    ASSERT_EQ(features.edges.size(), 4u);
    EXPECT_EQ(features.vertices.size(), 4u);
    expect_cyclic(features, true);
    for (const FeatureEdge& e : features.edges) {
      EXPECT_TRUE(e.convex);
      EXPECT_NEAR((e.left - Vec3::UnitZ()).norm(), 0, 1e-14);
      EXPECT_NEAR((e.right + Vec3::UnitZ()).norm(), 0, 1e-14);
      // The plate lies to the left.
      EXPECT_GT(e.left.cross(e.b - e.a).dot(Vec3(1.5, 1, 0) - e.a), 0);
    }
  }
}

TEST(Features, StiffenerOnAPlateLeavesTheOtherSideSmooth) {
  // Two halves of a plate and a web below, all meeting at x = 0. All edges are rims: two long and four half ends of the
  // plate, three of the web; none where the three sheets meet.
  TriangleMesh mesh;
  mesh.points = {{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {-1, 4, 0}, {0, 4, 0}, {1, 4, 0}, {0, 0, -1}, {0, 4, -1}};
  mesh.triangles = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}, {1, 6, 7}, {1, 7, 4}};
  const RepairedMesh repaired = repair(mesh);
  EXPECT_FALSE(repaired.closed);
  const Features features = find_features(repaired.mesh);
  EXPECT_EQ(features.faces.size(), 2u);
  EXPECT_EQ(features.edges.size(), 9u);
  EXPECT_EQ(convex_edges(features), 9);
  for (const FeatureEdge& e : features.edges) EXPECT_GT((0.5 * (e.a + e.b) - Vec3(0, 2, 0)).norm(), 0.9);
}

TEST(Features, MillionTrianglesKeepAllEdges) {
  const TriangleMesh sphere = sphere_mesh(10, 8);
  const Features features = find_features(sphere);
  EXPECT_EQ(features.edges.size(), at(sphere.count()) * 3 / 2);
}

TEST(Shapes, EaredBodyIsClosedAndConcave) {
  const TriangleMesh mesh = eared_mesh(2);
  const RepairedMesh repaired = repair(mesh);
  EXPECT_TRUE(repaired.problems.empty());
  EXPECT_TRUE(repaired.closed);
  EXPECT_EQ(euler_characteristic(repaired.mesh), 2);
  EXPECT_NEAR(bounds(mesh).high.z() - bounds(mesh).low.z(), 2, 1e-12);
  const Features features = find_features(mesh);
  EXPECT_GT(convex_edges(features), 0);
  EXPECT_LT(convex_edges(features), static_cast<int>(features.edges.size()) - 10);
  expect_cyclic(features);
}

TEST(Shapes, VolumesAreThoseOfTheBodies) {
  EXPECT_NEAR(repair(box_mesh({2, 3, 4})).volume, 24, 1e-12);
  const double pi = std::numbers::pi;
  EXPECT_NEAR(repair(cylinder_mesh(2, 5, 100)).volume, 0.5 * 100 * 4 * std::sin(2 * pi / 100) * 5, 1e-10);
  EXPECT_NEAR(repair(sphere_mesh(1, 5)).volume, 4 * pi / 3, 4 * pi / 3 * 1e-3);
  // A comb: its outline turns both ways.
  const TriangleMesh comb =
      prism_mesh({{0, 0}, {5, 0}, {5, 3}, {4, 3}, {4, 1}, {3, 1}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}}, 2);
  EXPECT_NEAR(repair(comb).volume, 22, 1e-12);
  EXPECT_TRUE(repair(comb).closed);
}

TEST(Mend, TurnsFacesOutwards) {
  TriangleMesh mesh = refine_irregularly(box_mesh(ten), 300, 4);
  std::mt19937 random(5);
  for (auto& t : mesh.triangles)
    if (random() % 2) std::swap(t[0], t[1]);
  const RepairedMesh repaired = repair(mesh);
  EXPECT_NEAR(repaired.volume, 1000, 1e-9);
  ASSERT_EQ(repaired.problems.size(), 1u);
  EXPECT_TRUE(repaired.problems[0].repaired);
  EXPECT_EQ(find_features(repaired.mesh).edges.size(), 12u);

  // Two bodies, one inside out; the open one keeps its bowl's outside outside.
  TriangleMesh two = box_mesh(ten);
  TriangleMesh other = transformed(box_mesh(ten), {Mat3::Identity(), Vec3(20, 0, 0)});
  for (auto t : other.triangles) two.triangles.push_back({t[0] + 8, t[2] + 8, t[1] + 8});
  two.points.insert(two.points.end(), other.points.begin(), other.points.end());
  EXPECT_NEAR(repair(two).volume, 2000, 1e-9);
}

TEST(Mend, LeavesOutWhatIsNothingOrTwice) {
  TriangleMesh mesh = box_mesh(ten);
  const auto first = mesh.triangles[0];
  mesh.triangles.push_back({first[1], first[2], first[0]});
  mesh.triangles.push_back({first[0], first[0], first[1]});
  mesh.points.push_back(Vec3::Constant(std::nan("")));
  mesh.triangles.push_back({0, 1, 8});
  mesh.triangles.push_back({0, 1, 99});
  const RepairedMesh repaired = repair(mesh);
  EXPECT_EQ(repaired.mesh.count(), 12);
  EXPECT_EQ(repaired.problems.size(), 4u);
  EXPECT_TRUE(repaired.closed);
}

TEST(Mend, FindsAHoleAndSaysWhere) {
  TriangleMesh mesh = box_mesh(ten);
  std::erase_if(mesh.triangles, [&](const auto& t) {
    return std::all_of(t.begin(), t.end(), [&](int p) { return mesh.points[at(p)].z() > 0; });
  });
  const RepairedMesh repaired = repair(mesh);
  EXPECT_FALSE(repaired.closed);
  ASSERT_EQ(repaired.problems.size(), 1u);
  EXPECT_NE(repaired.problems[0].text.find("14.1 m wide with 4 sides about (0, 0, 5)"), std::string::npos)
      << repaired.problems[0].text;
  // An open box has four rims more than edges lost.
  EXPECT_EQ(find_features(repaired.mesh).edges.size(), 12u);
  EXPECT_EQ(convex_edges(find_features(repaired.mesh)), 12);
}

TEST(Mend, UnusableMeshesAreNamed) {
  TriangleMesh mesh;
  EXPECT_FALSE(repair(mesh).problems.at(0).repaired);
  mesh.points.assign(3, Vec3::Constant(std::nan("")));
  mesh.triangles = {{0, 1, 2}};
  EXPECT_FALSE(repair(mesh).problems.at(0).repaired);
  mesh.points = {Vec3::Zero(), Vec3::UnitX(), 2 * Vec3::UnitX()};
  EXPECT_FALSE(repair(mesh).problems.at(0).repaired);
  EXPECT_TRUE(find_features(repair(mesh).mesh).edges.empty());
}

TEST(Mend, MoebiusStripHasNoOutside) {
  TriangleMesh strip;
  const int n = 12;
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * i / n;
    for (const double side : {-0.3, 0.3}) {
      const double r = 2 + side * std::cos(angle / 2);
      strip.points.emplace_back(r * std::cos(angle), r * std::sin(angle), side * std::sin(angle / 2));
    }
  }
  for (int i = 0; i < n; ++i) {
    const bool seam = i + 1 == n;
    const int a = 2 * i, b = a + 1, c = seam ? 1 : a + 2, d = seam ? 0 : a + 3;
    strip.triangles.push_back({a, c, d});
    strip.triangles.push_back({a, d, b});
  }
  const RepairedMesh repaired = repair(strip);
  EXPECT_TRUE(
      std::any_of(repaired.problems.begin(), repaired.problems.end(), [](const auto& p) { return !p.repaired; }));
  find_features(repaired.mesh);  // must end
}

TEST(EdgeTree, FindsWhatBruteForceFinds) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> anywhere(-12, 12), small(0, 0.3);
  const auto random_point = [&] { return Vec3(anywhere(engine), anywhere(engine), anywhere(engine)); };
  for (const TriangleMesh& mesh : {box_mesh(ten), sphere_mesh(8, 3), eared_mesh(15, 3), cylinder_mesh(3, 10, 50)}) {
    const Features features = find_features(mesh);
    const EdgeTree tree(features);
    int visits = 0;
    for (int i = 0; i < 500; ++i) {
      const Vec3 p = random_point(), reach(small(engine), small(engine), small(engine));
      Vec3 q = random_point();
      if (i % 5 == 0) q = p + Vec3(1, 0, 0);
      if (i % 7 == 0) q = p;
      std::set<int> found, expected;
      tree.near_segment(p, q, reach, [&](int e) { EXPECT_TRUE(found.insert(e).second); });
      for (size_t e = 0; e < features.edges.size(); ++e) {
        const FeatureEdge& edge = features.edges[e];
        if (!edge.convex) continue;
        // The part of the segment within the grown slabs, axis by axis.
        double first = 0, last = 1;
        for (Eigen::Index k = 0; k < 3; ++k) {
          const double low = std::min(edge.a[k], edge.b[k]) - reach[k],
                       high = std::max(edge.a[k], edge.b[k]) + reach[k];
          const double d = q[k] - p[k];
          if (d == 0) {
            if (p[k] < low || p[k] > high) last = -1;
          } else {
            first = std::max(first, std::min((low - p[k]) / d, (high - p[k]) / d));
            last = std::min(last, std::max((low - p[k]) / d, (high - p[k]) / d));
          }
        }
        if (first <= last) expected.insert(static_cast<int>(e));
      }
      EXPECT_EQ(found, expected);
      visits += static_cast<int>(expected.size());
    }
    EXPECT_GT(visits, 20);
  }
}

// A piece of rope that creeps, and now and then is somewhere else, meets what a search finds, in its order.
TEST(EdgeTree, WhatIsNearbyIsWhatIsFound) {
  std::mt19937_64 engine(4);
  std::uniform_real_distribution<double> anywhere(-12, 12), small(0, 0.3), creeping(-0.01, 0.01);
  const auto random = [&](auto& of) { return Vec3(of(engine), of(engine), of(engine)); };
  for (const TriangleMesh& mesh : {box_mesh(ten), sphere_mesh(8, 3), cylinder_mesh(3, 10, 50)}) {
    const Features features = find_features(mesh);
    const EdgeTree tree(features);
    EdgeTree::Nearby nearby;
    Vec3 p = random(anywhere), q = random(anywhere);
    size_t visits = 0;
    for (int i = 0; i < 5000; ++i) {
      p = i % 40 == 0 ? random(anywhere) : Vec3(p + random(creeping));
      q = i % 20 == 0 ? random(anywhere) : Vec3(q + random(creeping));
      const Vec3 reach = random(small);
      std::vector<int> found, expected;
      tree.near_segment(p, q, reach, [&](int e) { expected.push_back(e); });
      nearby.near_segment(tree, p, q, reach, [&](int e) { found.push_back(e); });
      ASSERT_EQ(found, expected);
      visits += expected.size();
    }
    EXPECT_GT(visits, 100u);
  }
}

TEST(EdgeTree, EmptyTreeAnswersNothing) {
  const EdgeTree tree{Features{}};
  tree.near_segment(Vec3::Zero(), Vec3::UnitX(), Vec3::Ones(), [](int) { FAIL(); });
  EdgeTree::Nearby().near_segment(tree, Vec3::Zero(), Vec3::UnitX(), Vec3::Ones(), [](int) { FAIL(); });
  EXPECT_TRUE(tree.bounds().empty());
}

}  // namespace
}  // namespace davit
