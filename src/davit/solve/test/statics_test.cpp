// Equilibrium and modes under constraints, against formulas and against the same mechanisms on joints.
#include <gtest/gtest.h>

#include "davit/constraint/compliant_constraint.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/spring_law.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/solve/equilibrium.hpp"
#include "davit/solve/vibration.hpp"

namespace davit {
namespace {

constexpr double gravity = 9.81;

// The weight of every body.
class Weights final : public ForceOf<Weights> {
 public:
  explicit Weights(std::shared_ptr<const Tree> tree) : ForceOf("weights"), tree_(std::move(tree)) {}
  std::string summary() const override { return name(); }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    for (const TreeBody& b : tree_->bodies_of_tree())
      loads.add_force(b.last_segment,
                      c.kin.body[static_cast<size_t>(b.last_segment)].R * as<S>(b.frame * b.body.centre),
                      as<S>(Vec3(0, 0, -gravity * b.body.mass)));
  }

 private:
  std::shared_ptr<const Tree> tree_;
};

struct Mechanism {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  std::unique_ptr<System> system;
  using Rows = std::function<void(const Tree&, ModelParts&)>;
  explicit Mechanism(
      std::vector<Body> bodies, const Rows& rows = [](const Tree&, ModelParts&) {}) {
    tree = std::make_shared<Tree>(std::move(bodies));
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    parts.forces = {std::make_shared<Weights>(tree)};
    rows(*tree, parts);
    model = std::make_unique<Model>(std::move(parts));
    system = std::make_unique<System>(*model);
  }
  Equilibrium rest() { return find_equilibrium(*system, model->initial_state()); }
  // Frequencies (rad/s) of what oscillates.
  std::vector<double> frequencies(const State& s) {
    std::vector<double> out;
    for (const auto& m : vibration_modes(*system, s).modes)
      if (m.frequency > 1e-4) out.push_back(2 * M_PI * m.frequency);
    return out;
  }
};

void expect_equal(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * b[i]) << i;
}

Body ball(const char* name, const Vec3& at, double mass) {
  Body b;
  b.name = name;
  b.joint.kind = JointKind::free;
  b.joint.position = {0, 0, 0, at.x(), at.y(), at.z()};
  b.mass = mass;
  b.inertia = Sym3::diagonal(0.1, 0.2, 0.15);
  return b;
}
Frame fixed_point(const Vec3& at) { return {0, {Mat3::Identity(), at}}; }
Constraint rod(const Tree& tree, const char* a, const char* b, double length) {
  return {std::string("rod ") + b,
          std::make_shared<PointDistance>(*a ? tree.frame(a) : fixed_point(Vec3::Zero()), tree.frame(b), length)};
}

TEST(StaticsUnderConstraints, ARodPendulumHangsAndSwings) {
  for (const Vec3& at : {Vec3(1.5, 0.2, 1), Vec3(0, 0, 1.8)}) {  // to the side, and upright: a saddle
    const double length = at.norm();
    Mechanism m({ball("mass", at, 3)},
                [&](const Tree& tree, ModelParts& parts) { parts.constraints = {rod(tree, "", "mass", length)}; });
    const Equilibrium rest = m.rest();
    ASSERT_TRUE(rest.converged) << rest.why;
    EXPECT_TRUE(rest.stable);
    EXPECT_EQ(rest.free_motions.size(), 3u);  // it turns about its centre as it likes
    ASSERT_TRUE(m.system->evaluate(rest.state));
    EXPECT_LT((m.system->workspace().kin.body.back().p - Vec3(0, 0, -length)).norm(), 1e-9);
    EXPECT_NEAR(m.system->workspace().rows.lambda[0], -3 * gravity, 1e-9);
    expect_equal(m.frequencies(rest.state), {std::sqrt(gravity / length), std::sqrt(gravity / length)}, 1e-9);
  }
}

TEST(StaticsUnderConstraints, ADoublePendulumOfRods) {
  // ω² = (2 ∓ √2) g/l, each in both directions.
  const double l = 1.3;
  Mechanism m({ball("one", {l, 0, 0}, 2), ball("two", {l, l, 0}, 2)}, [&](const Tree& tree, ModelParts& parts) {
    parts.constraints = {rod(tree, "", "one", l), rod(tree, "one", "two", l)};
  });
  const Equilibrium rest = m.rest();
  ASSERT_TRUE(rest.converged) << rest.why;
  EXPECT_TRUE(rest.stable);
  EXPECT_EQ(rest.free_motions.size(), 6u);
  const double slow = std::sqrt((2 - M_SQRT2) * gravity / l), fast = std::sqrt((2 + M_SQRT2) * gravity / l);
  expect_equal(m.frequencies(rest.state), {slow, slow, fast, fast}, 1e-9);
}

