// Particles, scalars and director bodies: derivatives against other ways of taking them, and models mixed of all kinds
// of coordinates against the tree that moves the same.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "davit/constraint/angle_row.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/joint_combination.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/tied_row.hpp"
#include "davit/dynamics/director_body.hpp"
#include "davit/dynamics/particles.hpp"
#include "davit/dynamics/scalars.hpp"
#include "davit/dynamics/test/random_tree.hpp"

namespace davit {
namespace {

using testing::Random;
using testing::RandomLoads;
using Vec12 = DirectorBody::Vec12;

const FrameConstraint::Held all{{true, true, true}, {true, true, true}};
const FrameConstraint::Held ball{{true, true, true}, {}};

Body some_body(const std::string& name, Random& random) {
  Body b;
  b.name = name;
  b.mass = random.number(1, 3);
  b.centre = random.vector();
  b.inertia = congruence(random.rotation(), Sym3::diagonal(1.1, 1.5, 1.9));
  return b;
}

// A random tree, two director bodies, two particles and two scalars, with rows of every kind between them. The state is
// anywhere: directors are not orthonormal.
struct Mixed {
  Random random;
  std::shared_ptr<const Tree> tree;
  std::shared_ptr<const DirectorBody> first, second;
  std::shared_ptr<const Particles> particles;
  std::shared_ptr<const Scalars> scalars;
  std::unique_ptr<Model> model;
  std::unique_ptr<System> system;
  State state;

