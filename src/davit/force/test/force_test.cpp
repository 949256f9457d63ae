// Each force: what it does, that a conservative one is the gradient of its potential, and that exact derivatives are
// exact.
#include <gtest/gtest.h>

#include "davit/constraint/compliant_constraint.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/spring_law.hpp"
#include "davit/dynamics/system.hpp"
#include "davit/force/applied_wrench.hpp"
#include "davit/force/gravity.hpp"
#include "davit/force/joint_forces.hpp"

namespace davit {
namespace {

// A crane of two booms with a load that moves freely: enough joints for every force.
struct Crane {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  std::unique_ptr<System> system;
  State state;

  explicit Crane(std::function<std::vector<std::shared_ptr<const Force>>(const Tree&)> forces,
                 std::vector<std::shared_ptr<const ReactionForce>> reactions = {}) {
    Body boom;
    boom.name = "boom";
    boom.joint.kind = JointKind::revolute;
    boom.joint.axis = Vec3(0.2, 1, 0.1);
    boom.joint.position = {0.4};
    boom.joint.rate = {0.7};
    boom.mass = 3;
    boom.centre = {1, 0.1, 0.2};
    boom.inertia = Sym3::diagonal(1, 2, 2.5);
    Body slide = boom;
    slide.name = "slide";
    slide.on = "boom";
    slide.at.p = Vec3(2, 0, 0.3);
    slide.joint.kind = JointKind::prismatic;
    slide.joint.axis = Vec3(1, 0.2, 0);
    slide.joint.position = {0.6};
    slide.joint.rate = {-0.3};
    Body load = boom;
    load.name = "load";
    load.joint.kind = JointKind::free;
    load.joint.position = {0.1, 0.2, -0.3, 3, 1, -2};
    load.joint.rate = {0.3, -0.2, 0.5, 0.1, 0.6, -0.4};
    tree = std::make_shared<Tree>(std::vector<Body>{boom, slide, load});
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    parts.forces = forces(*tree);
    parts.reaction_forces = std::move(reactions);
    model = std::make_unique<Model>(std::move(parts));
    system = std::make_unique<System>(*model);
    state = model->initial_state();
  }
};

const JointCoordinate boom_angle{"boom.angle", 0, 0, 1, true}, slide_travel{"slide.travel", 1, 1, 2, false};

// Generalised forces of a model at rest without inertia forces: -F at u = a = 0.
VecX generalised(Crane& c, const VecX& q) {
  EvaluationT<double> e;
  c.model->prepare(e);
  const VecX zero = VecX::Zero(c.model->nu());
  VecX F(c.model->nu());
  c.system->residual<double>(e, c.state.t, q.data(), zero.data(), c.state.z.data(), c.state.discrete, zero.data(),
                             F.data(), nullptr);
  return -F;
}

void expect_gradient_of_potential(Crane c) {
  const VecX force = generalised(c, c.state.q);
  const int n = c.model->nu();
  const double h = 1e-5;
  const auto potential = [&](const VecX& d) {
    State s = c.state;
    c.system->retract(c.state.q, d, s.q);
    s.u.setZero();
    EXPECT_TRUE(c.system->evaluate(s));
    return c.system->energy(s).potential;
  };
  for (int i = 0; i < n; ++i) {
    const VecX d = h * VecX::Unit(n, i);
    EXPECT_NEAR(-(potential(d) - potential(-d)) / (2 * h), force[i], 1e-6 * (1 + force.norm())) << "speed " << i;
  }
}

std::vector<std::shared_ptr<const Force>> gravity(const Tree& tree) {
  std::vector<Gravity::Weight> weights;
  for (const TreeBody& b : tree.bodies_of_tree())
    weights.push_back({b.last_segment, b.body.mass, b.frame * b.body.centre});
  return {std::make_shared<Gravity>(Vec3(0.3, -0.2, -9.81), weights)};
}

std::shared_ptr<CompliantConstraint> line(const Tree& tree, const SpringLaw::Data& data) {
  const Frame a = tree.frame("slide", Pose{Mat3::Identity(), Vec3(1, 0.2, 0)}),
              b = tree.frame("load", Pose{Mat3::Identity(), Vec3(0, 0.3, 0.5)});
  return std::make_shared<CompliantConstraint>("line", elastic_row(std::make_shared<PointDistance>(a, b), data));
}

TEST(Forces, ConservativeOnesAreGradients) {
  expect_gradient_of_potential(Crane(gravity));
  expect_gradient_of_potential(Crane([](const Tree&) -> std::vector<std::shared_ptr<const Force>> {
    return {std::make_shared<JointSpring>("s", boom_angle, JointSpring::Data{3, 5, 0.1}),
            std::make_shared<JointSpring>("t", slide_travel, JointSpring::Data{7, -2, 0.3})};
  }));
  expect_gradient_of_potential(Crane([](const Tree& t) -> std::vector<std::shared_ptr<const Force>> {
    return {line(t, {40, 0, 1.0, true})};
  }));
  expect_gradient_of_potential(Crane([](const Tree& t) -> std::vector<std::shared_ptr<const Force>> {
    return {line(t, {40, 0, 30.0, false})};
  }));
}

TEST(Forces, ASlackLineCarriesNothing) {
  Crane c([](const Tree& t) -> std::vector<std::shared_ptr<const Force>> { return {line(t, {40, 3, 30.0, true})}; });
  EXPECT_EQ(generalised(c, c.state.q).norm(), 0);
  const SpringLaw law({40, 3, 1.0, true});
  EXPECT_EQ(law.force(1.01, -100.0), 0);  // damping must not make it push
  EXPECT_LT(law.force(1.5, 0.0), 0);
}

TEST(Forces, EnergyBalanceWithDampers) {
  // d(T + V)/dt = power of the forces without a potential, by a difference along the motion.
  Crane c(
      [](const Tree& t) {
        auto forces = gravity(t);
        forces.push_back(std::make_shared<JointDamper>("d", boom_angle, JointDamper::Data{2, 0.5, 1.5, 0.01}));
        forces.push_back(std::make_shared<AppliedWrench>(
            "w", t.frame("load"),
            AppliedWrench::Data{
                .force = Vec3(1, 2, 3), .moment = Vec3(0.1, 0.2, 0.3), .axes = AppliedWrench::Axes::body}));
        forces.push_back(line(t, {40, 3, 1.0, true}));
        return forces;
      },
      {std::make_shared<BearingFriction>("b", boom_angle, 1, BearingFriction::Data{0.2, 0.1, 1e-3}),
       std::make_shared<BearingFriction>("g", slide_travel, 2, BearingFriction::Data{0.3, 1, 1e-3})});
  ASSERT_TRUE(c.system->evaluate(c.state)) << c.system->failure().why;
  const double power = c.system->energy(c.state).power;
  const VecX a = c.system->workspace().a;
  const double h = 1e-5;
  const auto energy = [&](double t) {
    State s = c.state;
    const VecX d = t * c.state.u;
    c.system->retract(c.state.q, VecX(d + 0.5 * t * t * a), s.q);
    s.u += t * a;
    EXPECT_TRUE(c.system->evaluate(s));
    return c.system->energy(s).total();
  };
  EXPECT_NEAR((energy(h) - energy(-h)) / (2 * h), power, 1e-6 * (1 + std::abs(power)));
  EXPECT_NE(power, 0);
}

TEST(Forces, BearingFrictionSolvesTheResidual) {
  // The accelerations found with the reactions make F zero, where friction is evaluated from the reactions themselves.
  Crane c(gravity, {std::make_shared<BearingFriction>("b", boom_angle, 1, BearingFriction::Data{0.4, 0.3, 1e-3}),
                    std::make_shared<BearingFriction>("g", slide_travel, 2, BearingFriction::Data{0.3, 1, 1e-3})});
  ASSERT_TRUE(c.system->evaluate(c.state));
  EvaluationT<double> e;
  c.model->prepare(e);
  VecX F(c.model->nu());
  const VecX a = c.system->workspace().a;
  c.system->residual<double>(e, 0.0, c.state.q.data(), c.state.u.data(), c.state.z.data(), c.state.discrete, a.data(),
                             F.data(), nullptr);
  EXPECT_LT(F.norm(), 1e-10);
  // Friction opposes the motion.
  EXPECT_LT(c.system->workspace().loads.tau[0] * c.state.u[0], 0);
  EXPECT_LT(c.system->workspace().loads.tau[1] * c.state.u[1], 0);
}

TEST(Forces, ASelfLockingSlideIsNamed) {
  // A slide whose friction needs more normal force than it leaves: μ beyond the geometry.
  Crane c(gravity, {std::make_shared<BearingFriction>("guide", slide_travel, 2, BearingFriction::Data{50, 1, 1e-3})});
  EXPECT_FALSE(c.system->evaluate(c.state));
  EXPECT_EQ(c.system->failure().element, "guide");
  EXPECT_NE(c.system->failure().why.find("locks"), std::string::npos);
}

TEST(Forces, WrenchComesAndGoes) {
  Crane c([](const Tree& t) -> std::vector<std::shared_ptr<const Force>> {
    return {std::make_shared<AppliedWrench>(
        "w", t.frame("load"), AppliedWrench::Data{.force = Vec3(2, 0, 0), .from = 1, .until = 3, .ramp = 0.5})};
  });
  const auto size_at = [&](double t) {
    c.state.t = t;
    EXPECT_TRUE(c.system->evaluate(c.state));
    return c.system->workspace().loads.wrench[3].f.x();
  };
  EXPECT_EQ(size_at(0.9), 0);
  EXPECT_DOUBLE_EQ(size_at(1.25), 1);
  EXPECT_EQ(size_at(2), 2);
  EXPECT_DOUBLE_EQ(size_at(2.75), 1);
  EXPECT_EQ(size_at(3), 0);
  EXPECT_EQ(c.model->breakpoints(), (std::vector<double>{1, 1.5, 2.5, 3}));
}

TEST(Forces, DistanceRowsHaveExactRates) {
  Crane c([](const Tree& t) -> std::vector<std::shared_ptr<const Force>> { return {line(t, {0, 0, 0, false})}; });
  const ConstraintEquation& row = *c.model->forces()[0].element->row();
  ASSERT_TRUE(c.system->evaluate(c.state));
  const Kin kin = c.system->workspace().kin;
  JacobianT<double> jacobian;
  row.geometry->jacobian(kin, jacobian);
  double rate = 0, bias = 0;
  for (const auto& e : jacobian.entries)
    rate +=
        power(e.wrench(kin), Twist{kin.body[static_cast<size_t>(e.body)].w, kin.body[static_cast<size_t>(e.body)].v});
  row.geometry->rate_bias(kin, &bias);
  const double h = 1e-4;
  const auto distance = [&](double t) {
    State s = c.state;
    c.system->retract(c.state.q, VecX(t * c.state.u), s.q);
    EXPECT_TRUE(c.system->evaluate(s));
    double g = 0;
    row.geometry->rows(c.system->workspace().kin, &g);
    return g;
  };
  EXPECT_NEAR((distance(h) - distance(-h)) / (2 * h), rate, 1e-7);
  // With u constant in the tangent space of the start the path is q ⊕ t u, whose second derivative for a free body's
  // position differs by ω × v: give the load no spin and compare.
  State s = c.state;
  s.u.segment<3>(2).setZero();
  ASSERT_TRUE(c.system->evaluate(s));
  row.geometry->rate_bias(c.system->workspace().kin, &bias);
  c.state = s;
  EXPECT_NEAR((distance(h) - 2 * distance(0) + distance(-h)) / (h * h), bias, 1e-5);
}

// A boom, a slide on it and a load on a ball joint or free and held there by a constraint; friction in both joints.
struct RubbingCrane {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  explicit RubbingCrane(bool by_constraint, bool twice = false) {
    Body boom;
    boom.name = "boom";
    boom.joint.kind = JointKind::revolute;
    boom.joint.axis = Vec3(0.2, 1, 0.1);
    boom.joint.position = {0.4};
    boom.joint.rate = {0.7};
    boom.mass = 3;
    boom.centre = {1, 0.1, 0.2};
    boom.inertia = Sym3::diagonal(1, 2, 2.5);
    Body slide = boom;
    slide.name = "slide";
    slide.on = "boom";
    slide.at.p = Vec3(2, 0, 0.3);
    slide.joint.kind = JointKind::prismatic;
    slide.joint.axis = Vec3(1, 0.2, 0);
    slide.joint.position = {0.6};
    slide.joint.rate = {-0.3};
    Body load = boom;
    load.name = "load";
    load.on = "slide";
    load.at.p = Vec3(0.5, 0.2, -0.4);
    load.joint = {};
    load.joint.kind = by_constraint ? JointKind::free : JointKind::spherical;
    load.joint.rate = {0.3, -0.2, 0.5};
    if (by_constraint) load.joint.rate.insert(load.joint.rate.end(), {0, 0, 0});
    tree = std::make_shared<Tree>(std::vector<Body>{boom, slide, load});
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    parts.forces = gravity(*tree);
    parts.reaction_forces = {
        std::make_shared<BearingFriction>("pin", boom_angle, 1, BearingFriction::Data{0.3, 0.4, 0.01}),
        std::make_shared<BearingFriction>("guide", slide_travel, 2, BearingFriction::Data{0.2, 1, 0.01})};
    for (int i = 0; by_constraint && i < (twice ? 2 : 1); ++i)
      parts.constraints.push_back(
          {"ball", std::make_shared<FrameConstraint>(tree->frame("slide", load.at), tree->frame("load"),
                                                     FrameConstraint::Held{{true, true, true}, {}})});
    model = std::make_unique<Model>(std::move(parts));
  }
};

TEST(BearingFriction, UnderConstraintsIsThatOfTheJointTheyReplace) {
  const RubbingCrane joint(false);
  System by_joint(*joint.model);
  const State start = joint.model->initial_state();
  ASSERT_TRUE(by_joint.evaluate(start));
  for (bool twice : {false, true}) {  // rows that follow from others do no harm
    const RubbingCrane loop(true, twice);
    System by_loop(*loop.model);
    State s = loop.model->initial_state();
    ASSERT_TRUE(by_loop.satisfy_constraints(s));
    for (auto want : {System::Want::accelerations, System::Want::reactions}) {
      ASSERT_TRUE(by_loop.evaluate(s.t, s.q.data(), s.u.data(), s.z.data(), s.discrete, want));
      const Workspace &a = by_joint.workspace(), &b = by_loop.workspace();
      EXPECT_LT((a.a - b.a.head(5)).norm(), 1e-11 * a.a.norm());
      EXPECT_LT((a.reaction_load - b.reaction_load).norm(), 1e-11 * a.reaction_load.norm());
      for (size_t i = 1; i < 3; ++i)
        EXPECT_LT((a.transmitted[i] - b.transmitted[i]).vector().norm(), 1e-11 * a.transmitted[i].vector().norm());
    }
    EXPECT_NEAR(by_joint.energy(start).power, by_loop.energy(s).power, 1e-10);
    // F = M a + c - f - Gᵀλ with that friction vanishes.
    EvaluationT<double> e;
    loop.model->prepare(e);
    const Workspace& w = by_loop.workspace();
    by_loop.apply_forces<double>(e, s.t, s.q.data(), s.u.data(), s.z.data(), s.discrete);
    JacobianT<double> jacobian;
    by_loop.collect_rows(e.kin, jacobian);
    by_loop.apply_rows(e, jacobian, w.rows.lambda.data());
    VecX F(loop.model->nu());
    by_loop.inverse_dynamics_residual<double>(e, w.a.data(), F.data(), nullptr);
    EXPECT_LT(F.norm(), 1e-10);
    VecX bias(loop.model->rows());
    for (const auto& c : loop.model->constraints()) c.constraint.geometry->rate_bias(w.kin, bias.data() + c.first_row);
    EXPECT_LT((w.rows.G.transpose() * w.a + bias).norm(), 1e-11);
  }
}

}  // namespace
}  // namespace davit
