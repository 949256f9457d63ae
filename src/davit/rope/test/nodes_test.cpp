// One node at a time: the law of friction at an eye, nodes that come and go with all their rope, and where a moving
// piece of rope meets an edge.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "davit/rope/crossing.hpp"
#include "davit/rope/self_check.hpp"
#include "lone_rope.hpp"

namespace davit::rope {
namespace {

using testing::LoneRope;
using testing::point_at;
using testing::rubbing;

// A rope that turns by an angle at an eye and whose end is drawn away until it slips, and a little back.
struct AtAnEye {
  double before = 0, after = 0, back_before = 0, back_after = 0, material = 0;

  AtAnEye(FrictionLaw law, double mu, double turn) {
    LoneRope scene(1);
    const Vec3 away(std::cos(turn), 0, std::sin(turn));
    scene.kin.body[1].p = 3 * away;
    RopeSetup setup = testing::through(
        {point_at(0, {-3, 0, 0}), rubbing(point_at(0, Vec3::Zero()), mu), point_at(1, Vec3::Zero())}, 1e6, 1e4);
    setup.rope.law = law;
    scene.lay(std::move(setup));
    const auto draw = [&](double by) {
      scene.kin.body[1].p += by * away;
      scene.kin.t += 0.01;
      scene.commit();
    };
    for (int i = 0; i < 50; ++i) draw(2e-3);
    before = scene.view().tensions.tension[0];
    after = scene.view().tensions.tension[1];
    EXPECT_EQ(self_check(*scene.rope, scene.view()), "");
    draw(-1e-5);
    back_before = scene.view().tensions.tension[0];
    back_after = scene.view().tensions.tension[1];
    material = scene.view().tensions.material[0] + scene.view().tensions.material[1] - scene.view().state.material;
  }
};

TEST(Node, SlipsAtTheBoundOfItsLaw) {
  const double mu = 0.25;
  for (const double turn : {0.3, 1.0, std::numbers::pi / 2, 2.2}) {
    SCOPED_TRACE(turn);
    const AtAnEye coulomb(FrictionLaw::coulomb, mu, turn), capstan(FrictionLaw::capstan, mu, turn),
        sharp(FrictionLaw::sharp, mu, turn);
    const auto mean = [](const AtAnEye& at) { return 0.5 * (at.before + at.after); };
    EXPECT_NEAR(coulomb.after - coulomb.before, 2 * mu * std::sin(turn / 2) * mean(coulomb), 1e-8 * coulomb.after);
    EXPECT_NEAR(capstan.after / capstan.before, std::exp(mu * turn), 1e-8);
    EXPECT_NEAR(sharp.after - sharp.before, 2 * mu * std::tan(turn / 2) * mean(sharp), 1e-8 * sharp.after);
    // By the other side all of what is drawn in the last metre; nothing comes or goes.
    for (const AtAnEye* at : {&coulomb, &capstan, &sharp}) EXPECT_NEAR(at->material, 0, 1e-12);
  }
}

// What goes back a little sticks: the leg that is drawn gives, and the other one feels nothing of it.
TEST(Node, SticksWithinItsCone) {
  const AtAnEye at(FrictionLaw::capstan, 0.25, 1.0);
  EXPECT_NEAR(at.back_before, at.before, 1e-8 * at.before);
  EXPECT_NEAR(at.back_after, at.after - 1e6 * 1e-5 / 3 * (1 + at.after / 1e6), 1e-4 * at.after);
  EXPECT_LT(at.back_after, at.after);
}

TEST(Node, WithoutFrictionPassesItsTension) {
  const AtAnEye at(FrictionLaw::coulomb, 0, 1.2);
  EXPECT_NEAR(at.after, at.before, 1e-9 * at.before);
  EXPECT_NEAR(at.back_after, at.back_before, 1e-9 * at.before);
}

// A plate comes down on a taut rope and goes up again, with friction and without: two nodes come and go, the rope stays
// as long as it was, and what was done against friction never shrinks.
TEST(Nodes, ComeAndGoWithAllTheirRope) {
  for (const double mu : {0.0, 0.15}) {
    SCOPED_TRACE(mu);
    LoneRope scene(1);
    scene.kin.body[1].p = Vec3(0.7, 0, 1.4);
    RopeSetup setup = testing::through({point_at(0, {-6, 0, 0}), point_at(0, {6, 0, 0})}, 1e6, 1e4);
    setup.rope.layout.surfaces = {testing::surface_of(box_mesh(Vec3(2, 4, 2)), mu, 1)};
    scene.lay(std::move(setup));
    const double rope = scene.view().state.material;
    double lost = 0;
    const auto move = [&](double by) {
      scene.kin.body[1].p.z() += by;
      scene.kin.t += 0.01;
      scene.commit();
      const auto view = scene.view();
      EXPECT_EQ(self_check(*scene.rope, view), "");
      EXPECT_EQ(view.state.material, rope);
      double sum = 0;
      for (const double piece : view.tensions.material) sum += piece;
      EXPECT_NEAR(sum, rope, 1e-11);
      EXPECT_GE(view.state.friction_work, lost - 1e-9);
      lost = view.state.friction_work;
    };
    EXPECT_EQ(scene.nodes(), 0);
    for (int i = 0; i < 30; ++i) move(-0.05);
    EXPECT_EQ(scene.nodes(), 2);
    const auto& t = scene.view().tensions.tension;
    EXPECT_NEAR(scene.view().tensions.total_length, 2 + std::hypot(5.7, 1.1) + std::hypot(4.3, 1.1), 1e-5);
    // Symmetric it is not: with friction the three pieces pull differently.
    EXPECT_EQ(std::abs(t.front() - t.back()) < 1e-6 * t.front(), mu == 0);
    for (int i = 0; i < 30; ++i) move(0.05);
    EXPECT_EQ(scene.nodes(), 0);
    EXPECT_EQ(lost > 0, mu > 0);
  }
}

TEST(Nodes, AreNoMoreThanThereIsRoomFor) {
  LoneRope scene(1);
  scene.kin.body[1].p = Vec3(0, 0, 2);
  RopeSetup setup = testing::through({point_at(0, {-6, 0, 0}), point_at(0, {6, 0, 0})}, 1e6, 1e4);
  setup.most_nodes = 8;
  setup.rope.layout.surfaces = {testing::surface_of(cylinder_mesh(1, 2, 64), 0, 1)};
  scene.kin.body[1].R = Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitX()).toRotationMatrix();
  scene.lay(std::move(setup));
  EXPECT_THROW(
      {
        for (int i = 0; i < 40; ++i) {
          scene.kin.body[1].p.z() -= 0.1;
          scene.commit();
        }
      },
      std::exception);
}

// The upper edge along y of a block that lies below and to the right of it.
FeatureEdge upper_edge() {
  FeatureEdge e;
  e.a = Vec3(0, -2, 0);
  e.b = Vec3(0, 2, 0);
  e.left = Vec3(-1, 0, 0);
  e.right = Vec3(0, 0, 1);
  return e;
}

// By hand: a rope along x falls with constant speed on the edge.
TEST(Crossing, IsFoundAtItsInstantAndPlace) {
  FeatureEdge e = upper_edge();
  const MovingPoint a{{-3, 0.5, 1}, {-3, 0.5, -3}}, b{{5, 0.5, 1}, {5, 0.5, -3}};
  std::optional<Crossing> found = first_crossing(a, b, e, 0, 0);
  if (!found) {  // the other winding of the same edge
    std::swap(e.left, e.right);
    found = first_crossing(a, b, e, 0, 0);
  }
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->tau, 0.25, 1e-12);
  EXPECT_NEAR(found->s, 2.5, 1e-12);
  // Not before it is asked for, not beyond the ends of the edge, not from inside.
  EXPECT_FALSE(first_crossing(a, b, e, 0.3, 0));
  const Vec3 aside(0, 3, 0);
  EXPECT_FALSE(first_crossing({a.start + aside, a.end + aside}, {b.start + aside, b.end + aside}, e, 0, 0));
  EXPECT_FALSE(first_crossing({a.end, a.start}, {b.end, b.start}, e, 0, 0));
}