  explicit Mixed(unsigned seed) : random(seed) {
    tree = std::make_shared<Tree>(testing::random_bodies(random, 3));
    first = std::make_shared<DirectorBody>(after(*tree), some_body("first", random), random.pose());
    second = std::make_shared<DirectorBody>(after(*first), some_body("second", random), random.pose());
    particles = std::make_shared<Particles>(
        after(*second), std::vector<Particle>{{.name = "p", .mass = 1.5}, {.name = "r", .mass = 2}});
    scalars = std::make_shared<Scalars>(after(*particles),
                                        std::vector<Scalar>{{"angle", "rad", 0.7, 0, 0}, {"length", "m", 1.3, 0, 0}});
    ModelParts parts;
    parts.blocks = {tree, first, second, particles, scalars};
    const int bodies = after(*scalars).body, speeds = after(*scalars).u;
    parts.forces = {std::make_shared<RandomLoads>(random, bodies, speeds)};
    const Frame on_tree{tree->bodies(), random.pose()}, a = first->frame(random.pose()),
                                                        b = second->frame(random.pose()), p = particles->frame(0),
                                                        r = particles->frame(1);
    const auto rope = std::make_shared<PointDistance>(b, r, 0.4);
    parts.constraints = {first->rigidity(),
                         second->rigidity(),
                         {"joint to the tree", std::make_shared<FrameConstraint>(on_tree, a, all)},
                         {"joint between", std::make_shared<FrameConstraint>(a, b, all)},
                         {"rod", std::make_shared<PointDistance>(p, r, 0.3)},
                         {"rod to the tree", std::make_shared<PointDistance>(on_tree, p)},
                         {"particle on a body", std::make_shared<FrameConstraint>(b, p, ball)},
                         {"angle", std::make_shared<AngleRow>(a, b, scalars->at(0))},
                         {"angle of the tree", std::make_shared<AngleRow>(Frame{}, on_tree, scalars->at(0))},
                         {"drum", std::make_shared<TiedRow>(rope, scalars->at(1), 0.6)},
                         {"gear", std::make_shared<JointCombination>(
                                      JointCombination::gear(scalars->at(0), scalars->at(1), -1.7, 0.2))}};
    model = std::make_unique<Model>(std::move(parts));
    system = std::make_unique<System>(*model);
    state = model->initial_state();
    for (int i = after(*tree).q; i < model->nq(); ++i) state.q[i] += random.number(-0.5, 0.5);
    for (double& u : state.u) u = random.number();
  }
  // g at q ⊕ d.
  VecX rows(const VecX& d) {
    State moved = state;
    system->retract(state.q, d, moved.q);
    system->violation(moved, 0);
    return system->workspace().rows.g;
  }
};

class MixedModels : public ::testing::TestWithParam<int> {
 protected:
  Mixed m{static_cast<unsigned>(GetParam())};
};

// By central differences of fourth order.
template <class F>
VecX derivative(F&& f, double h) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}
// Ġu: ġ = G u differentiated along the motion with constant speeds.
VecX rate_of_rates(System& system, const State& s) {
  return derivative(
      [&](double h) -> VecX {
        State moved = s;
        system.retract(s.q, h * s.u, moved.q);
        system.violation(moved, 0);
        return system.workspace().rows.G.transpose() * s.u;
      },
      3e-4);
}

TEST_P(MixedModels, GradientsAreExactAtAnyDirectors) {
  m.system->violation(m.state, 0);
  const MatX G = m.system->workspace().rows.G;
  for (int k = 0; k < m.model->nu(); ++k) {
    const VecX d = VecX::Unit(m.model->nu(), k);
    const VecX expected = derivative([&](double h) { return m.rows(h * d); }, 1e-3);
    EXPECT_LT((G.row(k).transpose() - expected).norm(), 1e-9) << m.model->speed_names()[static_cast<size_t>(k)];
  }
}

TEST_P(MixedModels, RateBiasIsTheRateOfRatesAtConstantSpeeds) {
  const VecX expected = rate_of_rates(*m.system, m.state);
  ASSERT_TRUE(m.system->evaluate(m.state)) << m.system->failure().element;
  VecX bias(m.model->rows());
  m.system->rate_bias(bias);
  EXPECT_LT((bias - expected).norm(), 1e-9 * (1 + expected.norm()));
  // the closed form of the internal constraints
  VecX closed(6);
  m.model->constraints()[0].constraint.geometry->rate_bias(m.system->workspace().kin, closed.data());
  EXPECT_LT((bias.head(6) - closed).norm(), 1e-13 * (1 + closed.norm()));
}

TEST_P(MixedModels, LinearisationIsTheDerivativeOfTheResidual) {
  const int nu = m.model->nu();
  VecX a(nu);
  for (double& x : a) x = m.random.number();
  const Linearisation l = m.system->linearise(m.state, a);
  EvaluationT<double> e;
  m.model->prepare(e);
  const auto residual = [&](const VecX& d, const VecX& du, const VecX& da) {
    VecX q = m.state.q, F(nu);
    m.system->retract(m.state.q, d, q);
    const VecX u = m.state.u + du, acceleration = a + da;
    m.system->residual<double>(e, 0.0, q.data(), u.data(), m.state.z.data(), m.state.discrete, acceleration.data(),
                               F.data(), nullptr);
    return F;
  };
  const VecX zero = VecX::Zero(nu);
  const double scale = 1 + l.K.norm() + l.D.norm() + l.M.norm();
  for (int k = 0; k < nu; ++k) {
    const VecX d = VecX::Unit(nu, k);
    EXPECT_LT((derivative([&](double h) { return residual(h * d, zero, zero); }, 1e-3) - l.K.col(k)).norm(),
              1e-9 * scale);
    EXPECT_LT((derivative([&](double h) { return residual(zero, h * d, zero); }, 1e-3) - l.D.col(k)).norm(),
              1e-9 * scale);
    EXPECT_LT((derivative([&](double h) { return residual(zero, zero, h * d); }, 1e-3) - l.M.col(k)).norm(),
              1e-9 * scale);
  }
}

TEST_P(MixedModels, ConstrainedAccelerationsSolveTheirEquations) {
  ASSERT_TRUE(m.system->evaluate(m.state));
  const Workspace& w = m.system->workspace();
  // F with the multipliers applied vanishes: the loads of the workspace hold them.
  VecX F(m.model->nu());
  m.system->inverse_dynamics_residual<double>(m.system->workspace(), VecX(w.a).data(), F.data(), nullptr);
  EXPECT_LT(F.norm(), 1e-8 * (1 + w.rows.lambda.norm()));
}

TEST_P(MixedModels, MassOfPlainCoordinatesIsConstant) {
  const MatX M = m.system->mass_matrix(m.state);
  State other = m.state;
  for (double& q : other.q) q += m.random.number();
  const int first = after(*m.tree).u, n = m.model->nu() - first;
  EXPECT_EQ(M.bottomRightCorner(n, n), m.system->mass_matrix(other).bottomRightCorner(n, n));
  EXPECT_EQ(M.topRightCorner(first, n).norm(), 0);
  MatX expected = MatX::Zero(12, 12);
  const Mat3& E = m.second->euler_tensor();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) expected.block<3, 3>(3 * i + 3, 3 * j + 3) = E(i, j) * Mat3::Identity();
  const int u = m.second->place().u;
  expected.topLeftCorner<3, 3>() = M(u, u) * Mat3::Identity();
  EXPECT_EQ(M.block(u, u, 12, 12), expected);
}

