// Steps in which a line comes taut at several metres a second, and which have no solution near the prediction.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/cable/bar_line.hpp"
#include "davit/cable/beam_line.hpp"
#include "lines.hpp"

namespace davit::cable {
namespace {

// A line of 170 m over 50 m of depth whose fairlead goes to and fro by 9 m: slack, and past taut.
constexpr double reach = 9, duration = 12;
const Vec3 bollard(0, 0, -50);
Vec3 stern(double speed, double t) { return {154 - reach * std::cos(speed / reach * t), 0, 0}; }
Section heavy_chain(int elements) {
  Section s = chain(170, elements);
  s.EA = 5e8, s.mass = 126, s.displacement = 0.016, s.diameter = 0.076;
  return s;
}
Bed hard_bed(double stiffness) {
  Bed bed;
  bed.height = -50, bed.stiffness = stiffness;
  return bed;
}

struct Snatch {
  double impulse = 0;  // of the tension at the fairlead
  int refused = 0;     // steps that find no solution at once
};
template <class Model, class AtOnce>
Snatch snatched(const Model& model, double speed, double h, const AtOnce& at_once) {
  const auto scratch = model.make_scratch();
  std::vector<double> state(static_cast<size_t>(model.state_size())), next = state;
  EndForces forces;
  EXPECT_TRUE(model.settle({bollard, stern(speed, 0)}, state.data(), forces, *scratch).converged);
  Snatch out;
  const long before = allocated();
  const int steps = static_cast<int>(std::lround(duration / h));
  for (int i = 0; i < steps; ++i) {
    const LineEnds ends{bollard, stern(speed, (i + 1) * h)};
    out.refused += !at_once(state.data(), i * h, h, ends, next.data());
    const Outcome outcome = model.step(state.data(), i * h, h, ends, next.data(), forces, *scratch);
    EXPECT_TRUE(outcome.converged) << "step " << i << ": " << outcome.change << " m, " << outcome.residual << " N";
    EXPECT_LT((model.ends(next.data()).b - ends.b).norm(), 1e-12);
    state.swap(next);
    out.impulse += h * forces.b.norm();
  }
  EXPECT_EQ(allocated(), before);
  return out;
}
Snatch of_bars(double bed, double speed, double h) {
  const BarLine model(Line({heavy_chain(60)}, {}, hard_bed(bed), {}));
  LineWork work = model.line().make_work();
  EndForces forces;
  return snatched(model, speed, h, [&](const double* from, double t, double step, const LineEnds& ends, double* to) {
    return model.line().step(from, t, step, ends.a, ends.b, to, forces, work).converged;
  });
}
Snatch of_beams(double bed, double speed, double h) {
  const BeamLine model(Beam({heavy_chain(30)}, {}, hard_bed(bed), {}));
  BeamWork work = model.line().make_work();
  EndForces forces;
  return snatched(model, speed, h, [&](const double* from, double t, double step, const LineEnds& ends, double* to) {
    return model.line().step(from, t, step, ends, to, forces, work).converged;
  });
}

TEST(PartedModel, StepsWhereALineOfBarsIsSnatched) {
  for (const auto& [bed, speed] : {std::pair{0.0, 8.0}, {1e5, 14.0}, {1e7, 8.0}}) {
    const Snatch coarse = of_bars(bed, speed, 0.2), fine = of_bars(bed, speed, 0.02);
    EXPECT_GT(coarse.refused, 0) << "else this tests nothing: " << bed;
    EXPECT_NEAR(coarse.impulse / fine.impulse, 1, 0.04) << bed;
  }
}

TEST(PartedModel, StepsWhereALineOfBeamsIsSnatched) {
  for (const auto& [bed, speed] : {std::pair{0.0, 8.0}, {4e4, 8.0}, {1e7, 14.0}}) {
    const Snatch coarse = of_beams(bed, speed, 0.2), fine = of_beams(bed, speed, 0.02);
    EXPECT_GT(coarse.refused, 0) << "else this tests nothing: " << bed;
    EXPECT_NEAR(coarse.impulse / fine.impulse, 1, 0.04) << bed;
  }
}

// The derivative of a step in parts is that of one step of the whole length: as much as Newton's method needs.
TEST(PartedModel, HasNearlyTheDerivativesOfDifferences) {
  const BarLine model(Line({heavy_chain(60)}, {}, hard_bed(1e7), {}));
  const auto scratch = model.make_scratch();
  std::vector<double> state(static_cast<size_t>(model.state_size())), next = state;
  EndForces forces;
  ASSERT_TRUE(model.settle({bollard, stern(8, 0)}, state.data(), forces, *scratch).converged);
  LineWork work = model.line().make_work();
  constexpr double h = 0.2, d = 1e-3;
  int checked = 0;
  for (int i = 0; i < 60; ++i) {
    const LineEnds ends{bollard, stern(8, (i + 1) * h)};
    const bool refused =
        !model.line().step(state.data(), i * h, h, ends.a, ends.b, next.data(), forces, work).converged;
    ASSERT_TRUE(model.step(state.data(), i * h, h, ends, next.data(), forces, *scratch).converged);
    if (refused && forces.b.norm() > 1e5) {
      const Mat6 tangent = forces.tangent;
      std::vector<double> other = next;
      EndForces less, more;
      ASSERT_TRUE(
          model.step(state.data(), i * h, h, {ends.a, ends.b - Vec3(d, 0, 0)}, other.data(), less, *scratch).converged);
      ASSERT_TRUE(
          model.step(state.data(), i * h, h, {ends.a, ends.b + Vec3(d, 0, 0)}, other.data(), more, *scratch).converged);
      const double slope = (more.b - less.b).x() / (2 * d);
      EXPECT_NEAR(tangent(3, 3) / slope, 1, 0.5) << "step " << i;
      ++checked;
    }
    state.swap(next);
  }
  EXPECT_GT(checked, 0);
}

}  // namespace
}  // namespace davit::cable
