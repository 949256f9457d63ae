// Contacts: rest, slip, impact and stacks against exact solutions.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/constraint/frame_constraint.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/force/applied_wrench.hpp"
#include "davit/force/gravity.hpp"
#include "davit/solve/equilibrium.hpp"
#include "davit/solve/run_loop.hpp"

namespace davit {
namespace {

constexpr double g = 9.81;
const FrameConstraint::Held all_directions{{true, true, true}, {}};

// Boxes of one metre that lie on each other on a plane through the origin, which is tilted about y. Four contacts each.
struct Boxes {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  double half = 0.5;
  // `offset`: of every second box, along x. `press`: a force down on the lowest box.
  Boxes(int count, double tilt, double friction, double restitution = 0, double height = 0, double offset = 0,
        double gravity = g, double press = 0) {
    const Mat3 R = axis_rotation(1, tilt);
    std::vector<Body> bodies;
    for (int i = 0; i < count; ++i) {
      Body b;
      b.name = "box" + std::to_string(i);
      b.joint.kind = JointKind::free;
      b.at = {R, R * Vec3(i % 2 ? offset : 0, 0, half + 2 * half * i + height)};
      b.mass = 100;
      b.inertia = Sym3::diagonal(100 / 6., 100 / 6., 100 / 6.);
      bodies.push_back(b);
    }
    tree = std::make_shared<Tree>(bodies);
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    std::vector<Gravity::Weight> weights;
    for (const TreeBody& b : tree->bodies_of_tree()) weights.push_back({b.last_segment, b.body.mass, b.frame.p});
    if (gravity > 0) parts.forces.push_back(std::make_shared<Gravity>(Vec3(0, 0, -gravity), weights));
    if (press > 0)
      parts.forces.push_back(std::make_shared<AppliedWrench>("press", tree->frame("box0", Pose{}),
                                                             AppliedWrench::Data{.force = Vec3(0, 0, -press)}));
    for (int i = 0; i < count; ++i)
      for (int corner = 0; corner < 4; ++corner) {
        const Vec3 at(corner & 1 ? half : -half, corner & 2 ? half : -half, -half);
        const Frame below = i == 0
                                ? tree->frame("world", Pose{R, Vec3::Zero()})
                                : tree->frame("box" + std::to_string(i - 1), Pose{Mat3::Identity(), Vec3(0, 0, half)});
        parts.contacts.push_back(
            {"corner" + std::to_string(4 * i + corner),
             std::make_shared<FrameConstraint>(
                 below, tree->frame("box" + std::to_string(i), Pose{Mat3::Identity(), at}), all_directions),
             friction, restitution});
      }
    model = std::make_unique<Model>(std::move(parts));
  }
};

// An arm of one metre with a mass at its end, that begins 60 degrees from the vertical; a plane `gap` below the lowest
// point of that end.
std::unique_ptr<Model> arm_above_plane(JointKind kind, double friction, double restitution, double gap) {
  Body arm;
  arm.name = "arm";
  arm.joint.kind = kind;
  arm.joint.axis = Vec3::UnitY();
  arm.at = {axis_rotation(1, 1.0), Vec3::Zero()};
  arm.mass = 100;
  arm.centre = Vec3(0, 0, -1);
  arm.inertia = Sym3::diagonal(1, 1, 1);
  const auto tree = std::make_shared<Tree>(std::vector<Body>{arm});
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  const TreeBody& only = tree->bodies_of_tree().front();
  parts.forces = {std::make_shared<Gravity>(
      Vec3(0, 0, -g),
      std::vector<Gravity::Weight>{{only.last_segment, only.body.mass, only.frame * only.body.centre}})};
  parts.contacts = {
      {"end",
       std::make_shared<FrameConstraint>(tree->frame("world", Pose{Mat3::Identity(), Vec3(0, 0, -1 - gap)}),
                                         tree->frame("arm", Pose{Mat3::Identity(), Vec3(0, 0, -1)}), all_directions),
       friction, restitution}};
  return std::make_unique<Model>(std::move(parts));
}

State run(const Model& model, ImplicitMethod method, double end, double h) {
  System system(model);
  State s = model.initial_state();
  const auto stepper = make_implicit(method, model);
  while (s.t < end - 1e-9) {
    const StepOutcome out = stepper->step(system, s, h);
    EXPECT_TRUE(out.ok) << s.t << " " << out.why.element << " " << out.why.why;
    if (!out.ok) break;
  }
  return s;
}

class ContactMethods : public ::testing::TestWithParam<ImplicitMethod> {};

TEST_P(ContactMethods, ABoxOnAnInclineSticksOrSlipsAtTheFrictionAngle) {
  const double tilt = 0.4, mu = std::tan(tilt);
  const Boxes stuck(1, tilt, mu * 1.001), slipping(1, tilt, mu * 0.999);
  const State a = run(*stuck.model, GetParam(), 2, 0.01);
  EXPECT_LT(a.u.norm(), 1e-6);
  EXPECT_LT((a.q - stuck.model->initial_state().q).norm(), 1e-6);
  const State b = run(*slipping.model, GetParam(), 2, 0.01);
  const double exact = g * (std::sin(tilt) - 0.999 * mu * std::cos(tilt)) * 2;
  EXPECT_NEAR(b.u.norm(), exact, 1e-5 * exact);
}

TEST_P(ContactMethods, AStackStandsAndItsForcesAreTheWeights) {
  const Boxes stack(5, 0, 0.3);
  const State s = run(*stack.model, GetParam(), 1, 0.01);
  EXPECT_LT(s.u.norm(), 1e-6);
  EXPECT_LT((s.q - stack.model->initial_state().q).cwiseAbs().maxCoeff(), 1e-6);
  double bottom = 0;
  for (int i = 0; i < 4; ++i) bottom += s.lambda[3 * i + 2];
  EXPECT_NEAR(bottom, 5 * 100 * g, 1e-4);
  // Shared evenly by the four corners.
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(s.lambda[3 * i + 2], 5 * 100 * g / 4, 1);
}

// Corners carry different forces: what softness and round-off do to the gaps must not add up until one opens.
TEST_P(ContactMethods, AnUnevenStackStandsForLong) {
  const Boxes stack(5, 0, 0.3, 0, 0, 0.2);
  const State s = run(*stack.model, GetParam(), 5, 0.01);
  EXPECT_LT(s.u.norm(), 1e-9);
  EXPECT_LT((s.q - stack.model->initial_state().q).cwiseAbs().maxCoeff(), 1e-8);
  // The second and fourth box are off: their moment about the middle of the lowest is 2 · 0.2 m of a weight.
  const double weight = 100 * g;
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(s.lambda[3 * i + 2], 5 * weight / 4 + (i & 1 ? 1 : -1) * 0.4 * weight / (4 * stack.half), 1e-4);
}

// Several impacts at once, with friction: boxes that are dropped in a heap come to rest without going through each
// other.
TEST_P(ContactMethods, HeapsThatAreDroppedComeToRest) {
  struct Heap {
    int boxes;
    double offset, drop, restitution;
  };
  for (const Heap& heap :
       {Heap{3, 0.2, 0.5, 0}, Heap{3, 0.2, 0.5, 0.3}, Heap{5, 0.2, 0.3, 0.5}, Heap{4, 0.3, 0.3, 0.4}}) {
    const Boxes boxes(heap.boxes, 0, 0.3, heap.restitution, heap.drop, heap.offset);
    const State s = run(*boxes.model, GetParam(), 3, 0.01);
    EXPECT_NEAR(s.t, 3, 1e-6) << heap.boxes << " boxes, restitution " << heap.restitution;
    EXPECT_LT(s.u.norm(), 1e-3) << heap.boxes << " boxes, restitution " << heap.restitution;
  }
}

TEST_P(ContactMethods, ABoxBouncesByItsRestitution) {
  const double e = 0.6, height = 1;
  const Boxes box(1, 0, 0.3, e, height);
  System system(*box.model);
  State s = box.model->initial_state();
  const auto stepper = make_implicit(GetParam(), *box.model);
  std::vector<double> tops;
  const auto clearance = [&] { return s.q[6] + height; };
  double before = s.u[5];
  while (tops.size() < 3 && s.t < 5) {
    ASSERT_TRUE(stepper->step(system, s, 1e-4).ok);
    if (before > 0 && s.u[5] <= 0) tops.push_back(clearance());
    before = s.u[5];
  }
  ASSERT_EQ(tops.size(), 3u);
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(tops[i], height * std::pow(e, 2.0 * (static_cast<double>(i) + 1)), 2e-3);
  // And comes to rest.
  while (s.t < 3) {
    const StepOutcome out = stepper->step(system, s, 1e-3);
    ASSERT_TRUE(out.ok) << s.t << " u " << s.u.transpose() << " q " << s.q.transpose() << " l " << s.lambda.transpose()
                        << out.why.element;
  }
  EXPECT_LT(s.u.norm(), 1e-6);
  EXPECT_NEAR(clearance(), 0, 1e-6);
}

// What counts as an impact depends on how fast things fall in this model.
TEST_P(ContactMethods, WhereGravityIsWeakSlowImpactsBounce) {
  const double e = 0.6, moon = 1.62, height = 0.005, h = 0.01;
  const double speed = std::sqrt(2 * moon * height);  // less than what a step on earth gives twice
  ASSERT_LT(speed, 2 * g * h);
  const Boxes box(1, 0, 0.3, e, height, 0, moon);
  System system(*box.model);
  State s = box.model->initial_state();
  const auto stepper = make_implicit(GetParam(), *box.model);
  double up = 0;
  while (s.t < 0.5) {
    ASSERT_TRUE(stepper->step(system, s, h).ok);
    up = std::max(up, s.u[5]);
  }
  EXPECT_NEAR(up, e * speed, 2 * moon * h);
  while (s.t < 2) ASSERT_TRUE(stepper->step(system, s, h).ok);
  EXPECT_LT(s.u.norm(), 1e-6);
}

TEST_P(ContactMethods, WithoutGravityEveryApproachIsAnImpact) {
  const double e = 0.6, h = 0.01;
  const Boxes box(1, 0, 0.3, e, 0.001, 0, 0);
  System system(*box.model);
  State s = box.model->initial_state();
  s.u[5] = -0.01;
  const auto stepper = make_implicit(GetParam(), *box.model);
  while (s.t < 0.5) ASSERT_TRUE(stepper->step(system, s, h).ok);
  EXPECT_NEAR(s.u[5], e * 0.01, 1e-9);
}

// A force presses a body without weight on the plane: without restitution it lies still, with it it trembles by no more
// than the force gives in two steps, and is carried on the average.
TEST_P(ContactMethods, WithoutGravityAForcePressesBodiesTogether) {
  const double h = 0.01, press = 500, gain = press / 100 * h;
  for (const double e : {0.0, 0.5}) {
    const Boxes box(1, 0, 0.3, e, 0.01, 0, 0, press);
    System system(*box.model);
    State s = box.model->initial_state();
    const auto stepper = make_implicit(GetParam(), *box.model);
    while (s.t < 2) ASSERT_TRUE(stepper->step(system, s, h).ok);
    double mean = 0, fastest = 0, highest = 0;
    const int steps = 200;
    for (int i = 0; i < steps; ++i) {
      ASSERT_TRUE(stepper->step(system, s, h).ok);
      for (int corner = 0; corner < 4; ++corner) mean += s.lambda[3 * corner + 2] / steps;
      fastest = std::max(fastest, s.u.norm());
      highest = std::max(highest, std::abs(s.q[6] + 0.01));
    }
    EXPECT_NEAR(mean, press, e > 0 ? 2 * gain * 100 / (steps * h) : 1e-4);
    EXPECT_LT(fastest, e > 0 ? 2 * gain : 1e-6);
    EXPECT_LT(highest, e > 0 ? 2 * gain * h : 1e-6);
  }
}

double stored_energy(System& system, const State& s) {
  system.place_bodies<double>(system.workspace(), s.t, s.q.data(), s.u.data(), s.discrete);
  return system.kinetic_energy(s) + system.potential_energy(s);
}

// Whatever the step, boxes that land, bounce, slide and come to rest have never more energy than before: what they fall
// beyond a surface and are put back gives nothing. Where boxes push each other back it may, and is said.
TEST_P(ContactMethods, PuttingBackGivesNoEnergy) {
  struct Case {
    int boxes;
    double tilt, restitution, height, offset;
  };
  for (const Case& c : {Case{1, 0, 0, 0.5, 0}, Case{1, 0, 0.5, 0.5, 0}, Case{3, 0, 0, 0.3, 0.2},
                        Case{1, 0.3, 0, 0.2, 0}, Case{1, 0.3, 0.5, 0.2, 0}})
    for (const double h : {0.002, 0.005, 0.01, 0.02}) {
      const Boxes boxes(c.boxes, c.tilt, 0.2, c.restitution, c.height, c.offset);
      System system(*boxes.model);
      State s = boxes.model->initial_state();
      const auto stepper = make_implicit(GetParam(), *boxes.model);
      const double fall = 100 * g * c.height;
      double last = stored_energy(system, s), rise = 0, by_contacts = 0;
      while (s.t < 2) {
        ASSERT_TRUE(stepper->step(system, s, h).ok);
        const double now = stored_energy(system, s), gain = now - last;
        by_contacts += std::clamp(gain, 0.0, std::max(0.0, stepper->contact_work()));
        rise += std::max(0.0, gain - std::max(0.0, stepper->contact_work()));
        last = now;
      }
      EXPECT_LT(rise, 1e-6 * fall) << c.boxes << " " << c.tilt << " " << c.restitution << " " << h;
      if (c.boxes == 1) EXPECT_LT(by_contacts, 1e-6 * fall) << c.tilt << " " << c.restitution << " " << h;
    }
}

// An arm on a hinge, or on a ball, whose end just reaches a plane, or a micrometre more or less, at its lowest point:
// nothing moves along the normal there. It does not break, and what slides without friction loses nothing.
TEST_P(ContactMethods, APendulumThatJustReachesAPlaneGoesOn) {
  const bool conserves = GetParam() == ImplicitMethod::conserving || GetParam() == ImplicitMethod::midpoint;
  for (const JointKind kind : {JointKind::revolute, JointKind::spherical})
    for (const double friction : {0.0, 0.3})
      for (const double restitution : {0.0, 0.5})
        for (const double gap : {0.0, 1e-6, -1e-6}) {
          const auto model = arm_above_plane(kind, friction, restitution, gap);
          System system(*model);
          State s = model->initial_state();
          const auto stepper = make_implicit(GetParam(), *model);
          const double begin = stored_energy(system, s), swing = begin + 100 * g;
          while (s.t < 4) {
            const StepOutcome out = stepper->step(system, s, 0.01);
            ASSERT_TRUE(out.ok) << s.t << " " << out.why.element << " " << out.why.why;
          }
          const double end = stored_energy(system, s);
          EXPECT_LT(end, begin + 0.02 * swing);
          EXPECT_GT(end, begin - (1 + 1e-9) * swing);
          if (conserves && friction == 0) EXPECT_NEAR(end, begin, 1e-4 * swing);
        }
}

// Momentum of all bodies in world axes; masses of 100 kg.
Vec3 momentum(System& system, const State& s) {
  system.place_bodies<double>(system.workspace(), s.t, s.q.data(), s.u.data(), s.discrete);
  Vec3 sum = Vec3::Zero();
  for (const auto& body : system.workspace().kin.body) sum += 100 * body.v;
  return sum;
}

// Newton's method is not let find impacts of several boxes in whole steps: forces are then the means of the parts.
void expect_forces_to_be_the_impulse(ImplicitMethod method) {
  const double h = 0.01;
  const Boxes heap(3, 0, 0.3, 0.4, 0.3, 0.2);
  System system(*heap.model);
  State s = heap.model->initial_state();
  const auto stepper = make_implicit(method, *heap.model, {.newton_iterations = 4});
  long divided = 0;
  for (int i = 0; i < 100; ++i) {
    const Vec3 before = momentum(system, s);
    ASSERT_TRUE(stepper->step(system, s, h).ok);
    Vec3 force(0, 0, -300 * g);
    for (int corner = 0; corner < 4; ++corner) force += s.lambda.segment<3>(3 * corner);
    const bool in_parts = stepper->counts().last.rejected > 0;
    EXPECT_LT((momentum(system, s) - before - h * force).norm(), in_parts ? 1e-10 * 300 * g : 1e-8 * 300 * g)
        << s.t << " " << in_parts;
    divided += in_parts;
  }
  EXPECT_GT(divided, 0);
}

TEST(DividedStep, ForcesOfContactsAreItsImpulse) {
  for (const auto method : {ImplicitMethod::conserving, ImplicitMethod::midpoint, ImplicitMethod::implicit_euler})
    expect_forces_to_be_the_impulse(method);
}

// A pendulum on a rigid pin: what a step in two parts shows is the mean of two steps of half the length.
TEST(DividedStep, ShowsTheMeanOfItsParts) {
  const double h = 0.05;
  Body b;
  b.name = "pendulum";
  b.joint.kind = JointKind::free;
  b.at = {axis_rotation(0, 1.0), Vec3(0, std::sin(1.0), -std::cos(1.0))};
  b.mass = 100;
  b.inertia = Sym3::diagonal(3, 5, 7);
  const auto tree = std::make_shared<Tree>(std::vector<Body>{b});
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  const TreeBody& only = tree->bodies_of_tree().front();
  parts.forces = {std::make_shared<Gravity>(
      Vec3(0, 0, -g), std::vector<Gravity::Weight>{{only.last_segment, only.body.mass, only.frame.p}})};
  parts.constraints = {{"pin", std::make_shared<FrameConstraint>(
                                   tree->frame("world", Pose{}),
                                   tree->frame("pendulum", Pose{Mat3::Identity(), Vec3(0, 0, 1)}), all_directions)}};
  const Model model(std::move(parts));
  System system(model);
  const ImplicitOptions hurried{.newton_iterations = 5};
  State s = model.initial_state();
  const auto stepper = make_implicit(ImplicitMethod::conserving, model, hurried);
  long halved = 0;
  for (int i = 0; i < 100; ++i) {
    const State before = s;
    ASSERT_TRUE(stepper->step(system, s, h).ok);
    const Solution& shown = *stepper->solution();
    EXPECT_LT((s.u - before.u - h * shown.a).norm(), 1e-10);
    EXPECT_NEAR(shown.t, before.t + h / 2, 1e-12);
    EXPECT_EQ(s.lambda, shown.lambda);
    if (stepper->counts().last.rejected != 1) continue;
    ++halved;
    State at = before;
    const auto half = make_implicit(ImplicitMethod::conserving, model);
    VecX mean = VecX::Zero(3);
    for (int part = 0; part < 2; ++part) {
      ASSERT_TRUE(half->step(system, at, h / 2).ok);
      mean += 0.5 * at.lambda;
    }
    EXPECT_LT((mean - s.lambda).norm(), 1e-9 * s.lambda.norm());
  }
  EXPECT_GT(halved, 0);
}

TEST(ContactEquilibrium, BoxesSettleOnEachOther) {
  const Boxes above(3, 0, 0.3, 0, 0.05);
  System system(*above.model);
  const Equilibrium rest = find_equilibrium(system, above.model->initial_state());
  ASSERT_TRUE(rest.converged) << rest.why << " " << rest.residual;
  EXPECT_NEAR(rest.state.q[6], -0.05, 1e-6);
  double bottom = 0;
  for (int i = 0; i < 4; ++i) bottom += rest.state.lambda[3 * i + 2];
  EXPECT_NEAR(bottom, 3 * 100 * g, 1e-3);
}

TEST(ContactEquilibrium, FrictionHoldsWhatItCanAndNoMore) {
  const double tilt = 0.3;
  for (const double share : {1.01, 0.99}) {
    const Boxes box(1, tilt, share * std::tan(tilt));
    System system(*box.model);
    EXPECT_EQ(find_equilibrium(system, box.model->initial_state()).converged, share > 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Contact, ContactMethods,
                         ::testing::Values(ImplicitMethod::conserving, ImplicitMethod::midpoint,
                                           ImplicitMethod::implicit_euler, ImplicitMethod::dele,
                                           ImplicitMethod::spook));

}  // namespace
}  // namespace davit
