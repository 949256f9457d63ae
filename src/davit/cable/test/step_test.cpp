// A line in motion: forces and their derivatives, order, steps of any length, nothing from the heap.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/cable/line.hpp"
#include "lines.hpp"

namespace davit::cable {
namespace {

const Vec3 anchor(0, 0, -35.8), fairlead(159, 0, -10);

Moored on_bed(int elements, Numerics numerics = {}) {
  Bed bed = winkler_bed(-35.8);
  bed.friction_along = 0.7, bed.friction_across = 0.9;
  return Moored(Line({chain(170, elements)}, {}, bed, {}, numerics));
}
Vec3 surge(double t) { return fairlead + Vec3(2 * std::sin(t), 1 - std::cos(t), 0.5 * std::sin(2 * t)); }

TEST(LineStep, KeepsALineAtRest) {
  Moored m = on_bed(40);
  ASSERT_TRUE(m.settle(anchor, fairlead).converged);
  const Vec3 force = m.view().force_b;
  for (int i = 0; i < 100; ++i) {
    const Outcome outcome = m.step(0.1 * i, 0.1, anchor, fairlead);
    EXPECT_TRUE(outcome.converged);
    EXPECT_EQ(outcome.iterations, 1);
  }
  EXPECT_LT((m.forces.b - force).norm(), 1e-6 * force.norm());
}

// The derivative leaves out how drag and added mass turn with the bars, which is little.
TEST(LineStep, ForcesHaveTheDerivativesOfDifferences) {
  Moored m = on_bed(30, {.tolerance = 1e-10});
  ASSERT_TRUE(m.settle(anchor, fairlead).converged);
  const double h = 0.05;
  double t = 0;
  for (int i = 0; i < 40; ++i, t += h) ASSERT_TRUE(m.step(t, h, anchor, surge(t + h)).converged);
  const std::vector<double> before = m.state;
  ASSERT_TRUE(m.step(t, h, anchor, surge(t + h)).converged);
  const Mat6 tangent = m.forces.tangent;
  EXPECT_LT((tangent - tangent.transpose()).norm(), 1e-9 * tangent.norm());
  const double d = 1e-4;
  for (int i = 0; i < 6; ++i) {
    Vec6 difference = Vec6::Zero();
    for (const double sign : {1.0, -1.0}) {
      Vec3 a = anchor, b = surge(t + h);
      (i < 3 ? a[i] : b[i - 3]) += sign * d;
      m.state = before;
      ASSERT_TRUE(m.step(t, h, a, b).converged);
      difference.head<3>() += sign * m.forces.a / (2 * d);
      difference.tail<3>() += sign * m.forces.b / (2 * d);
    }
    EXPECT_LT((tangent.col(i) - difference).norm(), 0.01 * tangent.norm()) << "column " << i << "\n"
                                                                           << tangent.col(i).transpose() << "\n"
                                                                           << difference.transpose();
  }
  // Where A is held, only b's own block is made, and it is the same.
  m.state = before;
  m.forces.anchored = true;
  m.step(t, h, anchor, surge(t + h));
  EXPECT_EQ((Mat3(m.forces.tangent.bottomRightCorner<3, 3>())), (Mat3(tangent.bottomRightCorner<3, 3>())));
}

// Without what is left out, and where nothing sets in on the way, there is no difference.
TEST(LineStep, ForcesHaveTheDerivativesOfDifferencesToTheLastDigitsWhereNothingTurns) {
  Section s = chain(170, 30);
  s.damping_time = s.diameter = s.added_mass_normal = s.added_mass_tangential = 0;
  Moored m(Line({s}, {}, {}, {}, {.tolerance = 1e-10}));
  ASSERT_TRUE(m.settle(anchor, fairlead).converged);
  const double h = 0.05, d = 1e-5;
  double t = 0;
  for (int i = 0; i < 10; ++i, t += h) ASSERT_TRUE(m.step(t, h, anchor, surge(0.1 * (t + h))).converged);
  const std::vector<double> before = m.state;
  ASSERT_TRUE(m.step(t, h, anchor, surge(0.1 * (t + h))).converged);
  const Mat6 tangent = m.forces.tangent;
  for (int i = 0; i < 6; ++i) {
    Vec6 difference = Vec6::Zero();
    for (const double sign : {1.0, -1.0}) {
      Vec3 a = anchor, b = surge(0.1 * (t + h));
      (i < 3 ? a[i] : b[i - 3]) += sign * d;
      m.state = before;
      ASSERT_TRUE(m.step(t, h, a, b).converged);
      difference.head<3>() += sign * m.forces.a / (2 * d);
      difference.tail<3>() += sign * m.forces.b / (2 * d);
    }
    EXPECT_LT((tangent.col(i) - difference).norm(), 1e-6 * tangent.norm()) << "column " << i;
  }
}

TEST(LineStep, ATrialStartsFromTheLastOneAndEndsTheSame) {
  Moored m = on_bed(40, {.tolerance = 1e-9});
  ASSERT_TRUE(m.settle(anchor, fairlead).converged);
  const double h = 0.1;
  for (int i = 0; i < 20; ++i) m.step(i * h, h, anchor, surge((i + 1) * h));
  const Vec3 trial = surge(21 * h), end = trial + Vec3(0.02, -0.01, 0.03);
  const Line& line = m.line;
  line.step(m.state.data(), 20 * h, h, anchor, end, m.next.data(), m.forces, m.work);
  const Vec3 direct = m.forces.b;
  line.step(m.state.data(), 20 * h, h, anchor, trial, m.next.data(), m.forces, m.work);
  const Outcome again =
      line.step(m.state.data(), 20 * h, h, anchor, end, m.next.data(), m.forces, m.work, Guess::last_trial);
  EXPECT_TRUE(again.converged);
  EXPECT_LT((m.forces.b - direct).norm(), 1e-6 * direct.norm());
  EXPECT_NEAR((line.position(m.next.data(), line.elements()) - end).norm(), 0, 1e-12);
}

// A line that hangs between two ends, one of which moves: no bed, nothing that jumps.
Vec3 hanging_force(double h, double end, bool uneven) {
  Section s = chain(170, 20);
  s.damping_time = 0.02;
  Moored m(Line({s}, {}, {}, {}, {.tolerance = 1e-9}));
  const Vec3 a(0, 0, -40);
  EXPECT_TRUE(m.settle(a, fairlead).converged);
  // Four times continuous at the start, so that the first step has nothing to get wrong.
  const auto moved = [&](double t) -> Vec3 { return fairlead + Vec3(1, 0.5, 0.3) * std::pow(std::sin(0.4 * t), 5); };
  double t = 0;
  int i = 0;
  while (t < end - 1e-9) {
    const double step = uneven ? h * (i++ % 2 == 0 ? 1.2 : 0.8) : h;
    EXPECT_TRUE(m.step(t, step, a, moved(t + step)).converged);
    t += step;
  }
  return m.forces.b;
}

TEST(LineStep, IsOfSecondOrderWithEvenAndUnevenSteps) {
  const double end = 6.4;
  const Vec3 exact = (4 * hanging_force(0.00125, end, false) - hanging_force(0.0025, end, false)) / 3;
  for (const bool uneven : {false, true}) {
    const double coarse = (hanging_force(0.02, end, uneven) - exact).norm();
    const double fine = (hanging_force(0.01, end, uneven) - exact).norm();
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3) << uneven << " " << coarse << " " << fine;
  }
}

TEST(LineStep, TakesTinyStepsAndLongOnesAfterThem) {
  Moored m = on_bed(40);
  ASSERT_TRUE(m.settle(anchor, fairlead).converged);
  double t = 0;
  const double h = 0.05;
  for (int i = 0; i < 40; ++i, t += h) m.step(t, h, anchor, surge(t + h));
  const Vec3 force = m.forces.b;
  for (const double tiny : {1e-3, 1e-5, 1e-7})
    for (int i = 0; i < 3; ++i, t += tiny) {
      EXPECT_TRUE(m.step(t, tiny, anchor, surge(t + tiny)).converged) << tiny;
      EXPECT_LT((m.forces.b - force).norm(), 0.05 * force.norm()) << tiny;
    }
  for (int i = 0; i < 3; ++i, t += h) {
    EXPECT_TRUE(m.step(t, h, anchor, surge(t + h)).converged);
    EXPECT_LT((m.forces.b - force).norm(), 0.2 * force.norm());
  }
}

TEST(LineStep, EndsWhereTheCurrentHoldsIt) {
  Surroundings around;
  around.water.depth = 60;
  around.current = std::make_shared<sea::Current>(sea::Current::power_law(1.5, std::numbers::pi / 2, 60));
  Moored m(Line({chain(111, 30)}, {}, winkler_bed(-60), around));
  const Vec3 a(0, 0, -60), b(95, 0, -10);
  ASSERT_TRUE(m.settle(a, b).converged);
  const LineView still = m.view();
  double sideways = 0;
  for (const Vec3& p : still.positions) sideways = std::max(sideways, p.y());
  EXPECT_GT(sideways, 0.5);
  EXPECT_GT(still.force_b.y(), 0);
  for (int i = 0; i < 50; ++i) m.step(0.2 * i, 0.2, a, b);
  EXPECT_LT((m.view().force_b - still.force_b).norm(), 1e-3 * still.force_b.norm());
  EXPECT_LT((m.view().positions[15] - still.positions[15]).norm(), 1e-3);
}

// In water that accelerates as a whole a weightless line without drag is carried along by (1 + C_a) ρV/(m + C_a
// ρV).
TEST(LineStep, IsCarriedByWaterThatAccelerates) {
  Section s = chain(100, 10);
  s.mass = 2000, s.displacement = 1, s.drag_normal = s.drag_tangential = 0, s.EA = 1;
  s.added_mass_normal = s.added_mass_tangential = 0.5;
  Surroundings around;
  around.water.gravity = 0;
  const Vec3 a_water(0.1, 0.2, 0.3);
  around.waves = true;
  const Sea sea{[&](double, const Vec3*, int count, WaterSample* samples) {
    for (int i = 0; i < count; ++i) samples[i] = {Vec3::Zero(), a_water, 0};
  }};
  Moored m(Line({s}, {}, {}, around));
  m.sea = &sea;
  ASSERT_TRUE(m.settle(Vec3(0, 0, -50), Vec3(99, 0, -50), Line::Start::straight).converged);
  // The ends go along.
  const Vec3 expected = a_water * (1.5 * 1025) / (2000 + 0.5 * 1025);
  const double h = 0.01;
  for (int i = 1; i <= 100; ++i) {
    const Vec3 moved = 0.5 * expected * (i * h) * (i * h);
    ASSERT_TRUE(m.step((i - 1) * h, h, Vec3(0, 0, -50) + moved, Vec3(99, 0, -50) + moved).converged);
  }
  EXPECT_LT((m.line.velocity(m.state.data(), 5) - expected).norm(), 0.01 * expected.norm());
}

TEST(LineStep, AllocatesNothing) {
  Moored m = on_bed(41);
  ASSERT_TRUE(m.settle(anchor, fairlead).converged);
  const long before = allocated();
  for (int i = 0; i < 10; ++i) m.step(0.1 * i, 0.1, anchor, surge(0.1 * (i + 1)));
  m.line.settle(anchor, fairlead, m.state.data(), m.work, Line::Start::state);
  EXPECT_EQ(allocated(), before);
  void* const something = ::operator new(100);  // called by its name, which no compiler may leave out
  EXPECT_EQ(allocated(), before + 1);
  ::operator delete(something);
}

}  // namespace
}  // namespace davit::cable
