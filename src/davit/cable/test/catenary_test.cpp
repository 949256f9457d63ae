#include "davit/cable/catenary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace davit::cable {
namespace {

const UniformLine chain_line{111, 2000, 61.56e6};

// Whatever the shape: it ends where it should, tension grows by the weight of what is below it, and its length is
// right.
void expect_balanced(const Catenary& c, double span, double height) {
  const double L = c.line.length;
  EXPECT_NEAR((c.at(L) - Vec2(span, height)).norm(), 0, 1e-7 * L);
  EXPECT_NEAR(c.V_upper - c.V_lower, c.line.weight * (L - c.grounded), 1e-6 * c.line.weight * L);
  const int pieces = 20000;
  double length = 0, stretched = 0;
  for (int i = 0; i < pieces; ++i) {
    length += (c.at(L * (i + 1) / pieces) - c.at(L * i / pieces)).norm();
    stretched += L / pieces * (1 + c.tension(L * (i + 0.5) / pieces) / c.line.EA);
  }
  EXPECT_NEAR(length, stretched, 1e-6 * L);
}

TEST(Catenary, HangsAtAnySlopeSlackAndTaut) {
  for (const double span : {1.0, 30.0, 90.0, 105.0, 112.0})
    for (const double height : {0.0, 5.0, 40.0}) {
      const auto c = hanging_catenary(chain_line, span, height);
      ASSERT_TRUE(c) << span << " " << height;
      expect_balanced(*c, span, height);
    }
}

TEST(Catenary, LiesOnARigidBed) {
  const auto c = grounded_catenary(chain_line, 100, 25.8);
  ASSERT_TRUE(c);
  EXPECT_GT(c->grounded, 60);
  EXPECT_EQ(c->V_lower, 0);
  expect_balanced(*c, 100, 25.8);
  // Pulled until it lies no more.
  const auto taut = grounded_catenary(chain_line, 108.2, 25.8);
  ASSERT_TRUE(taut);
  EXPECT_EQ(taut->grounded, 0);
  EXPECT_GT(taut->V_lower, 0);
  expect_balanced(*taut, 108.2, 25.8);
}

TEST(Catenary, DoesNotReachFartherThanALineThatCannotStretch) {
  const UniformLine stiff{100, 2000, std::numeric_limits<double>::infinity()};
  EXPECT_FALSE(hanging_catenary(stiff, 100.1, 0));
  EXPECT_TRUE(hanging_catenary(stiff, 99.9, 0));
}

TEST(Catenary, AnElasticBedThatGetsStiffIsARigidOne) {
  const auto rigid = grounded_catenary(chain_line, 100, 25.8);
  const auto stiff = winkler_catenary(chain_line, 2e6, 100, 25.8), soft = winkler_catenary(chain_line, 4785, 100, 25.8);
  ASSERT_TRUE(rigid && stiff && soft);
  EXPECT_NEAR(stiff->tension_upper / rigid->tension_upper(), 1, 2e-4);
  EXPECT_NEAR(stiff->grounded, rigid->grounded, 0.2);
  EXPECT_GT(soft->tension_upper, 1.01 * rigid->tension_upper());
  // It ends where it should.
  EXPECT_NEAR(soft->shape.back().y(), 100, 1e-6);
  EXPECT_NEAR(soft->shape.back().x(), 111, 1e-6);
}

TEST(Catenary, FindsLengthAndSpanForATension) {
  for (const double tension : {80e3, 150e3, 600e3}) {
    const auto length = length_for_tension(chain_line, 100, 25.8, tension);
    ASSERT_TRUE(length) << tension;
    EXPECT_NEAR(grounded_catenary({*length, 2000, 61.56e6}, 100, 25.8)->tension_upper(), tension, 1e-6 * tension);
    const auto span = span_for_tension(chain_line, 25.8, tension);
    ASSERT_TRUE(span) << tension;
    EXPECT_NEAR(grounded_catenary(chain_line, *span, 25.8)->tension_upper(), tension, 1e-6 * tension);
  }
  // What hangs straight down is heavier than that.
  EXPECT_FALSE(length_for_tension(chain_line, 100, 25.8, 2000 * 20.0));
}

}  // namespace
}  // namespace davit::cable
