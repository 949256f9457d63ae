// Feedback that tracks a plan: gains and poles, linear-quadratic design against closed forms, and a double integrator
// in a loop against its recurrence.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <numbers>

#include "davit/dynamics/tree.hpp"
#include "davit/force/joint_forces.hpp"
#include "davit/input/document.hpp"
#include "davit/inverse_dynamics/closed_loop.hpp"
#include "davit/inverse_dynamics/linearising_feedback.hpp"
#include "davit/inverse_dynamics/riccati.hpp"
#include "davit/inverse_dynamics/servo_constraint.hpp"
#include "davit/inverse_dynamics/servo_feedback.hpp"
#include "davit/inverse_dynamics/specification.hpp"
#include "davit/math/linear_algebra.hpp"

namespace davit::inverse_dynamics {
namespace {

TEST(ErrorDynamics, PolynomialOfPoles) {
  const VecX c = polynomial_of({{-1, 2}, {-1, -2}, {-3, 0}});
  EXPECT_NEAR(c[0], 15, 1e-12);
  EXPECT_NEAR(c[1], 11, 1e-12);
  EXPECT_NEAR(c[2], 5, 1e-12);
  EXPECT_EQ(c[3], 1);
  EXPECT_THROW(polynomial_of({{-1, 2}}), std::invalid_argument);
}

TEST(ErrorDynamics, UnstableGainsAreRefusedWithASentence) {
  EXPECT_FALSE(ServoGains({2, 2, 3.9}).why_not_stable());
  const auto why = ServoGains{2, 2, 4}.why_not_stable();
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("a b = 4 is not above c = 4"), std::string::npos);
  EXPECT_TRUE(ServoGains({-1, 2, 0}).why_not_stable());
  EXPECT_TRUE(ServoGains({1, 0, 0}).why_not_stable());
  EXPECT_TRUE(ServoGains({1, 1, -0.1}).why_not_stable());
  EXPECT_TRUE(why_not_stable({{0.1, 0}}));
}

// Routh's criterion beside the roots themselves.
TEST(ErrorDynamics, RouthIsWhatTheRootsSay) {
  rc::check([] {
    const auto number = [] { return 0.01 * *rc::gen::inRange(-300, 900); };
    const ServoGains gains{number(), number(), number()};
    RC_PRE(gains.c != 0 && std::abs(gains.a * gains.b - gains.c) > 1e-3);
    bool stable = true;
    for (const auto& pole : gains.poles()) stable = stable && pole.real() < 0;
    RC_ASSERT(stable == !gains.why_not_stable().has_value());
  });
}

TEST(ErrorDynamics, ExponentialOfARotation) {
  MatX A(2, 2);
  A << 0, -1, 1, 0;
  const MatX R = exponential_of(A * (40 * std::numbers::pi + 1));
  EXPECT_NEAR(R(0, 0), std::cos(1), 1e-12);
  EXPECT_NEAR(R(1, 0), std::sin(1), 1e-12);
}

// ẍ = w with Q = diag(1, 0), R = r: K = (1/√r, √2 r^(-1/4)).
TEST(Regulator, DoubleIntegrator) {
  MatX A(2, 2), B(2, 1), Q = MatX::Zero(2, 2), R(1, 1);
  A << 0, 1, 0, 0;
  B << 0, 1;
  Q(0, 0) = 1;
  R << 0.25;
  const Regulator found = regulate(A, B, Q, R);
  ASSERT_TRUE(found.found);
  EXPECT_NEAR(found.K(0, 0), 2, 1e-12);
  EXPECT_NEAR(found.K(0, 1), 2, 1e-12);
  EXPECT_NEAR((found.P - found.P.transpose()).norm(), 0, 1e-14);
}

TEST(Regulator, WhatNothingMovesIsNotHeld) {
  MatX A = MatX::Zero(3, 3), B = MatX::Zero(3, 1);
  A(0, 1) = 1;  // the third state stays where it is
  B(1, 0) = 1;
  EXPECT_FALSE(regulate(A, B, MatX::Identity(3, 3), MatX::Identity(1, 1)).found);
  const MatX part = reachable_part(A, B);
  ASSERT_EQ(part.cols(), 2);
  EXPECT_LT(part.row(2).norm(), 1e-14);
}

// A cart on rails that shall stay where it is: m ẍ = w.
struct Cart {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  ServoProblem problem;
  Plan plan;
  Signal signal;
  static constexpr double mass = 3;

