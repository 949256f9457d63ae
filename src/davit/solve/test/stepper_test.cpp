// One suite for every stepper: order of convergence, energy, group structure, dense output, determinism, allocation.
#include "davit/solve/stepper.hpp"

#include <gtest/gtest.h>

#include "davit/constraint/compliant_constraint.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/joint_combination.hpp"
#include "davit/constraint/knife_edge.hpp"
#include "davit/constraint/spring_law.hpp"
#include "davit/dynamics/director_body.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/solve/equilibrium.hpp"
#include "davit/solve/run_loop.hpp"
#include "davit/solve/test/count_allocations.hpp"
#include "davit/solve/vibration.hpp"

namespace davit {
namespace {

// A spring to the start in one coordinate.
class Spring final : public ForceOf<Spring> {
 public:
  Spring(int q, int u, double k) : ForceOf("spring"), q_(q), u_(u), k_(k) {}
  std::string summary() const override { return name(); }
  bool conservative() const override { return true; }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    loads.tau[static_cast<size_t>(u_)] -= S(k_) * c.kin.q[q_];
  }
  template <class S>
  S potential_energy(const ContextT<S>& c) const {
    return S(k_ / 2) * c.kin.q[q_] * c.kin.q[q_];
  }

 private:
  int q_, u_;
  double k_;
};

// A free body with an arm on a ball joint and a sprung boom: rotations, translations and coupling.
struct Tumbling {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  Tumbling() {
    Body hull;
    hull.name = "hull";
    hull.joint.kind = JointKind::free;
    hull.joint.position = {0.3, -0.2, 0.5, 1, 2, 3};
    hull.joint.rate = {0.9, -0.6, 1.2, 0.3, 0.2, -0.5};
    hull.mass = 4;
    hull.centre = {0.1, 0.2, 0.1};
    hull.inertia = Sym3::diagonal(1, 1.6, 2.1);
    Body arm;
    arm.name = "arm";
    arm.on = "hull";
    arm.at.p = Vec3(0.5, 0.1, 0.2);
    arm.joint.kind = JointKind::spherical;
    arm.joint.position = {0.2, 0.1, -0.4};
    arm.joint.rate = {-0.7, 0.8, 0.6};
    arm.mass = 1.5;
    arm.centre = {0, 0.3, 0.6};
    arm.inertia = Sym3::diagonal(0.3, 0.4, 0.2);
    Body boom = arm;
    boom.name = "boom";
    boom.on = "arm";
    boom.at.p = Vec3(0, 0, 1);
    boom.joint = {};
    boom.joint.kind = JointKind::revolute;
    boom.joint.axis = Vec3::UnitX();
    boom.joint.position = {0.5};
    boom.joint.rate = {1.0};
    tree = std::make_shared<Tree>(std::vector<Body>{hull, arm, boom});
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    parts.forces = {std::make_shared<Spring>(11, 9, 6.0)};
    model = std::make_unique<Model>(std::move(parts));
  }
};

struct Method {
  const char* name;
  std::function<std::unique_ptr<Stepper>(const Model&)> make;
};

class EveryStepper : public ::testing::TestWithParam<Method> {
 protected:
  Tumbling t;
  System system{*t.model};
  std::unique_ptr<Stepper> make() { return GetParam().make(*t.model); }
  double distance(const State& a, const State& b) {
    VecX d(t.model->nu());
    system.difference(a.q, b.q, d);
    return d.norm() + (a.u - b.u).norm();
  }
};

struct SilentObserver : Observer {
  void record(const State&, System&) override {}
};

TEST_P(EveryStepper, ConservesEnergyAndMomentum) {
  State s = t.model->initial_state();
  const auto momentum = [&](const State& state) {
    system.evaluate(state);
    Vec3 p = Vec3::Zero();
    for (size_t i = 1; i < t.tree->segments().size(); ++i) {
      const auto& k = system.workspace().kin.body[i];
      const Segment& seg = t.tree->segments()[i];
      p += seg.mass * k.v + k.w.cross(Vec3(k.R * seg.moment));
    }
    return p;
  };
  const Vec3 p0 = momentum(s);
  const double e0 = system.energy(s).total();
  const auto stepper = make();
  SilentObserver quiet;
  const RunOutcome out = simulate(system, *stepper, s, {.end = 10, .step = 1e-3, .output = 1}, quiet);
  EXPECT_EQ(out.status, RunStatus::complete) << out.why;
  EXPECT_LT((momentum(s) - p0).norm(), 1e-6);
  EXPECT_NEAR(system.energy(s).total(), e0, 1e-6 * e0);
}

TEST_P(EveryStepper, QuaternionsStayUnit) {
  State s = t.model->initial_state();
  const auto stepper = make();
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(stepper->step(system, s, 0.01).ok);
  EXPECT_NEAR(s.q.head<4>().norm(), 1, 1e-14);
  EXPECT_NEAR(s.q.segment<4>(7).norm(), 1, 1e-14);
}

TEST_P(EveryStepper, DenseOutputHasOrderFour) {
  // The error inside one step falls as h⁴ at least: by sixteen when the step is halved.
  const auto error = [&](double h, double part) {
    State s = t.model->initial_state(), inside = s;
    s.next_step = h;
    const auto stepper = GetParam().make(*t.model);
    EXPECT_DOUBLE_EQ(stepper->step(system, s, h).taken, h);
    stepper->interpolate(system, part * h, inside);
    State fine = t.model->initial_state();
    const auto reference = make_rk4(*t.model);
    for (int i = 0; i < 64; ++i) reference->step(system, fine, part * h / 64);
    return distance(fine, inside);
  };
  for (double part : {0.25, 0.5, 0.9}) {
    EXPECT_LT(error(0.01, part), 1e-7) << part;
    EXPECT_GT(error(0.02, part) / error(0.01, part), 13) << part;
  }
}

TEST_P(EveryStepper, AStepAllocatesNothing) {
  State s = t.model->initial_state(), shown = s;
  const auto stepper = make();
  stepper->step(system, s, 0.01);
  stepper->interpolate(system, 0.5 * s.t, shown);
  const long before = allocations;
  for (int i = 0; i < 10; ++i) stepper->step(system, s, 0.01);
  system.evaluate(s);
  system.commit(s);
  EXPECT_EQ(allocations - before, 0);
}

TEST_P(EveryStepper, AFreshWorkspaceEveryStepGivesTheSameBits) {
  State a = t.model->initial_state(), b = a;
  const auto one = make();
  const auto other = make();
  for (int i = 0; i < 200; ++i) {
    one->step(system, a, 0.01);
    System fresh(*t.model);
    other->step(fresh, b, 0.01);
    ASSERT_EQ(a.hash(), b.hash()) << "step " << i;
  }
}

TEST_P(EveryStepper, ASnapshotContinuesBitForBit) {
  State a = t.model->initial_state();
  const auto stepper = make();
  for (int i = 0; i < 50; ++i) stepper->step(system, a, 0.01);
  State b = a;
  const auto later = make();
  for (int i = 0; i < 50; ++i) {
    stepper->step(system, a, 0.01);
    later->step(system, b, 0.01);
  }
  EXPECT_EQ(a.hash(), b.hash());
}

INSTANTIATE_TEST_SUITE_P(
    Methods, EveryStepper,
    ::testing::Values(Method{"rk4", [](const Model& m) { return make_rk4(m); }},
                      Method{"dopri5", [](const Model& m) { return make_dormand_prince(m, {.tolerance = 1e-8}); }}),
    [](const auto& method) { return method.param.name; });

class TwoKilograms final : public ForceOf<TwoKilograms> {
 public:
  explicit TwoKilograms(Frame at) : ForceOf("weight"), at_(at) {}
  std::string summary() const override { return name(); }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    loads.add_force(at_.body, c.kin.body[static_cast<size_t>(at_.body)].R * as<S>(at_.offset.p),
                    as<S>(Vec3(0, 0, -2 * 9.81)));
  }

