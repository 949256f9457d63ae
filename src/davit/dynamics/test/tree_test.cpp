// The O(n) recursions against Kane's matrices, momentum balances by dual numbers, and each other, on random trees.
#include "davit/dynamics/tree.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "davit/dynamics/kane.hpp"
#include "davit/dynamics/momentum_balance.hpp"
#include "random_tree.hpp"

namespace davit {
namespace {

using testing::Random;
using testing::RandomCase;

class RandomTrees : public ::testing::TestWithParam<int> {
 protected:
  RandomCase c{static_cast<unsigned>(GetParam()), 1 + GetParam() % 9};
  void SetUp() override {
    if (c.tree->nu() == 0) GTEST_SKIP() << "all joints fixed";
    ASSERT_TRUE(c.system->evaluate(c.state)) << c.system->failure().why;
  }
};

TEST_P(RandomTrees, ForwardDynamicsEqualsKane) {
  const Workspace& w = c.system->workspace();
  const KaneMatrices kane = kane_matrices(*c.tree, w.kin);
  // τ of (32): all loads projected.
  VecX tau = Eigen::Map<const VecX>(w.loads.tau.data(), c.tree->nu());
  const auto projection = projections(*c.tree, w.kin);
  for (size_t k = 1; k < projection.size(); ++k) {
    const Segment& s = c.tree->segments()[k];
    const Vec3 arm = s.mass > 0 ? Vec3(w.kin.body[k].R * s.moment / s.mass) : Vec3(Vec3::Zero());
    tau +=
        projection[k].P.transpose() * rotated(Mat3(w.kin.body[k].R.transpose()), w.loads.wrench[k].about(arm)).vector();
  }
  const VecX expected = kane.M.partialPivLu().solve(tau - kane.C * c.state.u);
  // Round-off grows with the condition of M; the recursion must be as good as the dense solve.
  const double condition = kane.M.norm() * kane.M.inverse().norm();
  EXPECT_LT((w.a - expected).norm(), 1e-12 * std::max(1.0, 1e-3 * condition) * (1 + expected.norm()));
  EXPECT_LT((c.system->mass_matrix(c.state) - kane.M).norm(), 1e-12 * kane.M.norm());
}

TEST_P(RandomTrees, InverseDynamicsEqualsKane) {
  Workspace& w = c.system->workspace();
  Random random(7);
  VecX a(c.tree->nu()), residual(c.tree->nu());
  for (double& x : a) x = random.number();
  Loads none;
  none.resize(c.model->bodies(), c.tree->nu(), false);
  none.clear();
  c.tree->momentum_rate(w.kin, a.data(), none, *w.block[0], residual.data(), nullptr);
  const KaneMatrices kane = kane_matrices(*c.tree, w.kin);
  const VecX expected = kane.M * a + kane.C * c.state.u;
  EXPECT_LT((residual - expected).norm(), 1e-12 * (1 + expected.norm()));
  const VecX skew_form = kane.C_skew * c.state.u;
  EXPECT_LT((skew_form - kane.C * c.state.u).norm(), 1e-12 * (1 + expected.norm()));
}

TEST_P(RandomTrees, ResidualVanishesAtTheForwardSolution) {
  EvaluationT<double> e;
  c.model->prepare(e);
  VecX F(c.tree->nu());
  std::vector<Wrench> transmitted(static_cast<size_t>(c.model->bodies()));
  const VecX a = c.system->workspace().a;
  c.system->residual<double>(e, 0.0, c.state.q.data(), c.state.u.data(), c.state.z.data(), c.state.discrete, a.data(),
                             F.data(), transmitted.data());
  EXPECT_LT(F.norm(), 1e-11 * (1 + a.norm()));
  // and the two recursions agree on what every joint transmits
  double largest = 0;
  for (const Wrench& w : transmitted) largest = std::max(largest, w.vector().norm());
  for (size_t i = 1; i < transmitted.size(); ++i)
    EXPECT_LT((transmitted[i] - c.system->workspace().transmitted[i]).vector().norm(), 1e-11 * (1 + largest));
}

TEST_P(RandomTrees, CoriolisMatrices) {
  const KaneMatrices kane = kane_matrices(*c.tree, c.system->workspace().kin);
  const MatX skew = kane.M_dot - 2 * kane.C_skew;
  EXPECT_LT((skew + skew.transpose()).norm(), 1e-12 * (1 + kane.M_dot.norm()));
  const VecX& u = c.state.u;
  EXPECT_LT(std::abs(u.dot((kane.M_dot - 2 * kane.C) * u)), 1e-12 * (1 + kane.M_dot.norm() * u.squaredNorm()));
  // Ṁ itself against a central difference of M along the motion
  const double h = 1e-5;
  const auto mass_at = [&](double t) {
    State s = c.state;
    VecX d = t * c.state.u, q = s.q;
    c.system->retract(c.state.q, d, q);
    s.q = q;
    return c.system->mass_matrix(s);
  };
  EXPECT_LT(((mass_at(h) - mass_at(-h)) / (2 * h) - kane.M_dot).norm(), 1e-8 * (1 + kane.M.norm()));
}

TEST_P(RandomTrees, ReactionsBalanceMomentumAndAuxiliarySpeeds) {
  const Workspace& w = c.system->workspace();
  double largest = 0;
  for (const Wrench& wrench : w.transmitted) largest = std::max(largest, wrench.vector().norm());
  for (size_t i = 0; i < c.tree->bodies_of_tree().size(); ++i) {
    const TreeBody& b = c.tree->bodies_of_tree()[i];
    const Wrench at_joint = w.transmitted[static_cast<size_t>(b.first_segment)];
    EXPECT_LT((at_joint - momentum_balance(*c.tree, c.state, w.kin, w.loads, w.a, static_cast<int>(i))).vector().norm(),
              1e-9 * (1 + largest))
        << b.body.name;
    const Wrench kane = auxiliary_speed_reaction(*c.tree, w.kin, w.loads, w.a, static_cast<int>(i));
    EXPECT_LT((at_joint - kane).vector().norm(), 1e-9 * (1 + largest)) << b.body.name;
    // The same wrench in the axes of either body.
    const Wrench own = c.tree->reaction(w.kin, w.transmitted, static_cast<int>(i), Tree::Axes::body);
    const Wrench parent = c.tree->reaction(w.kin, w.transmitted, static_cast<int>(i), Tree::Axes::parent);
    EXPECT_NEAR(own.f.norm(), parent.f.norm(), 1e-9 * (1 + largest));
    EXPECT_NEAR(own.n.norm(), parent.n.norm(), 1e-9 * (1 + largest));
  }
}

TEST_P(RandomTrees, VelocitiesAreTheDerivativesOfPoses) {
  // Twists and the accelerations at u̇ = 0, both against dual derivatives of poses and velocities along the motion.
  const Tree& tree = *c.tree;
  const size_t n = static_cast<size_t>(tree.nu());
  std::vector<Dual8> q0(c.state.q.begin(), c.state.q.end()), q(q0), d(n), u(n);
  for (size_t i = 0; i < n; ++i)
    d[i].d[0] = c.state.u[static_cast<Eigen::Index>(i)], u[i] = Dual8(c.state.u[static_cast<Eigen::Index>(i)]);
  tree.retract(q0.data(), d.data(), q.data());
  KinT<Dual8> kin;
  kin.body.resize(tree.segments().size());
  tree.kinematics(q.data(), u.data(), kin);
  for (size_t k = 1; k < kin.body.size(); ++k) {
    const auto& b = c.system->workspace().kin.body[k];
    const auto& m = kin.body[k];
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(m.p[i].d[0], b.v[i], 1e-11);
      EXPECT_NEAR(m.v[i].d[0], b.acc[i], 1e-11 * (1 + b.acc.norm()));
      EXPECT_NEAR(m.w[i].d[0], b.alpha[i], 1e-11 * (1 + b.alpha.norm()));
    }
    Mat3 R_dot;
    for (int i = 0; i < 9; ++i) R_dot(i) = m.R(i).d[0];
    EXPECT_LT((R_dot - skew(b.w) * b.R).norm(), 1e-11 * (1 + b.w.norm()));
  }
}

TEST_P(RandomTrees, RetractionAndDifferenceInvertEachOther) {
  Random random(3);
  VecX d(c.tree->nu()), q1(c.tree->nq()), back(c.tree->nu()), rate(c.tree->nu());
  for (double& x : d) x = random.number();
  c.tree->retract(c.state.q.data(), d.data(), q1.data());
  c.tree->difference(c.state.q.data(), q1.data(), back.data());
  EXPECT_LT((back - d).norm(), 1e-12);
  // The same way back is -d: displacements are in the axes of half the rotation.
  VecX q0(c.tree->nq());
  back = -d;
  c.tree->retract(q1.data(), back.data(), q0.data());
  EXPECT_LT((q0 - c.state.q).norm(), 1e-12);
  // ḋ: moving on from q1 with speeds u changes the increment from q0 by ḋ dt.
  c.tree->increment_rate(d.data(), c.state.u.data(), rate.data());
  const double h = 1e-6;
  VecX step = h * c.state.u, ahead(c.tree->nq()), behind(c.tree->nq()), d_ahead(c.tree->nu()), d_behind(c.tree->nu());
  c.tree->retract(q1.data(), step.data(), ahead.data());
  step = -step;
  c.tree->retract(q1.data(), step.data(), behind.data());
  c.tree->difference(c.state.q.data(), ahead.data(), d_ahead.data());
  c.tree->difference(c.state.q.data(), behind.data(), d_behind.data());
  EXPECT_LT(((d_ahead - d_behind) / (2 * h) - rate).norm(), 1e-8 * (1 + rate.norm()));
}

TEST_P(RandomTrees, LinearisationMatchesDifferences) {
  const VecX a = c.system->workspace().a;
  const Linearisation lin = c.system->linearise(c.state, a);
  EvaluationT<double> e;
  c.model->prepare(e);
  const int n = c.tree->nu();
  const auto F_at = [&](const VecX& d, const VecX& u) {
    VecX q(c.tree->nq()), F(n);
    c.system->retract(c.state.q, d, q);
    c.system->residual<double>(e, 0.0, q.data(), u.data(), c.state.z.data(), c.state.discrete, a.data(), F.data(),
                               nullptr);
    return F;
  };
  const double h = 1e-5;
  for (int i = 0; i < n; ++i) {
    const VecX step = h * VecX::Unit(n, i), zero = VecX::Zero(n);
    const VecX k = (F_at(step, c.state.u) - F_at(-step, c.state.u)) / (2 * h);
    EXPECT_LT((k - lin.K.col(i)).norm(), 1e-6 * (1 + lin.K.norm()));
    const VecX damping = (F_at(zero, c.state.u + step) - F_at(zero, c.state.u - step)) / (2 * h);
    EXPECT_LT((damping - lin.D.col(i)).norm(), 1e-6 * (1 + lin.D.norm()));
  }
}

// The state a little later or earlier, by speeds and accelerations.
State moved_by(const RandomCase& c, double h) {
  State s = c.state;
  const VecX a = c.system->workspace().a, d = h * c.state.u + 0.5 * h * h * a;
  VecX q = s.q;
  c.system->retract(c.state.q, d, q);
  s.q = q;
  s.u += h * a;
  return s;
}
Kin kinematics_of(const RandomCase& c, const State& s) {
  Kin kin = c.system->workspace().kin;
  c.tree->kinematics(s.q.data(), s.u.data(), kin);
  return kin;
}

TEST_P(RandomTrees, LoadsFeedTheKineticEnergy) {
  const Workspace& w = c.system->workspace();
  double fed = 0, size = 0;
  for (size_t i = 1; i < w.loads.wrench.size(); ++i)
    fed += power(w.loads.wrench[i], Twist{w.kin.body[i].w, w.kin.body[i].v});
  for (Eigen::Index i = 0; i < c.state.u.size(); ++i) fed += w.loads.tau[static_cast<size_t>(i)] * c.state.u[i];
  const double h = 1e-5;
  const auto kinetic = [&](double t) {
    const State s = moved_by(c, t);
    const Kin kin = kinematics_of(c, s);
    const double energy = c.tree->kinetic_energy(kin);
    size = std::max(size, energy * (1 + w.a.norm()));
    EXPECT_NEAR(energy, 0.5 * s.u.dot(c.system->mass_matrix(s) * s.u), 1e-11 * (1 + energy));
    return energy;
  };
  EXPECT_NEAR((kinetic(h) - kinetic(-h)) / (2 * h), fed, 1e-7 * (1 + size * w.a.norm()));
}

// Of all bodies together: what the world's joints and all loads give, about the origin.
TEST_P(RandomTrees, MomentaOfAllGrowByWhatComesFromOutside) {
  const Workspace& w = c.system->workspace();
  Wrench outside;
  for (size_t i = 1; i < w.kin.body.size(); ++i) {
    outside += w.loads.wrench[i].about(-w.kin.body[i].p);
    if (c.tree->segments()[i].parent == 0) outside += w.transmitted[i].about(-w.kin.body[i].p);
  }
  const auto momenta = [&](double t) {
    const State s = moved_by(c, t);
    const Kin kin = kinematics_of(c, s);
    Vec6 sum = Vec6::Zero();
    for (size_t i = 1; i < kin.body.size(); ++i) {
      const Segment& segment = c.tree->segments()[i];
      if (!segment.inertial || segment.mass == 0) continue;
      const auto& k = kin.body[i];
      const Vec3 centre = k.R * segment.moment / segment.mass;
      const Vec3 p = segment.mass * (k.v + k.w.cross(centre));
      const Mat3 J = k.R * segment.J.matrix() * k.R.transpose();
      const Vec3 about_origin_of_body = J * k.w + segment.mass * centre.cross(k.v);
      sum.head<3>() += about_origin_of_body + k.p.cross(p);
      sum.tail<3>() += p;
    }
    return sum;
  };
  const double h = 1e-5;
  const Vec6 rate = (momenta(h) - momenta(-h)) / (2 * h), expected = outside.vector();
  EXPECT_LT((rate - expected).norm(), 1e-6 * (1 + expected.norm() + w.a.norm() * w.a.norm()));
}

TEST_P(RandomTrees, SolvesAlongOneChainAsForAll) {
  Workspace& w = c.system->workspace();
  Random random(13);
  const int body = random.integer(1, c.tree->bodies());
  const std::vector<int> chain = c.tree->chain_to(body), speeds = c.tree->speeds_moving(body);
  VecX r = VecX::Zero(c.tree->nu()), all = r, along = r;
  c.tree->add_wrench(w.kin, body, {random.vector(), random.vector()}, r.data());
  c.tree->solve_mass(w.kin, *w.block[0], r.data(), all.data(), nullptr);
  c.tree->solve_mass_along(w.kin, *w.block[0], chain, r.data(), along.data());
  for (const int u : speeds) EXPECT_NEAR(along[u], all[u], 1e-12 * (1 + all.norm()));
  EXPECT_LT((c.system->mass_matrix(c.state) * all - r).norm(), 1e-10 * (1 + all.norm()));
  // Nothing else is moved by it, and no other speed moves the body.
  for (int u = 0; u < c.tree->nu(); ++u)
    if (std::find(speeds.begin(), speeds.end(), u) == speeds.end()) EXPECT_EQ(r[u], 0) << u;
}

// A full 6x6 inertia that moves with a body, as added mass does.
class AddedMass final : public ForceOf<AddedMass> {
 public:
  AddedMass(int body, const Mat6& matrix) : ForceOf("added mass"), body_(body), inertia_(SpatialInertia::of(matrix)) {}
  std::string summary() const override { return name(); }
  template <class S>
  void add_inertia(const ContextT<S>& c, std::vector<SpatialInertiaT<S>>& added) const {
    const SpatialInertiaT<S> own{inertia_.J.cast<S>(), as<S>(inertia_.H), inertia_.M.cast<S>()};
    added[static_cast<size_t>(body_)] += own.rotated(c.kin.body[static_cast<size_t>(body_)].R);
  }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>&, S*) const {}

