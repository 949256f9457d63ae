// Points all over a mesh, and where points are beside what they may touch.
#include <gtest/gtest.h>

#include "davit/contact/surface_points.hpp"
#include "davit/contact/test/touching.hpp"
#include "davit/contact/touched_surface.hpp"
#include "davit/mesh/shapes.hpp"

namespace davit::contact {
namespace {

using namespace test;

TEST(SurfacePoints, ShareTheAreaAndMeetAtEdges) {
  const auto points = surface_points(box_mesh(Vec3(2, 3, 4)), 0.5, 20000);
  double area = 0;
  Vec3 sum = Vec3::Zero();
  for (const SurfacePoint& p : points) {
    area += p.area;
    sum += p.area * p.at;
    EXPECT_GT(p.area, 0);
  }
  EXPECT_NEAR(area, 2 * (2 * 3 + 2 * 4 + 3 * 4), 1e-9);
  EXPECT_LT(sum.norm(), 1e-9);
  // No point twice.
  for (size_t i = 0; i < points.size(); ++i)
    for (size_t j = 0; j < i; ++j) EXPECT_GT((points[i].at - points[j].at).norm(), 1e-3);
}

TEST(SurfacePoints, TooManyAreNone) { EXPECT_TRUE(surface_points(box_mesh(Vec3(2, 3, 4)), 1e-3, 20000).empty()); }

TEST(MeshSurface, TheGapOfABox) {
  const auto body = std::make_shared<BodySurface>("box", Frame{}, box_mesh(Vec3(2, 2, 2)));
  const MeshSurface surface(body);
  const auto gap = [&](const Vec3& p) {
    const auto plane = surface.next_to(p, 10);
    return plane ? plane->gap(p) : INFINITY;
  };
  EXPECT_NEAR(gap({0.2, -0.3, 1.5}), 0.5, 1e-12);
  EXPECT_NEAR(gap({0.2, -0.3, 0.9}), -0.1, 1e-12);
  EXPECT_NEAR(gap({2, 2, 0}), std::sqrt(2.0), 1e-12) << "beside an edge";
  EXPECT_NEAR(gap({0.95, 0.9, 0.2}), -0.05, 1e-12) << "the shortest way out";
  EXPECT_NEAR(gap({1, 0.3, 0.2}), 0, 1e-12) << "on the face";
  EXPECT_FALSE(surface.next_to({0, 0, 3}, 1)) << "out of reach";
  EXPECT_LE(surface.least_distance({0, 0, 3}), 2);
}

TEST(PlaneSurface, EndsWhereItEnds) {
  const PlaneSurface deck(4, 2);
  EXPECT_TRUE(deck.next_to({1.9, 0.9, -0.1}, 0));
  EXPECT_FALSE(deck.next_to({2.1, 0, -0.1}, 0));
  EXPECT_FALSE(deck.next_to({0, 1.1, -0.1}, 0));
  EXPECT_FALSE(deck.next_to({0, 0, 0.1}, 0));
  EXPECT_EQ(deck.least_distance({1.9, 0.9, -0.1}), -0.1);
  EXPECT_NEAR(deck.least_distance({5, 5, 12}), 13, 1e-12) << "beside its corner: 3, 4 and 12 m away";
  EXPECT_NEAR(deck.least_distance({5, 0, -4}), 5, 1e-12) << "lower than it and beside it";
}

// Two boxes that press on each other by the points of both: what the view tells is what acts on the upper one, and
// friction of the two sides adds up.
TEST(SurfacesOnEachOther, TheViewIsWhatActs) {
  const auto points_of = [](int body) {
    std::vector<ContactPoint> out;
    for (const SurfacePoint& p : surface_points(box_mesh(Vec3(2, 2, 2)), 0.25, 20000))
      out.push_back({{body, Pose{Mat3::Identity(), p.at}}, 0.5 * p.area});
    return out;
  };
  const auto box = [](int body) {
    return std::make_shared<MeshSurface>(
        std::make_shared<BodySurface>("box", Frame{body, {}}, box_mesh(Vec3(2, 2, 2))));
  };
  ContactLaw law;
  law.spring = OneSidedSpring(1e6);
  law.friction = 0.5;
  law.tangential_stiffness = 1e6;
  const BodyMotion above{.at = {0.3, 0.1, 1.995}}, moved{.at = {0.302, 0.1, 1.995}};
  const Touching touching(law, {{Frame{2, {}}, box(2), points_of(1)}, {Frame{1, {}}, box(1), points_of(2)}}, above);
  const ContactView view = touching.view(moved);
  const Vec3 acts = touching.force(moved);
  EXPECT_GT(view.normal, 0);
  EXPECT_LT((view.force - acts).norm(), 1e-9 * acts.norm());
  EXPECT_NEAR(view.friction.x(), acts.x(), 1e-9 * acts.norm());
  EXPECT_NEAR(view.friction.norm() / view.normal, 0.002 / 0.005, 1e-6);  // springs of one stiffness, 2 mm and 5 mm
  EXPECT_NEAR(view.centre.x(), 0.15, 0.03);                              // of what overlaps: from −0.7 to 1 m
  EXPECT_NEAR(view.centre.z(), 1, 0.01);
  EXPECT_TRUE(touching.view({.at = {0, 0, 2.5}}).centre.isZero(0));
}

}  // namespace
}  // namespace davit::contact