 private:
  Frame at_;
};

// A double pendulum whose second link is a free body pinned to the first: a loop on a tree.
struct Pinned {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  explicit Pinned(bool by_constraint) {
    Body first;
    first.name = "first";
    first.joint.kind = JointKind::revolute;
    first.joint.axis = Vec3::UnitY();
    first.joint.position = {0.7};
    first.joint.rate = {0.5};
    first.mass = 2;
    first.centre = {0, 0, -0.5};
    first.inertia = Sym3::diagonal(0.2, 0.2, 0.02);
    Body second = first;
    second.name = "second";
    second.on = "first";
    second.at.p = Vec3(0, 0, -1);
    second.joint = {};
    second.joint.kind = by_constraint ? JointKind::free : JointKind::spherical;
    second.joint.rate =
        by_constraint ? std::vector<double>{0.2, 0.9, -0.4, 0, 0, 0} : std::vector<double>{0.2, 0.9, -0.4};
    tree = std::make_shared<Tree>(std::vector<Body>{first, second});
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    for (const char* name : {"first", "second"})
      parts.forces.push_back(
          std::make_shared<TwoKilograms>(tree->frame(name, Pose{Mat3::Identity(), Vec3(0, 0, -0.5)})));
    if (by_constraint)
      parts.constraints = {
          {"pin", std::make_shared<FrameConstraint>(tree->frame("first", second.at), tree->frame("second"),
                                                    FrameConstraint::Held{{true, true, true}, {}})}};
    model = std::make_unique<Model>(std::move(parts));
  }
  Vec3 end(System& system, const State& s) const {
    system.evaluate(s);
    return position(system.workspace().kin, tree->frame("second", Pose{Mat3::Identity(), Vec3(0, 0, -1)}));
  }
};