// Over a finite step of director bodies and scalars the discrete gradient gives the change of g exactly.
TEST_P(MixedModels, DiscreteGradientsGiveTheChange) {
  const int nu = m.model->nu(), first = after(*m.tree).u;
  VecX step = VecX::Zero(nu);
  for (int i = first; i < nu; ++i) step[i] = m.random.number();
  const auto kin_at = [&](double part) {
    KinT<double> kin;
    kin.body.resize(static_cast<size_t>(m.model->bodies()));
    auto q = std::make_shared<VecX>(m.state.q);
    m.system->retract(m.state.q, part * step, *q);
    kin.q = q->data();
    kin.u = m.state.u.data();
    for (const auto& b : m.model->blocks()) b.block->kinematics(kin.q + b.first_q, kin.u + b.first_u, kin);
    return std::pair(kin, q);
  };
  const auto start = kin_at(0), middle = kin_at(0.5), end = kin_at(1);
  for (const auto& c : m.model->constraints()) {
    const Geometry& geometry = *c.constraint.geometry;
    VecX g0(geometry.size()), g1(geometry.size()), change = VecX::Zero(geometry.size());
    geometry.rows(start.first, g0.data());
    geometry.rows(end.first, g1.data());
    JacobianT<double> jacobian;
    geometry.discrete_jacobian(start.first, middle.first, end.first, jacobian);
    for (const auto& e : jacobian.entries) {
      if (e.body == 0) continue;
      const auto& b = m.model->block_of(e.body);
      VecX generalised = VecX::Zero(b.block->nu());
      b.block->add_generalised(middle.first, e, 1.0, generalised.data());
      change[e.row] += generalised.dot(step.segment(b.first_u, b.block->nu()));
    }
    for (const auto& e : jacobian.speeds) change[e.row] += e.coefficient * step[e.speed];
    EXPECT_LT((change - (g1 - g0)).norm(), 1e-13 * (1 + g1.norm() + g0.norm())) << c.constraint.name;
  }
}

// Where all bodies are rigid by their coordinates the geometries' closed forms are used.
TEST_P(MixedModels, ClosedFormsOfTheRateBias) {
  const auto tied = std::make_shared<Scalars>(after(*m.tree), std::vector<Scalar>{{"angle", "rad", 1, 0.7, -0.9}});
  const Frame a{0, m.random.pose()}, b{1, m.random.pose()}, c{m.tree->bodies(), m.random.pose()};
  ModelParts parts;
  parts.blocks = {m.tree, tied};
  parts.constraints = {
      {"angle", std::make_shared<AngleRow>(b, c, tied->at(0))},
      {"angle to the world", std::make_shared<AngleRow>(a, c, tied->at(0))},
      {"drum", std::make_shared<TiedRow>(std::make_shared<PointDistance>(a, c, 0.4), tied->at(0), 0.6)}};
  const Model model(std::move(parts));
  ASSERT_TRUE(model.rigid_kinematics());
  System system(model);
  const State s = model.initial_state();
  const VecX expected = rate_of_rates(system, s);
  ASSERT_TRUE(system.evaluate(s));
  VecX bias(model.rows());
  system.rate_bias(bias);
  EXPECT_LT((bias - expected).norm(), 1e-9 * (1 + expected.norm()));
}

// A force that makes bodies heavier than they are.
class AddedInertia final : public ForceOf<AddedInertia> {
 public:
  AddedInertia(Random& random, int bodies) : ForceOf("added inertia") {
    for (int i = 0; i < bodies; ++i) {
      Mat6 B;
      for (double& x : B.reshaped()) x = random.number();
      added_.push_back(SpatialInertia::of(B * B.transpose()));
    }
  }
  std::string summary() const override { return name(); }
  template <class S>
  void add_inertia(const ContextT<S>&, std::vector<SpatialInertiaT<S>>& added) const {
    for (size_t i = 0; i < added_.size(); ++i) {
      const SpatialInertia& A = added_[i];
      added[i] += SpatialInertiaT<S>{A.J.cast<S>(), A.H.cast<S>(), A.M.cast<S>()};
    }
  }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>&, S*) const {
    ++evaluations;
  }
  mutable int evaluations = 0;

 private:
  std::vector<SpatialInertia> added_;
};