  Cart() {
    Body cart;
    cart.name = "cart";
    cart.joint.kind = JointKind::prismatic;
    cart.joint.axis = Vec3::UnitX();
    cart.mass = mass;
    tree = std::make_shared<Tree>(std::vector{cart});
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    const int port = parts.add(Input{"force", "N"});
    parts.forces = {std::make_shared<JointActuator>("motor", JointCoordinate{"cart", 0, 0}, port)};
    signal = parts.add(SignalInfo{"force", "N"});
    parts.controllers = {std::make_shared<Feedforward>("plan", std::vector<Feedforward::Channel>{{signal, port}})};
    model = std::make_unique<Model>(std::move(parts));
    problem.model = model.get();
    problem.start = model->initial_state();
    problem.inputs = {port};
    problem.end = 1;
    problem.outputs = {
        {"place", std::make_shared<CoordinateServo>(std::vector<CoordinateServo::Term>{{{0, 0}, 1}}, Motion(0))}};
    Instant rest{0, problem.start.q, problem.start.u, VecX::Zero(1), VecX(0), VecX::Zero(1)};
    plan.points = {rest};
  }
  LoopResult run(FeedbackLaw& law, double place, LoopOptions options) const {
    State start = problem.start;
    start.q[0] = place;
    const auto stepper = make_rk4(*model);
    return run_loop(problem, start, {signal}, PlanTrack(*model, plan), &law, options, *stepper);
  }
};

// x⁺ = x + h v + h² w/2m, v⁺ = v + h w/m with w/m = -a v - b x - c I of the state so many samples ago.
TEST(ClosedLoop, HeldInputsAndDelayAreTheRecurrence) {
  const Cart cart;
  const PlanTrack track(*cart.model, cart.plan);
  const auto orders = linearising_orders(cart.problem, track.at(0), 1);
  ASSERT_TRUE(orders);
  EXPECT_EQ(orders->of_outputs, std::vector<int>{2});
  const Poles poles{-1, -1.5, -2};
  const VecX c = polynomial_of(poles);
  for (const int delay : {0, 3}) {
    LinearisingFeedback law(cart.problem, track, *orders, poles, true, 1);
    LoopOptions options{.sample_time = 0.02, .step = 0.02};
    options.sensor.delay = delay;
    options.end = 2;
    const LoopResult run = cart.run(law, 0.5, options);
    ASSERT_TRUE(run.complete);
    std::vector<Vec3> past;
    Vec3 at(0.5, 0, 0);
    for (size_t k = 0; k + 1 < run.states.size(); ++k) {
      ASSERT_NEAR(run.states[k].q[0], at[0], 1e-11);
      past.push_back(at);
      double a = 0;
      if (static_cast<int>(k) >= delay) {
        const Vec3& seen = past[k - static_cast<size_t>(delay)];
        a = -c[2] * seen[1] - c[1] * seen[0] - c[0] * seen[2];
      }
      ASSERT_NEAR(run.inputs[k][0], Cart::mass * a, 1e-9);
      at = Vec3(at[0] + 0.02 * at[1] + 0.0002 * a, at[1] + 0.02 * a, at[2] + 0.02 * at[0]);
    }
  }
}

TEST(ClosedLoop, MultiplierSaysWhenADelayIsTooLong) {
  const Cart cart;
  const PlanTrack track(*cart.model, cart.plan);
  LinearisingFeedback law(cart.problem, track, {{2}, 2}, {-3, -4}, false, 1);
  const LinearLoop loop = linear_loop(cart.problem, track, law, 0);
  EXPECT_LT(loop.largest_multiplier(0.02, 0), 1);
  for (const int delay : {2, 20}) {
    LoopOptions options{.sample_time = 0.02, .step = 0.02};
    options.sensor.delay = delay;
    options.end = 20;
    const LoopResult run = cart.run(law, 0.1, options);
    EXPECT_EQ(loop.largest_multiplier(0.02, delay) < 1, run.complete && std::abs(run.last[0]) < 1e-3) << delay;
  }
}

TEST(ClosedLoop, InputsStayWithinLimitsAndNoiseIsTheSameEveryTime) {
  const Cart cart;
  const PlanTrack track(*cart.model, cart.plan);
  LinearisingFeedback law(cart.problem, track, {{2}, 2}, {-1, -2}, false, 1);
  LoopOptions options{.sample_time = 0.02, .step = 0.02};
  options.end = 8;
  options.most = VecX::Constant(1, 0.4);
  options.least = -options.most;
  options.sensor = {.place_noise = 1e-3, .speed_noise = 1e-3, .seed = 7};
  const LoopResult one = cart.run(law, 0.5, options), two = cart.run(law, 0.5, options);
  options.sensor.seed = 8;
  const LoopResult other = cart.run(law, 0.5, options);
  EXPECT_GT(one.saturated, 0);
  for (const VecX& w : one.inputs) EXPECT_LE(std::abs(w[0]), 0.4);
  EXPECT_EQ(one.last, two.last);
  EXPECT_NE(one.last, other.last);
  EXPECT_LT(std::abs(one.last[0]), 0.02);
}

// A law that inputs act on at once needs no horizon: (111) is exact there but for backward Euler's own error.
TEST(ServoFeedback, PolesComeToTheDesignedOnesWithItsHorizon) {
  const Cart cart;
  const PlanTrack track(*cart.model, cart.plan);
  const auto off = [&](double horizon) {
    ServoFeedback law(cart.problem, track, ServoGains::of_poles({-1, -3}), horizon);
    double sum = 0;
    for (const auto& pole : linear_loop(cart.problem, track, law, 0).poles()) sum += pole.real();
    return std::abs(sum + 4);
  };
  EXPECT_NEAR(off(0.02) / off(0.01), 2, 0.1);
  EXPECT_THROW(ServoFeedback(cart.problem, track, {1, 1, 2}, 0.1), std::invalid_argument);
}

// Problems with a text.
std::string complaint(const std::string& text) {
  input::Problems problems;
  const auto root = input::parse_document(text, "file.yaml", problems);
  if (root) input::read<FeedbackSpec>(*root, problems);
  return problems.to_text();
}

TEST(FeedbackSpecification, RefusesWhatCannotWork) {
  EXPECT_EQ(complaint("{law: servo, a: 2, b: 2, c: 1, sample_time: 20 ms}"), "");
  EXPECT_EQ(complaint("{poles: [-1, -1.2, -1.4, -1.6], sensor: {delay: 40 ms}}"), "");
  EXPECT_NE(complaint("{law: servo, a: 1, b: 1, c: 1}").find("a b = 1 is not above c = 1"), std::string::npos);
  EXPECT_NE(complaint("{law: servo, a: 1}").find("a or b is missing"), std::string::npos);
  EXPECT_NE(complaint("{law: servo, a: 1, b: 1, poles: [-1, -2]}").find("both given"), std::string::npos);
  EXPECT_NE(complaint("{law: servo, horizon: 1 ms}").find("shorter than a sample"), std::string::npos);
  EXPECT_NE(complaint("{poles: [-1, 0.5]}").find("not in the left half plane"), std::string::npos);
  EXPECT_NE(complaint("{law: lqr, a: 1, b: 1}").find("gains of the law 'servo'"), std::string::npos);
  EXPECT_NE(complaint("{law: pid}").find("error"), std::string::npos);
}

}  // namespace
}  // namespace davit::inverse_dynamics
