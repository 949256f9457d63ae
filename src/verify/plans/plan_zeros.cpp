// Internal dynamics about rest are the finite zeros of the linear model from drives to outputs. Mechanisms whose zeros
// are known in closed form: none at all, twice the same, near infinity, on both sides of a centre of percussion.
#include <fmt/format.h>

#include <cmath>

#include "davit/inverse_dynamics/servo_constraint.hpp"
#include "verify/plans/machine.hpp"
#include "verify/plans/servo_plans.hpp"

namespace davit::verify {

namespace {

using inverse_dynamics::CoordinateServo;
using inverse_dynamics::PlaceServo;
using Zeros = std::vector<std::complex<double>>;

const char* const closed = "exact: closed form";

// A mass on a massless rod of length l that hangs from a body, at an angle of its joint.
Body hanging(const std::string& name, const std::string& on, double mass, double l, double below = 0) {
  Body rod;
  rod.name = name;
  rod.on = on;
  rod.at.p = Vec3(0, 0, -below);
  rod.joint.kind = JointKind::revolute;
  rod.joint.axis = Vec3::UnitY();
  rod.mass = mass;
  rod.centre = Vec3(0, 0, -l);
  return rod;
}

// ±√x.
Zeros pair(double square) {
  const std::complex<double> root = std::sqrt(std::complex<double>(square));
  return {root, -root};
}

// The place of a point along x, from rest to rest.
ServoCrane along_x(Machine& machine, const std::string& body, double below) {
  const Frame point = machine.tree->frame(body, Pose{Mat3::Identity(), Vec3(0, 0, -below)});
  machine.out.problem.outputs.push_back(
      {"point",
       std::make_shared<PlaceServo>(point, std::vector<PlaceServo::Along>{{Vec3::UnitX(), smooth_move(0, 5, 12, 6)}}),
       6});
  return machine.finish(12);
}

void compare(Checker& check, const std::string& name, const ServoCrane& crane, const Zeros& exact) {
  const auto a = inverse_dynamics::analyse(crane.problem);
  check.absolute(name, "internal states", "1", static_cast<double>(exact.size()), closed, a.internal_states, 0);
  double size = 1;
  for (const auto& zero : exact) size = std::max(size, std::abs(zero));
  check.at_most(name, "poles of the internal dynamics, of the largest", "1", closed,
                pole_error(a.internal_poles, exact) / size, 1e-8);
}

// With the point held, (l - d) θ̈ + g θ = 0: at d = l nothing is left.
void point_on_a_pendulum(Checker& check) {
  const double l = 6;
  for (const double d : {0.0, 3.0, 5.999, 6.0, 6.001, 9.0}) {
    Machine machine({sliding("cart", "world", 2000), hanging("load", "cart", 5000, l)});
    machine.weigh();
    machine.drive("cart");
    compare(check, fmt::format("cart with a hanging mass, point at {:g} of 6 m", d), along_x(machine, "load", d),
            d == l ? Zeros{} : pair(-gravity / (l - d)));
  }
}

// Two equal masses on equal rods below a cart: with the cart held ω² = (2 ± √2) g/l, with the upper mass held g/l, with
// the lower one nothing.
void double_pendulum(Checker& check) {
  const double l = 4, w2 = gravity / l;
  const auto make = [&](const std::string& body, double below) {
    Machine machine({sliding("cart", "world", 3), hanging("upper", "cart", 2, l), hanging("lower", "upper", 2, l, l)});
    machine.weigh();
    machine.drive("cart");
    return along_x(machine, body, below);
  };
  Zeros modes = pair(-(2 + std::sqrt(2.0)) * w2);
  for (const auto& zero : pair(-(2 - std::sqrt(2.0)) * w2)) modes.push_back(zero);
  compare(check, "cart with a double pendulum, the cart follows", make("cart", 0), modes);
  compare(check, "cart with a double pendulum, the upper mass follows", make("upper", l), pair(-w2));
  compare(check, "cart with a double pendulum, the lower mass follows", make("lower", l), {});
}

// The same pendulum twice on one cart: each zero comes twice.
void equal_pendulums(Checker& check) {
  const double l = 2;
  Machine machine({sliding("cart", "world", 3), hanging("first", "cart", 2, l), hanging("second", "cart", 2, l)});
  machine.weigh();
  machine.drive("cart");
  Zeros twice = pair(-gravity / l);
  twice.insert(twice.end(), {twice[0], twice[1]});
  compare(check, "cart with two equal pendulums", along_x(machine, "cart", 0), twice);
}

// Inertias J and J' on one axis with a spring k, driven at the first: with the first held the second rings at k/J',
// with the second held (not collocated) nothing is left.
void flexible_joint(Checker& check) {
  const double k = 4e6, of_motor = 20, of_arm = 9e4;
  const auto make = [&](bool collocated) {
    Body motor = hanging("motor", "world", 0, 0), arm = hanging("arm", "motor", 0, 0);
    motor.joint.axis = arm.joint.axis = Vec3::UnitZ();
    motor.inertia = Sym3::diagonal(0, 0, of_motor);
    arm.inertia = Sym3::diagonal(0, 0, of_arm);
    Machine machine({motor, arm});
    machine.parts.forces.push_back(
        std::make_shared<JointSpring>("arm", machine.joint("arm"), JointSpring::Data{.stiffness = k}));
    machine.drive("motor");
    std::vector<CoordinateServo::Term> angle{{machine.out.at.at("motor"), 1}};
    if (!collocated) angle.push_back({machine.out.at.at("arm"), 1});
    machine.out.problem.outputs.push_back(
        {"angle", std::make_shared<CoordinateServo>(std::move(angle), smooth_move(0, 1, 12, 6)), 6});
    return machine.finish(12);
  };
  compare(check, "flexible joint, the motor follows", make(true), pair(-k / of_arm));
  compare(check, "flexible joint, the arm follows", make(false), {});
}

// The mass itself follows. In motion, with the rod at an angle θ, two zeros come in from infinity, ±√(g cos θ/l)/|sin
// θ|, and the plan is the slow motion between them: what the drive does is played back.
void mass_follows(Checker& check) {
  Machine machine({sliding("cart", "world", 2000), hanging("load", "cart", 5000, 6)});
  machine.weigh();
  machine.drive("cart");
  const ServoCrane crane = along_x(machine, "load", 6);
  const auto a = inverse_dynamics::analyse(crane.problem);
  const char* const name = "cart with a hanging mass that follows";
  check.absolute(name, "differentiation index about rest", "1", 5, closed, a.index.value_or(0), 0);
  check.absolute(name, "flat about rest alone", "1", 1, closed, a.flat_about_rest ? 1 : 0, 0);
  check_replay(check, name, crane, plan_of(crane, {.step = 0.01, .order = 7}), 0.005, 1e-5);
}

}  // namespace

void plan_zeros(Checker& check) {
  point_on_a_pendulum(check);
  mass_follows(check);
  double_pendulum(check);
  equal_pendulums(check);
  flexible_joint(check);
}

}  // namespace davit::verify