TEST_P(MixedModels, AddedInertiaIsPartOfTheMass) {
  ModelParts parts;
  parts.blocks = {m.tree, m.first, m.second, m.particles, m.scalars};
  parts.forces = {std::make_shared<RandomLoads>(m.random, m.model->bodies(), m.model->nu()),
                  std::make_shared<AddedInertia>(m.random, m.model->bodies())};
  const Model model(std::move(parts));
  System system(model);
  ASSERT_TRUE(system.evaluate(m.state));
  const VecX a = system.workspace().a;
  VecX F(model.nu());
  system.inverse_dynamics_residual<double>(system.workspace(), a.data(), F.data(), nullptr);
  EXPECT_LT(F.norm(), 1e-10 * (1 + a.norm()));
  EXPECT_LT((system.linearise(m.state, a).M - system.mass_matrix(m.state)).norm(), 1e-12 * (1 + a.norm()));
}

// The metric of a projection is the mass with added inertia; forces have no part in it.
TEST_P(MixedModels, ProjectionsEvaluateNoForce) {
  ModelParts parts;
  parts.blocks = {m.tree, m.first, m.second, m.particles, m.scalars};
  const auto added = std::make_shared<AddedInertia>(m.random, m.model->bodies());
  parts.forces = {added};
  for (const auto& c : m.model->constraints()) parts.constraints.push_back(c.constraint);
  const Model model(std::move(parts));
  System system(model);
  State s = m.state;
  system.satisfy_constraints(s);
  const RowWork& rows = system.rows_at(s);
  EXPECT_EQ(added->evaluations, 0);
  EXPECT_LT((system.mass_matrix(s) * rows.MinvG - rows.G).norm(), 1e-9 * rows.G.norm());
  EXPECT_EQ(added->evaluations, 0);
  ASSERT_TRUE(system.evaluate(s));
  EXPECT_EQ(added->evaluations, 1);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MixedModels, ::testing::Range(1, 16));

TEST(DirectorBody, NullSpaceReparametrisationAndReducedMass) {
  Random random(3);
  const Body body = some_body("b", random);
  const DirectorBody b({}, body, random.pose());
  const auto model_of = [](std::shared_ptr<const DirectorBody> block) {
    ModelParts parts;
    parts.constraints = {block->rigidity()};
    parts.blocks = {std::make_shared<Tree>(std::vector<Body>{}), block};
    return Model(std::move(parts));
  };
  const Model model = model_of(std::make_shared<DirectorBody>(b));
  System system(model);
  State s = model.initial_state();
  const Vec3 position = random.vector(), theta = random.vector();
  s.q = b.configuration(position, theta);
  EXPECT_LT(system.violation(s, 0), 1e-15);
  const auto P = DirectorBody::null_space(s.q);
  EXPECT_LT((system.workspace().rows.G.transpose() * P).norm(), 1e-14);
  // PᵀMP = diag(m 1, J), (2.54)
  Mat6 expected = Mat6::Zero();
  expected.topLeftCorner<3, 3>() = body.mass * Mat3::Identity();
  const Mat3 R = Eigen::Map<const Mat3>(s.q.data() + 3);
  expected.bottomRightCorner<3, 3>() = R * body.inertia.matrix() * R.transpose();
  EXPECT_LT((P.transpose() * system.mass_matrix(s) * P - expected).norm(), 1e-13);
  // P = DF at θ = 0, (2.32)
  const Vec12 at_start = b.configuration(position, Vec3::Zero());
  for (int k = 0; k < 3; ++k) {
    const VecX column = derivative([&](double h) { return VecX(b.configuration(position, h * Vec3::Unit(k))); }, 1e-3);
    EXPECT_LT((DirectorBody::null_space(at_start).col(3 + k) - column).norm(), 1e-11);
  }
}

