// A run is the same however it is carried out: in one go or a step at a time, saved and restored at any step or not, by
// another sea exchanged or the file that has it, beside another in a second thread, from C++ or by the program.
#include "davit/simulation/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "davit/api/lift_run.hpp"
#include "davit/result/reader.hpp"
#include "davit/run/run.hpp"
#include "davit/run/sinks.hpp"
#include "verify/moorings/moored_barge_case.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

struct Lifted {
  std::string name, text;
};

// A load is lowered by a winch until it stands on compliant contacts, whose steps are shortened.
const char* const lowered = R"(
davit: 1
title: a load is lowered onto a deck
bodies:
  top: {joint: {prismatic: x}, mass: 1 t, points: {p: [0, 0, 0]}}
  load: {at: [0, 0, -9.9 m], joint: {prismatic: z}, mass: 2 t, points: {p: [0, 0, 0]}}
  deck: {at: [0, 0, -10.5 m]}
forces:
  seat: {contact: {surface: deck, points: [load.p], stiffness: 5 MN/m, damping_time: 5 ms}}
  brake: {joint_spring: {joint: top, stiffness: 1 MN/m}}
ropes: {hoist: {from: top.p, to: load, length: 9.9 m, EA: 20 MN, damping: 1 ms}}
winches: {drum: {rope: hoist}}
operation:
  - {name: lower, at: 0.2 s, move: {drum: 1 m}, speed: 0.4 m/s, acceleration: 2 m/s^2, until: {channel: seat.normal, above: 5 kN}}
  - {name: trim, when: {channel: seat.normal, above: 1 kN, for: 0.3 s}, move_by: {drum: 0.05 m}, speed: 0.2 m/s, acceleration: 1 m/s^2}
limits: [{channel: hoist.tension, below: 100 kN}]
run: {duration: 3.2 s, step: 20 ms, method: conserving, precision: full}
)";

// A block that slides and tips on rigid contacts.
const char* const sliding = R"(
davit: 1
title: a block on a ramp
bodies:
  block: {at: [0, 0, 0.9 m], turn: [{y: 25 deg}], joint: free, mass: 500 kg, box: {size: [1 m, 0.8 m, 0.6 m]},
    points: {a: [0.5 m, 0.4 m, -0.3 m], b: [0.5 m, -0.4 m, -0.3 m], c: [-0.5 m, 0.4 m, -0.3 m], d: [-0.5 m, -0.4 m, -0.3 m]}}
  ramp: {joint: fixed, at: [0, 0, 0.2 m], turn: [{y: 20 deg}]}
constraints:
  a: {contact: {surface: ramp, point: block.a, friction: 0.3, restitution: 0.2}}
  b: {contact: {surface: ramp, point: block.b, friction: 0.3, restitution: 0.2}}
  c: {contact: {surface: ramp, point: block.c, friction: 0.3, restitution: 0.2}}
  d: {contact: {surface: ramp, point: block.d, friction: 0.3, restitution: 0.2}}
run: {duration: 1.5 s, step: 5 ms, output: 7 ms}
)";