 private:
  int body_;
  SpatialInertia inertia_;
};

TEST_P(RandomTrees, AddedInertiaEntersTheMassMatrixAndTheSolution) {
  Random random(11);
  const int body = random.integer(1, c.tree->bodies());
  Mat6 A;
  for (double& x : A.reshaped()) x = random.number();
  A = (A * A.transpose()).eval();
  ModelParts parts;
  parts.blocks = {c.tree};
  parts.body_names = c.tree->segment_names();
  parts.forces = {c.model->forces()[0].element, std::make_shared<AddedMass>(body, A)};
  const Model model(std::move(parts));
  System system(model);
  ASSERT_TRUE(system.evaluate(c.state));
  // Projection of the body's twist about its origin, in its own axes, from the one about the centre of mass.
  const Kin& kin = system.workspace().kin;
  const auto projection = projections(*c.tree, kin)[static_cast<size_t>(body)];
  const Segment& s = c.tree->segments()[static_cast<size_t>(body)];
  const Vec3 centre = s.mass > 0 ? Vec3(s.moment / s.mass) : Vec3(Vec3::Zero());
  Mat6 to_origin = Mat6::Identity();
  to_origin.bottomLeftCorner<3, 3>() = skew(centre);
  const MatX P = to_origin * projection.P;
  const MatX expected = kane_matrices(*c.tree, kin).M + P.transpose() * A * P;
  EXPECT_LT((system.mass_matrix(c.state) - expected).norm(), 1e-11 * expected.norm());
  // and the articulated recursion solves with it
  EvaluationT<double> e;
  model.prepare(e);
  VecX F(c.tree->nu());
  std::vector<Wrench> transmitted(static_cast<size_t>(model.bodies()));
  const VecX a = system.workspace().a;
  system.residual<double>(e, 0.0, c.state.q.data(), c.state.u.data(), c.state.z.data(), c.state.discrete, a.data(),
                          F.data(), transmitted.data());
  EXPECT_LT(F.norm(), 1e-10 * (1 + a.norm()));
  for (size_t i = 1; i < transmitted.size(); ++i)
    EXPECT_LT((transmitted[i] - system.workspace().transmitted[i]).vector().norm(),
              1e-10 * (1 + transmitted[i].vector().norm() + a.norm()));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTrees, ::testing::Range(1, 61));

