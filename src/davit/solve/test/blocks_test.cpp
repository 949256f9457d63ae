// Motions of particles and director bodies against those of a tree.
#include <gtest/gtest.h>

#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/dynamics/director_body.hpp"
#include "davit/dynamics/particles.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/solve/run_loop.hpp"

namespace davit {
namespace {

// The weight of one point.
class Weight final : public ForceOf<Weight> {
 public:
  Weight(const Frame& at, double mass) : ForceOf("weight"), at_(at), force_(0, 0, -9.81 * mass) {}
  std::string summary() const override { return name(); }
  bool conservative() const override { return true; }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    loads.add_force(at_.body, c.kin.body[static_cast<size_t>(at_.body)].R * as<S>(at_.offset.p), as<S>(force_));
  }
  template <class S>
  S potential_energy(const ContextT<S>& c) const {
    return -as<S>(force_).dot(position(c.kin, at_));
  }

 private:
  Frame at_;
  Vec3 force_;
};

struct Quiet : Observer {
  void record(const State&, System&) override {}
};

// Where a frame is after a run, how it is turned and how fast it moves; and the change of energy on the way.
struct End {
  Vec3 p, v;
  Mat3 R;
  double energy_change;
};
End run(ModelParts parts, const Frame& watched, double end, double tolerance) {
  const Model model(std::move(parts));
  System system(model);
  State s = model.initial_state();
  EXPECT_TRUE(system.evaluate(s)) << system.failure().element << system.failure().why;
  const double energy = system.energy(s).total();
  const auto stepper = make_dormand_prince(model, {.tolerance = tolerance});
  Quiet quiet;
  const RunOutcome outcome = simulate(system, *stepper, s, {.end = end, .step = 0.1, .output = end}, quiet);
  EXPECT_EQ(outcome.status, RunStatus::complete) << outcome.element << outcome.why;
  EXPECT_TRUE(system.evaluate(s));
  const Kin& kin = system.workspace().kin;
  return {position(kin, watched), velocity(kin, watched), rotation(kin, watched), system.energy(s).total() - energy};
}
void expect_same(const End& a, const End& b, double tolerance) {
  EXPECT_LT((a.p - b.p).norm(), tolerance);
  EXPECT_LT((a.v - b.v).norm(), tolerance);
  EXPECT_LT((a.R - b.R).norm(), tolerance);
}

const Pose no_turn(const Vec3& p) { return {Mat3::Identity(), p}; }
std::shared_ptr<const Tree> empty_tree() { return std::make_shared<Tree>(std::vector<Body>{}); }

Body brick() {
  Body b;
  b.name = "brick";
  b.mass = 2;
  b.centre = {0.1, -0.2, 0.3};
  b.inertia = congruence(exp_rotation(Vec3(0.3, 0.5, -0.2)), Sym3::diagonal(0.5, 0.8, 1.1));
  return b;
}

TEST(DirectorBody, TumblesAsAFreeJointDoes) {
  const Pose pose{rotation_of_rpy(Vec3(0.3, -0.2, 0.5)), Vec3(1, 2, 3)};
  const Vec3 spin(2, 3, -1.5), v(1, 0.5, 4);  // in the axes of the body
  Body jointed = brick();
  jointed.joint.kind = JointKind::free;
  jointed.joint.position = {0.3, -0.2, 0.5, 1, 2, 3};
  jointed.joint.rate = {spin.x(), spin.y(), spin.z(), v.x(), v.y(), v.z()};
  const auto tree = std::make_shared<Tree>(std::vector<Body>{jointed});
  ModelParts parts;
  parts.blocks = {tree};
  parts.forces = {std::make_shared<Weight>(tree->frame("brick", no_turn(jointed.centre)), jointed.mass)};
  const End expected = run(std::move(parts), tree->frame("brick"), 2, 1e-10);

  const auto none = empty_tree();
  const auto body = std::make_shared<DirectorBody>(after(*none), brick(), pose, Twist{pose.R * spin, pose.R * v});
  parts = {};
  parts.blocks = {none, body};
  parts.constraints = {body->rigidity()};
  parts.forces = {std::make_shared<Weight>(body->frame(no_turn(brick().centre)), brick().mass)};
  const End end = run(std::move(parts), body->frame(), 2, 1e-10);
  expect_same(end, expected, 1e-8);
  EXPECT_NEAR(end.energy_change, 0, 1e-7);
}

TEST(Pendulum, OfATreeADirectorBodyAndAParticleSwingsAlike) {
  const double length = 1.7, angle = 0.9, rate = 0.6, mass = 2;
  const Vec3 bob(std::sin(angle) * length, 0, -std::cos(angle) * length);
  const Vec3 sideways(0, 0.8, 0);
  // A point on a universal joint …
  Body arm;
  arm.name = "arm";
  arm.joint.kind = JointKind::universal;
  arm.joint.axis = Vec3::UnitX();
  arm.joint.second_axis = Vec3::UnitY();
  arm.joint.position = {0, -angle};
  // ẏ = -α̇ z about x, where the bob is at z = -l cos θ
  arm.joint.rate = {sideways.y() / (length * std::cos(angle)), -rate};
  arm.mass = mass;
  arm.centre = Vec3(0, 0, -length);
  const auto tree = std::make_shared<Tree>(std::vector<Body>{arm});
  const Frame end_of_arm = tree->frame("arm", no_turn(arm.centre));
  ModelParts parts;
  parts.blocks = {tree};
  parts.forces = {std::make_shared<Weight>(end_of_arm, mass)};
  const Vec3 v = rate * Vec3(std::cos(angle) * length, 0, std::sin(angle) * length) + sideways;
  {
    const Model model(parts);
    System system(model);
    ASSERT_TRUE(system.evaluate(model.initial_state()));
    ASSERT_LT((position(system.workspace().kin, end_of_arm) - bob).norm(), 1e-14);
    ASSERT_LT((velocity(system.workspace().kin, end_of_arm) - v).norm(), 1e-14);
  }
  const End expected = run(std::move(parts), end_of_arm, 2, 1e-11);
  // … is a particle on a rod.
  const auto none = empty_tree();
  const auto particle = std::make_shared<Particles>(after(*none), std::vector<Particle>{{"bob", mass, bob, v}});
  parts = {};
  parts.blocks = {none, particle};
  parts.forces = {std::make_shared<Weight>(particle->frame(0), mass)};
  parts.constraints = {{"rod", std::make_shared<PointDistance>(Frame{}, particle->frame(0), length)}};
  const End end = run(std::move(parts), particle->frame(0), 2, 1e-11);
  EXPECT_LT((end.p - expected.p).norm(), 1e-9);
  EXPECT_LT((end.v - expected.v).norm(), 1e-9);
  EXPECT_NEAR(end.energy_change, 0, 1e-8);

  // A brick on a spherical joint is a director body on a ball constraint.
  Body hung = brick();
  hung.joint.kind = JointKind::spherical;
  hung.joint.position = {0.4, 0.2, -0.3};
  hung.joint.rate = {0.5, -1.1, 2};
  const Pose start{rotation_of_rpy(Vec3(0.4, 0.2, -0.3)), Vec3::Zero()};
  const auto joint = std::make_shared<Tree>(std::vector<Body>{hung});
  parts = {};
  parts.blocks = {joint};
  parts.forces = {std::make_shared<Weight>(joint->frame("brick", no_turn(hung.centre)), hung.mass)};
  const End by_joint = run(std::move(parts), joint->frame("brick"), 2, 1e-10);
  const auto body =
      std::make_shared<DirectorBody>(after(*none), brick(), start, Twist{start.R * Vec3(0.5, -1.1, 2), Vec3::Zero()});
  parts = {};
  parts.blocks = {none, body};
  parts.forces = {std::make_shared<Weight>(body->frame(no_turn(hung.centre)), hung.mass)};
  parts.constraints = {body->rigidity(),
                       {"ball", std::make_shared<FrameConstraint>(Frame{}, body->frame(),
                                                                  FrameConstraint::Held{{true, true, true}, {}})}};
  expect_same(run(std::move(parts), body->frame(), 2, 1e-10), by_joint, 1e-8);
}

}  // namespace
}  // namespace davit
