// Sheaves with inertia and drums with motors spin on holders that turn themselves: what the holder feels, and the
// momentum and energy of all together.
#include <fmt/format.h>

#include <cmath>

#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double g = 9.80665;

void run_until(ScenarioRun& run, double t, double h) {
  while (run.state().t < t - 0.5 * h) run.step(h);
  run.look();
}

// Atwood's machine on a sheave with inertia that turns on a pin without friction: its holder feels no moment, fixed or
// pivoted, and a = (m₁ - m₂) g/(m₁ + m₂ + J/r²). The acceleration is that of stiff rope, the moment that of any.
void sheave(Checker& check) {
  const double m1 = 300, m2 = 200, J = 40, r = 0.5, a = (m1 - m2) * g / (m1 + m2 + J / (r * r));
  for (const bool soft : {false, true})
    for (const bool pivoted : {false, true}) {
      ScenarioRun run(fmt::format(R"(davit: 1
title: sheave with inertia
bodies:
  hub: {{at: [0, 0, 20 m], mass: 50 kg, inertia: [10 kg m^2, 10 kg m^2, 10 kg m^2]{}}}
  a: {{at: [{} m, 0, 10 m], joint: {{prismatic: z}}, mass: {} kg}}
  b: {{at: [{} m, 0, 10 m], joint: {{prismatic: z}}, mass: {} kg}}
ropes:
  rope: {{from: a, to: b, EA: {} MN, damping: {}, tension: 2 kN, path: [{{sheave: hub, radius: {} m, axis: y, inertia: {} kg m^2}}]}}
run: {{duration: 10 s, step: 1 ms, method: conserving}}
)",
                                  pivoted ? ", joint: {revolute: y}" : "", -r, m1, r, m2, soft ? 0.2 : 1000,
                                  soft ? "100 ms" : "5 ms", r, J));
      run_until(run, 0.5, 1e-3);
      const double before = run.channel("a.travel_rate");
      run_until(run, 1, 1e-3);
      const std::string name = fmt::format("sheave with inertia on a {} holder, rope strained by {}",
                                           pivoted ? "pivoted" : "fixed", soft ? "1 %" : "2e-6");
      if (!soft)
        check.relative(name, "acceleration of the loads", "m/s²", a, "exact: (m₁ - m₂) g/(m₁ + m₂ + J/r²)",
                       -2 * (run.channel("a.travel_rate") - before), 1e-5);
      const double turns_sheave = J * a / r;
      const double moment =
          pivoted ? 10 * run.channel("hub.angle_rate") / run.state().t : run.channel("hub.reaction.My");
      // While the strain changes the rope on the sheave is as long as it was when the step began.
      check.at_most(name, "moment on the holder over that on the sheave", "1", "exact: none",
                    std::abs(moment) / turns_sheave, soft ? 2e-4 : 1e-7);
    }
}

// A drum with a motor lifts a load: the holder feels the weight at the drum's axis and the motor's moment, not T r.
void drum(Checker& check) {
  const double m = 100, J = 30, r = 0.5, motor = 1500;  // N at the rope
  ScenarioRun run(fmt::format(R"(davit: 1
title: drum with a motor
bodies:
  hub: {{at: [0, 0, 20 m], mass: 50 kg, inertia: [10 kg m^2, 10 kg m^2, 10 kg m^2]}}
  load: {{at: [{} m, 0, 10 m], joint: {{prismatic: z}}, mass: {} kg}}
ropes: {{rope: {{from: hub, to: load, EA: 1000 MN, damping: 5 ms, tension: {} N}}}}
winches: {{w: {{rope: rope, mode: force, target: {} N, drum: {{radius: {} m, inertia: {} kg m^2, axis: y}}}}}}
run: {{duration: 10 s, step: 1 ms, method: conserving}}
)",
                              r, m, m * g, motor, r, J));
  run_until(run, 1, 1e-3);
  const double a = (motor - m * g) / (m + J / (r * r));
  const std::string name = "drum on a fixed holder";
  check.relative(name, "acceleration of the load", "m/s²", a, "exact: (F - m g)/(m + J/r²)",
                 run.channel("load.travel_acceleration"), 1e-5);
  check.relative(name, "moment on the holder", "N m", motor * r, "exact: that of the motor",
                 std::abs(run.channel("hub.reaction.My")), 1e-5);
}

