// Energy books: what a method makes out of nothing is found in full, and what forces bring in is not taken for it.
#include <fmt/format.h>

#include <complex>

#include "davit/run/run_quality.hpp"
#include "davit/run/sinks.hpp"
#include "davit/simulation/preparation.hpp"
#include "davit/simulation/simulation.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

struct Booked {
  RunOutcome outcome;
  bool good = false;  // quality
};

Booked booked(const std::string& text) {
  input::Problems problems;
  const auto scenario = parse_scenario(text, "verification.yaml", problems);
  if (!scenario) throw std::runtime_error(problems.to_text());
  System system(*scenario->model);
  const auto stepper = scenario->make_stepper();
  const Preparation prepared = prepare(*scenario, *stepper, system);
  Monitors monitors(limits_from(prepared.start, *scenario), recorded_channels(*scenario));
  Booked out;
  out.outcome = Simulation(*scenario, prepared.start, {.sinks = {&monitors}}).run();
  out.good = judge_quality(*scenario, *stepper, prepared, out.outcome).good();
  return out;
}

// Runge-Kutta of order four on ẍ = -ω²x multiplies the amplitude by |R(iωh)| in every step, R(z) = Σ zᵏ/k!, k ≤ 4.
// Heavy and slow: its local error, in metres and relative speed, is not one at which a run ends.
void unstable_oscillator(Checker& check) {
  const double mass = 3e12, h = 0.01, speed = 2e-6;
  for (const double turn : {2.86, 2.84, 2.0}) {
    const double w = turn / h;
    const std::complex<double> z(0, turn);
    const double factor = std::norm(1.0 + z + z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0);
    const int steps = 12;
    const Booked run = booked(fmt::format(
        "davit: 1\ntitle: an oscillator beyond stability\nbodies: {{a: {{joint: {{prismatic: x}}, mass: {} kg, start: "
        "{{travel_rate: {} m/s}}}}}}\nforces: {{k: {{joint_spring: {{joint: a, stiffness: {:.17g} N/m}}}}}}\nrun: "
        "{{duration: {} s, step: {} s, method: rk4, modes: false}}\n",
        mass, speed, mass * w * w, steps * h, h));
    const double start = 0.5 * mass * speed * speed;
    const std::string name = fmt::format("oscillator by rk4 with ωh = {}", turn),
                      what = "energy out of nothing in 12 steps", source = "exact: |R(iωh)|²ⁿ - 1";
    const double found = run.outcome.energy_gain.energy;
    if (factor > 1)
      check.relative(name, what, "J", rounded(start * (std::pow(factor, steps) - 1)), source, found, 1e-5);
    else
      check.absolute(name, what, "J", 0, source, found, 1e-12);
  }
}

std::string fall(double stiffness, const std::string& method, const std::string& step) {
  return fmt::format(
      "davit: 1\ntitle: a fall into a line\nbodies: {{a: {{coordinates: particle, at: [0, 0, -1 m], mass: 1 kg}}}}\n"
      "forces: {{l: {{line: {{from: world, to: a, length: 2 m, stiffness: {} N/m}}}}}}\nrun: {{duration: 3 s, step: "
      "{}, "
      "method: {}}}\n",
      stiffness, step, method);
}

// 1 kg falls for a metre into a line that only pulls.
void falls_into_lines(Checker& check) {
  for (const char* step : {"10 ms", "1 ms"})
    for (const char* method : {"conserving", "energy_momentum"})
      check.at_most(fmt::format("1 kg falls into a line of 1 MN/m, {} at {}", method, step),
                    "energy out of nothing, of what the motion had", "", "invariant: the method conserves it",
                    booked(fall(1e6, method, step)).outcome.energy_gain.share(), 1e-9);
  for (const char* step : {"10 ms", "1 ms"})
    for (const char* method : {"midpoint", "variational_midpoint", "minimal_extension"}) {
      const Booked run = booked(fall(1e9, method, step));
      check.absolute(fmt::format("1 kg falls into a line of 1 GN/m, {} at {}", method, step),
                     "is broken or of poor quality, where its energy grew", "", 1,
                     "invariant: what it has at the start is all there is",
                     run.outcome.energy_gain.share() < 1e-2 || run.outcome.status == RunStatus::broken || !run.good, 0);
    }
}

// Work of a wrench, of a driven joint and of friction: none is out of nothing.
void work_of_drives(Checker& check) {
  for (const char* method : {"rk4", "conserving", "implicit_euler", "generalised_alpha", "dopri5"}) {
    const Booked run = booked(fmt::format(
        "davit: 1\ntitle: driven\nbodies:\n  a: {{joint: {{prismatic: x}}, mass: 4 kg}}\n  b: {{joint: {{prismatic: "
        "y}}, "
        "mass: 2 kg}}\nforces:\n  push: {{wrench: {{on: a, force: [30 N, 0, 0], ramp: 0.3 s, until: 4 s}}}}\n  k: "
        "{{joint_spring: {{joint: a, stiffness: 200 N/m}}}}\n  c: {{joint_damper: {{joint: a, damping: 3 N s/m}}}}\n"
        "constraints: {{m: {{motion: {{joint: b}}}}}}\noperation: [{{at: 1 s, over: 2 s, move: {{b: 3 m}}}}]\nrun: "
        "{{duration: 6 s, step: 5 ms, method: {}}}\n",
        method));
    check.at_most(fmt::format("a mass pushed on a spring and another moved, {}", method),
                  "energy out of nothing, of what was done", "", "invariant: all energy is the work of forces",
                  run.outcome.energy_gain.share(), 1e-3);
  }
}

}  // namespace

void energy_books(Checker& check) {
  unstable_oscillator(check);
  falls_into_lines(check);
  work_of_drives(check);
}

}  // namespace davit::verify
