// Motions with closed-form solutions.
#include <cmath>

#include "davit/force/gravity.hpp"
#include "davit/force/joint_forces.hpp"
#include "davit/math/constants.hpp"
#include "davit/solve/run_loop.hpp"
#include "davit/solve/vibration.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

struct Case {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
};

Case make(std::vector<Body> bodies, double gravity, std::vector<std::shared_ptr<const ReactionForce>> friction = {}) {
  Case out;
  out.tree = std::make_shared<Tree>(std::move(bodies));
  ModelParts parts;
  parts.blocks = {out.tree};
  parts.body_names = out.tree->segment_names();
  std::vector<Gravity::Weight> weights;
  for (const TreeBody& b : out.tree->bodies_of_tree())
    weights.push_back({b.last_segment, b.body.mass, b.frame * b.body.centre});
  parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -gravity), weights)};
  parts.reaction_forces = std::move(friction);
  out.model = std::make_unique<Model>(std::move(parts));
  return out;
}

State advance(const Model& model, double end, double tolerance = 1e-13) {
  struct Quiet final : Observer {
    void record(const State&, System&) override {}
  } quiet;
  System system(model);
  State s = model.initial_state();
  const auto stepper = make_dormand_prince(model, {.tolerance = tolerance});
  simulate(system, *stepper, s, {.end = end, .step = 1, .output = end}, quiet);
  return s;
}

// A point mass on a rod released at rest from θ0 is back after T = 4 √(l/g) K(sin(θ0/2)).
void pendulum(Checker& check) {
  const double length = 10, gravity = 9.81, start = 2.0;
  Body b;
  b.name = "pendulum";
  b.joint.kind = JointKind::revolute;
  b.joint.axis = Vec3::UnitY();
  b.joint.position = {start};
  b.mass = 150e3;
  b.centre = {0, 0, -length};
  const Case c = make({b}, gravity);
  const double period = 4 * std::sqrt(length / gravity) * std::comp_ellint_1(std::sin(start / 2));
  const State quarter = advance(*c.model, period / 4), whole = advance(*c.model, period);
  check.absolute("pendulum from 2 rad", "angle after a quarter of the period", "rad", 0,
                 "exact: period by the elliptic integral", quarter.q[0], 1e-10);
  check.relative("pendulum from 2 rad", "angle after the period", "rad", start,
                 "exact: period by the elliptic integral", whole.q[0], 1e-10);
  check.relative("pendulum from 2 rad", "speed at the bottom", "rad/s",
                 -std::sqrt(2 * gravity / length * (1 - std::cos(start))), "exact: energy", quarter.u[0], 1e-10);
  System system(*c.model);
  State rest = c.model->initial_state();
  rest.q.setZero();
  const auto modes = vibration_modes(system, rest);
  check.relative("pendulum at rest", "natural frequency", "Hz", std::sqrt(gravity / length) / (2 * pi), "exact: √(g/l)",
                 modes.modes.back().frequency, 1e-12);
}

// A symmetric top without moments: the angular velocity in body axes turns at (C - A)/A · ω3, the figure axis goes
// round the fixed angular momentum at |L|/A.
void free_top(Checker& check) {
  const double A = 2, C = 3.1, end = 25;
  Body b;
  b.name = "top";
  b.joint.kind = JointKind::free;
  b.mass = 5;
  b.inertia = Sym3::diagonal(A, A, C);
  const Vec3 w(0.3, 0, 1.2), v(0.7, -0.2, 0.1);
  b.joint.rate = {w.x(), w.y(), w.z(), v.x(), v.y(), v.z()};
  const Case c = make({b}, 0);
  const State s = advance(*c.model, end);
  const double turn = (C - A) / A * w.z() * end;
  check.absolute("free symmetric top, 25 s", "wx in body axes", "rad/s", w.x() * std::cos(turn),
                 "exact: Euler's equations", s.u[0], 1e-10);
  check.absolute("free symmetric top, 25 s", "wy in body axes", "rad/s", w.x() * std::sin(turn),
                 "exact: Euler's equations", s.u[1], 1e-10);
  // The figure axis: rotate it about L by |L|/A t.
  const Vec3 L(A * w.x(), 0, C * w.z());
  const Vec3 axis = exp_rotation(Vec3(L / A * end)) * Vec3(0, 0, 1);
  const Mat3 R = Quaternion{s.q[0], Vec3(s.q.segment<3>(1))}.matrix();
  check.at_most("free symmetric top, 25 s", "error of the figure axis", "", "exact: regular precession",
                (R.col(2) - axis).norm(), 1e-9);
  check.at_most("free symmetric top, 25 s", "error of the position", "m", "exact: uniform motion",
                (s.q.tail<3>() - end * v).norm(), 1e-9);
}

// A balanced rotor in a bearing under its weight and a bearing force N = m g: the deceleration is μ r m g/I. Offset the
// centre by e on a vertical shaft: N = m √(g² + (e ω²)² + (e ω̇)²) depends on the friction it causes.
void bearing(Checker& check) {
  const double mass = 800, inertia = 40, gravity = 9.81, speed = 30, mu = 0.05, radius = 0.1, offset = 0.02;
  const auto rotor = [&](const Vec3& centre) {
    Body b;
    b.name = "rotor";
    b.joint.kind = JointKind::revolute;
    b.joint.axis = Vec3::UnitZ();
    b.joint.rate = {speed};
    b.mass = mass;
    b.centre = centre;
    b.inertia = Sym3::scaled_identity(inertia);
    return b;
  };
  const auto friction = std::make_shared<BearingFriction>("bearing", JointCoordinate{"rotor.angle", 0, 0, 1, true}, 1,
                                                          BearingFriction::Data{mu, radius, 1e-3});
  const Case balanced = make({rotor(Vec3::Zero())}, gravity, {friction});
  const State after = advance(*balanced.model, 20);
  check.relative("rotor with bearing friction, 20 s", "speed", "rad/s",
                 speed - mu * radius * mass * gravity / inertia * 20, "exact: constant deceleration", after.u[0],
                 1e-10);

  const Case eccentric = make({rotor(Vec3(offset, 0, 0))}, gravity, {friction});
  System system(*eccentric.model);
  system.evaluate(eccentric.model->initial_state());
  // I' α = -μ r N with I' = I + m e², N² = m²(g² + e²ω⁴ + e²α²): a quadratic in α.
  const double I = inertia + mass * offset * offset, k = mu * radius * mass;
  const double square =
      k * k * (gravity * gravity + std::pow(offset * speed * speed, 2)) / (I * I - k * k * offset * offset);
  check.relative("eccentric rotor", "acceleration solved with its own bearing load", "rad/s^2", -std::sqrt(square),
                 "exact: quadratic equation", system.workspace().a[0], 1e-12);
}

}  // namespace

void exact_motions(Checker& check) {
  pendulum(check);
  free_top(check);
  bearing(check);
}

}  // namespace davit::verify
