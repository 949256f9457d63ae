// A load on the piston of a passive heave compensator: the piston feels the rope's tension, however much the rope
// stretches.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "davit/solve/equilibrium.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double gravity = 9.80665, mass = 1000, weight = mass * gravity;
constexpr double stiffness = 5e5;  // EA: a strain of 2 % under the load, so that T and T (1 + e) - W differ by 1 %
constexpr double preload = 0.9 * weight, spring = 2000, piston = 100;

struct Lift {
  const char* name;
  const char* ends = "from: top, to: load";
  const char* path = "";
  const char* end = "from";
  double rope_mass = 0;  // kg/m
  double tension = weight;
  double rise = 0;  // m/s, of the load at the start
  const char* method = "rk4";
};

std::string text_of(const Lift& lift) {
  return fmt::format(
      "davit: 1\n"
      "title: a load on a passive compensator\n"
      "bodies:\n"
      "  top: {{at: [0, 0, 20 m], points: {{winch: [-0.4 m, 0, -6 m]}}}}\n"
      "  load: {{at: [0, 0, 10 m], joint: {{prismatic: z}}, mass: {} kg, points: {{lug: [0.4 m, 0, 0]}}, start: "
      "{{travel_rate: {} m/s}}}}\n"
      "ropes: {{rope: {{{}, tension: {:.17g} N, EA: {} N, mass: {} kg/m{}}}}}\n"
      "winches: {{c: {{rope: rope, end: {}, mode: passive, piston: {{preload: {:.17g} N, stiffness: {} N/m, mass: {} "
      "kg}}}}}}\n"
      "run: {{duration: 1000 s, step: 1 ms, method: {}}}\n",
      mass, lift.rise, lift.ends, lift.tension, stiffness, lift.rope_mass, lift.path, lift.end, preload, spring, piston,
      lift.method);
}

constexpr const char* over_a_wheel = ", path: [{sheave: top, radius: 0.4 m, axis: y, inertia: 5 kg m^2}]";

// Gas spring and rope balance.
void at_rest(Checker& check) {
  for (const Lift& lift :
       {Lift{.name = "load on a compensator"},
        Lift{.name = "load on a compensator at the other end", .ends = "from: load, to: top", .end = "to"},
        Lift{.name = "load on a compensator, over a wheel",
        .ends = "from: top.winch, to: load.lug",
        .path = over_a_wheel}}) {
    ScenarioRun run(text_of(lift));
    const Equilibrium rest = find_equilibrium(run.system(), run.state());
    run.state() = rest.state;
    run.look();
    check.relative(lift.name, "travel of the piston in equilibrium", "m", (weight - preload) / spring,
                   "exact: (T - preload)/stiffness", rest.converged ? run.channel("c.paid_out") : std::nan(""), 1e-8);
  }
}

// All of a heavy rope hangs on the piston. What the piston gives out weighs as if it were not stretched, which it is by
// a strain of 2 %.
void at_rest_on_heavy_rope(Checker& check) {
  const Lift lift{.name = "load on a compensator, on heavy rope", .rope_mass = 8};
  ScenarioRun run(text_of(lift));
  const Equilibrium rest = find_equilibrium(run.system(), run.state());
  run.state() = rest.state;
  run.look();
  const double hangs = lift.rope_mass * gravity * run.channel("rope.unstretched");
  const double held = preload + spring * run.channel("c.paid_out");
  check.at_most(lift.name, "force on the piston beside the weights of load and rope, over that of the rope", "1",
                "exact: their sum", rest.converged ? std::abs(held - weight - hangs) / hangs : std::nan(""),
                weight / stiffness);
}

// Load and piston swing on rope and gas spring: two masses on two linear springs as long as the rope is taut.
void swinging(Checker& check) {
  const Lift lift{.name = "load swings on a compensator"};
  ScenarioRun run(text_of(lift));
  run.look();
  const double rope = stiffness / run.channel("rope.unstretched");
  Eigen::Matrix2d K;
  K << (rope + spring) / piston, -rope / std::sqrt(piston * mass), -rope / std::sqrt(piston * mass), rope / mass;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> modes(K);
  // Places of rest of piston and load, both downwards, and the start beside them, in coordinates √m x.
  const double rest = (weight - preload) / spring;
  const Eigen::Vector2d start(-rest * std::sqrt(piston), -rest * std::sqrt(mass));
  const Eigen::Vector2d amplitude = modes.eigenvectors().transpose() * start;
  const double end = 20, h = 2e-4;
  double off = 0;
  for (int n = 1; n * h <= end; ++n) {
    run.step(h);
    if (n % 50 != 0) continue;
    run.look();
    Eigen::Vector2d now = amplitude;
    for (int i = 0; i < 2; ++i) now[i] *= std::cos(std::sqrt(modes.eigenvalues()[i]) * run.state().t);
    const Eigen::Vector2d at = modes.eigenvectors() * now;
    off = std::max({off, std::abs(run.channel("c.paid_out") - rest - at[0] / std::sqrt(piston)),
                    std::abs(-run.channel("load.travel") - rest - at[1] / std::sqrt(mass))});
  }
  check.at_most(lift.name, "piston and load beside two masses on two springs, largest in 20 s over the amplitude", "1",
                "exact: modes of the linear system", off / rest, 1e-6);
}

// A rope that goes slack and taut on the piston neither gains nor loses energy over a step.
void snapping(Checker& check) {
  for (const Lift& lift : {Lift{.name = "load snaps on a compensator", .rise = 6, .method = "conserving"},
                           Lift{.name = "load snaps on a compensator, over a wheel",
                           .ends = "from: top.winch, to: load.lug",
                           .path = over_a_wheel,
                           .rise = 6,
                           .method = "conserving"}}) {
    ScenarioRun run(text_of(lift));
    const auto energy = [&] {
      run.look();
      const Energy e = run.system().energy(run.state());
      return e.kinetic + e.potential;
    };
    const double start = energy();
    double off = 0, least = weight;
    while (run.state().t < 30) {
      run.step(5e-3);
      off = std::max(off, std::abs(energy() - start));
      least = std::min(least, run.channel("rope.tension_to"));
    }
    check.at_most(lift.name, "change of energy, largest in 30 s over weight times 1 m", "1", "exact: none",
                  off / weight, 1e-9);
    check.absolute(lift.name, "least tension: the rope was slack", "N", 0, "exact: rope does not push", least, 0);
  }
}

}  // namespace

void passive_compensator(Checker& check) {
  at_rest(check);
  at_rest_on_heavy_rope(check);
  swinging(check);
  snapping(check);
}

}  // namespace davit::verify
