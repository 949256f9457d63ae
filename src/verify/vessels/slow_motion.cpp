// Slow motions of a hull in still water, by both kinds of memory: what a body in potential flow does at frequency zero,
// where radiation neither brakes nor pushes, is exact.
#include <fmt/format.h>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/test/source_tree.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double step = 0.1;

ScenarioRun barge(const std::string& memory, const std::string& keys, const std::string& environment = "{}") {
  return ScenarioRun(
      fmt::format("davit: 1\ntitle: slow motion\nenvironment: {}\nvessels: {{ship: {{hydrodynamics: "
                  "{}, memory: {}{}}}}}\nrun: {{duration: 3000 s, step: {} s}}\n",
                  environment, in_source("vessels/barge_110x46_18851t.h5"), memory, keys, step));
}

double sway_speed(ScenarioRun& run, double until) {
  while (run.state().t < until - step / 2) run.step(step);
  return run.state().u[4];
}

}  // namespace

void memory_in_slow_motion(Checker& check) {
  hydro::Database db = hydro::read_database(in_source("vessels/barge_110x46_18851t.h5"));
  hydro::move_reference(db, 0, Vec3::Zero());
  const double mass = db.bodies[0].loading->mass, slow = mass + (*db.added_mass_zero)(1, 1);
  for (const char* memory : {"state_space", "convolution"}) {
    const std::string name = fmt::format("barge of 110 m, {}", memory);
    // A blow gives it momentum once.
    ScenarioRun gliding = barge(memory, "");
    gliding.state().u[4] = 1;
    gliding.begin();
    const double early = sway_speed(gliding, 300);
    check.relative(name + ": gliding sideways", "speed after 900 s, beside that after 300 s", "", 1,
                   "exact: nothing brakes a steady motion in potential flow", sway_speed(gliding, 900) / early, 1e-3);

    // With linear drag it dies away as that and the mass of slow motion say.
    constexpr double drag = 1e5;
    ScenarioRun decaying = barge(memory, fmt::format(", linear_damping: [0, {}, 0, 0, 0, 0]", drag));
    decaying.state().u[4] = 1;
    decaying.begin();
    const double first = sway_speed(decaying, 300), second = sway_speed(decaying, 900);
    check.relative(name + ": slow decay of sway", "rate", "1/s", drag / slow,
                   "exact: drag over mass and added mass at frequency zero", std::log(first / second) / 600, 0.01);

    // In the wind it drifts until drag of air and water balance.
    constexpr double wind = 10, air = 1.226, area = 500, coefficient = 0.9, resistance = 1.5e5;
    ScenarioRun drifting = barge(
        memory,
        fmt::format(", wind: {{frontal_area: 200 m^2, lateral_area: {} m^2, height: 0.1 m, sway: {}, yaw: 0, density: "
                    "{} kg/m^3}}, quadratic_damping: [0, {}, 0, 0, 0, 0]",
                    area, coefficient, air, resistance),
        fmt::format("{{wind: {{model: constant, speed: {} m/s, heading: 90 deg}}}}", wind));
    const double push = std::sqrt(0.5 * air * coefficient * area / resistance);
    check.relative(name + ": drift in a beam wind of 10 m/s", "terminal speed", "m/s", wind * push / (1 + push),
                   "exact: drag of air and water balance", sway_speed(drifting, 2500), 1e-3);
  }
}

}  // namespace davit::verify
