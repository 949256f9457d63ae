// The matrix of a step with auxiliary states, controllers and elements that do not say what they see, against
// differences; and that Newton's method with states eliminated is the one with all unknowns.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/constraint/frame_constraint.hpp"
#include "davit/dynamics/particles.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/force/gravity.hpp"
#include "davit/force/joint_forces.hpp"
#include "davit/solve/redundant_rows.hpp"
#include "davit/solve/step_equations.hpp"
#include "davit/solve/stepper.hpp"

namespace davit {
namespace {

// Pulls a particle to a point of a body through two states in a row; says what it sees, or not.
class Lagging final : public ForceOf<Lagging> {
 public:
  Lagging(Frame from, int particle, bool says) : ForceOf("lagging"), from_(from), to_(particle), says_(says) {}
  std::string summary() const override { return "pull that lags behind"; }
  std::vector<Coupling> couplings() const override {
    if (!says_) return {};
    return {{.bodies = {from_.body, to_}}};
  }
  int auxiliary_states() const override { return 6; }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S* zdot) const {
    using std::sin;
    const auto& a = c.kin.body[static_cast<size_t>(from_.body)];
    const Vec3T<S> arm = a.R * as<S>(from_.offset.p);
    const Vec3T<S> away = c.kin.body[static_cast<size_t>(to_)].p - a.p - arm;
    Vec3T<S> pull;
    for (int i = 0; i < 3; ++i) {
      zdot[i] = S(20) * (away[i] - c.z[i]);
      zdot[3 + i] = S(5) * (sin(c.z[i]) - c.z[3 + i]) + S(0.3) * a.w[i];
      pull[i] = S(40) * c.z[3 + i] + away[i] * c.z[i];
    }
    loads.add_force(from_.body, arm, pull);
    loads.add_force(to_, Vec3T<S>(Vec3T<S>::Zero()), Vec3T<S>(-pull));
  }

 private:
  Frame from_;
  int to_;
  bool says_;
};

// Integrates the height of a body into an input.
class Levelling final : public ControllerOf<Levelling> {
 public:
  Levelling(int body, bool says) : ControllerOf("levelling"), body_(body), says_(says) {}
  std::string summary() const override { return "levelling"; }
  std::vector<Coupling> couplings() const override {
    if (!says_) return {};
    return {{.bodies = {body_}, .speeds = {}, .inputs = {0}}};
  }
  int auxiliary_states() const override { return 1; }
  template <class S>
  void control(const ContextT<S>& c, S* w, S* zdot) const {
    const auto& b = c.kin.body[static_cast<size_t>(body_)];
    zdot[0] = b.p.z() - S(0.1) * c.z[0];
    w[0] = S(3) * c.z[0] + S(2) * b.v.z() * b.p.x();
  }