TEST(Loops, MoveAsTheJointTheyReplace) {
  const Pinned joint(false), loop(true);
  System by_joint(*joint.model), by_loop(*loop.model);
  SilentObserver quiet;
  for (const bool adaptive : {true, false}) {
    State a = joint.model->initial_state(), b = loop.model->initial_state();
    const auto make = [&](const Model& m) {
      return adaptive ? make_dormand_prince(m, {.tolerance = 1e-11}) : make_rk4(m);
    };
    const auto one = make(*joint.model), other = make(*loop.model);
    ASSERT_EQ(simulate(by_joint, *one, a, {.end = 5, .step = 2e-3, .output = 1}, quiet).status, RunStatus::complete);
    ASSERT_EQ(simulate(by_loop, *other, b, {.end = 5, .step = 2e-3, .output = 1}, quiet).status, RunStatus::complete);
    EXPECT_LT((joint.end(by_joint, a) - loop.end(by_loop, b)).norm(), 1e-7);
    EXPECT_LT(by_loop.violation(b, 0), 1e-13);
  }
}

TEST(Loops, KeepTheOrderOfTheMethod) {
  const Pinned loop(true);
  System system(*loop.model);
  const auto end = [&](int steps) {
    State s = loop.model->initial_state();
    const auto stepper = make_rk4(*loop.model);
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(stepper->step(system, s, 1.0 / steps).ok);
    return loop.end(system, s);
  };
  const Vec3 coarse = end(100), middle = end(200), fine = end(400);
  EXPECT_NEAR(std::log2((coarse - middle).norm() / (middle - fine).norm()), 4, 0.2);
}

TEST(Loops, AStepAllocatesNothing) {
  const Pinned loop(true);
  System system(*loop.model);
  State s = loop.model->initial_state();
  for (const auto& stepper : {make_rk4(*loop.model), make_dormand_prince(*loop.model)}) {
    stepper->step(system, s, 0.001);
    const long before = allocations;
    for (int i = 0; i < 10; ++i) stepper->step(system, s, 0.001);
    system.evaluate(s);
    EXPECT_EQ(allocations - before, 0);
  }
}

