// The implicit steppers: their matrix against differences, their order, what they keep, and where they must agree with
// exact solutions.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/constraint/compliant_constraint.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/spring_law.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/force/gravity.hpp"
#include "davit/solve/run_loop.hpp"
#include "davit/solve/step_equations.hpp"

namespace davit {
namespace {

// A hanging chain of free bodies held together by balls; the first one hangs on the world. It starts stretched out
// sideways, with some spin.
struct Chain {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  explicit Chain(int links, double compliance = 0) {
    std::vector<Body> bodies;
    for (int i = 0; i < links; ++i) {
      Body b;
      b.name = "link" + std::to_string(i);
      b.joint.kind = JointKind::free;
      b.at.p = Vec3(i, 0, 0);
      b.joint.rate = {0.1 * i, 0.2, 0.3, 0, 0, 0};
      b.joint.rate.resize(6);
      b.mass = 1 + 0.1 * (i % 3);
      b.centre = {0.5, 0.02, 0};
      b.inertia = Sym3::diagonal(0.01, 0.09, 0.08);
      bodies.push_back(b);
    }
    tree = std::make_shared<Tree>(bodies);
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    std::vector<Gravity::Weight> weights;
    for (const TreeBody& b : tree->bodies_of_tree())
      weights.push_back({b.last_segment, b.body.mass, b.frame * b.body.centre});
    parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -9.81), weights)};
    for (int i = 0; i < links; ++i) {
      const Frame before = i == 0 ? tree->frame("world")
                                  : tree->frame("link" + std::to_string(i - 1), Pose{Mat3::Identity(), Vec3(1, 0, 0)});
      const std::string name = "pin" + std::to_string(i);
      const auto geometry = std::make_shared<FrameConstraint>(before, tree->frame("link" + std::to_string(i)),
                                                              FrameConstraint::Held{{true, true, true}, {}});
      if (compliance > 0)
        parts.forces.push_back(
            std::make_shared<CompliantConstraint>(name, elastic_row(geometry, {1 / compliance, 0, 0, false})));
      else
        parts.constraints.push_back({name, geometry});
    }
    model = std::make_unique<Model>(std::move(parts));
  }
  State start(System& system) const {
    State s = model->initial_state();
    EXPECT_TRUE(system.satisfy_constraints(s));
    return s;
  }
  Vec3 end(System& system, const State& s) const {
    system.evaluate(s);
    return position(system.workspace().kin,
                    tree->frame(tree->bodies_of_tree().back().body.name, Pose{Mat3::Identity(), Vec3(1, 0, 0)}));
  }
};

Stage midpoint_stage(const State& s, double h, Stage stage) {
  stage.h = h;
  stage.t_point = s.t + h / 2;
  stage.t_end = s.t + h;
  stage.u_point = {0.5 * s.u, 0.5};
  stage.d_point = {h / 4 * s.u, h / 4};
  stage.d_end = {h / 2 * s.u, h / 2};
  stage.a_point = {-s.u / h, 1 / h};
  stage.gradient = Stage::Gradient::discrete_gradient;
  stage.laws = Stage::Laws::discrete_gradient;
  return stage;
}

TEST(StepEquations, MatrixIsTheDerivativeOfTheResidual) {
  for (const double compliance : {0.0, 1e-3})
    for (const int dense : {1000, 0}) {
      const Chain chain(4, compliance);
      System system(*chain.model);
      const State s = chain.start(system);
      StepEquations equations(*chain.model, dense);
      equations.stage() = midpoint_stage(s, 0.05, equations.stage());
      equations.begin(system, s);
      auto at = equations.make_unknowns();
      at.x = s.u + 0.3 * VecX::LinSpaced(s.u.size(), -1, 1);
      at.lambda.setLinSpaced(-3, 5);
      MatX exact;
      equations.matrix(system, at, exact);
      EXPECT_EQ(equations.sparse(), dense == 0);
      const Eigen::Index nu = s.u.size(), n = exact.cols();
      MatX difference(n, n);
      VecX ahead, behind;
      for (Eigen::Index j = 0; j < n; ++j) {
        const double step = 1e-6;
        auto plus = at, minus = at;
        (j < nu ? plus.x[j] : plus.lambda[j - nu]) += step;
        (j < nu ? minus.x[j] : minus.lambda[j - nu]) -= step;
        equations.residual(system, plus, ahead);
        equations.residual(system, minus, behind);
        difference.col(j) = (ahead - behind) / (2 * step);
      }
      EXPECT_LT((exact - difference).cwiseAbs().maxCoeff(), 1e-7 * exact.cwiseAbs().maxCoeff());
    }
}

