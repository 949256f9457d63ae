// A barge on four chains, one model and one step: its slow motions against exact catenaries over a rigid bed, which
// know nothing of elements and steps.
#include <fmt/format.h>

#include <cmath>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/math/constants.hpp"
#include "davit/simulation/preparation.hpp"
#include "davit/solve/vibration.hpp"
#include "davit/statics/statics.hpp"
#include "davit/test/source_tree.hpp"
#include "verify/moorings/moored_barge_case.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double step = 0.2;

// Let go 1 m off: half periods between the crossings of its place at rest.
double surge_period(const MooredBarge& barge) {
  ScenarioRun free = barge.run();
  free.state().q.tail<3>()[0] += 1;
  free.begin();
  return measured_period(free, "barge.position_x", step, 1, 1000);
}

double offset_of(ScenarioRun& run, const State& state) {
  run.state() = state;
  return position(run.look(), run.first()).x();
}

// Pushed by a steady force it comes to rest where the lines balance it.
double mean_offset(ScenarioRun& run, double period) {
  while (run.state().t < 600) run.step(step);
  double mean = 0;
  const int seen = static_cast<int>(std::round(6 * period / step));
  for (int n = 0; n < seen; ++n) {
    run.step(step);
    mean += position(run.look(), run.first()).x() / seen;
  }
  return mean;
}

void pushed(Checker& check, double period) {
  ScenarioRun run = MooredBarge{.forces = "  push: {wrench: {on: barge, force: [3e5 N, 0, 0], ramp: 100 s}}\n"}.run();
  check.relative("barge of 110 m on four chains, pushed by 300 kN", "mean offset", "m",
                 rounded(MooredBarge::offset({3e5, 0, 0}).x()), "exact: elastic catenaries over a rigid bed",
                 mean_offset(run, period), 0.01);
}

// Periods of decay in time against the modes of the linearised model.
void slow_modes(Checker& check) {
  ScenarioRun rest = MooredBarge{}.run();
  const Start start = find_start(rest.scenario(), rest.system(), true);
  const VibrationResult modes = vibration_modes(rest.system(), start.equilibrium.state);
  const auto names = rest.scenario().model->speed_names();
  struct Motion {
    const char *name, *channel;
    int speed;
    double by;
  };
  for (const Motion& m : {Motion{"surge", "barge.position_x", 3, 0.5},
                          {"sway", "barge.position_y", 4, 0.5},
                          {"yaw", "barge.yaw", 2, 0.01}}) {
    // The slowest lightly damped mode of which it is the largest part; of yaw, angles count by half the length.
    double period = NAN;
    for (const VibrationMode& mode : modes.modes) {
      VecX shape = mode.shape.cwiseAbs();
      shape.segment<3>(0) *= 55;
      Eigen::Index most = 0;
      shape.maxCoeff(&most);
      if (most != m.speed || mode.frequency <= 0 || mode.damping_ratio > 0.2) continue;
      period = 1 / mode.frequency;
      break;
    }
    ScenarioRun free = MooredBarge{}.run();
    free.state() = start.equilibrium.state;
    VecX shift = VecX::Zero(free.state().u.size()), moved(free.state().q.size());
    shift[m.speed] = m.by;
    free.system().retract(free.state().q, shift, moved);
    free.state().q = moved;
    free.begin();
    check.relative(std::string("barge of 110 m on four chains, ") + m.name, "period of the decay", "s", rounded(period),
                   "modes of the linearised model", measured_period(free, m.channel, step, 1, 1000), 0.01);
  }
}

const char* const current = ", current: {speed: 1.2 m/s, heading: 180 deg}";
const char* const areas = ", current: {frontal_area: 167 m^2, lateral_area: 400 m^2}";

// Let go where it would be without the current.
void in_a_current(Checker& check, double period) {
  const MooredBarge barge{.environment = current, .vessel = areas};
  ScenarioRun run = barge.run();
  const double still = offset_of(run, find_start(run.scenario(), run.system(), true).equilibrium.state);
  ScenarioRun moving = barge.run();
  check.relative("barge of 110 m on four chains, current of 1.2 m/s", "mean offset", "m", rounded(still),
                 "equilibrium of the same model", mean_offset(moving, period), 0.01);
}

// A regular wave: the mean force of drift is steady, and so is the mean place.
void in_waves(Checker& check) {
  const MooredBarge barge{.environment = ", waves: {spectrum: regular, height: 3 m, period: 7 s, heading: 180 deg}"};
  ScenarioRun run = barge.run();
  double force = 0, place = 0;
  const int from = 3000, count = 7 * 355;  // seven periods of surge of 71 s, 71 waves
  for (int i = 0; i < from; ++i) run.step(step);
  for (int i = 0; i < count; ++i) {
    run.step(step);
    place += position(run.look(), run.first()).x() / count;
    force += run.channel("barge.drift_surge") / count;
  }
  check.relative("barge of 110 m on four chains, regular waves of 3 m and 7 s", "mean offset", "m",
                 rounded(MooredBarge::offset({force, 0, 0}).x()),
                 "exact: catenaries under the mean force of drift of the run", place, 0.02);
}