// A sleigh on a knife edge a distance ahead of which its centre is (Chaplygin 1911): with k = m a/(I + m a²) and V from
// the energy, the speed along the edge is v = V tanh(k V t + c).
struct Sleigh {
  static constexpr double mass = 2, inertia = 0.3;
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  explicit Sleigh(double ahead) {
    Body b;
    b.name = "sleigh";
    b.joint.kind = JointKind::planar;
    b.mass = mass;
    b.centre = {ahead, 0, 0};
    b.inertia = Sym3::diagonal(0.1, 0.2, inertia);
    tree = std::make_shared<Tree>(std::vector<Body>{b});
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    // Across the edge is y: the z axis of a frame turned about x.
    const Frame edge = tree->frame("sleigh", Pose{rotation_from_z(Vec3::UnitY()), Vec3::Zero()});
    parts.constraints = {{"edge", std::make_shared<KnifeEdge>(edge)}};
    model = std::make_unique<Model>(std::move(parts));
  }
  // Glides along x at 1.5 m/s and turns at 0.8 rad/s.
  State start(System& system) const {
    State s = model->initial_state();
    const auto& names = type_of(JointKind::planar).coordinates;
    for (size_t i = 0; i < names.size(); ++i)
      s.u[static_cast<Eigen::Index>(i)] = names[i].angle ? 0.8 : names[i].name == "x" ? 1.5 : 0.2;
    EXPECT_TRUE(system.satisfy_constraints(s));
    return s;
  }
};

TEST(RowsOnSpeeds, ASleighWithItsCentreOnTheEdgeGoesInACircle) {
  const Sleigh sleigh(0);
  System system(*sleigh.model);
  State s = sleigh.start(system);
  const auto stepper = make_dormand_prince(*sleigh.model, {.tolerance = 1e-12});
  SilentObserver quiet;
  ASSERT_EQ(simulate(system, *stepper, s, {.end = 6, .step = 1, .output = 1}, quiet).status, RunStatus::complete);
  ASSERT_TRUE(system.evaluate(s));
  const auto& k = system.workspace().kin.body.back();
  const double radius = 1.5 / 0.8, angle = 0.8 * 6;
  EXPECT_NEAR(k.p.x(), radius * std::sin(angle), 1e-9);
  EXPECT_NEAR(k.p.y(), radius * (1 - std::cos(angle)), 1e-9);
  // the edge carries the centripetal force
  EXPECT_NEAR(std::abs(system.workspace().rows.lambda[0]), Sleigh::mass * 1.5 * 0.8, 1e-9);
}

TEST(RowsOnSpeeds, ChaplyginsSleigh) {
  const double a = 0.4;
  const Sleigh sleigh(a);
  System system(*sleigh.model);
  State s = sleigh.start(system);
  ASSERT_TRUE(system.evaluate(s));
  const auto along = [&] {
    const auto& k = system.workspace().kin.body.back();
    return k.R.col(0).dot(k.v);
  };
  const double v0 = along(), energy = system.energy(s).total();
  const auto stepper = make_dormand_prince(*sleigh.model, {.tolerance = 1e-12});
  SilentObserver quiet;
  ASSERT_EQ(simulate(system, *stepper, s, {.end = 3, .step = 1, .output = 1}, quiet).status, RunStatus::complete);
  ASSERT_TRUE(system.evaluate(s));
  EXPECT_NEAR(system.energy(s).total(), energy, 1e-10 * energy);
  const double V = std::sqrt(2 * energy / Sleigh::mass),
               k = Sleigh::mass * a / (Sleigh::inertia + Sleigh::mass * a * a);
  EXPECT_NEAR(along(), V * std::tanh(k * V * 3 + std::atanh(v0 / V)), 1e-9);
}