TEST(DirectorBody, StartsAsItWasTold) {
  Random random(8);
  const Body body = some_body("b", random);
  const Pose pose = random.pose(), offset = random.pose();
  const Twist twist{random.vector(), random.vector()};
  ModelParts parts;
  const auto b = std::make_shared<DirectorBody>(BlockPlace{}, body, pose, twist);
  parts.blocks = {std::make_shared<Tree>(std::vector<Body>{}), b};
  const Model model(std::move(parts));
  System system(model);
  ASSERT_TRUE(system.evaluate(model.initial_state()));
  const Kin& kin = system.workspace().kin;
  EXPECT_LT((position(kin, b->frame()) - pose.p).norm(), 1e-15);
  EXPECT_LT((position(kin, b->frame(offset)) - pose * offset.p).norm(), 1e-14);
  EXPECT_LT((rotation(kin, b->frame(offset)) - pose.R * offset.R).norm(), 1e-14);
  EXPECT_LT((velocity(kin, b->frame(offset)) - twist.about(pose.R * offset.p).v).norm(), 1e-14);
  EXPECT_LT((kin.body[1].w - twist.w).norm(), 1e-14);
  const Vec3 v = twist.about(pose.R * body.centre).v;
  const Mat3 J = pose.R * body.inertia.matrix() * pose.R.transpose();
  const State s = model.initial_state();
  ASSERT_TRUE(system.evaluate(s));
  EXPECT_NEAR(system.energy(s).kinetic, 0.5 * (body.mass * v.squaredNorm() + twist.w.dot(J * twist.w)), 1e-13);
  for (const Channel& c : model.channels()) {
    EXPECT_TRUE(std::isfinite(c.value(s, system.workspace()))) << c.name;
    if (c.name == "b.position_y") {
      EXPECT_NEAR(c.value(s, system.workspace()), pose.p.y(), 1e-14);
    }
    if (c.name == "b.wz") {
      EXPECT_NEAR(c.value(s, system.workspace()), pose.R.col(2).dot(twist.w), 1e-14);
    }
  }
}

TEST(Blocks, AreRefusedAtAnotherPlace) {
  const auto tree = std::make_shared<Tree>(std::vector<Body>{});
  const auto particles = std::make_shared<Particles>(after(*tree), std::vector<Particle>{{.name = "p", .mass = 1}});
  ModelParts parts;
  parts.blocks = {tree, particles, particles};
  EXPECT_THROW(Model{std::move(parts)}, std::logic_error);
}

// The accelerations of a tree's motion: (v, ω) of a body differentiated along q ⊕ ε u, u + ε a.
struct Accelerated {
  KinT<Dual8> kin;
  std::vector<Dual8> q, u;
  Accelerated(const Tree& tree, const State& s, const VecX& a) {
    const auto n = static_cast<size_t>(tree.nu());
    std::vector<Dual8> q0(s.q.begin(), s.q.end()), d(n);
    q = q0;
    u.resize(n);
    for (size_t i = 0; i < n; ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      d[i].d[0] = s.u[k];
      u[i] = Dual8(s.u[k]);
      u[i].d[0] = a[k];
    }
    tree.retract(q0.data(), d.data(), q.data());
    kin.body.resize(tree.segments().size());
    tree.kinematics(q.data(), u.data(), kin);
  }
  Vec3 acceleration(const Frame& f) const { return rates(velocity(kin, f)); }
  Vec3 axis_acceleration(const Frame& f, int i) const {
    return rates(Vec3T<Dual8>(kin.body[static_cast<size_t>(f.body)].w.cross(Vec3T<Dual8>(rotation(kin, f).col(i)))));
  }
  static Vec3 rates(const Vec3T<Dual8>& x) { return {x[0].d[0], x[1].d[0], x[2].d[0]}; }
};

// Weights of points.
class Weights final : public ForceOf<Weights> {
 public:
  explicit Weights(std::vector<std::pair<Frame, double>> weights) : ForceOf("weights"), weights_(std::move(weights)) {}
  std::string summary() const override { return name(); }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    for (const auto& [frame, mass] : weights_)
      loads.add_force(frame.body, c.kin.body[static_cast<size_t>(frame.body)].R * as<S>(frame.offset.p),
                      as<S>(Vec3(0, 0, -9.81 * mass)));
  }

 private:
  std::vector<std::pair<Frame, double>> weights_;
};

// A crane with a block on a ball at the tip of its boom, a weight on a rope below, and a drive that turns with the
// tower: as a tree, and with the block as a director body, the weight a particle and the drive a scalar.
class CraneTwice : public ::testing::TestWithParam<int> {};

