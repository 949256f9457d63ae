// Lines in equilibrium at every instant, springs, lines made linear.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/cable/bar_line.hpp"
#include "davit/cable/catenary.hpp"
#include "davit/cable/quasi_static_line.hpp"
#include "davit/cable/spring_line.hpp"
#include "lines.hpp"

namespace davit::cable {
namespace {

// A model with scratch and state.
struct Held {
  explicit Held(const LineModel& of)
      : model(of), scratch(of.make_scratch()), state(static_cast<size_t>(of.state_size())), next(state) {}
  Outcome step(const LineEnds& ends) {
    const Outcome outcome = model.step(state.data(), 0, 0.1, ends, next.data(), forces, *scratch);
    state.swap(next);
    return outcome;
  }
  const LineModel& model;
  std::unique_ptr<LineModel::Scratch> scratch;
  std::vector<double> state, next;
  EndForces forces;
};

void expect_derivatives(const LineModel& model, const LineEnds& ends, double tolerance) {
  Held held(model);
  ASSERT_TRUE(model.settle(ends, held.state.data(), held.forces, *held.scratch).converged);
  const Mat6 tangent = held.forces.tangent;
  const std::vector<double> rest = held.state;
  constexpr double d = 1e-4;
  for (int i = 0; i < 6; ++i) {
    Vec6 difference = Vec6::Zero();
    for (const double sign : {1.0, -1.0}) {
      LineEnds moved = ends;
      (i < 3 ? moved.a[i] : moved.b[i - 3]) += sign * d;
      held.state = rest;
      ASSERT_TRUE(held.step(moved).converged);
      difference.head<3>() += sign * held.forces.a / (2 * d);
      difference.tail<3>() += sign * held.forces.b / (2 * d);
    }
    EXPECT_LT((tangent.col(i) - difference).norm(), tolerance * tangent.norm()) << "column " << i;
  }
}

TEST(QuasiStaticLine, FollowsTheExactCatenary) {
  const double depth = 50;
  Bed bed = winkler_bed(-depth);
  bed.stiffness = 1e6;
  const QuasiStaticLine line(Line({chain(170, 170)}, {}, bed, {}));
  Held held(line);
  const Vec3 anchor(0, 0, -depth);
  ASSERT_TRUE(line.settle({anchor, {140, 0, 0}}, held.state.data(), held.forces, *held.scratch).converged);
  for (int i = 1; i <= 20; ++i) {
    const double span = 140 + 0.5 * i;
    const long before = allocated();
    ASSERT_TRUE(held.step({anchor, {span, 0, 0}}).converged);
    EXPECT_EQ(allocated(), before);
    const auto exact = grounded_catenary({170, 203.9 * 9.80665, 61.56e6}, span, depth);
    ASSERT_TRUE(exact);
    EXPECT_NEAR(held.forces.b.norm() / exact->tension_upper(), 1, 2e-3) << span;
  }
}

TEST(QuasiStaticLine, HasTheDerivativesOfDifferences) {
  const QuasiStaticLine line(Line({chain(170, 40)}, {}, winkler_bed(-35.8), {}));
  expect_derivatives(line, {Vec3(0, 0, -35.8), Vec3(159, 3, -10)}, 1e-6);
}

TEST(SpringLine, PullsAlongTheStraightLine) {
  const SpringLine line({{10, 0}, {12, 100}, {13, 500}}, 1000);
  expect_derivatives(line, {Vec3(1, 2, 3), Vec3(8, 9, 10)}, 1e-6);
  Held held(line);
  const auto tension = [&](double distance) {
    held.step({Vec3::Zero(), distance * Vec3(0.6, 0, 0.8)});
    EXPECT_NEAR(held.forces.b.normalized().dot(Vec3(-0.6, 0, -0.8)), distance > 10 ? 1 : 0, 1e-12);
    EXPECT_EQ(held.forces.a, -held.forces.b);
    return held.forces.b.norm();
  };
  EXPECT_EQ(tension(9), 0);
  EXPECT_NEAR(tension(11), 50, 1e-9);
  EXPECT_NEAR(tension(12.5), 300, 1e-9);
  EXPECT_NEAR(tension(14), 900, 1e-9);  // the last slope goes on
  LineView view;
  line.look(held.state.data(), view);
  EXPECT_NEAR(view.safety_factor, 1000.0 / 900, 1e-9);
  EXPECT_NEAR(line.energy(held.state.data()).total(), 100 + 300 + 0.5 * (500 + 900), 1e-9);
}

TEST(SpringLine, LinearGoesSlack) {
  const SpringLine line(SpringLine::linear(10, 100, 50), 0);
  Held held(line);
  for (const auto& [distance, tension] : {std::pair{90.0, 0.0}, {95.0, 0.0}, {99.0, 40.0}, {110.0, 150.0}}) {
    held.step({Vec3::Zero(), Vec3(distance, 0, 0)});
    EXPECT_NEAR(held.forces.b.norm(), tension, 1e-9) << distance;
  }
}

TEST(SpringLine, SaysWhatIsWrong) {
  EXPECT_THROW(SpringLine({{1, 0}}, 0), std::invalid_argument);
  EXPECT_THROW(SpringLine({{1, 0}, {1, 5}}, 0), std::invalid_argument);
  EXPECT_THROW(SpringLine({{1, 5}, {2, 4}}, 0), std::invalid_argument);
  EXPECT_THROW(SpringLine({{1, NAN}, {2, 4}}, 0), std::invalid_argument);
}

TEST(LinearLine, IsTheLineNearItsPlace) {
  const BarLine line(Line({chain(170, 40)}, {}, winkler_bed(-35.8), {}));
  const LineEnds ends{Vec3(0, 0, -35.8), Vec3(159, 0, -10)};
  Held held(line);
  ASSERT_TRUE(line.settle(ends, held.state.data(), held.forces, *held.scratch).converged);
  const LinearLine linear(ends, held.forces, line.length(), 0);
  expect_derivatives(linear, ends, 1e-6);
  Held near(linear);
  const LineEnds moved{ends.a, ends.b + Vec3(0.01, 0.01, -0.01)};
  near.step(moved);
  ASSERT_TRUE(line.settle(moved, held.state.data(), held.forces, *held.scratch).converged);
  EXPECT_LT((near.forces.b - held.forces.b).norm(), 1e-3 * held.forces.b.norm());
}

}  // namespace
}  // namespace davit::cable