// A pendulum on a trolley whose travel follows a motion.
struct Trolley {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  Motion travel{0.0};
  explicit Trolley(double compliance = 0) {
    travel.move(0.1, 1.2, 2.5).move(1.5, 0.5, 1.0);
    Body trolley;
    trolley.name = "trolley";
    trolley.joint.kind = JointKind::prismatic;
    trolley.joint.axis = Vec3::UnitX();
    trolley.mass = 3;
    Body pendulum;
    pendulum.name = "pendulum";
    pendulum.on = "trolley";
    pendulum.joint.kind = JointKind::revolute;
    pendulum.joint.axis = Vec3::UnitY();
    pendulum.joint.position = {0.3};
    pendulum.mass = 2;
    pendulum.centre = {0, 0, -1};
    pendulum.inertia = Sym3::diagonal(0.1, 0.1, 0.1);
    tree = std::make_shared<Tree>(std::vector<Body>{trolley, pendulum});
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    parts.forces = {std::make_shared<TwoKilograms>(tree->frame("pendulum", Pose{Mat3::Identity(), Vec3(0, 0, -1)}))};
    const auto geometry = std::make_shared<JointCombination>(std::vector<JointCombination::Term>{{0, 0, 1}},
                                                             parts.add(SignalInfo{"drive", "m", travel}), false);
    if (compliance > 0)
      parts.forces.push_back(
          std::make_shared<CompliantConstraint>("drive", elastic_row(geometry, {1 / compliance, 100, 0, false})));
    else
      parts.constraints = {{"drive", geometry}};
    model = std::make_unique<Model>(std::move(parts));
  }
};

TEST(DrivenJoints, TheForceIsThatOfInverseDynamics) {
  const Trolley t;
  System system(*t.model);
  State s = t.model->initial_state();
  s.u[1] = 0.7;
  for (double time : {0.2, 0.7, 1.1, 1.4, 1.8}) {
    s.t = time;
    s.q[0] = t.travel.value(time) + 0.01;  // near it, and brought onto it
    ASSERT_TRUE(system.satisfy_constraints(s));
    ASSERT_TRUE(system.evaluate(s));
    EXPECT_NEAR(s.q[0], t.travel.value(time), 1e-14);
    EXPECT_NEAR(s.u[0], t.travel.derivative(1, time), 1e-13);
    const VecX a = system.workspace().a;
    const double lambda = system.workspace().rows.lambda[0];
    EXPECT_NEAR(a[0], t.travel.derivative(2, time), 1e-12);
    EvaluationT<double> e;
    t.model->prepare(e);
    VecX F(2);
    system.residual<double>(e, s.t, s.q.data(), s.u.data(), s.z.data(), s.discrete, a.data(), F.data(), nullptr);
    EXPECT_NEAR(F[0], lambda, 1e-11 * (1 + std::abs(lambda)));  // the force on the trolley
    EXPECT_NEAR(F[1], 0, 1e-11);                                // nothing drives the pendulum
  }
}

TEST(DrivenJoints, EnergyIsTheWorkOfTheDrive) {
  for (double compliance : {0.0, 1e-4}) {
    const Trolley t(compliance);
    System system(*t.model);
    // Its weight has no potential: its power counts too.
    struct Work : Observer {
      std::vector<double> power, energy;
      void record(const State& s, System& sys) override {
        const Energy e = sys.energy(s);
        power.push_back(e.power);
        energy.push_back(e.total());
      }
    } work;
    State s = t.model->initial_state();
    const auto stepper = make_dormand_prince(*t.model, {.tolerance = 1e-12});
    ASSERT_EQ(simulate(system, *stepper, s, {.end = 1.75, .step = 1, .output = 1e-3}, work).status,
              RunStatus::complete);
    const size_t n = work.power.size() - 1;
    ASSERT_EQ(n, 1750u);
    double sum = work.power[0] + work.power[n];
    for (size_t i = 1; i < n; ++i) sum += (i % 2 ? 4 : 2) * work.power[i];
    EXPECT_NEAR(work.energy[n] - work.energy[0], sum * 1e-3 / 3, 1e-6) << compliance;
    EXPECT_GT(std::abs(work.energy[n] - work.energy[0]), 1);
  }
}

