// Geometries against exact derivatives along the motion, and loops against the joints they replace.
#include <gtest/gtest.h>

#include <numbers>

#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/joint_combination.hpp"
#include "davit/constraint/joint_speed.hpp"
#include "davit/constraint/knife_edge.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/dynamics/pivoted_cholesky.hpp"
#include "davit/dynamics/test/random_tree.hpp"

namespace davit {
namespace {

using testing::Random;
using testing::RandomCase;

// A different push on every body, the same whatever the segments of its joint.
class BodyPushes final : public ForceOf<BodyPushes> {
 public:
  explicit BodyPushes(const Tree& tree) : ForceOf("pushes") {
    Random random(3);
    for (const TreeBody& b : tree.bodies_of_tree()) {
      bodies_.push_back(b.last_segment);
      wrenches_.push_back({random.vector(5), random.vector(5)});
    }
  }
  std::string summary() const override { return name(); }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>& loads, S*) const {
    for (size_t i = 0; i < bodies_.size(); ++i) {
      auto& w = loads.wrench[static_cast<size_t>(bodies_[i])];
      w.n += as<S>(wrenches_[i].n);
      w.f += as<S>(wrenches_[i].f);
    }
  }

 private:
  std::vector<int> bodies_;
  std::vector<Wrench> wrenches_;
};

class RandomLoops : public ::testing::TestWithParam<int> {
 protected:
  RandomCase c{static_cast<unsigned>(GetParam()), 5};
  Random random{static_cast<unsigned>(100 + GetParam())};
  Frame frame() { return {random.integer(0, c.tree->bodies()), random.pose()}; }
};

// g, ġ and Ġu of a geometry, all from one run on dual numbers along the motion with constant speeds; rows on speeds
// have no g to compare with.
void expect_exact_rates(const RandomCase& c, const Geometry& geometry) {
  const Tree& tree = *c.tree;
  const size_t n = static_cast<size_t>(tree.nu()), rows = static_cast<size_t>(geometry.size());
  std::vector<Dual8> q0(c.state.q.begin(), c.state.q.end()), q(q0), d(n), u(n), g(rows);
  for (size_t i = 0; i < n; ++i) {
    d[i].d[0] = c.state.u[static_cast<Eigen::Index>(i)];
    u[i] = Dual8(c.state.u[static_cast<Eigen::Index>(i)]);
  }
  tree.retract(q0.data(), d.data(), q.data());
  KinT<Dual8> moving;
  moving.body.resize(tree.segments().size());
  moving.t = Dual8::variable(c.state.t, 0);
  moving.q = q.data();
  moving.u = u.data();
  moving.signals = &c.state.discrete.signals;
  tree.kinematics(q.data(), u.data(), moving);
  geometry.rows(moving, g.data());
  JacobianT<Dual8> jacobian;
  geometry.jacobian(moving, jacobian);
  std::vector<Dual8> rate(rows);
  geometry.time_rate(moving, rate.data());
  for (const auto& e : jacobian.speeds)
    rate[static_cast<size_t>(e.row)] += e.coefficient * u[static_cast<size_t>(e.speed)];
  for (const auto& e : jacobian.entries) {
    const auto& k = moving.body[static_cast<size_t>(e.body)];
    rate[static_cast<size_t>(e.row)] += power(e.wrench(moving), TwistT<Dual8>{k.w, k.v});
  }
  std::vector<double> bias(rows);
  geometry.rate_bias(c.system->workspace().kin, bias.data());
  for (size_t i = 0; i < rows; ++i) {
    if (geometry.holonomic()) {
      EXPECT_NEAR(rate[i].value, g[i].d[0], 1e-11 * (1 + std::abs(g[i].d[0]))) << "row " << i;
    }
    EXPECT_NEAR(bias[i], rate[i].d[0], 1e-10 * (1 + std::abs(bias[i]))) << "row " << i;
  }
}

TEST_P(RandomLoops, RatesAreExact) {
  ASSERT_TRUE(c.system->evaluate(c.state));
  const Frame a = frame();
  Frame b = frame();
  while (b.body == a.body) b = frame();
  expect_exact_rates(c, FrameConstraint(a, b, {{true, true, true}, {true, true, true}}));
  expect_exact_rates(c, PointDistance(a, b, 0.3));
  expect_exact_rates(c, KnifeEdge(b));
}

TEST_P(RandomLoops, RatesOfJointsAreExact) {
  // The first speed whose coordinate's rate it is: those of joints of one axis and of chains of them.
  for (const TreeBody& b : c.tree->bodies_of_tree()) {
    const JointKind kind = b.body.joint.kind;
    if (kind == JointKind::free || kind == JointKind::spherical || type_of(kind).coordinates.empty()) continue;
    c.state.t = 0.7;
    Motion target(0.4);
    target.move(0.2, 1.3, -2.1, {4, 0});
    c.state.discrete.signals.add(target);
    ASSERT_TRUE(c.system->evaluate(c.state));
    expect_exact_rates(c, JointCombination({{b.q, b.u, -2.5}}, Signal(c.state.discrete.signals.size() - 1), true));
    expect_exact_rates(c, JointSpeed(b.u, 0.6, true));
  }
}

// A body on a joint, and the same body free but held by the constraint that the joint is: same accelerations, same
// wrench.
struct Held {
  JointKind kind;
  FrameConstraint::Held held;
};
const Held equivalents[] = {{JointKind::revolute, {{true, true, true}, {true, true, false}}},
                            {JointKind::prismatic, {{true, true, false}, {true, true, true}}},
                            {JointKind::cylindrical, {{true, true, false}, {true, true, false}}},
                            {JointKind::universal, {{true, true, true}, {false, true, false}}},
                            {JointKind::spherical, {{true, true, true}, {false, false, false}}},
                            {JointKind::planar, {{false, false, true}, {true, true, false}}},
                            {JointKind::fixed, {{true, true, true}, {true, true, true}}}};

TEST_P(RandomLoops, AConstraintIsTheJointItReplaces) {
  const Held& held = equivalents[static_cast<size_t>(GetParam()) % std::size(equivalents)];
  Body base;
  base.name = "base";
  base.joint.kind = JointKind::free;
  base.joint.rate = {0.3, -0.4, 0.5, 0.1, 0.2, -0.3};
  base.mass = 5;
  base.centre = random.vector(0.3);
  base.inertia = Sym3::diagonal(2, 2.5, 3);
  Body arm;
  arm.name = "arm";
  arm.on = "base";
  arm.at = random.pose();
  arm.joint.kind = held.kind;
  arm.mass = 2;
  arm.centre = random.vector(0.5);
  arm.inertia = Sym3::diagonal(0.5, 0.6, 0.7);
  Body tip = arm;
  tip.name = "tip";
  tip.on = "arm";
  tip.joint.kind = JointKind::revolute;
  tip.joint.rate = {0.8};
  Body loose = arm;
  loose.joint = {};
  loose.joint.kind = JointKind::free;

  const auto model_of = [&](std::vector<Body> bodies, bool constrained) {
    auto tree = std::make_shared<Tree>(std::move(bodies));
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    parts.forces = {std::make_shared<BodyPushes>(*tree)};
    if (constrained) {
      const Frame a = tree->frame("base", arm.at), b = tree->frame("arm");
      parts.constraints = {{"loop", std::make_shared<FrameConstraint>(a, b, held.held)}};
    }
    return std::pair(tree, std::make_unique<Model>(std::move(parts)));
  };
  const auto [joint_tree, joint_model] = model_of({base, arm, tip}, false);
  const auto [loop_tree, loop_model] = model_of({base, loose, tip}, true);
  System by_joint(*joint_model), by_loop(*loop_model);
  State s = loop_model->initial_state();
  ASSERT_TRUE(by_loop.satisfy_constraints(s)) << by_loop.failure().element;
  ASSERT_TRUE(by_joint.evaluate(joint_model->initial_state()));
  ASSERT_TRUE(by_loop.evaluate(s));
  EXPECT_TRUE(by_loop.redundant_rows(s).empty());
  ASSERT_TRUE(by_loop.evaluate(s));
  const VecX& a = by_joint.workspace().a;
  const VecX& b = by_loop.workspace().a;
  EXPECT_LT((a.head(6) - b.head(6)).norm(), 1e-11 * (1 + a.norm()));      // the base
  EXPECT_NEAR(a[a.size() - 1], b[b.size() - 1], 1e-11 * (1 + a.norm()));  // the tip
  // What the loop exerts on the arm, about the arm's origin, is what the joint transmits.
  Wrench loop;
  for (const auto& e : by_loop.workspace().rows.jacobian.entries)
    if (e.body == loop_tree->body("arm").last_segment)
      loop += by_loop.workspace().rows.lambda[e.row] * e.wrench(by_loop.workspace().kin);
  const Wrench& joint = by_joint.workspace().transmitted[static_cast<size_t>(joint_tree->body("arm").last_segment)];
  EXPECT_LT((loop - joint).vector().norm(), 1e-10 * (1 + joint.vector().norm()));
  // and the joint of the tip transmits the same in both
  EXPECT_LT((by_loop.workspace().transmitted[static_cast<size_t>(loop_tree->body("tip").last_segment)] -
             by_joint.workspace().transmitted[static_cast<size_t>(joint_tree->body("tip").last_segment)])
                .vector()
                .norm(),
            1e-10 * (1 + joint.vector().norm()));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomLoops, ::testing::Range(1, 31));

TEST(Constraints, AStateIsBroughtOntoThem) {
  RandomCase c(4, 4);
  ModelParts parts;
  parts.blocks = {c.tree};
  parts.body_names = c.tree->segment_names();
  ASSERT_TRUE(c.system->evaluate(c.state));
  // Close a loop between two bodies near where they are.
  const int last = c.tree->bodies();
  const Kin& kin = c.system->workspace().kin;
  const Frame a{0, {Mat3::Identity(), kin.body[static_cast<size_t>(last)].p + Vec3(0.01, -0.02, 0.015)}}, b{last, {}};
  parts.constraints = {{"pin", std::make_shared<FrameConstraint>(a, b, FrameConstraint::Held{{true, true, true}, {}})}};
  const Model model(std::move(parts));
  System system(model);
  State s = model.initial_state();
  EXPECT_NEAR(system.violation(s, 0), 0.02, 1e-12);
  ASSERT_TRUE(system.satisfy_constraints(s));
  EXPECT_LT(system.violation(s, 0), 1e-12);
  EXPECT_LT((system.workspace().rows.G.transpose() * s.u).norm(), 1e-12);
}

// A hinge as rows keeps five of them at every angle it has turned by, a quarter of a turn included.
TEST(Constraints, AHingeIsRegularAtEveryAngle) {
  for (int eighth = 0; eighth < 8; ++eighth) {
    Body b;
    b.name = "door";
    b.joint.kind = JointKind::free;
    b.joint.position = {0, 0, eighth * std::numbers::pi / 4, 0, 0, 0};
    b.mass = 2;
    b.inertia = Sym3::diagonal(1, 2, 2.5);
    auto tree = std::make_shared<Tree>(std::vector<Body>{b});
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    parts.constraints = {
        {"hinge", std::make_shared<FrameConstraint>(Frame{}, tree->frame("door"),
                                                    FrameConstraint::Held{{true, true, true}, {true, true, false}})}};
    const Model model(std::move(parts));
    System system(model);
    EXPECT_EQ(system.redundant_rows(model.initial_state()).size(), 0u) << eighth;
    EXPECT_LT(system.violation(model.initial_state(), 0), 1e-15);
  }
}

TEST(Constraints, RowsThatFollowFromOthersAreNamedAndHarmless) {
  Body b;
  b.name = "door";
  b.joint.kind = JointKind::free;
  b.mass = 2;
  b.inertia = Sym3::diagonal(1, 1, 1);
  auto tree = std::make_shared<Tree>(std::vector<Body>{b});
  const auto model_of = [&](bool twice) {
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    parts.forces = {std::make_shared<BodyPushes>(*tree)};
    const FrameConstraint::Held hinge{{true, true, true}, {true, true, false}};
    const auto at = [](double z) { return Pose{Mat3::Identity(), Vec3(0, 0, z)}; };
    parts.constraints = {
        {"lower", std::make_shared<FrameConstraint>(Frame{0, at(0)}, tree->frame("door", at(0)), hinge)}};
    if (twice)
      parts.constraints.push_back(
          {"upper", std::make_shared<FrameConstraint>(Frame{0, at(2)}, tree->frame("door", at(2)), hinge)});
    return std::make_unique<Model>(std::move(parts));
  };
  const auto one = model_of(false), two = model_of(true);
  System single(*one), both(*two);
  EXPECT_TRUE(single.redundant_rows(one->initial_state()).empty());
  EXPECT_EQ(both.redundant_rows(two->initial_state()).size(), 5u);
  ASSERT_TRUE(single.evaluate(one->initial_state()));
  ASSERT_TRUE(both.evaluate(two->initial_state()));
  EXPECT_LT((single.workspace().a - both.workspace().a).norm(), 1e-12);
}

// Rows of other units may be small; one whose gradient vanishes is no pivot.
TEST(PivotedCholesky, ARowWithoutGradientIsLeftOut) {
  std::vector<int> order(2);
  std::vector<double> diagonal;
  MatX units = MatX::Identity(2, 2), vanishing = units;
  units(1, 1) = 1e-12;
  vanishing(1, 1) = 1e-18;
  EXPECT_EQ(pivoted_cholesky(units, order, diagonal), 2);
  EXPECT_EQ(pivoted_cholesky(vanishing, order, diagonal), 1);
}

TEST(PivotedCholesky, FindsRankAndSolves) {
  Random random(5);
  MatX B(6, 4);
  for (double& x : B.reshaped()) x = random.number();
  // Rows of very different units do not change the rank.
  const VecX scale = (VecX(6) << 1, 1e6, 1e-5, 3, 1e3, 1e-2).finished();
  MatX A = scale.asDiagonal() * (B * B.transpose()) * scale.asDiagonal();
  const MatX full = A;
  std::vector<int> order(6);
  std::vector<double> diagonal;
  EXPECT_EQ(pivoted_cholesky(A, order, diagonal), 4);
  VecX x = full * VecX::Ones(6), y(6);
  const VecX b = x;
  pivoted_solve(A, order, 4, x, y);
  EXPECT_LT((full * x - b).cwiseQuotient(scale).norm(), 1e-9 * b.cwiseQuotient(scale).norm());
  MatX I = MatX::Identity(3, 3);
  std::vector<int> three(3);
  EXPECT_EQ(pivoted_cholesky(I, three, diagonal), 3);
}

}  // namespace
}  // namespace davit