// A chain of two links; the second on a joint, or free and held by the constraint that the joint is.
std::vector<Body> chain(JointKind second) {
  Body first;
  first.name = "first";
  first.joint.kind = JointKind::revolute;
  first.joint.axis = Vec3(0.1, 1, 0);
  first.joint.position = {0.7};
  first.mass = 2;
  first.centre = {0.1, 0.05, -0.5};
  first.inertia = Sym3::diagonal(0.2, 0.25, 0.1);
  Body link = first;
  link.name = "second";
  link.on = "first";
  link.at.p = Vec3(0, 0.2, -1);
  link.joint = {};
  link.joint.kind = second;
  return {first, link};
}

TEST(StaticsUnderConstraints, AreThoseOfTheJointThatTheConstraintIs) {
  struct Case {
    JointKind kind;
    FrameConstraint::Held held;
  };
  for (const Case& c : {Case{JointKind::spherical, {{true, true, true}, {}}},
                        Case{JointKind::universal, {{true, true, true}, {false, true, false}}},
                        Case{JointKind::fixed, {{true, true, true}, {true, true, true}}}}) {
    Mechanism joint(chain(c.kind));
    // The same constraint twice: every row of the second follows from the first.
    Mechanism loop(chain(JointKind::free), [&](const Tree& tree, ModelParts& parts) {
      const auto geometry =
          std::make_shared<FrameConstraint>(tree.frame("first", chain(c.kind)[1].at), tree.frame("second"), c.held);
      parts.constraints = {{"pin", geometry}, {"again", geometry}};
    });
    const Equilibrium a = joint.rest(), b = loop.rest();
    ASSERT_TRUE(a.converged && b.converged) << a.why << b.why;
    EXPECT_TRUE(a.stable && b.stable);
    EXPECT_NEAR(a.state.q[0], b.state.q[0], 1e-9);
    // A link that hangs free about the vertical line through its pin and centre has no stiffness there.
    EXPECT_EQ(a.free_motions.size(), b.free_motions.size());
    expect_equal(loop.frequencies(b.state), joint.frequencies(a.state), 1e-9);
  }
}

Body slide(double start = 0) {
  Body b;
  b.name = "load";
  b.joint.kind = JointKind::prismatic;
  b.joint.position = {start};
  b.mass = 50;
  return b;
}
Mechanism hung_on(double top, double length, double stiffness, double start, double below = 0) {
  return Mechanism({slide(start)}, [&](const Tree& tree, ModelParts& parts) {
    const auto spring = [&](double at, const SpringLaw::Data& data) {
      parts.forces.push_back(std::make_shared<CompliantConstraint>(
          "line", elastic_row(std::make_shared<PointDistance>(fixed_point({0, 0, at}), tree.frame("load")), data)));
    };
    spring(top, {stiffness, 0, length, true});
    if (below > 0) spring(-10, {below, 0, 10, false});
  });
}

TEST(StaticsUnderConstraints, ASlackLineComesTautAndATautOneSlack) {
  Mechanism slack = hung_on(2, 5, 1e5, 0);
  const Equilibrium taut = slack.rest();
  ASSERT_TRUE(taut.converged) << taut.why;
  EXPECT_TRUE(taut.stable);
  EXPECT_NEAR(taut.state.q[0], -3 - 50 * gravity / 1e5, 1e-9);
  expect_equal(slack.frequencies(taut.state), {std::sqrt(1e5 / 50)}, 1e-9);
  // Pulled down to where the line is taut, but held up by a spring on which it rests with the line slack.
  Mechanism pulled = hung_on(2, 2.5, 1e5, -1, 4e3);
  const Equilibrium loose = pulled.rest();
  ASSERT_TRUE(loose.converged) << loose.why;
  EXPECT_NEAR(loose.state.q[0], -50 * gravity / 4e3, 1e-9);
  expect_equal(pulled.frequencies(loose.state), {std::sqrt(4e3 / 50)}, 1e-9);
}