TEST_P(CraneTwice, HasTheSameAccelerations) {
  Random random(static_cast<unsigned>(GetParam()));
  const double drive = 1.4, rope = 2.2;
  const auto start = [&](Body& b, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      b.joint.position.push_back(random.number());
      b.joint.rate.push_back(random.number());
    }
  };
  Body tower = some_body("tower", random);
  tower.joint.kind = JointKind::revolute;
  start(tower, 1);
  Body boom = some_body("boom", random);
  boom.on = "tower";
  boom.at.p = Vec3(0, 0, 3);
  boom.joint.kind = JointKind::revolute;
  boom.joint.axis = Vec3::UnitY();
  start(boom, 1);
  const Pose tip{Mat3::Identity(), Vec3(4, 0.2, 0.3)};
  Body block = some_body("block", random);
  block.on = "boom";
  block.at = tip;
  block.joint.kind = JointKind::spherical;
  start(block, 3);
  const Pose eye{Mat3::Identity(), Vec3(0.2, -0.1, -0.8)};
  Body swing;
  swing.name = "swing";
  swing.on = "block";
  swing.at = eye;
  swing.joint.kind = JointKind::universal;
  swing.joint.axis = Vec3::UnitX();
  swing.joint.second_axis = Vec3::UnitY();
  swing.mass = 2.5;
  swing.centre = Vec3(0, 0, -rope);
  start(swing, 2);

  Body heavy_tower = tower;
  heavy_tower.inertia.zz += drive;
  const auto whole = std::make_shared<Tree>(std::vector<Body>{heavy_tower, boom, block, swing});
  const auto weight_of = [](const Tree& tree, const Body& b) {
    return std::pair(tree.frame(b.name, Pose{Mat3::Identity(), b.centre}), b.mass);
  };
  const Frame weight = whole->frame("swing", Pose{Mat3::Identity(), swing.centre});
  ModelParts parts;
  parts.blocks = {whole};
  parts.forces = {std::make_shared<Weights>(
      std::vector{weight_of(*whole, boom), weight_of(*whole, block), weight_of(*whole, swing)})};
  const Model pure(std::move(parts));
  System tree_system(pure);
  const State s = pure.initial_state();
  ASSERT_TRUE(tree_system.evaluate(s));
  const Kin& kin = tree_system.workspace().kin;

  const auto crane = std::make_shared<Tree>(std::vector<Body>{tower, boom});
  const Frame block_frame = whole->frame("block");
  const auto& block_kin = kin.body[static_cast<size_t>(block_frame.body)];
  const auto director =
      std::make_shared<DirectorBody>(after(*crane), block, Pose{rotation(kin, block_frame), position(kin, block_frame)},
                                     Twist{block_kin.w, velocity(kin, block_frame)});
  const auto particles = std::make_shared<Particles>(
      after(*director), std::vector<Particle>{{"weight", swing.mass, position(kin, weight), velocity(kin, weight)}});
  const auto scalars = std::make_shared<Scalars>(
      after(*particles), std::vector<Scalar>{{"drive", "rad", drive, tower.joint.position[0], tower.joint.rate[0]}});
  parts = {};
  parts.blocks = {crane, director, particles, scalars};
  parts.forces = {std::make_shared<Weights>(
      std::vector{weight_of(*crane, boom), std::pair(director->frame(Pose{Mat3::Identity(), block.centre}), block.mass),
                  std::pair(particles->frame(0), swing.mass)})};
  parts.constraints = {
      director->rigidity(),
      {"ball", std::make_shared<FrameConstraint>(crane->frame("boom", tip), director->frame(), ball)},
      {"rope", std::make_shared<PointDistance>(director->frame(eye), particles->frame(0), rope)},
      {"drive", std::make_shared<AngleRow>(crane->frame("world"), crane->frame("tower"), scalars->at(0))}};
  const Model mixed(std::move(parts));
  System system(mixed);
  State m = mixed.initial_state();
  for (int i = 0; i < 4; ++i) ASSERT_LT(system.violation(m, i), 1e-14);
  ASSERT_LT((system.workspace().rows.G.transpose() * m.u).norm(), 1e-13);
  ASSERT_TRUE(system.evaluate(m)) << system.failure().element;

  const VecX& a = system.workspace().a;
  const VecX& expected = tree_system.workspace().a;
  const Accelerated motion(*whole, s, expected);
  const double scale = 1e-11 * (1 + expected.norm());
  EXPECT_LT((a.head(2) - expected.head(2)).norm(), scale);
  const int u = director->place().u;
  EXPECT_LT((a.segment<3>(u) - motion.acceleration(whole->frame("block", Pose{Mat3::Identity(), block.centre}))).norm(),
            scale);
  for (int i = 0; i < 3; ++i)
    EXPECT_LT((a.segment<3>(u + 3 + 3 * i) - motion.axis_acceleration(block_frame, i)).norm(), scale);
  EXPECT_LT((a.segment<3>(particles->place().u) - motion.acceleration(weight)).norm(), scale);
  EXPECT_NEAR(a[scalars->at(0).u], expected[0], scale);
  // and the tower's bearing carries the same
  const auto reaction = [](const Tree& tree, const System& sys) {
    return tree.reaction(sys.workspace().kin, sys.workspace().transmitted, 0, Tree::Axes::parent).vector();
  };
  Vec6 difference = reaction(*crane, system) - reaction(*whole, tree_system);
  difference[2] = 0;  // the moment about the axis is the drive's own affair
  EXPECT_LT(difference.norm(), 10 * scale);
}
INSTANTIATE_TEST_SUITE_P(Seeds, CraneTwice, ::testing::Range(1, 21));