TEST(Compliance, TendsToTheRigidConstraint) {
  // A soft pin instead of the rigid one: the difference falls as the compliance.
  const Pinned rigid(true);
  System exact(*rigid.model);
  const auto run = [](const Model& model, System& system) {
    State s = model.initial_state();
    s.u.setZero();
    const auto stepper = make_rk4(model);
    SilentObserver quiet;
    EXPECT_EQ(simulate(system, *stepper, s, {.end = 1, .step = 2e-4, .output = 1}, quiet).status, RunStatus::complete);
    return s;
  };
  const State end = run(*rigid.model, exact);
  const Vec3 place = rigid.end(exact, end);
  const VecX lambda = exact.workspace().rows.lambda;
  double gap[2], force_gap[2];
  for (int i = 0; i < 2; ++i) {
    const double compliance = i ? 1e-6 : 1e-5;
    ModelParts parts;
    parts.blocks = {rigid.tree};
    parts.body_names = rigid.tree->segment_names();
    for (const auto& f : rigid.model->forces()) parts.forces.push_back(f.element);
    const auto pin = std::make_shared<CompliantConstraint>(
        "pin", elastic_row(rigid.model->constraints()[0].constraint.geometry,
                           {1 / compliance, 2 / std::sqrt(compliance), 0, false}));
    parts.forces.push_back(pin);
    const Model soft(std::move(parts));
    System system(soft);
    const State s = run(soft, system);
    gap[i] = (rigid.end(system, s) - place).norm();
    VecX force(3);
    for (int k = 0; k < 3; ++k) force[k] = pin->multiplier(soft.forces().back().context(s, system.workspace()), k);
    force_gap[i] = (force - lambda).norm() / lambda.norm();
  }
  EXPECT_LT(gap[1], 1e-4);
  EXPECT_NEAR(gap[0] / gap[1], 10, 1);
  EXPECT_LT(force_gap[1], 1e-3);
}

TEST(DirectorBody, StepsAllocateNothing) {
  Body b;
  b.name = "top";
  b.mass = 1;
  b.inertia = Sym3::diagonal(1, 1.2, 1.5);
  const auto none = std::make_shared<Tree>(std::vector<Body>{});
  const auto top = std::make_shared<DirectorBody>(after(*none), b, Pose{}, Twist{Vec3(1, -2, 0.5), Vec3(0.1, 0, 0)});
  ModelParts parts;
  parts.blocks = {none, top};
  parts.constraints = {top->rigidity()};
  const Model model(std::move(parts));
  System system(model);
  State s = model.initial_state();
  const auto stepper = make_rk4(model);
  stepper->step(system, s, 0.001);
  const long before = allocations;
  for (int i = 0; i < 10; ++i) stepper->step(system, s, 0.001);
  system.evaluate(s);
  EXPECT_EQ(allocations - before, 0);
}

TEST(RungeKutta4, HasOrderFourOnRotations) {
  const Tumbling t;
  System system(*t.model);
  const auto end = [&](int steps) {
    State s = t.model->initial_state();
    const auto stepper = make_rk4(*t.model);
    for (int i = 0; i < steps; ++i) stepper->step(system, s, 2.0 / steps);
    return s;
  };
  const auto gap = [&](const State& a, const State& b) {
    VecX d(t.model->nu());
    system.difference(a.q, b.q, d);
    return d.norm();
  };
  const State coarse = end(400), middle = end(800), fine = end(1600);
  EXPECT_NEAR(std::log2(gap(coarse, middle) / gap(middle, fine)), 4, 0.15);
}