// A free frame with a sheave and a drum whose motor pulls in a free load, without gravity. Nothing from outside acts:
// linear and angular momentum of bodies and rotors stay what they are, and energy is the motor's work.
void closed_system(Checker& check, bool drum_first) {
  const double m = 80, M = 400, I = 150, of_sheave = 12, of_drum = 9, motor = 150;
  // The same rope from its other end goes the other way round both.
  const char *from = drum_first ? "frame.drum" : "load", *to = drum_first ? "load" : "frame.drum";
  const char *axis = drum_first ? "y" : "-y", *end = drum_first ? "from" : "to";
  ScenarioRun run(fmt::format(R"(davit: 1
title: frame with rotors
environment: {{gravity: 0}}
bodies:
  frame: {{joint: free, mass: {} kg, inertia: [{} kg m^2, {} kg m^2, {} kg m^2], points: {{drum: [-2 m, 0, 0], top: [1 m, 0, 1 m]}}}}
  load: {{at: [1.4 m, 0, -6 m], coordinates: particle, mass: {} kg, start: {{x_rate: 1 m/s}}}}
ropes: {{rope: {{from: {}, to: {}, EA: 200 kN, tension: 100 N, path: [{{sheave: frame.top, radius: 0.4 m, axis: {}, inertia: {} kg m^2}}]}}}}
winches: {{w: {{rope: rope, end: {}, mode: force, target: {} N, drum: {{radius: 0.3 m, inertia: {} kg m^2, axis: {}}}}}}}
run: {{duration: 10 s, step: 1 ms, method: conserving}}
)",
                              M, I, I, I, m, from, to, axis, of_sheave, end, motor, of_drum, axis));
  struct Books {
    Vec3 momentum;
    double angular, energy, rotors;
  };
  const auto books = [&] {
    const Kin& kin = run.look();
    const BodyKinT<double>&frame = kin.body[1], &load = kin.body[2];
    const auto u = run.state().u.tail(2);  // of the drum, then of the sheave
    const double rotors = of_drum * u[0] + (drum_first ? 1 : -1) * of_sheave * u[1];
    const Energy e = run.system().energy(run.state());
    return Books{M * frame.v + m * load.v,
                 M * frame.p.cross(frame.v).y() + m * load.p.cross(load.v).y() + I * frame.w.y() + rotors,
                 e.kinetic + e.potential + motor * run.channel("w.paid_out"), rotors};
  };
  run.state().u[1] = 0.3;  // the frame turns about y
  run.begin();
  const Books start = books();
  double momentum = 0, angular = 0, energy = 0, rotors = 0;
  for (int i = 0; i < 15; ++i) {
    run_until(run, 0.1 * (i + 1), 1e-3);
    const Books now = books();
    momentum = std::max(momentum, (now.momentum - start.momentum).norm());
    angular = std::max(angular, std::abs(now.angular - start.angular));
    energy = std::max(energy, std::abs(now.energy - start.energy));
    rotors = std::max(rotors, std::abs(now.rotors));
  }
  const std::string name =
      fmt::format("free frame with a sheave and a drum, where the rope {}", drum_first ? "begins" : "ends");
  check.at_most(name, "linear momentum, change over that of the load at the start", "1",
                "invariant: nothing acts from outside", momentum / m, 1e-9);
  check.at_most(name, "angular momentum with that of rotors, change over that of rotors", "1",
                "invariant: nothing acts from outside", angular / rotors, 1e-9);
  check.at_most(name, "energy less the work of the motor, change over that work", "1",
                "invariant: energy in is the motor's work", energy / (motor * std::abs(run.channel("w.paid_out"))),
                1e-9);
}

// A mast that is driven round at Ω carries a rotor with a level axis: it feels I Ω × ω, whatever drives the rotor. The
// rotor is a drum that hauls in a load, or a sheave between two of them; it turns ever faster.
void on_a_turning_mast(Checker& check, const std::string& method, bool sheave) {
  const double I = 60, turns = 0.8, r = 0.5;
  const std::string rope =
      sheave ? fmt::format(
                   "ropes: {{rope: {{from: a, to: b, EA: 5 MN, damping: 20 ms, tension: 1500 N, path: [{{sheave: "
                   "mast.top, radius: {} m, axis: y, inertia: {} kg m^2}}]}}}}",
                   r, I)
             : fmt::format(
                   "ropes: {{rope: {{from: mast.top, to: b, EA: 5 MN, damping: 20 ms, tension: 1500 N}}}}\n"
                   "winches: {{w: {{rope: rope, mode: force, target: 1000 N, drum: {{radius: {} m, inertia: {} "
                   "kg m^2, axis: y}}}}}}",
                   r, I);
  ScenarioRun run(fmt::format(R"(davit: 1
title: a rotor on a turning mast
bodies:
  mast: {{joint: {{revolute: z}}, mass: 1000 kg, inertia: [500 kg m^2, 500 kg m^2, 500 kg m^2], start: {{angle_rate: {} rad/s}}, points: {{top: [0, 0, 20 m]}}}}
  a: {{on: mast, at: [{} m, 0, 10 m], joint: {{prismatic: z}}, mass: 100 kg}}
  b: {{on: mast, at: [{} m, 0, 10 m], joint: {{prismatic: z}}, mass: 200 kg}}
constraints: {{round: {{speed: {{joint: mast, speed: {} rad/s}}}}}}
{}
run: {{duration: 10 s, step: 1 ms, method: {}}}
)",
                              turns, -r, r, turns, rope, method));
  run_until(run, 1, 1e-3);
  const double speed = run.state().u.tail(1)[0];
  check.relative(fmt::format("{} on a mast that turns, {}", sheave ? "sheave with inertia" : "drum", method),
                 "moment across its axis on the mast", "N m", rounded(I * turns * std::abs(speed)),
                 "exact: I Ω × ω of the rotor", std::abs(run.channel("mast.reaction.Mx")),
                 5e-6);  // the reference has six digits
}

