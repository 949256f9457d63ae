// What is estimated of a crane: it comes to what is, knows nothing of what channels do not show, and needs channels of
// the plan's model.
#include "davit/tracking/estimator.hpp"

#include <gtest/gtest.h>

#include "davit/inverse_dynamics/error_dynamics.hpp"
#include "davit/inverse_dynamics/motion_tangent.hpp"
#include "davit/inverse_dynamics/test/small_problems.hpp"
#include "davit/tracking/state_map.hpp"

namespace davit::tracking {
namespace {

using inverse_dynamics::testing::Carts;

// Two carts with a spring between, of which the first is pushed; planned.
struct TrackedCarts {
  Carts carts{{2, 1}, {30}};
  inverse_dynamics::Plan plan = inverse_dynamics::make_plan(carts.problem, {});
  TrackedPlan tracked{nullptr, carts.problem, plan};
  TrackedCarts() { tracked.inputs.push_back({"drive0", "N", {0, 0}, carts.signals[0]}); }
};

TEST(Estimator, ComesToTheStateFromOnePlaceAlone) {
  const TrackedCarts c;
  const double h = 0.02;
  const Estimator estimator(c.tracked, {"cart1.position_x"}, {.disturbance = 1, .noise = {0.01}}, h);
  ASSERT_FALSE(estimator.why_not()) << *estimator.why_not();
  inverse_dynamics::ServoEquations equations(c.carts.problem);
  const double end = c.tracked.track.end();
  const auto tangent = linearise_motion(equations, c.tracked.track.at(end));
  MatX held = MatX::Zero(5, 5);
  held.topRows(4) << tangent.A, tangent.B;
  const MatX step = inverse_dynamics::exponential_of(h * held);
  VecX truth(4), push(1), off(1), estimate = VecX::Zero(4);
  truth << 0.3, -0.2, 0.1, 0.4;
  double first = 0;
  for (int k = 0; k < 1200; ++k) {
    push[0] = std::sin(0.1 * k);
    const VecX x = tangent.T * truth;
    off[0] = x[0] + x[1];  // the second cart is on the first
    if (k == 0) first = (x - estimate).norm();
    estimator.advance(end, off, push, estimate);
    truth = step.topLeftCorner(4, 4) * truth + step.topRightCorner(4, 1) * push;
  }
  EXPECT_LT((tangent.T * truth - estimate).norm(), 1e-9 * first);
}

TEST(Estimator, SaysWhereChannelsDoNotShowTheMotion) {
  const TrackedCarts c;
  // The stretch of the spring says nothing of where both carts are.
  const Estimator estimator(c.tracked, {"cart1.travel"}, {.disturbance = 1, .noise = {0.01}}, 0.02);
  ASSERT_TRUE(estimator.why_not());
  EXPECT_NE(estimator.why_not()->find("does not show how the crane moves"), std::string::npos);
}

TEST(PlannedChannels, AreThoseOfThePlansModel) {
  const TrackedCarts c;
  PlannedChannels channels(c.tracked, {"cart0.travel", "cart7.travel", "cart1.position_x"});
  EXPECT_EQ(channels.missing(), std::vector<std::string>{"cart7.travel"});
  const auto at = c.tracked.track.at(1.0);
  const VecX values = channels.at(at);
  EXPECT_DOUBLE_EQ(values[0], at.q[0]);
  EXPECT_NEAR(values[1], at.q[0] + at.q[1], 1e-12);
}

TEST(StateMap, FindsCoordinatesByTheirNames) {
  using inverse_dynamics::testing::on_slide;
  const auto model_of = [](std::vector<Body> bodies) {
    const auto tree = std::make_shared<Tree>(std::move(bodies));
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    return std::make_unique<Model>(std::move(parts));
  };
  Body hull = on_slide("hull", "world", 5);
  hull.joint.kind = JointKind::free;
  Body load = on_slide("load", "world", 1);
  load.joint.kind = JointKind::free;
  load.joint.position = {1, 2, 3, 0, 0, 0};
  Body trolley = on_slide("trolley", "hull", 2);
  trolley.joint.position = {0.7};
  Body fixed = trolley;
  fixed.on = "world";
  const auto run = model_of({hull, trolley, load}), plan = model_of({load, fixed});
  const StateMap map(*plan, *run);
  EXPECT_TRUE(map.missing().empty());
  const State state = run->initial_state();
  Kin kin;
  kin.q = state.q.data();
  kin.u = state.u.data();
  VecX q = plan->initial_state().q, u = plan->initial_state().u;
  map.take(kin, q, u);
  const State expected = plan->initial_state();
  EXPECT_EQ(q, expected.q);
  EXPECT_EQ(StateMap(*run, *plan).missing(), std::vector<std::string>{"hull"});
}

}  // namespace
}  // namespace davit::tracking