Body rod(const char* name, const char* on, JointKind kind) {
  Body b;
  b.name = name;
  b.on = on;
  b.joint.kind = kind;
  return b;
}

TEST(Tree, NamesMistakes) {
  const auto message = [](std::vector<Body> bodies) -> std::string {
    try {
      Tree tree(std::move(bodies));
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message({rod("a", "c", JointKind::free)}), "body 'a': there is no body 'c' for it to be on");
  EXPECT_NE(message({rod("a", "b", JointKind::free), rod("b", "a", JointKind::free)}).find("on itself"),
            std::string::npos);
  EXPECT_NE(message({rod("a", "world", JointKind::free), rod("a", "world", JointKind::free)}).find("twice"),
            std::string::npos);
  Body bad = rod("a", "world", JointKind::revolute);
  bad.joint.axis.setZero();
  EXPECT_NE(message({bad}).find("axis"), std::string::npos);
  bad = rod("a", "world", JointKind::revolute);
  bad.joint.position = {1, 2};
  EXPECT_NE(message({bad}).find("start"), std::string::npos);
}

TEST(Tree, BodiesMayComeInAnyOrder) {
  const Tree tree({rod("tip", "boom", JointKind::revolute), rod("boom", "world", JointKind::revolute)});
  EXPECT_EQ(tree.bodies_of_tree()[0].body.name, "boom");
  EXPECT_EQ(tree.body("tip").parent_body, 0);
}

TEST(Tree, ALongChainIsNoProblem) {
  std::vector<Body> bodies;
  for (int i = 20000; i > 0; --i) {
    Body b = rod("", "", JointKind::revolute);
    b.name = "b" + std::to_string(i);
    b.on = i == 1 ? "world" : "b" + std::to_string(i - 1);
    bodies.push_back(b);
  }
  EXPECT_EQ(Tree(std::move(bodies)).nu(), 20000);
}

TEST(Tree, SaysWhichMotionHasNoInertia) {
  const auto failure = [](Body b) {
    auto tree = std::make_shared<Tree>(std::vector<Body>{std::move(b)});
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    const Model model(std::move(parts));
    System system(model);
    return system.evaluate(model.initial_state()) ? std::string()
                                                  : system.failure().element + ": " + system.failure().why;
  };
  Body b = rod("boom", "world", JointKind::revolute);
  EXPECT_NE(failure(b).find("boom: rotation about the axis"), std::string::npos);
  b.mass = 1;
  b.centre = Vec3(1, 0, 0);
  EXPECT_EQ(failure(b), "");  // a point mass on an arm
  b.centre = Vec3(0, 0, 1);
  EXPECT_NE(failure(b), "");  // on the axis
  b = rod("load", "world", JointKind::free);
  b.mass = 1;
  EXPECT_NE(failure(b).find("load: some rotation"), std::string::npos);
  b = rod("load", "world", JointKind::spherical);
  b.mass = 1, b.centre = Vec3(0, 0, -2);
  EXPECT_NE(failure(b).find("load: rotation"), std::string::npos);  // about the rod itself
  b.joint.kind = JointKind::universal;
  b.joint.axis = Vec3::UnitX();
  b.joint.second_axis = Vec3::UnitY();
  EXPECT_EQ(failure(b), "");
}

TEST(Tree, ReactionsAreAboutTheBodysPointAtTheJoint) {
  // A puck on a table, away from the origin of the joint: the table carries its weight under its centre of mass.
  Body b = rod("puck", "world", JointKind::planar);
  b.mass = 3;
  b.centre = Vec3(0.4, -0.2, 0.1);
  b.inertia = Sym3::diagonal(1, 1, 1);
  b.joint.position = {5, -7, 0};
  auto tree = std::make_shared<Tree>(std::vector<Body>{b});
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  const Model model(std::move(parts));
  System system(model);
  const State state = model.initial_state();
  ASSERT_TRUE(system.evaluate(state));
  Workspace& w = system.workspace();
  const Frame frame = tree->frame("puck", Pose{Mat3::Identity(), b.centre});
  w.loads.add_force(frame.body, w.kin.body[static_cast<size_t>(frame.body)].R * frame.offset.p, Vec3(0, 0, -30));
  tree->forward(w.kin, w.loads, *w.block[0], w.a.data(), w.transmitted.data());
  EXPECT_EQ(w.a.norm(), 0);
  const Wrench table = tree->reaction(w.kin, w.transmitted, 0, Tree::Axes::body);
  EXPECT_LT((table.f - Vec3(0, 0, 30)).norm(), 1e-13);
  EXPECT_LT((table.n - b.centre.cross(Vec3(0, 0, 30))).norm(), 1e-13);
}

TEST(Tree, DenavitHartenbergFollowsItsDefinition) {
  Body b = rod("link", "world", JointKind::fixed);
  set_denavit_hartenberg(b, 2.5, -0.7, 1.3, 0.4, true);
  b.joint.position = {0.9};
  const Tree tree({b});
  Kin kin;
  kin.body.resize(2);
  VecX q(1), u(1);
  tree.initial_state(q.data(), u.data());
  tree.kinematics(q.data(), u.data(), kin);
  const Pose expected = Pose{axis_rotation(2, 0.4 - 0.9), Vec3::Zero()} * Pose{Mat3::Identity(), Vec3(0, 0, 1.3)} *
                        Pose{Mat3::Identity(), Vec3(2.5, 0, 0)} * Pose{axis_rotation(0, -0.7), Vec3::Zero()};
  EXPECT_LT((position(kin, tree.frame("link")) - expected.p).norm(), 1e-14);
  EXPECT_LT((rotation(kin, tree.frame("link")) - expected.R).norm(), 1e-14);
}

}  // namespace
}  // namespace davit