// The free frame of closed_system thrown into space: all of its angular momentum stays, in size and direction.
void tumbling_frame(Checker& check, const std::string& method) {
  const double m = 80, M = 400, I = 150, of_sheave = 12, of_drum = 9, motor = 150, h = 1e-3;
  ScenarioRun run(fmt::format(R"(davit: 1
title: tumbling frame with rotors
environment: {{gravity: 0}}
bodies:
  frame: {{joint: free, mass: {} kg, inertia: [{} kg m^2, {} kg m^2, {} kg m^2], points: {{drum: [-2 m, 0, 0], top: [1 m, 0, 1 m]}}}}
  load: {{at: [1.4 m, 0, -6 m], coordinates: particle, mass: {} kg, start: {{x_rate: 1 m/s}}}}
ropes: {{rope: {{from: frame.drum, to: load, EA: 200 kN, tension: 100 N, path: [{{sheave: frame.top, radius: 0.4 m, axis: y, inertia: {} kg m^2}}]}}}}
winches: {{w: {{rope: rope, mode: force, target: {} N, drum: {{radius: 0.3 m, inertia: {} kg m^2, axis: y}}}}}}
run: {{duration: 10 s, step: 1 ms, method: {}}}
)",
                              M, I, I, I, m, of_sheave, motor, of_drum, method));
  run.state().u[0] = 0.05;
  run.state().u[1] = 0.3;
  run.state().u[2] = 0.1;
  // Both rotors haul in, as one with the rope between them.
  run.state().u.tail(2) << -4, -3;
  run.begin();
  struct Books {
    Vec3 angular;
    double energy;
  };
  const auto books = [&] {
    const Kin& kin = run.look();
    const BodyKinT<double>&frame = kin.body[1], &load = kin.body[2];
    const auto u = run.state().u.tail(2);
    const Energy e = run.system().energy(run.state());
    return Books{M * frame.p.cross(frame.v) + m * load.p.cross(load.v) + I * frame.w +
                     (of_drum * u[0] + of_sheave * u[1]) * frame.R.col(1),
                 e.kinetic + e.potential + motor * run.channel("w.paid_out")};
  };
  const Books start = books();
  double angular = 0, energy = 0;
  for (int i = 0; i < 5; ++i) {
    run_until(run, 0.1 * (i + 1), h);
    const Books now = books();
    angular = std::max(angular, (now.angular - start.angular).norm());
    energy = std::max(energy, std::abs(now.energy - start.energy));
  }
  const std::string name = "frame with a sheave and a drum that tumbles, " + method;
  check.at_most(name, "angular momentum with that of rotors, change over the start", "1",
                "invariant: nothing acts from outside", angular / start.angular.norm(), 1e-5);
  check.at_most(name, "energy less the work of the motor, change over the start", "1",
                "invariant: energy in is the motor's work", energy / start.energy,
                method == "conserving" ? 1e-8 : 1e-5);
}

}  // namespace

void rotors(Checker& check) {
  sheave(check);
  drum(check);
  for (const bool drum_first : {true, false}) closed_system(check, drum_first);
  for (const char* method : {"conserving", "midpoint", "implicit_euler", "generalised_alpha", "rk4", "dopri5"})
    for (const bool sheave : {false, true}) on_a_turning_mast(check, method, sheave);
  for (const char* method : {"conserving", "midpoint", "rk4"}) tumbling_frame(check, method);
}

}  // namespace davit::verify
