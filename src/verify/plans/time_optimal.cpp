// The shortest motions: bang-bang closed forms, limits at every instant, and never longer than by the polynomial.
#include <fmt/format.h>

#include <cmath>

#include "davit/planning/planning.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

PlanResult planned(const std::string& text) {
  input::Problems problems;
  auto result = plan_scenario(scenario_of(text), problems);
  if (!result || problems.has_errors()) throw std::runtime_error(problems.to_text());
  return std::move(*result);
}

// How far the limit that is used most is used, of itself, at all points of a plan ten times as fine as the file's.
double most_used(const PlanResult& result) {
  double most = 0;
  for (const PlanUse& use : result.uses)
    most = std::max(most, use.below ? use.largest / use.bound : use.bound / use.largest);
  return most;
}

std::string pushed_mass(const std::string& plan) {
  return "davit: 1\ntitle: a mass that is pushed\nbodies: {mass: {joint: {prismatic: x}, mass: 1 t}}\n"
         "run: {duration: 20 s, step: 10 ms}\n"
         "plan:\n  inputs: [mass]\n  outputs: {place: {point: mass, along: x, by: [20 m, 0, 0]}}\n  step: 1 ms\n" +
         plan;
}

// From rest to rest over d with |F| ≤ m a: 2 √(d/a), with |v| ≤ v_max v/a + d/v.
void double_integrator(Checker& check) {
  const char* name = "double integrator, 20 m at 1 m/s² at most";
  const double bang_bang = 2 * std::sqrt(20.0);
  const PlanResult jumps =
      planned(pushed_mass("  limits: {mass: {force: 1 kN}}\n  profile: shortest\n  smoothness: 1\n"));
  check.relative(name, "shortest time, force may jump", "s", bang_bang, "exact: bang-bang", jumps.course.over, 1e-4);
  check.at_most(name, "use of the force, of its limit", "1", "exact: limit", most_used(jumps), 1);
  const PlanResult smooth = planned(pushed_mass("  limits: {mass: {force: 1 kN}}\n  profile: shortest\n"));
  check.relative(name, "time with a continuous force", "s", bang_bang, "exact: bang-bang", smooth.course.over, 0.01);
  check.trend(name, "time with a continuous force", "s", Checker::Side::above, bang_bang, "exact: bang-bang",
              smooth.course.over);
  check.at_most(name, "use of a continuous force, of its limit", "1", "exact: limit", most_used(smooth), 1);
  check.relative(name, "shortest time of the quintic", "s", std::sqrt(10 / std::sqrt(3.0) * 20), "exact: quintic",
                 smooth.polynomial, 1e-4);
  const PlanResult fast =
      planned(pushed_mass("  limits: {mass: {force: 1 kN, speed: 2.3 m/s}}\n  profile: shortest\n  smoothness: 1\n"));
  check.relative("double integrator, 2.3 m/s at most too", "shortest time, force may jump", "s", 2.3 + 20 / 2.3,
                 "exact: bang-coast-bang", fast.course.over, 2e-3);
  check.at_most("double integrator, 2.3 m/s at most too", "use of limits", "1", "exact: limit", most_used(fast), 1);
}

// A load that stays at its height h below a trolley of mass m₁: F = M ẍ + (m₁ h/g) x⁗, exactly. Bang-bang about the
// middle with switches there and ±δ from it: 1 - 2 cos ωδ + cos ωτ = 0 leaves no sway with ω² = (g/h) M/m₁, and
// τ² - 2 δ² = d M/F goes all the way, for half the time τ.
double bang_bang_crane(double m1, double m2, double h, double g, double d, double F) {
  const double M = m1 + m2, w = std::sqrt(g / h * M / m1);
  const auto tau = [&](double delta) { return std::sqrt(d * M / F + 2 * delta * delta); };
  const auto left = [&](double delta) { return 1 - 2 * std::cos(w * delta) + std::cos(w * tau(delta)); };
  double low = 0, high = 0.5 / w;  // the first root is the shortest
  while (left(low) * left(high) > 0) high += 0.01 / w;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (left(low) * left(middle) <= 0 ? high : low) = middle;
  }
  return 2 * tau(high);
}

std::string overhead(const std::string& plan) {
  return "davit: 1\ntitle: overhead crane in the plane\nenvironment: {gravity: 9.81 m/s^2}\nbodies:\n"
         "  trolley: {joint: {prismatic: x}, mass: 4 t}\n  slide: {joint: {prismatic: x}}\n"
         "  load: {on: slide, joint: {prismatic: z}, mass: 20 t, start: {travel: -8 m}}\n"
         "ropes: {hoist: {from: trolley, to: load, EA: 60 MN, tension: 196.2 kN, damping: 0.02}}\n"
         "winches: {winch: {rope: hoist, drum: {radius: 0.3 m, inertia: 60 kg m^2}}}\n"
         "run: {duration: 20 s, step: 10 ms}\n"
         "plan:\n  inputs: [trolley, winch]\n  step: 2 ms\n" +
         plan;
}

void overhead_crane(Checker& check) {
  const char* name = "overhead crane, 20 t over 10 m by 10 kN";
  const double shortest = bang_bang_crane(4000, 20000, 8, 9.81, 10, 10000);
  const std::string move =
      "  outputs: {load: {point: load, along: xz, by: [10 m, 0, 0]}}\n  profile: shortest\n"
      "  limits: {trolley: {force: 10 kN}}\n";
  const PlanResult jumps = planned(overhead(move + "  smoothness: 3\n"));
  check.relative(name, "shortest time, force may jump", "s", rounded(shortest), "exact: bang-bang without sway",
                 jumps.course.over, 1e-3);
  check.at_most(name, "use of limits", "1", "exact: limit", most_used(jumps), 1);
  const PlanResult smooth = planned(overhead(move));
  check.relative(name, "time with a continuous force", "s", rounded(shortest), "exact: bang-bang without sway",
                 smooth.course.over, 0.01);
  check.at_most(name, "use of limits by a continuous force", "1", "exact: limit", most_used(smooth), 1);
  check.at_most(name, "error of the load, played back by forces", "m", "invariant: forward simulation",
                smooth.rigid ? smooth.rigid->largest.maxCoeff() : 1e300, 1e-6);
}

// Over a point on the way, with limits of ropes and a winch: shorter than by the polynomial, within the same limits.
void by_way_of_a_point(Checker& check) {
  const char* name = "overhead crane, up, then across and down";
  const PlanResult r = planned(overhead(
      "  outputs: {load: {point: load, along: xz, by: [6 m, 0, 0], via: [[0, 0, -6 m]]}}\n  profile: shortest\n"
      "  limits: {trolley: {force: 15 kN, speed: 1.5 m/s}, winch: {speed: 0.8 m/s},"
      " hoist: {least_tension: 150 kN, tension: 225 kN, sway: 4 deg}}\n"));
  check.at_most(name, "time beside that of the polynomial", "1", "invariant: never worse", r.course.over / r.polynomial,
                0.9);
  check.at_most(name, "use of limits", "1", "exact: limit", most_used(r), 1);
  check.at_most(name, "error of the load, played back by forces", "m", "invariant: forward simulation",
                r.rigid ? r.rigid->largest.maxCoeff() : 1e300, 1e-6);
}

}  // namespace

void plan_time_optimal(Checker& check) {
  double_integrator(check);
  overhead_crane(check);
  by_way_of_a_point(check);
}

}  // namespace davit::verify