// At random: where one is found the rope passes through the line of the edge there, from above to below; and the sign
// of the spanned volume does not change where none is.
TEST(Crossing, IsARootOfTheSpannedVolume) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto vector = [&](double size) { return Vec3(size * any(engine), size * any(engine), size * any(engine)); };
  int found = 0;
  for (int i = 0; i < 2000; ++i) {
    FeatureEdge e = upper_edge();
    if (i % 2) std::swap(e.left, e.right);
    const MovingPoint a{Vec3(-3, 0, 1) + vector(1), Vec3(-3, 0, -2) + vector(1)},
        b{Vec3(3, 0, 1) + vector(1), Vec3(3, 0, -2) + vector(1)};
    const auto crossing = first_crossing(a, b, e, 0, 0);
    if (!crossing) continue;
    ++found;
    const Vec3 from = a.at(crossing->tau), to = b.at(crossing->tau), along = (e.b - e.a).normalized();
    const Vec3 at = e.a + crossing->s * along;
    EXPECT_LT((at - from).cross(to - from).norm() / (to - from).norm(), 1e-9);
    EXPECT_GT(height(a.at(crossing->tau - 1e-3), b.at(crossing->tau - 1e-3), e, crossing->direction), 0);
    EXPECT_LT(height(a.at(crossing->tau + 1e-3), b.at(crossing->tau + 1e-3), e, crossing->direction), 0);
  }
  EXPECT_GT(found, 400);
}

TEST(Crossing, KnowsHowDeepARestingPieceIs) {
  FeatureEdge e = upper_edge();
  std::optional<Below> below = passes_below(Vec3(-2, 0.5, -0.3), Vec3(2, 0.5, -0.3), e);
  if (!below) {
    std::swap(e.left, e.right);
    below = passes_below(Vec3(-2, 0.5, -0.3), Vec3(2, 0.5, -0.3), e);
  }
  ASSERT_TRUE(below);
  EXPECT_NEAR(below->depth, 0.3, 1e-12);
  EXPECT_NEAR(below->s, 2.5, 1e-12);
  EXPECT_LT((below->at - Vec3(0, 0.5, -0.3)).norm(), 1e-12);
  EXPECT_FALSE(passes_below(Vec3(-2, 5, -0.3), Vec3(2, 5, -0.3), e));
}

}  // namespace
}  // namespace davit::rope
