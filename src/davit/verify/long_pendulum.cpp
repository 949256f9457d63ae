// A chain of ten links let go from the horizontal, which moves without order, over 1e5 steps of 1/50 of its shortest
// natural period: methods that keep an energy close to the true one show a band that does not grow.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "davit/constraint/point_distance.hpp"
#include "davit/dynamics/particles.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/force/gravity.hpp"
#include "davit/solve/stepper.hpp"
#include "davit/solve/vibration.hpp"
#include "davit/verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr int links = 10;
constexpr double length = 1, mass = 1, gravity = 9.81;
constexpr long steps = 100000;

// The energy that falling to rest would set free: masses at 0 come to hang at -1, -2, …
constexpr double available = mass * gravity * length * links * (links + 1) / 2;

// Angles are from the link before; the first is from the vertical.
std::unique_ptr<Model> by_joints(double first_angle) {
  std::vector<Body> bodies;
  for (int i = 0; i < links; ++i) {
    Body b;
    b.name = "link " + std::to_string(i);
    if (i > 0) b.on = "link " + std::to_string(i - 1), b.at.p = {0, 0, -length};
    b.joint.kind = JointKind::revolute;
    b.joint.axis = Vec3::UnitY();
    b.joint.position = {i == 0 ? first_angle : 0};
    b.mass = mass;
    b.centre = {0, 0, -length};
    bodies.push_back(b);
  }
  const auto tree = std::make_shared<Tree>(bodies);
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  std::vector<Gravity::Weight> weights;
  for (const TreeBody& b : tree->bodies_of_tree()) weights.push_back({b.last_segment, mass, b.frame * b.body.centre});
  parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -gravity), weights)};
  return std::make_unique<Model>(std::move(parts));
}

std::unique_ptr<Model> by_particles() {
  const auto tree = std::make_shared<Tree>(std::vector<Body>{});
  std::vector<Particle> masses;
  for (int i = 0; i < links; ++i)
    masses.push_back({"mass " + std::to_string(i), mass, Vec3(-(i + 1) * length, 0, 0), Vec3::Zero()});
  const auto particles = std::make_shared<Particles>(after(*tree), masses);
  ModelParts parts;
  parts.blocks = {tree, particles};
  parts.body_names = {"world"};
  std::vector<Gravity::Weight> weights;
  for (int i = 0; i < links; ++i) {
    parts.body_names.push_back(masses[static_cast<size_t>(i)].name);
    weights.push_back({particles->body(i), mass, Vec3::Zero()});
    parts.constraints.push_back(
        {"rod " + std::to_string(i),
         std::make_shared<PointDistance>(i == 0 ? Frame{} : particles->frame(i - 1), particles->frame(i), length)});
  }
  parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -gravity), weights)};
  return std::make_unique<Model>(std::move(parts));
}

struct Band {
  double first_half = 0, second_half = 0;
  double whole() const { return std::max(first_half, second_half); }
};

// Largest departure of the energy at the ends of steps, over the available energy.
Band energy_band(const Model& model, ImplicitMethod method, double step) {
  System system(model);
  State s = model.initial_state();
  system.evaluate(s);
  const double first = system.energy(s).total();
  const auto stepper = make_implicit(method, model);
  Band band;
  for (long i = 0; i < steps; ++i) {
    if (!stepper->step(system, s, step).ok) return {std::nan(""), std::nan("")};
    system.evaluate(s, System::Want::unconstrained);
    double& half = i < steps / 2 ? band.first_half : band.second_half;
    half = std::max(half, std::abs(system.energy(s).total() - first) / available);
  }
  return band;
}

}  // namespace

void long_pendulum(Checker& check) {
  const auto hanging = by_joints(0);
  System system(*hanging);
  const double fastest = vibration_modes(system, hanging->initial_state()).modes.back().frequency;
  // Laguerre's polynomial of degree ten has its largest zero at 29.92069701…: ω² = zero · g/l.
  check.relative("chain at rest", "fastest natural frequency", "Hz",
                 std::sqrt(29.920697012273891 * gravity / length) / (2 * std::numbers::pi),
                 "exact: largest zero of Laguerre's polynomial", fastest, 1e-10);
  const double step = 1 / (50 * fastest);
  const auto joints = by_joints(std::numbers::pi / 2), particles = by_particles();
  const struct {
    const char* name;
    const Model& model;
    ImplicitMethod method;
    double bound;
  } runs[] = {{"particles and rods, variational_midpoint", *particles, ImplicitMethod::variational_midpoint, 1e-3},
              {"particles and rods, stoermer_verlet", *particles, ImplicitMethod::stoermer_verlet, 1e-3},
              {"particles and rods, energy_momentum", *particles, ImplicitMethod::energy_momentum, 1e-9},
              {"tree joints, midpoint", *joints, ImplicitMethod::midpoint, 1e-3},
              {"tree joints, conserving", *joints, ImplicitMethod::conserving, 1e-3}};
  for (const auto& run : runs) {
    const Band band = energy_band(run.model, run.method, step);
    check.at_most(run.name, "band of energy over 1e5 steps, of the available energy", "", "invariant: energy",
                  band.whole(), run.bound);
  }
}

}  // namespace davit::verify
