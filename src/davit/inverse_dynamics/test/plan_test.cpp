// Plans by every method against closed forms, with their orders; and their replay.
#include "davit/inverse_dynamics/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "davit/inverse_dynamics/plan_track.hpp"
#include "small_problems.hpp"

namespace davit::inverse_dynamics {
namespace {

using testing::Carts;
using testing::Crane;

// The largest error of the push and of the first cart's place, beside their sizes. The first steps of methods that look
// back are of a lower order.
struct Errors {
  double push = 0, place = 0;
};
Errors errors_of(const Carts& carts, const Plan& plan, double from = 0) {
  Errors out;
  double most_push = 0;
  for (const Instant& at : plan.points) {
    const auto exact = carts.at(std::min(at.t, 2 - 1e-9));
    most_push = std::max(most_push, std::abs(exact.push));
    if (at.t < from) continue;
    out.push = std::max(out.push, std::abs(at.w[0] - exact.push));
    out.place = std::max(out.place, std::abs(at.q[0] - exact.first));
  }
  out.push /= most_push;
  return out;
}
PlanOptions by(Method method, Scheme scheme, double step) {
  PlanOptions options;
  options.method = method;
  options.scheme = scheme;
  options.step = step;
  options.time_scale = 0.15;
  return options;
}

TEST(Plan, ByTheArrayIsExactAtAnyStep) {
  const Carts one({3}, {}), two({3, 2}, {50});
  for (const Carts* carts : {&one, &two})
    for (const double step : {0.02, 0.4}) {
      const Plan plan = make_plan(carts->problem, by(Method::algebraic, {}, step));
      ASSERT_TRUE(plan.complete) << plan.why;
      EXPECT_TRUE(plan.singular.empty());
      const Errors errors = errors_of(*carts, plan);
      EXPECT_LT(errors.push, 1e-8);
      EXPECT_LT(errors.place, 1e-9);
    }
}

// The array is exact, Radau's method of order two in what index three makes of the inputs.
TEST(Plan, OfACraneIsItsClosedForm) {
  const Crane crane;
  struct Try {
    PlanOptions options;
    double place, force;
  };
  for (const Try& t : {Try{by(Method::algebraic, {}, 0.1), 1e-8, 1e-5},
                       Try{by(Method::minimal_extension, Scheme::radau, 0.01), 1e-4, 1}}) {
    const Plan plan = make_plan(crane.problem, t.options);
    ASSERT_TRUE(plan.complete) << plan.why;
    for (const Instant& at : plan.points) {
      if (at.t < 0.05 || at.t > 1.95) continue;
      const auto exact = crane.at(at.t);
      EXPECT_NEAR(at.q[0], exact.trolley, t.place) << at.t;
      EXPECT_NEAR(at.w[0], exact.push, t.force) << at.t;
      EXPECT_NEAR(at.w[1], exact.winch, t.force) << at.t;
    }
  }
}

// Half the step: errors fall by 2^order.
void expect_order(const Carts& carts, Method method, Scheme scheme, double step, double order) {
  const auto error = [&](double h) {
    const Plan plan = make_plan(carts.problem, by(method, scheme, h));
    EXPECT_TRUE(plan.complete) << plan.why;
    return errors_of(carts, plan, 0.3);
  };
  const Errors coarse = error(step), fine = error(step / 2);
  EXPECT_NEAR(std::log2(coarse.push / fine.push), order, 0.3) << coarse.push << " " << fine.push;
}

TEST(MinimalExtension, HasTheOrdersOfItsSchemes) {
  const Carts two({3, 2}, {50});
  expect_order(two, Method::minimal_extension, Scheme::backward_euler, 0.005, 1);
  expect_order(two, Method::minimal_extension, Scheme::bdf2, 0.01, 2);
  expect_order(two, Method::minimal_extension, Scheme::radau, 0.02, 2);
}

TEST(MinimalExtension, ByRadauIsMoreExact) {
  const Carts two({3, 2}, {50});
  const auto push = [&](Scheme scheme) {
    return errors_of(two, make_plan(two.problem, by(Method::minimal_extension, scheme, 0.02))).push;
  };
  EXPECT_LT(push(Scheme::radau), 0.1 * push(Scheme::bdf2));
}

// Of one cart every speed is a dummy: outputs hold with both of their rates at any step.
TEST(MinimalExtension, HoldsOutputsWithBothRates) {
  const Carts one({3}, {});
  const Plan plan = make_plan(one.problem, by(Method::minimal_extension, Scheme::backward_euler, 0.2));
  ASSERT_TRUE(plan.complete) << plan.why;
  for (const Instant& at : plan.points) {
    if (at.t == 0) continue;
    EXPECT_NEAR(at.q[0], testing::one_move().value(at.t), 1e-12);
    EXPECT_NEAR(at.u[0], testing::one_move().derivative(1, at.t), 1e-11);
    EXPECT_NEAR(at.w[0], 3 * testing::one_move().derivative(2, at.t), 1e-9);
  }
  ASSERT_FALSE(plan.dummies.empty());
  EXPECT_EQ(plan.dummies[0], std::vector<int>{0});
}

TEST(Projection, ConvergesWithItsStep) {
  const Carts two({3, 2}, {50});
  expect_order(two, Method::projection, {}, 0.005, 1);
  // Without constraints there is nothing else to project along.
  const Plan plain = make_plan(two.problem, by(Method::projection, {}, 0.02)),
             constrained = make_plan(two.problem, by(Method::projection_constrained, {}, 0.02));
  ASSERT_EQ(plain.points.size(), constrained.points.size());
  for (size_t i = 0; i < plain.points.size(); ++i)
    EXPECT_NEAR(plain.points[i].w[0], constrained.points[i].w[0], 1e-7 * (1 + std::abs(plain.points[i].w[0])));
}

// Along outputs that are not straight in the coordinates: the push of the crane's trolley, in few iterations a step.
TEST(Projection, FollowsACrane) {
  const Crane crane;
  const auto error = [&](double step) {
    const Plan plan = make_plan(crane.problem, by(Method::projection, {}, step));
    EXPECT_TRUE(plan.complete) << plan.why;
    EXPECT_LT(plan.iterations, 8 * static_cast<long>(plan.points.size()));
    double worst = 0;
    for (const Instant& at : plan.points)
      if (at.t > 0.3 && at.t < 1.95) worst = std::max(worst, std::abs(at.w[0] - crane.at(at.t).push));
    return worst;
  };
  EXPECT_NEAR(std::log2(error(0.004) / error(0.002)), 1, 0.3);
}

TEST(Replay, OfAPlanFollowsTheDesiredMotion) {
  const Crane crane;
  const Plan plan = make_plan(crane.problem, by(Method::algebraic, {}, 0.02));
  ASSERT_TRUE(plan.complete);
  const auto stepper = make_rk4(*crane.model);
  const Replay played = replay(crane.problem, plan, crane.signals, *stepper, 0.002);
  ASSERT_TRUE(played.complete) << played.why;
  EXPECT_EQ(played.times.size(), plan.points.size());
  EXPECT_LT(played.largest.maxCoeff(), 1e-5);
  EXPECT_NEAR(played.end.q[0], 3, 1e-3);
  // Without its inputs it does not.
  const Replay without = replay(crane.problem, crane.problem.start, {}, {0.5}, *stepper, 0.002);
  EXPECT_GT(without.largest[1], 0.5);
}

TEST(PlannedInputs, GoThroughTheirPoints) {
  const Carts two({3, 2}, {50});
  const Plan plan = make_plan(two.problem, by(Method::algebraic, {}, 0.1));
  const std::vector<Motion> inputs = planned_inputs(plan);
  ASSERT_EQ(inputs.size(), 1u);
  for (const double t : {0.3, 0.75, 1.23}) {
    EXPECT_NEAR(inputs[0].value(t), two.at(t).push, 2e-3);
    EXPECT_NEAR(planned_motion(plan, [](const Instant& at) { return at.q[0]; }).value(t), two.at(t).first, 2e-3);
  }
}

TEST(PlanTrack, InterpolatesAndStays) {
  const Carts two({3, 2}, {50});
  const Plan plan = make_plan(two.problem, by(Method::algebraic, {}, 0.05));
  const PlanTrack track(*two.model, plan);
  EXPECT_EQ(track.begin(), 0);
  EXPECT_EQ(track.end(), 2);
  for (const double t : {0.31, 0.777, 1.512}) {
    const Instant at = track.at(t);
    const double h = 1e-5;
    EXPECT_NEAR(at.q[0], two.at(t).first, 1e-5);
    EXPECT_NEAR(at.u[0], (two.at(t + h).first - two.at(t - h).first) / (2 * h), 1e-3);
  }
  EXPECT_NEAR(track.at(7).q[0], 1, 1e-9);
  EXPECT_NEAR(track.at(7).u.norm(), 0, 1e-9);
  // Between two places and back.
  const VecX d = difference_of(*two.model, plan.points[3].q, plan.points[9].q);
  EXPECT_LT((moved_by(*two.model, plan.points[3].q, d) - plan.points[9].q).norm(), 1e-14);
}

}  // namespace
}  // namespace davit::inverse_dynamics