class Torque final : public ForceOf<Torque> {
 public:
  Torque(int speed, double torque) : ForceOf("torque"), speed_(speed), torque_(torque) {}
  std::string summary() const override { return name(); }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>& loads, S*) const {
    loads.tau[static_cast<size_t>(speed_)] += S(torque_);
  }

 private:
  int speed_;
  double torque_;
};

// Coordinate augmentation (2.3.5): a massless angle tied to the directors takes a torque. Explicit methods refuse it by
// name; the full equations [M -Gᵀ; G 0] have the acceleration of the hinge, τ/J.
TEST(Scalars, AMasslessAngleTurnsABodyWithoutAngles) {
  Body wheel;
  wheel.name = "wheel";
  wheel.mass = 3;
  wheel.inertia = Sym3::diagonal(0.4, 0.5, 0.6);
  const double angle = 2.3561944901923448, rate = 0.8, torque = 1.7;  // 3π/4, where (2.104) is singular
  const auto tree = std::make_shared<Tree>(std::vector<Body>{});
  const auto body = std::make_shared<DirectorBody>(after(*tree), wheel, Pose{axis_rotation(2, angle), Vec3::Zero()},
                                                   Twist{Vec3(0, 0, rate), Vec3::Zero()});
  const auto scalars =
      std::make_shared<Scalars>(after(*body), std::vector<Scalar>{{"wheel angle", "rad", 0, angle, rate}});
  ModelParts parts;
  parts.blocks = {tree, body, scalars};
  parts.forces = {std::make_shared<Torque>(scalars->at(0).u, torque)};
  const FrameConstraint::Held hinge{{true, true, true}, {true, true, false}};
  parts.constraints = {body->rigidity(),
                       {"hinge", std::make_shared<FrameConstraint>(Frame{}, body->frame(), hinge)},
                       {"angle", std::make_shared<AngleRow>(Frame{}, body->frame(), scalars->at(0))}};
  const Model model(std::move(parts));
  System system(model);
  const State s = model.initial_state();
  EXPECT_FALSE(system.evaluate(s));
  EXPECT_EQ(system.failure().element, "wheel angle");
  system.violation(s, 0);
  EXPECT_LT(system.workspace().rows.g.norm(), 1e-15);
  const MatX G = system.workspace().rows.G;
  VecX bias(model.rows());
  system.rate_bias(bias);
  const int n = model.nu(), rows = model.rows();
  MatX A = MatX::Zero(n + rows, n + rows);
  A.topLeftCorner(n, n) = system.mass_matrix(s);
  A.topRightCorner(n, rows) = -G;
  A.bottomLeftCorner(rows, n) = G.transpose();
  VecX b = VecX::Zero(n + rows);
  b[scalars->at(0).u] = torque;
  b.tail(rows) = -bias;
  const VecX x = A.partialPivLu().solve(b);
  EXPECT_NEAR(x[scalars->at(0).u], torque / 0.6, 1e-12);
  const Vec3 d1 = axis_rotation(2, angle).col(0), d2 = axis_rotation(2, angle).col(1);
  EXPECT_LT((x.segment<3>(3) - (torque / 0.6 * d2 - rate * rate * d1)).norm(), 1e-12);
}

}  // namespace
}  // namespace davit