// A crane with a sampled controller on its trolley and a load on a rope over a post, moved by hand-written phases.
std::string crane(const std::string& method, const std::string& controller) {
  return R"(
davit: 1
title: a trolley with a load
bodies:
  trolley: {at: [0, 0, 20 m], joint: {prismatic: x}, mass: 2 t, points: {p: [0, 0, 0]}}
  load: {on: trolley, joint: {universal: [x, y]}, mass: 5 t, centre: [0, 0, -8 m], start: {angle1: 3 deg}}
control:
  drive: {pid: {joints: [trolley], kp: 60 kN/m, kd: 40 kN s/m, ki: 2 kN/m/s)" +
         controller + R"(}}
operation:
  - {at: 0.5 s, over: 3 s, move: {trolley: 4 m}}
  - {name: back, when: {channel: trolley.travel, above: 3.9 m}, move: {trolley: 1 m}, speed: 1 m/s, acceleration: 0.5 m/s^2}
run: {duration: 8 s, step: 10 ms, output: 33 ms, method: )" +
         method + "}\n";
}

// Radiation by convolution, drift, thrusters with a wave filter, and chains on a bed.
std::string moored(int seed, double height, double step = 0.1) {
  MooredBarge barge;
  barge.environment = ", waves: {spectrum: jonswap, hs: " + std::to_string(height) +
                      " m, tp: 8 s, heading: 150 deg, frequencies: 40, seed: " + std::to_string(seed) +
                      "}, wind: {model: npd, speed: 12 m/s, heading: 100 deg, seed: " + std::to_string(seed + 1) + "}";
  barge.vessel =
      ", memory: convolution, wave_ramp: 5 s, position_keeping: {period: 90 s}, wind: {frontal_area: 300 m^2, "
      "lateral_area: 600 m^2, height: 8 m, surge: 0.8, sway: 0.9, yaw: 0.1}";
  barge.elements = 20;
  barge.step = step;
  std::string text = barge.text();
  const size_t run = text.find("duration: 5000 s");
  return text.replace(run, 16, "duration: 20 s, from_equilibrium: false");
}

std::vector<Lifted> lifts() {
  return {{"load lowered onto compliant contacts, phases on conditions", lowered},
          {"block on rigid contacts with friction and restitution", sliding},
          {"trolley with sampled control, rk4", crane("rk4", ", sample_time: 50 ms")},
          {"trolley with sampled control, conserving", crane("conserving", ", sample_time: 50 ms")},
          {"trolley with control, dopri5", crane("dopri5", "")},
          {"trolley with control, generalised_alpha", crane("generalised_alpha", "")},
          {"trolley with control, minimal_extension", crane("minimal_extension", "")},
          {"barge on chains in waves and wind, convolution, thrusters", moored(3, 2)}};
}

struct Rows {
  std::vector<double> times;
  std::vector<std::vector<double>> values;
  std::uint64_t end = 0;
};
Rows rows_of(const MemorySink& memory, const Simulation& run) {
  return {memory.times, memory.rows, run.state().hash()};
}

Rows in_one_go(const Scenario& scenario, const Start& start) {
  MemorySink memory;
  Simulation run(scenario, start, {.sinks = {&memory}});
  run.run();
  return rows_of(memory, run);
}

// Rows of `part`, the last ones, that are not those of `whole`; and one for another end.
long differences(const Rows& whole, const Rows& part) {
  long out = whole.end == part.end ? 0 : 1;
  if (part.times.size() > whole.times.size()) return out + static_cast<long>(part.times.size());
  const size_t first = whole.times.size() - part.times.size();
  for (size_t i = 0; i < part.times.size(); ++i)
    out += whole.times[first + i] != part.times[i] || whole.values[first + i] != part.values[i];
  return out;
}

// A step at a time, saved ten times on the way: what the saved runs come to.
struct Interrupted {
  Rows stepped;
  std::vector<std::string> saved;
};
Interrupted interrupted(const Scenario& scenario, const Start& start, std::int64_t steps) {
  Interrupted out;
  MemorySink memory;
  Simulation run(scenario, start, {.sinks = {&memory}});
  // Not only after multiples of what methods count by.
  const std::int64_t between = std::max<std::int64_t>(steps / 11, 1);
  for (std::int64_t taken = 1; !run.is_over(); ++taken) {
    run.step();
    if (taken % between == 0 && out.saved.size() < 10 && !run.is_over()) out.saved.push_back(run.save());
  }
  run.finish();
  out.stepped = rows_of(memory, run);
  return out;
}

Rows gone_on(const Scenario& scenario, const Start& start, const std::string& saved) {
  MemorySink memory;
  Simulation run(scenario, start, {.sinks = {&memory}});
  run.restore(saved);
  run.run();
  return rows_of(memory, run);
}

void stepped_and_saved(Checker& check) {
  for (const Lifted& lift : lifts()) {
    const Scenario scenario = scenario_of(lift.text);
    const Start start = find_start(scenario);
    Simulation counted(scenario, start);
    std::int64_t steps = 0;
    for (; !counted.is_over(); ++steps) counted.step();
    const Rows whole = in_one_go(scenario, start);
    const Interrupted parts = interrupted(scenario, start, steps);
    check.absolute(lift.name, "rows of a run stepped one by one that differ", "", 0, "invariant: the run in one go",
                   static_cast<double>(differences(whole, parts.stepped)), 0);
    long differ = 0;
    for (const std::string& saved : parts.saved) differ += differences(whole, gone_on(scenario, start, saved));
    check.absolute(lift.name, "rows of ten saved and restored runs that differ", "", 0, "invariant: the run not saved",
                   parts.saved.size() == 10 ? static_cast<double>(differ) : NAN, 0);
  }
}

void another_sea(Checker& check) {
  const Scenario base = scenario_of(moored(3, 2)), file = scenario_of(moored(11, 3));
  input::Problems problems;
  const auto exchanged = in_another_sea(
      base, {"environment.waves.seed=11", "environment.waves.hs=3.000000 m", "environment.wind.seed=12"}, problems);
  if (!exchanged) throw std::runtime_error(problems.to_text());
  const Rows a = in_one_go(*exchanged, find_start(*exchanged)), b = in_one_go(file, find_start(file));
  const std::string name = "barge on chains: another sea and other gusts";
  check.absolute(name, "rows that differ from those of the file that has them", "", 0, "invariant: the same sea",
                 static_cast<double>(differences(b, a)), 0);
  check.absolute(name, "models made", "", 1, "invariant: one", exchanged->model == base.model ? 1 : 2, 0);
  const Rows before = in_one_go(base, find_start(base));
  check.trend(name, "rows that differ from those in the first sea", "", Checker::Side::above, 1,
              "invariant: the sea acts", static_cast<double>(differences(b, before)));
  const auto start = same_start(find_start(base), base, *exchanged);
  check.absolute(name, "rows that differ from a start that was found for the first sea", "", 0,
                 "invariant: still water at the start",
                 start ? static_cast<double>(differences(b, in_one_go(*exchanged, *start))) : NAN, 0);
}

void two_at_once(Checker& check) {
  for (const Lifted& lift : lifts()) {
    const Scenario scenario = scenario_of(lift.text);
    const Start start = find_start(scenario);
    const Rows alone = in_one_go(scenario, start);
    Rows both[2];
    {
      std::jthread first([&] { both[0] = in_one_go(scenario, start); }),
          second([&] { both[1] = in_one_go(scenario, start); });
    }
    check.absolute(lift.name, "rows of two runs of one model at once that differ", "", 0, "invariant: the run alone",
                   static_cast<double>(differences(alone, both[0]) + differences(alone, both[1])), 0);
  }
}

void from_a_program(Checker& check) {
  const Lift lift = Lift::parse(lowered);
  const size_t tension = lift.channel("hoist.tension");
  std::vector<double> observed, stepped;
  lift.run([&](const Instant& now) {
    observed.push_back(now.value(tension));
    return true;
  });
  const auto folder = std::filesystem::temp_directory_path() / "davit_verify_simulation";
  lift.write(folder);
  const std::vector<double> written = result::Result::open(folder / "result.h5").channel("hoist.tension");
  std::filesystem::remove_all(folder);
  check.absolute("a lift from C++", "rows that are not those of the program", "", 0, "invariant: one way to run",
                 observed == written ? 0 : 1, 0);
  LiftRun run = lift.begin();
  while (!run.is_over()) run.step();
  check.absolute("a lift from C++", "largest difference of the tension at the end, stepped", "N", 0,
                 "invariant: one way to run", std::abs(run.get("hoist.tension") - written.back()), 0);
}

}  // namespace

void simulation(Checker& check) {
  stepped_and_saved(check);
  another_sea(check);
  two_at_once(check);
  from_a_program(check);
}

}  // namespace davit::verify
