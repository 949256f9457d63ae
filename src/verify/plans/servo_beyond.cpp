// Servo problems beyond cranes, with closed forms: a chain of masses of index 7, an arm with an elastic joint, a
// pendulum on a cart with one and two drives, and outputs that leave internal dynamics.
#include <cmath>
#include <complex>

#include "davit/force/joint_forces.hpp"
#include "davit/inverse_dynamics/servo_constraint.hpp"
#include "verify/plans/machine.hpp"
#include "verify/plans/servo_plans.hpp"

namespace davit::verify {

namespace {

using inverse_dynamics::CoordinateServo;
using inverse_dynamics::Instant;
using inverse_dynamics::Method;
using inverse_dynamics::PlaceServo;
using inverse_dynamics::Plan;
using inverse_dynamics::Scheme;

const char* const closed = "exact: closed form";

double worst(const Plan& plan, const std::function<double(const Instant&)>& error) {
  if (!plan.complete) return 1e300;
  double most = 0;
  for (const Instant& at : plan.points) most = std::max(most, std::abs(error(at)));
  return most;
}

// Three masses in a row on springs, pushed at the first, the last of which follows:
//   m ẍ₃ = k (x₂ - x₃), m ẍ₂ = k (x₁ - x₂) - k (x₂ - x₃), F = m ẍ₁ + k (x₁ - x₂).
void chain_of_masses(Checker& check) {
  const double m = 2, k = 50, r = m / k;
  Machine machine({sliding("first", "world", m), sliding("second", "first", m), sliding("third", "second", m)});
  for (const char* name : {"second", "third"})
    machine.parts.forces.push_back(
        std::make_shared<JointSpring>(name, machine.joint(name), JointSpring::Data{.stiffness = k}));
  machine.drive("first");
  const Motion desired = smooth_move(0, 1, 4, 7);
  machine.out.problem.outputs.push_back(
      {"third",
       std::make_shared<PlaceServo>(machine.tree->frame("third"),
                                    std::vector<PlaceServo::Along>{{Vec3::UnitX(), desired}}),
       7});
  const ServoCrane chain = machine.finish(4);
  check_analysis(check, "chain of three masses", chain, {7, 3, 0});
  const Plan plan = plan_of(chain, {.step = 0.02, .order = 7});
  double x[8];
  // x₂ = x₃ + r ẍ₃, x₁ = 2 x₂ - x₃ + r ẍ₂ with all derivatives of x₃.
  const auto force = [&](double t) {
    desired.derivatives(t, x);
    const auto second = [&](int d) { return x[d] + r * x[d + 2]; };
    const auto first = [&](int d) { return 2 * second(d) - x[d] + r * second(d + 2); };
    return m * first(2) + k * (first(0) - second(0));
  };
  double largest = 0;
  for (double t = 0; t < 4; t += 0.02) largest = std::max(largest, std::abs(force(t)));
  check.at_most("chain of three masses", "force, of the largest", "1", closed,
                worst(plan, [&](const Instant& at) { return at.w[0] - force(at.t); }) / largest, 1e-8);
  check_replay(check, "chain of three masses", chain, plan, 0.005, 1e-6);
}

// J q̈ + m g l cos q = k (θ - q), τ = J_m θ̈ + k (θ - q).
void elastic_joint(Checker& check) {
  const double J = 3, Jm = 0.5, k = 400, m = 4, l = 0.6;
  Body motor;
  motor.name = "motor";
  motor.joint.kind = JointKind::revolute;
  motor.joint.axis = -Vec3::UnitY();
  motor.inertia = Sym3::diagonal(0, Jm, 0);
  Body arm;
  arm.name = "arm";
  arm.on = "motor";
  arm.joint.kind = JointKind::revolute;
  arm.joint.axis = -Vec3::UnitY();
  arm.mass = m;
  arm.centre = Vec3(l, 0, 0);
  arm.inertia = Sym3::diagonal(0, J - m * l * l, 0);
  // At the start the weight twists the joint.
  arm.joint.position = {-m * gravity * l / k};
  motor.joint.position = {m * gravity * l / k};
  Machine machine({motor, arm});
  machine.weigh();
  machine.parts.forces.push_back(
      std::make_shared<JointSpring>("arm", machine.joint("arm"), JointSpring::Data{.stiffness = k}));
  machine.drive("motor");
  const Motion desired = smooth_move(0, 1.2, 2, 5);
  machine.out.problem.outputs.push_back(
      {"angle",
       std::make_shared<CoordinateServo>(
           std::vector<CoordinateServo::Term>{{machine.out.at.at("motor"), 1}, {machine.out.at.at("arm"), 1}}, desired),
       5});
  const ServoCrane robot = machine.finish(2);
  check_analysis(check, "arm with an elastic joint", robot, {5, 2, 0});
  const Plan plan = plan_of(robot, {.step = 0.02});
  const auto torque = [&](double t) {
    Taylor<6> q = desired.value(Taylor<6>::time(t));
    const Taylor<6> twist = (Taylor<6>(J) * q.rate().rate() + Taylor<6>(m * gravity * l) * cos(q)) / Taylor<6>(k);
    const Taylor<6> theta = q + twist;
    return Jm * 2 * theta.c[2] + k * twist.c[0];
  };
  check.at_most("arm with an elastic joint", "torque", "N m", closed,
                worst(plan, [&](const Instant& at) { return at.w[0] - torque(at.t); }), 1e-7);
  check_replay(check, "arm with an elastic joint", robot, plan, 0.005, 1e-6);
}

struct CartPendulum {
  double cart = 5, mass = 2, inertia = 0.3, l = 0.8, damping = 0;
  bool inverted = true, torque = false;
  double angle = 0;  // at the start
};
// A rod on a cart, with an output at a distance d along the rod from its pivot; two outputs with two drives.
ServoCrane cart_pendulum(const CartPendulum& p, double d, double over) {
  const double up = p.inverted ? 1 : -1;
  Body rod;
  rod.name = "rod";
  rod.on = "cart";
  rod.joint.kind = JointKind::revolute;
  rod.joint.axis = Vec3::UnitY();
  rod.mass = p.mass;
  rod.centre = Vec3(0, 0, up * p.l);
  rod.inertia = Sym3::diagonal(0, p.inertia, 0);
  rod.joint.position = {p.angle};
  Machine machine({sliding("cart", "world", p.cart), rod});
  machine.weigh();
  if (p.damping > 0)
    machine.parts.forces.push_back(
        std::make_shared<JointDamper>("bearing", machine.joint("rod"), JointDamper::Data{.damping = p.damping}));
  machine.drive("cart");
  if (p.torque) machine.drive("rod");
  const Frame point = machine.tree->frame("rod", Pose{Mat3::Identity(), Vec3(0, 0, up * d)});
  const double start = up * d * std::sin(p.angle);
  std::vector<PlaceServo::Along> along{{Vec3::UnitX(), smooth_move(start, start + 1, over, 4)}};
  if (p.torque) along.push_back({Vec3::UnitZ(), smooth_move(up * d * std::cos(p.angle), up * d * 0.9, over, 4)});
  machine.out.problem.outputs.push_back({"point", std::make_shared<PlaceServo>(point, along), 4});
  return machine.finish(over);
}

// (J + m l² - m l d) θ̈ + c θ̇ ∓ m g l θ = 0 with the point held, upright or hanging.
std::vector<std::complex<double>> internal_poles(const CartPendulum& p, double d) {
  const double a = p.inertia + p.mass * p.l * p.l - p.mass * p.l * d, b = p.damping,
               c = (p.inverted ? -1 : 1) * p.mass * gravity * p.l;
  const std::complex<double> root = std::sqrt(std::complex<double>(b * b - 4 * a * c));
  return {(-b + root) / (2 * a), (-b - root) / (2 * a)};
}

void pendulum_on_cart(Checker& check) {
  const auto poles = [&](const char* name, const CartPendulum& p, double d, bool stable) {
    const ServoCrane crane = cart_pendulum(p, d, 3);
    const auto a = inverse_dynamics::analyse(crane.problem);
    check.absolute(name, "internal states", "1", 2, closed, a.internal_states, 0);
    check.at_most(name, "poles of the internal dynamics", "1/s", closed,
                  pole_error(a.internal_poles, internal_poles(p, d)), 1e-6);
    check.absolute(name, "stable", "1", stable ? 1 : 0, closed, a.internal_stable() ? 1 : 0, 0);
  };
  poles("upright rod, point below its centre of percussion", {}, 0.5, false);
  poles("upright rod, point above its centre of percussion", {}, 1.4, true);
  poles("hanging rod with damping, point above its centre of percussion", {.damping = 2, .inverted = false}, 0.3, true);
  poles("hanging rod, point beyond its centre of percussion", {.inverted = false}, 1.4, false);
  // At rest the drive does not move the centre of percussion at once.
  const CartPendulum p;
  const double percussion = (p.inertia + p.mass * p.l * p.l) / (p.mass * p.l);
  check.absolute("upright rod, centre of percussion", "rank of S M^-1 B", "1", 0, closed,
                 inverse_dynamics::analyse(cart_pendulum(p, percussion, 3).problem).coupling_rank, 0);

  // Not flat and stable: by steps, and the motion goes where it should.
  const ServoCrane hanging = cart_pendulum({.damping = 2, .inverted = false}, 0.3, 3);
  const Plan by_radau = plan_of(hanging, {Method::minimal_extension, Scheme::radau, 0.01});
  check_replay(check, "hanging rod with damping, by Radau IIA", hanging, by_radau, 0.005, 1e-6);

  // Two drives and two outputs: fully actuated, index 3, inputs by the second derivatives alone.
  const ServoCrane full = cart_pendulum({.torque = true, .angle = 0.3}, 1, 3);
  const auto a = inverse_dynamics::analyse(full.problem);
  check.absolute("upright rod with two drives", "differentiation index", "1", 3, "published: fully actuated systems",
                 a.index.value_or(0), 0);
  check.absolute("upright rod with two drives", "rank of S M^-1 B", "1", 2, closed, a.coupling_rank, 0);
}

}  // namespace

void servo_beyond(Checker& check) {
  chain_of_masses(check);
  elastic_joint(check);
  pendulum_on_cart(check);
}

}  // namespace davit::verify