struct NamedMethod {
  const char* name;
  ImplicitMethod method;
  int order;
};

class ImplicitMethods : public ::testing::TestWithParam<NamedMethod> {};

TEST_P(ImplicitMethods, HaveTheirOrderOnALoop) {
  const Chain chain(3);
  System system(*chain.model);
  const auto end = [&](const std::function<std::unique_ptr<Stepper>()>& make, int steps) {
    State s = chain.start(system);
    const auto stepper = make();
    for (int i = 0; i < steps; ++i) {
      const StepOutcome out = stepper->step(system, s, 0.4 / steps);
      EXPECT_TRUE(out.ok) << out.why.element << ": " << out.why.why;
    }
    return chain.end(system, s);
  };
  const auto own = [&] { return make_implicit(GetParam().method, *chain.model); };
  const Vec3 exact = end([&] { return make_rk4(*chain.model); }, 2000);
  const double coarse = (end(own, 80) - exact).norm(), fine = (end(own, 160) - exact).norm();
  EXPECT_NEAR(std::log2(coarse / fine), GetParam().order, 0.25) << coarse << " " << fine;
}

TEST_P(ImplicitMethods, SparseAndDenseAgree) {
  const Chain chain(5);
  System system(*chain.model);
  State dense = chain.start(system), sparse = dense;
  const auto one = make_implicit(GetParam().method, *chain.model, {.most_dense = 10000});
  const auto other = make_implicit(GetParam().method, *chain.model, {.most_dense = 0});
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(one->step(system, dense, 0.01).ok);
    ASSERT_TRUE(other->step(system, sparse, 0.01).ok);
  }
  EXPECT_LT((chain.end(system, dense) - chain.end(system, sparse)).norm(), 1e-9);
}

// Factors are kept from step to step: with a new stepper they are other ones, but for every sixteenth step.
TEST_P(ImplicitMethods, SnapshotsContinue) {
  const Chain chain(5);
  System system(*chain.model);
  for (const int before : {2 * snapshot_interval, 2 * snapshot_interval + 5}) {
    State a = chain.start(system);
    const auto stepper = make_implicit(GetParam().method, *chain.model);
    for (int i = 0; i < before; ++i) ASSERT_TRUE(stepper->step(system, a, 0.005).ok);
    State b = a;
    const auto later = make_implicit(GetParam().method, *chain.model);
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(stepper->step(system, a, 0.005).ok);
      ASSERT_TRUE(later->step(system, b, 0.005).ok);
    }
    if (before % snapshot_interval == 0)
      EXPECT_EQ(a.hash(), b.hash());
    else
      EXPECT_LT((chain.end(system, a) - chain.end(system, b)).norm(), 1e-10);
    EXPECT_LT(stepper->counts().matrices, stepper->counts().steps);
  }
}

INSTANTIATE_TEST_SUITE_P(Tree, ImplicitMethods,
                         ::testing::Values(NamedMethod{"conserving", ImplicitMethod::conserving, 2},
                                           NamedMethod{"midpoint", ImplicitMethod::midpoint, 2},
                                           NamedMethod{"implicit_euler", ImplicitMethod::implicit_euler, 1},
                                           NamedMethod{"generalised_alpha", ImplicitMethod::generalised_alpha, 2},
                                           NamedMethod{"dele", ImplicitMethod::dele, 1}),
                         [](const auto& method) { return method.param.name; });

