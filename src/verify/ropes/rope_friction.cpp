// Friction of a rope on edges (thesis on block erection, 3.1.3): two boxes on one rope over a long beam, sliding along
// its edges (case 1) and along the rope (case 2), against Coulomb's law.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "davit/mesh/shapes.hpp"
#include "verify/ropes/rope_lab.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double gravity = 9.80665, tonne = 1000, step = 0.01;

// Mean acceleration of a body along a direction between two times, from its speeds.
struct Slide {
  double acceleration = 0, tension = 0, moved = 0;
  double lost = 0, rubbed = 0;  // energy of the whole, and work done against friction
  std::string fault;
};

// A beam of 2 m × 2 m along the x axis of its own frame, which falls by `tilt`; boxes hang on both sides.
constexpr double half = 1, hanging = 8, EA = 1e8, damping = 0.02;

Slide along_edge(double mu, bool at_steady_angle) {
  const double tilt = std::numbers::pi / 6, mass = 10 * tonne;
  const Mat3 R = axis_rotation(1, tilt);  // x of the beam points down
  const LabBody beam{"beam", {R, Vec3::Zero()}, false};
  // Along the beam the boxes accelerate by a, and their legs lean back by the rest, F = m (g sin θ - a) at most μ N.
  const double slope = gravity * std::sin(tilt), normal = gravity * std::cos(tilt);
  const double held = std::min(slope, std::sqrt(2) * mu * normal / std::sqrt(1 - mu * mu));
  const double lean = at_steady_angle ? held / normal : slope / normal;
  const double tension = mass * std::hypot(held, normal);
  std::vector<LabBody> bodies{beam};
  LabRope rope{"rope", {}};
  for (const double side : {-1.0, 1.0}) {
    const Vec3 leg = Vec3(lean, 0, -1).normalized() * hanging;
    LabBody box{side < 0 ? "left" : "right",
                {R, R * (Vec3(0, side * half, half) + leg)},
                true,
                mass,
                box_inertia(mass, Vec3::Ones())};
    bodies.push_back(box);
  }
  rope.waypoints = {{"left", Vec3::Zero()},
                    {"world", R * Vec3(0, -half, half), false},
                    {"world", R * Vec3(0, half, half), false},
                    {"right", Vec3::Zero()}};
  rope.surfaces = {{"beam", box_mesh(Vec3(60, 2 * half, 2 * half)), mu, mu}};
  rope.EA = EA;
  rope.damping = damping;
  rope.tension = tension;
  RopeLab lab(bodies, {rope}, gravity);
  Slide out;
  const Vec3 down = R.col(0), start = lab.position("left");
  double v1 = 0;
  const double begin = 0.5, end = 1.5;
  if (!lab.run(begin, step)) out.fault = "step failed";
  v1 = down.dot(lab.velocity("left"));
  if (!lab.run(end, step, [&] {
        if (out.fault.empty()) out.fault = lab.self_check();
      }))
    out.fault = "step failed";
  out.acceleration = (down.dot(lab.velocity("left")) - v1) / (end - begin);
  out.moved = (lab.position("left") - start).norm();
  return out;
}

// `begin`: when the first swing of the elastic rope has died down.
Slide along_rope(double mu, rope::FrictionLaw law, double begin = 0.5, double rope_damping = damping) {
  const double heavy = 20 * tonne, light = 10 * tonne;
  const LabBody beam{"beam", {Mat3::Identity(), Vec3::Zero()}, false};
  std::vector<LabBody> bodies{beam};
  for (const double side : {-1.0, 1.0}) {
    const double mass = side < 0 ? heavy : light;
    bodies.push_back({side < 0 ? "heavy" : "light",
                      {Mat3::Identity(), Vec3(0, side * half, half - hanging)},
                      true,
                      mass,
                      box_inertia(mass, Vec3::Ones())});
  }
  LabRope rope{"rope", {}};
  rope.waypoints = {{"heavy", Vec3::Zero()},
                    {"world", Vec3(0, -half - 0.5, half + 2), false},
                    {"world", Vec3(0, half + 0.5, half + 2), false},
                    {"light", Vec3::Zero()}};
  rope.surfaces = {{"beam", box_mesh(Vec3(60, 2 * half, 2 * half)), mu, mu}};
  rope.EA = EA;
  rope.damping = rope_damping;
  rope.tension = 2 * heavy * light / (heavy + light) * gravity;
  rope.law = law;
  RopeLab lab(bodies, {rope}, gravity);
  Slide out;
  const double energy = lab.energy().total();
  const double start = lab.position("heavy").z(), end = begin + 0.7;
  if (!lab.run(begin, step)) out.fault = "step failed";
  const double v1 = lab.velocity("heavy").z();
  if (!lab.run(end, step, [&] {
        if (out.fault.empty()) out.fault = lab.self_check();
      }))
    out.fault = "step failed";
  out.acceleration = -(lab.velocity("heavy").z() - v1) / (end - begin);
  out.tension = lab.rope(0).tensions.tension[1];
  out.moved = std::abs(lab.position("heavy").z() - start);
  out.lost = energy - lab.energy().total();
  out.rubbed = lab.rope(0).state.friction_work;
  return out;
}