TEST(DormandPrince, ErrorFollowsTheTolerance) {
  const Tumbling t;
  System system(*t.model);
  const auto end = [&](double tolerance) {
    State s = t.model->initial_state();
    const auto stepper = make_dormand_prince(*t.model, {.tolerance = tolerance});
    SilentObserver quiet;
    const RunOutcome out = simulate(system, *stepper, s, {.end = 3, .step = 10, .output = 3}, quiet);
    return std::pair(s, out.counts.steps);
  };
  const auto [exact, many] = end(1e-13);
  long last_steps = 0;
  for (double tolerance : {1e-5, 1e-7, 1e-9}) {
    const auto [s, steps] = end(tolerance);
    VecX d(t.model->nu());
    system.difference(exact.q, s.q, d);
    EXPECT_LT(d.norm(), 100 * tolerance);
    EXPECT_GT(d.norm(), 1e-3 * tolerance);
    EXPECT_GT(steps, last_steps);
    last_steps = steps;
  }
  EXPECT_GT(many, last_steps);
}

TEST(Simulation, RecordsOnTheGridWithEveryMethod) {
  const Tumbling t;
  System system(*t.model);
  struct Times : Observer {
    std::vector<double> t;
    void record(const State& s, System&) override { t.push_back(s.t); }
  };
  for (const auto& stepper : {make_rk4(*t.model), make_dormand_prince(*t.model)}) {
    Times times;
    State s = t.model->initial_state();
    simulate(system, *stepper, s, {.end = 1.05, .step = 0.03, .output = 0.1}, times);
    ASSERT_EQ(times.t.size(), 12u);
    for (int i = 0; i <= 10; ++i) EXPECT_NEAR(times.t[static_cast<size_t>(i)], 0.1 * i, 1e-12);
    EXPECT_DOUBLE_EQ(times.t.back(), 1.05);
    EXPECT_DOUBLE_EQ(s.t, 1.05);
  }
}

// A force that is sampled, as controllers are: steps end where its samples are due.
class SampledForce final : public ForceOf<SampledForce> {
 public:
  SampledForce() : ForceOf("sampled") {}
  std::string summary() const override { return name(); }
  double sample_time() const override { return 0.3; }
  bool commit(const ContextT<double>& c, DiscreteState&) const override {
    times.push_back(c.kin.t);
    return false;
  }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>&, S*) const {}
  mutable std::vector<double> times;
};

TEST(Simulation, LandsOnTheSamplesOfForces) {
  const Tumbling t;
  const auto sampled = std::make_shared<SampledForce>();
  ModelParts parts;
  for (const auto& b : t.model->blocks()) parts.blocks.push_back(b.block);
  parts.body_names = t.model->body_names();
  parts.forces = {sampled};
  const Model model(std::move(parts));
  System system(model);
  State s = model.initial_state();
  SilentObserver quiet;
  simulate(system, *make_dormand_prince(model, {.tolerance = 1e-3}), s, {.end = 1, .step = 1, .output = 1}, quiet);
  for (const double due : {0.3, 0.6, 0.9})
    EXPECT_TRUE(std::any_of(sampled->times.begin(), sampled->times.end(), [&](double at) {
      return std::abs(at - due) < 1e-12;
    })) << due;
  EXPECT_TRUE(unsupported_reason(*make_rk4(model), model, 0.07));
  EXPECT_FALSE(unsupported_reason(*make_rk4(model), model, 0.1));
}

TEST(Simulation, StopsWhenAsked) {
  const Tumbling t;
  System system(*t.model);
  struct Stopping : Observer {
    int rows = 0;
    void record(const State&, System&) override { ++rows; }
    bool proceed(const State& s) override { return s.t < 0.5; }
  } observer;
  State s = t.model->initial_state();
  const auto stepper = make_rk4(*t.model);
  const RunOutcome out = simulate(system, *stepper, s, {.end = 10, .step = 0.01, .output = 0.1}, observer);
  EXPECT_EQ(out.status, RunStatus::interrupted);
  EXPECT_NEAR(out.t, 0.5, 0.011);
  EXPECT_EQ(observer.rows, 6);
}