TEST(StaticsUnderConstraints, AWayTooLongInOneGoIsTakenInStages) {
  // Two hundred metres of stretch, twenty centimetres at a time.
  Mechanism m = hung_on(1, 1, 50 * gravity / 200, 0);
  const Equilibrium rest = m.rest();
  ASSERT_TRUE(rest.converged) << rest.why;
  EXPECT_NEAR(rest.state.q[0], -200, 1e-6);
}

// Presses up on what is in it, the more the deeper, and on nothing above or below.
class Shelf final : public ForceOf<Shelf> {
 public:
  static constexpr double top = -30, thickness = 0.5, stiffness = 1e6;
  explicit Shelf(const Frame& load) : ForceOf("shelf"), load_(load) {}
  std::string summary() const override { return name(); }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const Vec3T<S> at = position(c.kin, load_);
    const S depth = S(top) - at.z();
    if (depth > S(0) && depth < S(thickness))
      loads.add_force(load_.body, Vec3T<S>::Zero(), Vec3T<S>(S(0), S(0), stiffness * depth));
  }

 private:
  Frame load_;
};

TEST(StaticsUnderConstraints, ABodyDoesNotFallThroughWhatItComesToRestOn) {
  Mechanism m({slide()}, [&](const Tree& tree, ModelParts& parts) {
    parts.forces.push_back(std::make_shared<Shelf>(tree.frame("load")));
  });
  const Equilibrium rest = m.rest();
  ASSERT_TRUE(rest.converged) << rest.why;
  EXPECT_TRUE(rest.stable);
  EXPECT_NEAR(rest.state.q[0], Shelf::top - 50 * gravity / Shelf::stiffness, 1e-9);
}

TEST(StaticsUnderConstraints, ACompliantRodSagsAndBounces) {
  const double compliance = 2e-5;
  Mechanism m({slide()}, [&](const Tree& tree, ModelParts& parts) {
    parts.forces.push_back(std::make_shared<CompliantConstraint>(
        "rod", elastic_row(std::make_shared<PointDistance>(fixed_point({0, 0, 4}), tree.frame("load"), 4),
                           {1 / compliance, 0, 0, false})));
  });
  const Equilibrium rest = m.rest();
  ASSERT_TRUE(rest.converged) << rest.why;
  EXPECT_NEAR(rest.state.q[0], -50 * gravity * compliance, 1e-12);
  expect_equal(m.frequencies(rest.state), {std::sqrt(1 / (compliance * 50))}, 1e-9);
}

TEST(StaticsUnderConstraints, NothingIsLeftToMove) {
  Mechanism m({slide()}, [&](const Tree& tree, ModelParts& parts) {
    parts.constraints = {{"rod", std::make_shared<PointDistance>(fixed_point({0, 0, 4}), tree.frame("load"), 4)}};
  });
  const Equilibrium rest = m.rest();
  ASSERT_TRUE(rest.converged) << rest.why;
  EXPECT_TRUE(rest.stable);
  EXPECT_TRUE(rest.free_motions.empty());
  EXPECT_TRUE(vibration_modes(*m.system, rest.state).modes.empty());
}

TEST(StaticsUnderConstraints, AFloatingBodyDriftsAsItLikes) {
  // Held upright and up by springs, free in the plane: neither breaks the search nor is unstable.
  Body hull = ball("hull", {0.3, 0.1, 0.2}, 100);
  Mechanism m({hull}, [&](const Tree& tree, ModelParts& parts) {
    const auto plane =
        std::make_shared<FrameConstraint>(fixed_point(Vec3::Zero()), tree.frame("hull"),
                                          FrameConstraint::Held{{false, false, true}, {true, true, false}});
    parts.forces.push_back(std::make_shared<CompliantConstraint>("water", elastic_row(plane, {1e5, 0, 0, false})));
  });
  const Equilibrium rest = m.rest();
  ASSERT_TRUE(rest.converged) << rest.why;
  EXPECT_TRUE(rest.stable);
  ASSERT_EQ(rest.free_motions.size(), 3u);  // surge, sway, yaw
  ASSERT_TRUE(m.system->evaluate(rest.state));
  EXPECT_NEAR(m.system->workspace().kin.body.back().p.z(), -100 * gravity / 1e5, 1e-9);
  // Nothing drives it there, and round-off does not either.
  EXPECT_NEAR(m.system->workspace().kin.body.back().p.x(), 0.3, 1e-9);
  EXPECT_NEAR(m.system->workspace().kin.body.back().p.y(), 0.1, 1e-9);
}

}  // namespace
}  // namespace davit