void statics_of_barge(Checker& check) {
  // On a hard bed the tangent depends on where in a bar the line leaves it: by 1 % with 80 bars, 0.2 % with 200.
  const ScenarioRun run = MooredBarge{.elements = 200}.run();
  const double heading = 0.5;
  const Statics found = find_statics(run.scenario(), {.vessel = "barge", .heading = heading, .reach = 4, .points = 5});
  const std::string name = "statics of a barge of 110 m on four chains",
                    source = "exact: elastic catenaries over a rigid bed";
  const Mat3 K = MooredBarge::stiffness();
  check.relative(name, "stiffness in surge", "N/m", rounded(K(0, 0)), source, found.stiffness(0, 0), 0.01);
  check.relative(name, "stiffness in sway", "N/m", rounded(K(1, 1)), source, found.stiffness(1, 1), 0.01);
  check.relative(name, "stiffness in yaw", "N m/rad", rounded(K(2, 2)), source, found.stiffness(5, 5), 0.01);
  // A steady force that it has far to go for.
  const ScenarioRun far = MooredBarge{.forces = "  push: {wrench: {on: barge, force: [0, 3e5 N, 0]}}\n"}.run();
  check.relative("statics of a barge of 110 m on four chains, pushed sideways by 300 kN", "offset", "m",
                 rounded(MooredBarge::offset({0, 3e5, 0}).y()), source, find_statics(far.scenario(), {}).place.y(),
                 0.01);
  for (const RestoringPoint& p : found.curve.points) {
    if (p.offset == 0) continue;
    const Vec3 pull = MooredBarge::pull(p.offset * std::cos(heading), p.offset * std::sin(heading), 0);
    check.relative(name, fmt::format("force that holds it {} m off", p.offset), "N",
                   rounded(-pull.x() * std::cos(heading) - pull.y() * std::sin(heading)), source,
                   p.found ? p.along : NAN, 0.01);
  }
}

// A body of 20 t on three chains, where codes that step lines and bodies in turns fail; held up by a steady force.
void light_buoy(Checker& check) {
  const auto history = [](double h) {
    std::string lines;
    for (int i = 0; i < 3; ++i) {
      const double angle = 2 * pi * i / 3;
      lines += fmt::format(
          "  line{}: {{mooring_line: {{anchor: [{}, {}, -50], to: buoy, sections: [{{type: studless_chain, diameter: "
          "0.05, length: 150 m, elements: 40}}]}}}}\n",
          i, 135 * std::cos(angle), 135 * std::sin(angle));
    }
    ScenarioRun run(
        "davit: 1\ntitle: buoy\nenvironment: {water_depth: 50 m}\nbodies: {buoy: {coordinates: particle, "
        "mass: 20 t, at: [3, 1, -5]}}\nforces:\n" +
        lines + "  lift: {wrench: {on: buoy, force: [0, 0, 330 kN]}}\nrun: {duration: 20 s, step: " +
        fmt::format("{}", h) + " s, from_equilibrium: false}\n");
    std::vector<double> out;
    const int steps = static_cast<int>(std::lround(20 / h)), every = static_cast<int>(std::lround(0.1 / h));
    for (int i = 1; i <= steps; ++i) {
      run.step(h);
      run.look();
      if (i % every == 0) out.push_back(run.channel("buoy.position_z"));
    }
    return out;
  };
  const std::vector<double> fine = history(0.002), coarse = history(0.05);
  double difference = 0, sum = 0, squares = 0;
  const double n = static_cast<double>(fine.size());
  for (size_t i = 0; i < fine.size(); ++i) {
    difference += (fine[i] - coarse[i]) * (fine[i] - coarse[i]) / n;
    sum += fine[i] / n;
    squares += fine[i] * fine[i] / n;
  }
  check.at_most("buoy of 20 t on three chains, let go off its place, steps of 50 ms",
                "rms error of its height over its deviation", "", "the same with steps of 2 ms",
                std::sqrt(difference / (squares - sum * sum)), 0.005);
}

}  // namespace

void moored_barge(Checker& check) {
  hydro::Database db = hydro::read_database(in_source("vessels/barge_110x46_18851t.h5"));
  hydro::move_reference(db, 0, Vec3::Zero());
  const double mass = db.bodies[0].loading->mass + (*db.added_mass_zero)(0, 0);
  const double exact_period = 2 * pi * std::sqrt(mass / MooredBarge::stiffness()(0, 0));
  const std::string catenaries = "exact: elastic catenaries over a rigid bed, mass and added mass of slow motion";

  const std::string let_go = "barge of 110 m on four chains, let go 1 m off";
  const double period = surge_period({});
  check.relative(let_go, "period of surge", "s", rounded(exact_period), catenaries, period, 0.01);
  check.relative(let_go + ", quasi-static lines", "period of surge", "s", rounded(exact_period), catenaries,
                 surge_period({.line = ", model: quasi_static"}), 0.01);
  check.relative(let_go + ", lines made linear", "period of surge", "s", rounded(exact_period), catenaries,
                 surge_period({.line = ", model: spring"}), 0.01);

  slow_modes(check);
  pushed(check, period);
  in_a_current(check, period);
  in_waves(check);
  statics_of_barge(check);
  light_buoy(check);
}

}  // namespace davit::verify