void check_faults(Checker& check, const std::string& name, const Slide& s) {
  check.at_most(name, "self-checks of the rope that fail", "1", "invariant", s.fault.empty() ? 0 : 1, 0);
  if (!s.fault.empty()) fmt::print(stderr, "{}: {}\n", name, s.fault);
}

}  // namespace

void rope_friction_edge(Checker& check) {
  const double tilt = std::numbers::pi / 6;
  for (const double mu : {0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35}) {
    const Slide s = along_edge(mu, true);
    const double exact = gravity * (std::sin(tilt) - std::sqrt(2) * mu * std::cos(tilt) / std::sqrt(1 - mu * mu));
    const std::string name = fmt::format("μ = {:.2f}", mu);
    check.relative(name, "acceleration along the edge", "m/s²", exact, "exact: g (sin θ - √2 μ cos θ/√(1 - μ²))",
                   s.acceleration, 0.01);
    check_faults(check, name, s);
  }
  for (const double mu : {0.378, 0.4, 0.5}) {
    const Slide s = along_edge(mu, true);
    const std::string name = fmt::format("μ = {:.3f}", mu);
    check.at_most(name, "acceleration, sticks above 1/√7", "m/s²", "exact: Coulomb", std::abs(s.acceleration), 1e-3);
    check_faults(check, name, s);
  }
}

void rope_friction_along(Checker& check) {
  const double heavy = 20, light = 10;
  for (const double mu : {0.0, 0.05, 0.1, 0.15, 0.2, 0.23}) {
    const Slide s = along_rope(mu, rope::FrictionLaw::coulomb);
    const double c = std::sqrt(2) * mu;
    // (m₁g - T(1 + c))/m₁ = (T(1 - c) - m₂g)/m₂
    const double tension = 2 * gravity / ((1 + c) / heavy + (1 - c) / light);
    const double exact = gravity - tension * (1 + c) / heavy;
    const std::string name = fmt::format("μ = {:.2f}", mu);
    check.relative(name, "acceleration along the rope", "m/s²", exact,
                   "exact: Coulomb at two edges, thesis on block erection (113)", s.acceleration, 0.005);
    check.relative(name, "tension between the edges", "t", tension / gravity, "exact: the same",
                   s.tension / gravity / tonne, 0.005);
    check_faults(check, name, s);
  }
  const Slide undamped = along_rope(0.1, rope::FrictionLaw::coulomb, 0.5, 0);
  check.relative("μ = 0.10, no damping", "energy lost, all of it to friction", "J", undamped.rubbed,
                 "invariant: work done against friction", undamped.lost, 1e-3);
  const Slide below = along_rope(0.999 / (3 * std::sqrt(2)), rope::FrictionLaw::coulomb);
  const Slide above = along_rope(1.001 / (3 * std::sqrt(2)), rope::FrictionLaw::coulomb, 60);
  check.trend("0.1 % below μ = 1/(3√2)", "way in 1.2 s, slides", "m", Checker::Side::above, 0.02, "exact: Coulomb",
              below.moved);
  check.at_most("0.1 % above μ = 1/(3√2)", "acceleration, sticks", "m/s²", "exact: Coulomb",
                std::abs(above.acceleration), 1e-3);
  const double limit = std::log(2) / std::numbers::pi;
  const Slide capstan = along_rope(1.001 * limit, rope::FrictionLaw::capstan, 60);
  const Slide capstan_slides = along_rope(0.9 * limit, rope::FrictionLaw::capstan);
  check.at_most("capstan law, 0.1 % above μ = ln 2/π", "acceleration, sticks", "m/s²", "exact: capstan",
                std::abs(capstan.acceleration), 1e-3);
  const double ratio = std::exp(0.9 * limit * std::numbers::pi);
  check.relative("capstan law, 10 % below", "acceleration", "m/s²",
                 gravity * (heavy - ratio * light) / (heavy + ratio * light), "exact: capstan",
                 capstan_slides.acceleration, 0.005);
}

}  // namespace davit::verify
