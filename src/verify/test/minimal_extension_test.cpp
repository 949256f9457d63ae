// Minimal extension: the constraints with both derivatives, their forces, and rows that follow from others.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/constraint/frame_constraint.hpp"
#include "davit/solve/methods.hpp"
#include "verify/methods/method_problems.hpp"
#include "verify/plans/rotary_crane.hpp"

namespace davit::verify {
namespace {

const MethodProblem& problem(const std::string& name) {
  for (const MethodProblem& p : method_problems())
    if (p.name == name) return p;
  throw std::invalid_argument(name);
}

State advance(System& system, Stepper& stepper, double end, double h) {
  State s = system.model().initial_state();
  while (s.t < end - 1e-9) {
    const StepOutcome out = stepper.step(system, s, std::min(h, end - s.t));
    EXPECT_TRUE(out.ok) << out.why.element << ": " << out.why.why;
    if (!out.ok) break;
  }
  return s;
}

class HiddenConstraints : public ::testing::TestWithParam<const char*> {};

TEST_P(HiddenConstraints, HoldAtTheEndOfEveryStep) {
  const MethodProblem& p = problem(GetParam());
  const Model& model = *p.model;
  System system(model);
  State s = model.initial_state();
  const auto stepper = make_minimal_extension(model);
  VecX bias(model.rows());
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(stepper->step(system, s, 0.01).ok);
    const RowWork& rows = system.rows_at(s);
    ASSERT_LT(rows.g.cwiseAbs().maxCoeff(), 1e-12);
    ASSERT_LT((rows.G.transpose() * s.u).cwiseAbs().maxCoeff(), 1e-12);
    system.rate_bias(bias);
    const VecX a = s.integrator_history.head(model.nu());
    ASSERT_LT((rows.G.transpose() * a + bias).cwiseAbs().maxCoeff(), 1e-10 * (1 + a.norm()));
  }
}

TEST_P(HiddenConstraints, TheirForcesAreAsAccurateAsTheMotion) {
  const MethodProblem& p = problem(GetParam());
  System system(*p.model);
  const auto exact = make_dormand_prince(*p.model, {.tolerance = 1e-13});
  ASSERT_TRUE(system.evaluate(advance(system, *exact, p.end, p.end)));
  const VecX lambda = system.workspace().rows.lambda;
  const auto error = [&](int steps) {
    const auto stepper = make_minimal_extension(*p.model);
    return (advance(system, *stepper, p.end, p.end / steps).lambda - lambda).norm();
  };
  const double coarse = error(p.steps), fine = error(2 * p.steps);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.25) << coarse << " " << fine;
  EXPECT_LT(fine, 1e-3 * lambda.norm());
}

INSTANTIATE_TEST_SUITE_P(MinimalExtension, HiddenConstraints,
                         ::testing::Values("constraints on a tree", "constraints on particles", "director bodies"),
                         [](const auto& chosen) {
                           std::string name = chosen.param;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

TEST(MinimalExtension, RowsThatFollowFromOthersChangeNothing) {
  const MethodProblem& p = problem("constraints on a tree");
  ModelParts parts;
  for (const auto& b : p.model->blocks()) parts.blocks.push_back(b.block);
  for (const auto& f : p.model->forces()) parts.forces.push_back(f.element);
  for (const auto& c : p.model->constraints()) parts.constraints.push_back(c.constraint);
  parts.constraints.push_back({"again", p.model->constraints()[0].constraint.geometry});
  const Model doubled(std::move(parts));
  System one(*p.model), other(doubled);
  const auto a = make_minimal_extension(*p.model), b = make_minimal_extension(doubled);
  const State plain = advance(one, *a, 0.5, 0.01), redundant = advance(other, *b, 0.5, 0.01);
  EXPECT_LT((plain.q - redundant.q).norm(), 1e-9);
  EXPECT_LT((plain.u - redundant.u).norm(), 1e-9);
}

TEST(MinimalExtension, NamesTheRowThatCannotBeMet) {
  const MethodProblem& p = problem("constraints on particles");
  System system(*p.model);
  State s = p.model->initial_state();
  s.u *= 1e4;  // the rods cannot follow a step of metres
  const State start = s;
  const auto stepper = make_minimal_extension(*p.model, {.halvings = 0});
  const StepOutcome out = stepper->step(system, s, 1);
  ASSERT_FALSE(out.ok);
  EXPECT_EQ(out.why.element.find("rod"), 0u) << out.why.element << ": " << out.why.why;
  EXPECT_EQ(s.hash(), start.hash());
}

// 42 coordinates, 37 rows, three of the coordinates without mass: against the same crane in five coordinates.
TEST(MinimalExtension, RunsTheRotaryCraneOfDirectorBodies) {
  const RotaryCrane plain = rotary_crane_by_joints(), crane = rotary_crane_by_directors();
  System reference(*plain.model), system(*crane.model);
  const double end = 0.5;
  const auto exact = make_dormand_prince(*plain.model, {.tolerance = 1e-12});
  const State truth = advance(reference, *exact, end, end);
  const auto error = [&](int steps) {
    const auto stepper = make_minimal_extension(*crane.model);
    const State s = advance(system, *stepper, end, end / steps);
    return std::hypot(s.q[crane.slew.q] - truth.q[plain.slew.q], s.q[crane.travel.q] - truth.q[plain.travel.q],
                      crane.length_at_zero + crane.length_per_hoist * s.q[crane.hoist.q] - truth.q[plain.hoist.q]);
  };
  // The free winch reaches 40 rad/s: steps must resolve its turning.
  const double coarse = error(100), fine = error(200);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.25) << coarse << " " << fine;
}

}  // namespace
}  // namespace davit::verify