TEST(Simulation, ABrokenRunNamesWhatBrokeAndKeepsTheLastGoodState) {
  // A spring far too stiff for the step.
  Body b;
  b.name = "boom";
  b.joint.kind = JointKind::revolute;
  b.joint.position = {0.1};
  b.inertia = Sym3::diagonal(1, 1, 1);
  auto tree = std::make_shared<Tree>(std::vector<Body>{b});
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  parts.forces = {std::make_shared<Spring>(0, 0, 1e6)};
  const Model model(std::move(parts));
  System system(model);
  State s = model.initial_state();
  SilentObserver quiet;
  const auto stepper = make_rk4(model);
  const RunOutcome out = simulate(system, *stepper, s, {.end = 10, .step = 0.01, .output = 0.1}, quiet);
  EXPECT_EQ(out.status, RunStatus::broken);
  EXPECT_EQ(out.element, "boom.angle");
  EXPECT_NE(out.why.find("step"), std::string::npos);
  EXPECT_TRUE(std::isfinite(s.q[0]) && std::isfinite(s.u[0]));
  EXPECT_LT(out.t, 1);
}

TEST(Simulation, AdvisesAStep) {
  const Tumbling t;
  System system(*t.model);
  SilentObserver quiet;
  const auto run = [&](double step) {
    State s = t.model->initial_state();
    const auto stepper = make_rk4(*t.model);
    return simulate(system, *stepper, s, {.end = 12, .step = step, .output = 1}, quiet);
  };
  const RunOutcome out = run(0.02);
  EXPECT_GT(out.local_error, 0);
  // The advised step has the error it promises, within the two digits of the advice.
  const RunOutcome advised = run(out.advised_step);
  EXPECT_LT(advised.local_error, 1.5e-8);
  EXPECT_GT(advised.local_error, 1e-9);
}

class Push final : public ForceOf<Push> {
 public:
  Push() : ForceOf("push") {}
  std::string summary() const override { return name(); }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>& loads, S*) const {
    loads.tau[0] += S(5);
  }
};

TEST(Equilibrium, AnInvertedPendulumFallsToTheStableSide) {
  Body b;
  b.name = "pendulum";
  b.joint.kind = JointKind::revolute;
  b.joint.axis = Vec3::UnitY();
  b.joint.position = {M_PI};  // upright, exactly: a saddle
  b.mass = 2;
  b.centre = {0, 0, -3};
  auto tree = std::make_shared<Tree>(std::vector<Body>{b});
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  parts.forces = {std::make_shared<TwoKilograms>(tree->frame("pendulum", Pose{Mat3::Identity(), Vec3(0, 0, -3)}))};
  const Model model(std::move(parts));
  System system(model);
  const Equilibrium rest = find_equilibrium(system, model.initial_state());
  EXPECT_TRUE(rest.converged);
  EXPECT_TRUE(rest.stable);
  EXPECT_NEAR(std::cos(rest.state.q[0]), 1, 1e-12);
  const auto modes = vibration_modes(system, rest.state);
  EXPECT_NEAR(modes.modes.back().frequency, std::sqrt(9.81 / 3) / (2 * M_PI), 1e-12);
  EXPECT_NEAR(modes.fastest, std::sqrt(9.81 / 3), 1e-10);
  EXPECT_NE(modes.modes.back().description.find("pendulum.angle"), std::string::npos);
}

TEST(Equilibrium, SaysWhenThereIsNone) {
  // Nothing holds a body that a constant force pushes.
  Body b;
  b.name = "block";
  b.joint.kind = JointKind::prismatic;
  b.mass = 2;
  auto tree = std::make_shared<Tree>(std::vector<Body>{b});
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  parts.forces = {std::make_shared<Push>()};
  const Model model(std::move(parts));
  System system(model);
  const Equilibrium rest = find_equilibrium(system, model.initial_state());
  EXPECT_FALSE(rest.converged);
  EXPECT_NE(rest.why.find("no equilibrium"), std::string::npos);
  EXPECT_EQ(rest.state.q[0], 0);
}

}  // namespace
}  // namespace davit
