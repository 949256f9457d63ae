// The reduced scheme: the solution of the full one, in fewer unknowns and with a matrix that stays well conditioned.
#include <gtest/gtest.h>

#include "davit/solve/methods.hpp"
#include "verify/methods/method_problems.hpp"
#include "verify/methods/newton_matrix.hpp"
#include "verify/plans/rotary_crane.hpp"

namespace davit::verify {
namespace {

// The largest difference of coordinates and speeds between the full and the reduced scheme over some steps.
double difference(const Model& model, ImplicitMethod method, int steps, double h) {
  System system(model);
  State full = model.initial_state(), reduced = full;
  const auto one = make_implicit(method, model), other = make_implicit(method, model, {.reduced = true});
  EXPECT_FALSE(unsupported_reason(*other, model, h));
  VecX d(model.nu());
  double worst = 0;
  for (int i = 0; i < steps; ++i) {
    const StepOutcome a = one->step(system, full, h), b = other->step(system, reduced, h);
    EXPECT_TRUE(a.ok && b.ok) << b.why.element << ": " << b.why.why;
    if (!a.ok || !b.ok) break;
    system.difference(full.q, reduced.q, d);
    worst = std::max({worst, d.cwiseAbs().maxCoeff(), (full.u - reduced.u).cwiseAbs().maxCoeff()});
  }
  EXPECT_EQ(other->counts().rejected, 0);
  return worst;
}

TEST(Reduced, MovesAsTheFullScheme) {
  for (const MethodProblem& p : method_problems()) {
    if (!p.model->contacts().empty()) continue;
    for (const ImplicitMethod method : {ImplicitMethod::conserving, ImplicitMethod::midpoint,
                                        ImplicitMethod::implicit_euler, ImplicitMethod::generalised_alpha}) {
      if (unsupported_reason(*make_implicit(method, *p.model), *p.model, 0.01)) continue;
      EXPECT_LT(difference(*p.model, method, 40, 0.01), 1e-10) << p.name << ", method " << static_cast<int>(method);
    }
  }
}

TEST(Reduced, MovesAsTheFullSchemeOnTheRotaryCrane) {
  const RotaryCrane crane = rotary_crane_by_directors();
  EXPECT_LT(difference(*crane.model, ImplicitMethod::energy_momentum, 100, 0.005), 1e-10);
}

TEST(Reduced, GivesTheMultipliersToo) {
  for (const MethodProblem& p : method_problems()) {
    if (p.name != "director bodies") continue;
    System system(*p.model);
    State full = p.model->initial_state(), reduced = full;
    ASSERT_TRUE(make_implicit(ImplicitMethod::conserving, *p.model)->step(system, full, 0.01).ok);
    ASSERT_TRUE(make_implicit(ImplicitMethod::conserving, *p.model, {.reduced = true})->step(system, reduced, 0.01).ok);
    EXPECT_LT((full.lambda - reduced.lambda).norm(), 1e-8 * full.lambda.norm());
  }
}

TEST(Reduced, RowsThatFollowFromOthersChangeNothing) {
  for (const MethodProblem& p : method_problems()) {
    if (p.name != "constraints on a tree") continue;
    ModelParts parts;
    for (const auto& b : p.model->blocks()) parts.blocks.push_back(b.block);
    for (const auto& f : p.model->forces()) parts.forces.push_back(f.element);
    for (const auto& c : p.model->constraints()) parts.constraints.push_back(c.constraint);
    parts.constraints.push_back({"again", p.model->constraints()[0].constraint.geometry});
    const Model doubled(std::move(parts));
    System one(*p.model), other(doubled);
    State a = p.model->initial_state(), b = doubled.initial_state();
    const auto full = make_implicit(ImplicitMethod::conserving, *p.model);
    const auto reduced = make_implicit(ImplicitMethod::conserving, doubled, {.reduced = true});
    for (int i = 0; i < 40; ++i) {
      ASSERT_TRUE(full->step(one, a, 0.01).ok);
      ASSERT_TRUE(reduced->step(other, b, 0.01).ok);
    }
    EXPECT_LT((a.q - b.q).norm() + (a.u - b.u).norm(), 1e-10);
  }
}

TEST(Reduced, RefusesContacts) {
  for (const MethodProblem& p : method_problems())
    if (!p.model->contacts().empty()) {
      const auto why =
          make_implicit(ImplicitMethod::conserving, *p.model, {.reduced = true})->unsupported_reason(*p.model);
      ASSERT_TRUE(why);
      EXPECT_NE(why->find("contact"), std::string::npos);
    }
}

}  // namespace
}  // namespace davit::verify