 private:
  int body_;
  bool says_;
};

// An arm on a free hull, a particle tied to its end by a force with states, and a controller that drives its joint.
struct Machine {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  explicit Machine(bool says) {
    Body hull, arm;
    hull.name = "hull";
    hull.joint.kind = JointKind::free;
    hull.joint.rate = {0.3, -0.2, 0.4, 0.5, 0.1, -0.2};
    hull.mass = 4;
    hull.inertia = Sym3::diagonal(1, 1.6, 2.1);
    arm.name = "arm";
    arm.on = "hull";
    arm.at.p = Vec3(0.5, 0.1, 0.2);
    arm.joint.kind = JointKind::revolute;
    arm.joint.axis = Vec3::UnitY();
    arm.joint.position = {0.4};
    arm.joint.rate = {-0.6};
    arm.mass = 1.5;
    arm.centre = {0.5, 0, 0};
    arm.inertia = Sym3::diagonal(0.3, 0.4, 0.2);
    tree = std::make_shared<Tree>(std::vector<Body>{hull, arm});
    const auto particles =
        std::make_shared<Particles>(after(*tree), std::vector<Particle>{{"bob", 0.7, {1.2, 0.3, -1}, {0.1, 0.4, 0}}});
    ModelParts parts;
    parts.blocks = {tree, particles};
    parts.body_names = tree->segment_names();
    parts.body_names.push_back("bob");
    std::vector<Gravity::Weight> weights{{particles->body(0), 0.7, Vec3::Zero()}};
    for (const TreeBody& b : tree->bodies_of_tree())
      weights.push_back({b.last_segment, b.body.mass, b.frame * b.body.centre});
    const TreeBody& last = tree->bodies_of_tree().back();
    JointCoordinate joint;
    joint.q = last.q;
    joint.u = last.u;
    parts.inputs = {{"torque", "N m"}};
    parts.forces = {
        std::make_shared<Gravity>(Vec3(0, 0, -9.81), weights),
        std::make_shared<Lagging>(tree->frame("arm", Pose{Mat3::Identity(), Vec3(1, 0, 0)}), particles->body(0), says),
        std::make_shared<JointActuator>("motor", joint, 0)};
    parts.controllers = {std::make_shared<Levelling>(tree->frame("hull").body, says)};
    parts.constraints = {{"pin", std::make_shared<FrameConstraint>(Frame{}, tree->frame("hull"),
                                                                   FrameConstraint::Held{{true, false, true}, {}})}};
    model = std::make_unique<Model>(std::move(parts));
  }
};

TEST(StepMatrix, WithStatesAndControllersIsTheDerivativeOfTheResidual) {
  for (const bool says : {true, false})
    for (const int dense : {1000, 0}) {
      const Machine machine(says);
      const Model& model = *machine.model;
      System system(model);
      State s = model.initial_state();
      ASSERT_TRUE(system.satisfy_constraints(s));
      StepEquations equations(model, dense);
      Stage& stage = equations.stage();
      stage.h = 0.05;
      stage.t_point = 0.025;
      stage.t_end = 0.05;
      stage.u_point = {0.5 * s.u, 0.5};
      stage.d_point = {0.0125 * s.u, 0.0125};
      stage.d_end = {0.025 * s.u, 0.025};
      stage.a_point = {-s.u / 0.05, 1 / 0.05};
      stage.z_share = 0.5;
      equations.begin(system, s);
      auto at = equations.make_unknowns();
      at.x = s.u + 0.3 * VecX::LinSpaced(s.u.size(), -1, 1);
      at.z.setLinSpaced(-0.4, 0.9);
      at.lambda.setLinSpaced(-3, 5);
      MatX exact;
      equations.matrix(system, at, exact);
      const Eigen::Index nu = at.x.size(), nz = at.z.size(), n = exact.cols();
      ASSERT_EQ(nz, 7);
      const auto moved = [&](Eigen::Index j, double by) {
        auto to = at;
        (j < nu ? to.x[j] : j < nu + nz ? to.z[j - nu] : to.lambda[j - nu - nz]) += by;
        VecX residual;
        equations.residual(system, to, residual);
        return residual;
      };
      for (Eigen::Index j = 0; j < n; ++j) {
        const VecX difference = (moved(j, 1e-6) - moved(j, -1e-6)) / 2e-6;
        EXPECT_LT((exact.col(j) - difference).cwiseAbs().maxCoeff(), 1e-7 * exact.cwiseAbs().maxCoeff())
            << "column " << j << (says ? ", said" : ", found");
      }
      // The same solution with all unknowns at once as with the states eliminated.
      VecX residual;
      equations.residual(system, at, residual);
      auto step = at;
      const NewtonOutcome one = equations.solve(system, step, {.most_iterations = 1, .plain_first = false});
      EXPECT_FALSE(one.converged);
      VecX change(n);
      change << step.x - at.x, step.z - at.z, step.lambda - at.lambda;
      EXPECT_LT((exact * change + residual).norm(), 1e-9 * (exact.norm() * change.norm()));
    }
}

TEST(StepMatrix, TwoWaysOfSayingGiveTheSameRun) {
  std::vector<State> ends;
  for (const bool says : {true, false}) {
    const Machine machine(says);
    System system(*machine.model);
    State s = machine.model->initial_state();
    ASSERT_TRUE(system.satisfy_constraints(s));
    const auto stepper = make_implicit(ImplicitMethod::midpoint, *machine.model);
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(stepper->step(system, s, 0.01).ok);
    ends.push_back(s);
  }
  EXPECT_LT((ends[0].q - ends[1].q).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((ends[0].z - ends[1].z).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_GT(ends[0].z.cwiseAbs().maxCoeff(), 0.01);
}

// A long chain of free bodies on balls, closed at its end by one row too many: the sparse search finds the same number
// of rows to leave out as the dense one, among rows that depend on each other.
TEST(RedundantRows, SparseSearchFindsWhatTheDenseOneDoes) {
  std::vector<Body> bodies;
  for (int i = 0; i < 12; ++i) {
    Body b;
    b.name = "link" + std::to_string(i);
    b.joint.kind = JointKind::free;
    b.at.p = Vec3(i, 0, 0);
    b.mass = 1;
    b.inertia = Sym3::diagonal(0.1, 0.1, 0.1);
    bodies.push_back(b);
  }
  const auto tree = std::make_shared<Tree>(bodies);
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  const auto pin = [&](const std::string& a, const std::string& b) {
    const Vec3 end = a == "world" ? Vec3(0, 0, 0) : Vec3(1, 0, 0);
    parts.constraints.push_back(
        {a + b, std::make_shared<FrameConstraint>(tree->frame(a, Pose{Mat3::Identity(), end}), tree->frame(b),
                                                  FrameConstraint::Held{{true, true, true}, {}})});
  };
  pin("world", "link0");
  for (int i = 1; i < 12; ++i) pin("link" + std::to_string(i - 1), "link" + std::to_string(i));
  pin("link6", "link7");  // once more
  const Model model(std::move(parts));
  System system(model);
  const State s = model.initial_state();
  system.evaluate(s, System::Want::unconstrained);
  RedundantRows dense, sparse;
  dense.find(model, system.workspace().kin, 1000);
  sparse.find(model, system.workspace().kin, 0);
  ASSERT_TRUE(dense.any());
  ASSERT_TRUE(sparse.any());
  int of_dense = 0, of_sparse = 0;
  for (int row = 0; row < model.rows(); ++row) {
    of_dense += dense.left_out(row);
    of_sparse += sparse.left_out(row);
    // Only the doubled joint is involved: rows 21 to 23 and the last three.
    if (sparse.left_out(row)) EXPECT_TRUE((row >= 21 && row < 24) || row >= 36) << row;
  }
  EXPECT_EQ(of_dense, 3);
  EXPECT_EQ(of_sparse, 3);
}

}  // namespace
}  // namespace davit
