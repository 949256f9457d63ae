// A line at rest: shapes, ways to find them, forces and their derivatives.
#include "davit/cable/line.hpp"

#include <gtest/gtest.h>

#include "davit/cable/catenary.hpp"
#include "lines.hpp"

namespace davit::cable {
namespace {

constexpr double weight = 203.9 * 9.80665;

TEST(LineAtRest, LiesOnTheBedAsTheExactSolution) {
  Moored m(Line({chain(111, 100)}, {}, winkler_bed(-35.8), {}));
  const Outcome outcome = m.settle(Vec3(0, 0, -35.8), Vec3(100, 0, -10));
  EXPECT_TRUE(outcome.converged) << outcome.iterations << " " << outcome.residual;
  const auto exact = winkler_catenary({111, weight, 61.56e6}, 4785, 100, 25.8);
  ASSERT_TRUE(exact);
  const LineView view = m.view();
  EXPECT_NEAR(exact->tension_upper / 9806.65, 10.2479, 1e-4);
  EXPECT_NEAR(exact->H / 9806.65, 4.9511, 1e-4);
  EXPECT_NEAR(exact->grounded, 70.187, 1e-3);
  EXPECT_NEAR(view.tension_b / exact->tension_upper, 1, 1e-3);
  EXPECT_NEAR(view.grounded_length, exact->grounded, 0.1);
  // The end at bed level pulls the line up from where the bed holds it, so that the line pulls it down.
  EXPECT_NEAR(view.uplift_angle, -std::acos(exact->H / exact->tension_lower), 0.01);
  EXPECT_EQ(view.safety_factor, 0);
}

struct Geometry {
  const char* name;
  Vec3 a, b;
  bool bed;
};
const Geometry geometries[] = {
    {"lies on the bed", Vec3(0, 0, -35.8), Vec3(100, 0, -10), true},
    {"hardly lies", Vec3(0, 0, -60), Vec3(70, 70, -10), true},
    {"taut", Vec3(0, 0, -60), Vec3(100, 0, -10), true},
    {"slack", Vec3(0, 0, -60), Vec3(50, 0, -10), true},
    {"between two heights", Vec3(0, 0, -40), Vec3(-60, 50, -20), false},
    {"from above to below", Vec3(0, 0, -10), Vec3(0, 90, -60), true},
    {"straight up", Vec3(0, 0, -140), Vec3(0, 0, -20), false},
};

TEST(LineAtRest, IsFoundFromTheCatenaryAndFromAStraightLine) {
  for (const Geometry& g : geometries) {
    const double height = std::min(g.a.z(), g.b.z());
    for (const int elements : {20, 50, 100}) {
      Moored m(Line({chain(111, elements)}, {}, g.bed ? winkler_bed(height) : Bed{}, {}));
      const Outcome curved = m.settle(g.a, g.b);
      const Vec3 force = m.view().force_b;
      const Outcome straight = m.settle(g.a, g.b, Line::Start::straight);
      EXPECT_TRUE(curved.converged) << g.name << ", " << elements;
      EXPECT_TRUE(straight.converged) << g.name << ", " << elements;
      EXPECT_LT((m.view().force_b - force).norm(), 1e-3 * force.norm() + 1) << g.name << ", " << elements;
      // Both ends and the bed carry its weight; without a bed the ends alone.
      if (!g.bed) EXPECT_NEAR(-(m.view().force_a + m.view().force_b).z(), m.line.weight(), 1e-3);
      // From where it is, soon.
      EXPECT_LE(m.settle(g.a, g.b, Line::Start::state).iterations, 20) << g.name << ", " << elements;
    }
  }
}

TEST(LineAtRest, ForcesHaveTheDerivativesOfDifferences) {
  for (const Geometry& g : {geometries[0], geometries[1], geometries[4]}) {
    const double height = std::min(g.a.z(), g.b.z());
    Moored m(Line({chain(111, 30)}, {}, g.bed ? winkler_bed(height) : Bed{}, {}));
    ASSERT_TRUE(m.settle(g.a, g.b).converged);
    m.line.static_forces(m.state.data(), m.forces, m.work);
    const Mat6 tangent = m.forces.tangent;
    EXPECT_LT((tangent - tangent.transpose()).norm(), 1e-9 * tangent.norm());
    const double d = 1e-3;
    for (int i = 0; i < 6; ++i) {
      Vec6 difference = Vec6::Zero();
      for (const double sign : {1.0, -1.0}) {
        Vec3 a = g.a, b = g.b;
        (i < 3 ? a[i] : b[i - 3]) += sign * d;
        Moored moved = m;
        ASSERT_TRUE(moved.settle(a, b, Line::Start::state).converged);
        moved.line.static_forces(moved.state.data(), moved.forces, moved.work);
        difference.head<3>() += sign * moved.forces.a / (2 * d);
        difference.tail<3>() += sign * moved.forces.b / (2 * d);
      }
      EXPECT_LT((tangent.col(i) - difference).norm(), 1e-3 * tangent.norm()) << g.name << ", column " << i << "\n"
                                                                             << tangent.col(i).transpose() << "\n"
                                                                             << difference.transpose();
    }
  }
}

// Lines of so few elements that both chains of the elimination are short or empty.
TEST(LineAtRest, MayHaveAnyNumberOfElements) {
  for (int elements = 1; elements <= 9; ++elements) {
    Moored m(Line({chain(100, elements)}, {}, {}, {}));
    // Taut, so that a single bar is stable.
    const Vec3 a(0, 0, -60), b(80, 30, -5);
    ASSERT_TRUE(m.settle(a, b).converged) << elements;
    m.line.static_forces(m.state.data(), m.forces, m.work);
    EXPECT_NEAR(-(m.forces.a + m.forces.b).z(), m.line.weight(), 1e-3) << elements;
    // Both ends moved alike: no change. By differences of b: the block of b, and that of a against it.
    const Mat6 K = m.forces.tangent;
    EXPECT_LT((K.leftCols<3>() + K.rightCols<3>()).norm(), 1e-6 * K.norm()) << elements;
    const double d = 1e-4;
    for (int i = 0; i < 3; ++i) {
      Moored moved = m;
      ASSERT_TRUE(moved.settle(a, b + d * Vec3::Unit(i), Line::Start::state).converged);
      moved.line.static_forces(moved.state.data(), moved.forces, moved.work);
      EXPECT_LT(((moved.forces.b - m.forces.b) / d - K.block<3, 1>(3, 3 + i)).norm(), 1e-3 * K.norm()) << elements;
      EXPECT_LT(((moved.forces.a - m.forces.a) / d - K.block<3, 1>(0, 3 + i)).norm(), 1e-3 * K.norm()) << elements;
    }
  }
}

TEST(LineAtRest, LiesOnASlope) {
  // Down a slope of 10 degrees from the anchor: without friction the bed presses at right angles, so that along it the
  // tension changes by the weight times the change of height.
  Bed bed = winkler_bed(-40);
  bed.normal = Vec3(std::sin(0.17), 0, std::cos(0.17));
  Moored m(Line({chain(170, 170)}, {}, bed, {}));
  const Vec3 a(0, 0, -40), b(150, 0, -10);
  ASSERT_TRUE(m.settle(a, b).converged);
  const LineView view = m.view();
  EXPECT_GT(view.grounded_length, 50);
  const size_t from = 20, to = 60;
  EXPECT_LT(bed.normal.dot(view.positions[to] - a), 0);
  const double height = 0.5 * (view.positions[from].z() + view.positions[from + 1].z() - view.positions[to].z() -
                               view.positions[to + 1].z());
  EXPECT_NEAR(view.tension[from] - view.tension[to], weight * height, 0.01 * weight * height);
}

TEST(LineAtRest, CarriesClumpWeightsAndBuoys) {
  const Attachment clump{50, 5000, 0.6, 0, 0}, buoy{80.3, 500, 2, 1, 500};
  Moored m(Line({chain(60, 25), chain(51, 20)}, {buoy, clump}, winkler_bed(-60), {}));
  ASSERT_TRUE(m.settle(Vec3(0, 0, -60), Vec3(95, 0, -10)).converged);
  EXPECT_EQ(m.line.elements(), 45);
  // The nodes of the two are where they belong, and the slope of the line jumps there by their weight over the tension.
  for (const Attachment& a : {clump, buoy}) {
    int node = 0;
    while (m.line.unstretched(node) < a.at - 1e-6) ++node;
    EXPECT_NEAR(m.line.unstretched(node), a.at, 1e-9);
    const size_t i = static_cast<size_t>(node);
    const LineView v = m.view();
    const Vec3 left = (v.positions[i] - v.positions[i - 1]).normalized() * v.tension[i - 1];
    const Vec3 right = (v.positions[i + 1] - v.positions[i]).normalized() * v.tension[i];
    const double net = (a.mass - 1025 * a.displacement) * 9.80665;
    const double own = 0.5 * weight * (m.line.unstretched(node + 1) - m.line.unstretched(node - 1));
    if (v.positions[i].z() > -59) EXPECT_NEAR((right - left).z(), net + own, 1e-2);
  }
}

TEST(LineAtRest, FloatsAtTheSurface) {
  // A rope lighter than water between two ends at the surface lies there, half wet as it needs.
  Section rope = chain(100, 40);
  rope.mass = 20, rope.displacement = 0.03, rope.diameter = 0.195;
  Moored m(Line({rope}, {}, {}, {}));
  const Outcome outcome = m.settle(Vec3(0, 0, 0), Vec3(98, 0, 0), Line::Start::straight);
  EXPECT_TRUE(outcome.converged) << outcome.residual;
  for (const Vec3& p : m.view().positions) EXPECT_NEAR(p.z(), 0, 0.2);
}

TEST(LineAtRest, SaysWhatIsWrong) {
  const auto message = [](const std::vector<Section>& sections, const std::vector<Attachment>& attachments,
                          const Bed& bed) {
    try {
      const Line line(sections, attachments, bed, {});
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  Section bad = chain(100, 10);
  bad.EA = 0;
  EXPECT_EQ(message({chain(1, 1), bad}, {}, {}), "section 2 of the line: EA must be positive (it is 0)");
  EXPECT_EQ(message({chain(100, 0)}, {}, {}), "section 1 of the line: it needs one element at least (it is 0)");
  EXPECT_EQ(message({}, {}, {}), "the line has no section");
  EXPECT_EQ(message({chain(100, 10)}, {{.at = 100}}, {}), "an attachment at 100 m is not inside the line of 100 m");
  Bed down;
  down.normal = -Vec3::UnitZ();
  EXPECT_EQ(message({chain(100, 10)}, {}, down), "the normal of the bed must point upwards");
}

}  // namespace
}  // namespace davit::cable
