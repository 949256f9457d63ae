// The rotary crane of the thesis on servo constraints, section 2.4, left to itself for a second: energy and angular
// momentum of the step methods, and one motion in three kinds of coordinates.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "davit/solve/stepper.hpp"
#include "verify/plans/rotary_crane.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double end = 1;  // s

// L_z of a state. Momentum is p = M u. Everything in world coordinates (particles, centres of mass, directors) comes in
// triples x with the share x × p, for Σ E_ij d_i × ḋ_j = Σ d_i × p_i; a tree that slews has the momentum of its slewing
// angle, and the scalars here have no moment about z.
double angular_momentum(const RotaryCrane& crane, const System& system, const State& s) {
  const VecX p = system.mass_matrix(s) * s.u;
  const auto& blocks = crane.model->blocks();
  double sum = blocks[0].block->nu() > 0 ? p[crane.slew.u] : 0;
  for (size_t i = 1; i < blocks.size(); ++i) {
    if (blocks[i].block->bodies() == 0) continue;
    for (int k = 0; k < blocks[i].block->nu(); k += 3) {
      const Vec3 x = s.q.segment<3>(blocks[i].first_q + k), momentum = p.segment<3>(blocks[i].first_u + k);
      sum += x.cross(momentum).z();
    }
  }
  return sum;
}

struct Drift {
  double energy = 0, momentum = 0;     // largest, relative to the start
  double energy_end = 0;               // at the end, relative to the start, signed
  std::array<double, 3> controlled{};  // slewing angle, travel, length of rope at the end
};

Drift run(const RotaryCrane& crane, ImplicitMethod method, double h) {
  const Model& model = *crane.model;
  System system(model);
  State s = model.initial_state();
  const auto stepper = make_implicit(method, model, {.newton_tolerance = 1e-13});
  // Kinematics are enough for the energy; accelerations of massless coordinates there are none.
  const auto energy = [&] {
    system.apply_forces<double>(system.workspace(), s.t, s.q.data(), s.u.data(), s.z.data(), s.discrete);
    return system.energy(s).total();
  };
  const double energy0 = energy(), momentum0 = angular_momentum(crane, system, s);
  Drift out;
  const int steps = static_cast<int>(std::lround(end / h));
  for (int i = 0; i < steps; ++i) {
    if (!stepper->step(system, s, h).ok) return {NAN, NAN, NAN, {NAN, NAN, NAN}};
    out.energy_end = (energy() - energy0) / std::abs(energy0);
    out.energy = std::max(out.energy, std::abs(out.energy_end));
    out.momentum = std::max(out.momentum, std::abs(angular_momentum(crane, system, s) / momentum0 - 1));
  }
  out.controlled = {s.q[crane.slew.q], s.q[crane.travel.q],
                    crane.length_at_zero + crane.length_per_hoist * s.q[crane.hoist.q]};
  return out;
}

// The limit of three values at steps 4h, 2h and h, for errors in even powers of the step.
double extrapolated(double coarse, double middle, double fine) {
  const double first = (4 * middle - coarse) / 3, second = (4 * fine - middle) / 3;
  return (16 * second - first) / 15;
}

// Fig. 2.10: both are constant with any step.
void invariants(Checker& check) {
  const auto percent_of_start = [](double relative) { return 100 * relative; };
  for (const double travel : {1.5, 2.5})
    for (const double h : {1e-2, 2.5e-2}) {
      const RotaryCrane crane = rotary_crane_by_directors({.travel = travel});
      const Drift d = run(crane, ImplicitMethod::energy_momentum, h);
      const std::string name = fmt::format("42 coordinates from {} m, energy_momentum, {} s", travel, h);
      check.at_most(name, "drift of the energy over its start", "", "invariant: energy", d.energy, 1e-13);
      check.at_most(name, "drift of L_z over its start", "", "invariant: angular momentum", d.momentum, 1e-13);
    }
  const RotaryCrane crane = rotary_crane_by_directors();
  const Drift middle = run(crane, ImplicitMethod::midpoint, 1e-2), finer = run(crane, ImplicitMethod::midpoint, 5e-3);
  const std::string name = "42 coordinates, midpoint, 0.01 s";
  check.at_most(name, "drift of L_z over its start", "", "invariant: angular momentum", middle.momentum, 1e-13);
  check.at_most(name, "drift of the energy over its start", "%", "invariant: energy", percent_of_start(middle.energy),
                1);
  check.order("42 coordinates, midpoint, 0.01 and 0.005 s", "drift of the energy", 2, "exact: order of the method",
              std::log2(middle.energy / finer.energy), 0.2);
  check.trend("42 coordinates, implicit_euler, 0.01 s", "change of the energy over its start (below)", "%",
              Checker::Side::below, -1, "exact: implicit Euler damps",
              percent_of_start(run(crane, ImplicitMethod::implicit_euler, 1e-2).energy_end));
}

// The same motion in three kinds of coordinates, with the order of the method.
void motion(Checker& check) {
  struct Form {
    const char* name;
    RotaryCrane crane;
    ImplicitMethod method;
  };
  const Form forms[] = {
      {"42 coordinates, energy_momentum", rotary_crane_by_directors(), ImplicitMethod::energy_momentum},
      {"joints, conserving", rotary_crane_by_joints(), ImplicitMethod::conserving},
      {"joints and rope, conserving", rotary_crane_by_rope(), ImplicitMethod::conserving}};
  struct Quantity {
    const char *name, *unit;
    double reference, tolerance;
  };
  // The winch turns by half a turn in the last hundredth of the second. Its directors turn with it, so the length of
  // the rope has by far the largest error in 42 coordinates, and what is left of it when extrapolated.
  const Quantity quantities[] = {{"slewing angle", "rad", 0.8034509483580345, 1e-9},
                                 {"travel", "m", 2.1377370715125648, 1e-9},
                                 {"length of the rope", "m", 9.087578257288177, 1e-7}};
  for (const Form& form : forms) {
    const Drift coarse = run(form.crane, form.method, 1e-2), middle = run(form.crane, form.method, 5e-3),
                fine = run(form.crane, form.method, 2.5e-3);
    for (size_t i = 0; i < 3; ++i) {
      const Quantity& q = quantities[i];
      const double x0 = coarse.controlled[i], x1 = middle.controlled[i], x2 = fine.controlled[i];
      check.order(form.name, fmt::format("{} at 1 s, steps 0.005 and 0.0025 s", q.name), 2,
                  "exact: order of the method", std::log2((x1 - q.reference) / (x2 - q.reference)), 0.02);
      check.absolute(form.name, fmt::format("{} at 1 s, extrapolated from 0.01, 0.005 and 0.0025 s", q.name), q.unit,
                     q.reference, "oracle: converged solution of Lagrange's equations", extrapolated(x0, x1, x2),
                     q.tolerance);
    }
  }
}

}  // namespace

void rotary_crane_forward(Checker& check) {
  invariants(check);
  motion(check);
}

}  // namespace davit::verify