// A mass that falls on an elastic row without damping and is thrown up again.
struct Bouncing {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  Bouncing(double mass, double stiffness, double height) {
    Body b;
    b.name = "mass";
    b.joint.kind = JointKind::prismatic;
    b.joint.position = {height};
    b.mass = mass;
    tree = std::make_shared<Tree>(std::vector<Body>{b});
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    parts.forces = {
        std::make_shared<Gravity>(Vec3(0, 0, -9.81),
                                  std::vector<Gravity::Weight>{{tree->body("mass").last_segment, mass, Vec3::Zero()}}),
        std::make_shared<CompliantConstraint>(
            "rope", elastic_row(std::make_shared<PointDistance>(
                                    tree->frame("world", Pose{Mat3::Identity(), Vec3(0, 0, 100)}), tree->frame("mass")),
                                {stiffness, 0, 100, true}))};
    model = std::make_unique<Model>(std::move(parts));
  }
};

// m ẍ = -k x - c ẋ under its weight, with the spring and the damper as one row, and the damper alone.
TEST(DiscreteEulerLagrange, TakesTheDampingOfLaws) {
  for (const double stiffness : {400.0, 0.0})
    for (const ImplicitMethod method : {ImplicitMethod::dele, ImplicitMethod::spook}) {
      Body b;
      b.name = "mass";
      b.joint.kind = JointKind::prismatic;
      b.mass = 10;
      const auto tree = std::make_shared<Tree>(std::vector<Body>{b});
      ModelParts parts;
      parts.blocks = {tree};
      parts.body_names = tree->segment_names();
      const Frame above = tree->frame("world", Pose{Mat3::Identity(), Vec3(0, 0, 50)});
      parts.forces = {
          std::make_shared<Gravity>(Vec3(0, 0, -9.81),
                                    std::vector<Gravity::Weight>{{tree->body("mass").last_segment, 10, Vec3::Zero()}}),
          std::make_shared<CompliantConstraint>(
              "spring",
              elastic_row(std::make_shared<PointDistance>(above, tree->frame("mass")), {stiffness, 60, 50, false}))};
      const Model model(std::move(parts));
      const auto end = [&](const std::unique_ptr<Stepper>& stepper, int steps) {
        System system(model);
        State s = model.initial_state();
        for (int i = 0; i < steps; ++i) EXPECT_TRUE(stepper->step(system, s, 1.0 / steps).ok);
        return s.q[0];
      };
      const double exact = end(make_rk4(model), 1000);
      const ImplicitOptions options{.dissipation = 0};
      const double coarse = end(make_implicit(method, model, options), 200) - exact,
                   fine = end(make_implicit(method, model, options), 400) - exact;
      EXPECT_LT(std::abs(fine), 0.02 * std::abs(exact));
      EXPECT_NEAR(coarse / fine, 2, 0.2) << stiffness << " " << exact << " " << fine;
    }
}

TEST(Conserving, SlackAndTautAThousandTimesKeepsTheEnergy) {
  for (const double omega_h : {0.1, 0.3, 1.0, 3.0, 10.0}) {
    const double mass = 1000, h = 0.01, stiffness = mass * omega_h * omega_h / (h * h);
    const Bouncing b(mass, stiffness, 1.0);
    System system(*b.model);
    State s = b.model->initial_state();
    system.evaluate(s);
    const double e0 = system.energy(s).total() + 9.81 * mass * 1.0;  // above the lowest point, about
    const double start = system.energy(s).total();
    const auto stepper = make_implicit(ImplicitMethod::conserving, *b.model, {.newton_tolerance = 1e-13});
    int transitions = 0;
    double worst = 0;
    bool taut = false;
    while (transitions < 1000 && s.t < 2000) {
      ASSERT_TRUE(stepper->step(system, s, h).ok);
      system.evaluate(s);
      worst = std::max(worst, std::abs(system.energy(s).total() - start));
      if ((s.q[0] < 0) != taut) taut = !taut, ++transitions;
    }
    EXPECT_EQ(transitions, 1000);
    EXPECT_LT(worst, 1e-10 * e0) << omega_h;
  }
}

}  // namespace
}  // namespace davit
