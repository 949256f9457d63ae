// Winches with drums: poles of the motor for any load, limits in every mode, heave compensation against its transfer
// function, equilibria.
#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "davit/solve/equilibrium.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double gravity = 9.80665, radius = 0.4, inertia = 100, length = 10;

struct Hoist {
  double mass = 1000;      // kg, of the load
  double stiffness = 2e8;  // N, EA
  std::string winch;       // keys beside rope and drum
  std::string rest;        // of the file
  std::string load_start;  // keys of its start
  std::string method = "rk4";
  double drum_inertia = inertia, tension_share = 1;
};

std::string text_of(const Hoist& h) {
  return fmt::format(
      "davit: 1\n"
      "title: a load on a winch\n"
      "bodies:\n"
      "  top: {{at: [0, 0, 20 m]}}\n"
      "  load: {{at: [0, 0, {} m], joint: {{prismatic: z}}, mass: {} kg{}}}\n"
      "ropes: {{rope: {{from: top, to: load, tension: {:.17g} N, EA: {} N, damping: 20 ms}}}}\n"
      "winches: {{w: {{rope: rope, drum: {{radius: {} m, inertia: {} kg m^2}}{}}}}}\n"
      "{}"
      "run: {{duration: 100 s, step: 1 ms, method: {}}}\n",
      20 - length, h.mass, h.load_start, h.tension_share * h.mass * gravity, h.stiffness, radius, h.drum_inertia,
      h.winch, h.rest, h.method);
}

// A drum and its load that are given a speed come to rest as the double pole says: v = v₀ (1 - t/t_r) e^(-t/t_r).
void poles(Checker& check) {
  const double response = 0.5, start = 0.2;
  for (const double mass : {10.0, 1000.0, 40000.0})
    for (const bool given : {true, false}) {
      ScenarioRun run(text_of({.mass = mass,
                               .stiffness = 5e5 * mass,
                               .winch = fmt::format(", mode: speed, response: {} s{}", response,
                                                    given ? fmt::format(", load: {} kg", mass) : std::string()),
                               .load_start = fmt::format(", start: {{travel_rate: {} m/s}}", -start),
                               .method = "conserving"}));
      run.state().u[1] = start / radius;  // the load's comes first
      run.begin();
      double off = 0;
      while (run.state().t < 3) {
        run.step(5e-4);
        run.look();
        const double s = run.state().t / response;
        off = std::max(off, std::abs(run.channel("w.speed") - start * (1 - s) * std::exp(-s)));
      }
      // The tension that the load is estimated by has its inertia in it, 2 v/t_r of g at first.
      check.at_most(fmt::format("drum with a load of {:g} kg, m r²/J = {:.3g}, {}", mass,
                                mass * radius * radius / inertia, given ? "given" : "estimated"),
                    "speed beside the double pole, largest error over the start", "", "exact: v (1 - t/t_r) e^(-t/t_r)",
                    off / start, given ? 0.01 : 2 * start / response / gravity);
    }
  // Length: what is missing goes, and goes for good, from an empty hook to a full one.
  for (const double mass : {10.0, 40000.0}) {
    ScenarioRun run(text_of({.mass = mass,
                             .stiffness = 5e5 * mass,
                             .winch = fmt::format(", mode: length, response: {} s", response),
                             .rest = "operation: [{at: 1 s, over: 10 s, move: {w: 2 m}}]\n",
                             .method = "conserving"}));
    double off = 0, late = 0;
    while (run.state().t < 25) {
      run.step(1e-3);
      run.look();
      const double away = std::abs(run.channel("w.paid_out") - run.channel("w.target"));
      off = std::max(off, away);
      if (run.state().t > 20) late = std::max(late, away);
    }
    const std::string name = fmt::format("drum with a load of {:g} kg gives out 2 m in 10 s, length", mass);
    check.at_most(name, "rope beside its target, largest", "m", "exact: the target", off, 0.02);
    check.at_most(name, "the same 9 s after", "m", "exact: the target", late, 1e-5);
  }
}

// Largest speed and acceleration of the rope, and what the power of the motor does.
void limits_of_the_rope(Checker& check) {
  struct Extremes {
    double speed = 0, acceleration = 0, driving = 0;
  };
  const auto extremes = [](const Hoist& hoist, double until) {
    ScenarioRun run(text_of(hoist));
    Extremes out;
    const double h = 1e-3;
    constexpr size_t tenth = 100;  // steps in a tenth of a second
    std::vector<double> speeds;
    while (run.state().t < until) {
      run.step(h);
      run.look();
      speeds.push_back(run.channel("w.speed"));
      out.speed = std::max(out.speed, std::abs(speeds.back()));
      out.driving = std::max(out.driving, run.channel("w.power"));
    }
    // Drum and rope vibrate against each other: what counts is the change of speed in a tenth of a second.
    for (size_t i = tenth; i < speeds.size(); ++i)
      out.acceleration = std::max(out.acceleration, std::abs(speeds[i] - speeds[i - tenth]) / 0.1);
    return out;
  };
  const std::string limit = ", limits: {speed: 0.5 m/s, acceleration: 0.5 m/s^2}";
  for (const double mass : {100.0, 20000.0}) {
    const auto row = [&](const std::string& mode, const Extremes& e, double over = 0.002) {
      const std::string name = fmt::format("{} kg on a winch of at most 0.5 m/s and 0.5 m/s^2, {}", mass, mode);
      check.at_most(name, "largest speed of the rope", "m/s", "exact: the limit", e.speed, 0.5 * (1 + over));
      check.at_most(name, "largest change of its speed in 0.1 s, over that time", "m/s^2", "exact: the limit",
                    e.acceleration, 0.5 * 1.1);
    };
    row("speed", extremes({.mass = mass,
                           .winch = ", mode: speed, response: 0.3 s" + limit,
                           .rest = "operation: [{at: 1 s, over: 2 s, move: {w: 0.5}}]\n"},
                          8));
    // Half the force that carries the load: it would fall. It is held back by the measured tension, which
    // in this mode is without what damping adds in the rope.
    row("force",
        extremes({.mass = mass,
                  .winch = fmt::format(", mode: force, response: 0.3 s, target: {} N", mass * gravity) + limit,
                  .rest = fmt::format("operation: [{{at: 1 s, over: 1 s, move: {{w: {} N}}}}]\n", 0.5 * mass * gravity),
                  .method = "conserving"},
                 8),
        0.15);
    row("tension", extremes({.mass = mass,
                             .winch = fmt::format(", mode: tension, response: 0.3 s, gain: {} m/s/N, target: {} N",
                                                  2 / (mass * gravity), 0.2 * mass * gravity) +
                                      limit,
                             .rest = ""},
                            8));
  }
  const double power = 3000;
  const Extremes lowered = extremes({.mass = 1000,
                                     .winch = ", mode: speed, response: 0.3 s, limits: {power: 3 kW}",
                                     .rest = "operation: [{at: 1 s, over: 1 s, move: {w: 0.5}}]\n"},
                                    6),
                 hoisted = extremes({.mass = 1000,
                                     .winch = ", mode: speed, response: 0.3 s, limits: {power: 3 kW}",
                                     .rest = "operation: [{at: 1 s, over: 1 s, move: {w: -0.5}}]\n"},
                                    8);
  check.at_most("1 t lowered by a motor of 3 kW at 0.5 m/s", "largest speed: the motor holds it back", "m/s",
                "exact: the target", lowered.speed, 0.51);
  check.at_most("1 t hoisted by a motor of 3 kW, 0.5 m/s asked for", "largest power", "W", "exact: the limit",
                hoisted.driving, power * 1.001);
  check.absolute("1 t hoisted by a motor of 3 kW, 0.5 m/s asked for", "largest speed", "m/s",
                 rounded(power / (1000 * gravity)), "exact: P/(m g)", hoisted.speed, 0.05 * power / (1000 * gravity));
}

// Residual motion of a load below a point that heaves by 1 m, beside the transfer function of rigid rope:
//   speed:  ρ/z = (J/J' s² + (1 - F)(2 s/t + 1/t²))/(s² + 2 s/t + 1/t²)
//   length: ρ/z = (J/J' s³ + (1 - F)(2 s²/t + 1.5 s/t² + 0.25/t³))/(s³ + 2 s²/t + 1.5 s/t² + 0.25/t³)
void compensation(Checker& check) {
  using Complex = std::complex<double>;
  const double period = 8, w = 2 * std::numbers::pi / period, t = 0.1, drum = 700, mass = 2000;
  const Complex s(0, w);
  const auto residual = [&](const std::string& mode, double filter, double delay) {
    ScenarioRun run(fmt::format(
        "davit: 1\n"
        "title: heave compensation\n"
        "bodies:\n"
        "  top: {{at: [0, 0, 20 m], joint: {{prismatic: z}}, mass: 1e10 kg, weightless: true, start: {{travel_rate: "
        "{:.17g} m/s}}}}\n"
        "  load: {{at: [0, 0, 10 m], joint: {{prismatic: z}}, mass: {} kg}}\n"
        "forces: {{sea: {{joint_spring: {{joint: top, stiffness: {:.17g} N/m}}}}}}\n"
        "ropes: {{rope: {{from: top, to: load, tension: {:.17g} N, EA: 200 MN, damping: 20 ms}}}}\n"
        "winches: {{w: {{rope: rope, mode: {}, response: {} s, load: {} kg, drum: {{radius: {} m, inertia: {} kg "
        "m^2}}, follows: top, sensor: {{filter: {} s, delay: {} s}}}}}}\n"
        "run: {{duration: 100 s, step: 1 ms, method: rk4}}\n",
        w, mass, 1e10 * w * w, mass * gravity, mode, t, mass, radius, drum, filter, delay));
    double low = INFINITY, high = -INFINITY;
    while (run.state().t < 5 * period) {
      run.step(2e-3);
      run.look();
      if (run.state().t < 4 * period) continue;
      low = std::min(low, run.channel("load.travel"));
      high = std::max(high, run.channel("load.travel"));
    }
    return (high - low) / 2;
  };
  const double share = drum / (drum + mass * radius * radius);
  for (const auto& [filter, delay] : {std::pair{0.0, 0.0}, {0.1, 0.0}, {0.0, 0.2}, {0.1, 0.2}}) {
    const Complex sensor = 1.0 / (1.0 + filter * s) * std::exp(-delay * s);
    const Complex by_speed =
        (share * s * s + (1.0 - sensor) * (2.0 * s / t + 1 / (t * t))) / (s * s + 2.0 * s / t + 1 / (t * t));
    const Complex loop = 2.0 * s * s / t + 1.5 * s / (t * t) + 0.25 / (t * t * t);
    const Complex by_length = (share * s * s * s + (1.0 - sensor) * loop) / (s * s * s + loop);
    const std::string name =
        fmt::format("heave of 1 m and 8 s, response 0.1 s, filter {:g} s, delay {:g} s", filter, delay);
    check.absolute(name + ", speed", "residual motion of the load", "m", rounded(std::abs(by_speed)),
                   "exact: transfer function", residual("speed", filter, delay), 3e-4);
    check.absolute(name + ", length", "residual motion of the load", "m", rounded(std::abs(by_length)),
                   "exact: transfer function", residual("length", filter, delay), 3e-4);
  }
}

// Whatever the tension at the start and the mode, what hangs on a drum is found at rest: the drum holds its rope.
void equilibria(Checker& check) {
  for (const char* mode : {"length", "speed", "tension, gain: 1e-6 m/s/N, target: 1 kN",
                           "constant_tension, gain: 1e-6 m/s/N, dead_band: 1 kN, target: 1 kN"})
    for (const double share : {0.2, 1.0, 3.0}) {
      ScenarioRun run(text_of(
          {.mass = 2000, .winch = fmt::format(", mode: {}", mode), .method = "conserving", .tension_share = share}));
      const Equilibrium rest = find_equilibrium(run.system(), run.state());
      if (rest.converged) run.state() = rest.state;
      run.look();
      check.relative(fmt::format("load on a drum, tension at the start {:g} of its weight, {}", share,
                                 std::string(mode).substr(0, std::string(mode).find(','))),
                     "tension in equilibrium", "N", rounded(2000 * gravity), "exact: its weight",
                     rest.converged ? run.channel("rope.tension") : NAN, 1e-5);
    }
}

// A ramp that ends at the limit of speed, with a load whose mass the winch estimates: the rope does not run over it.
void ramp_to_the_limit(Checker& check) {
  for (const double response : {0.3, 1.0})
    for (const int way : {1, -1}) {
      ScenarioRun run(
          fmt::format("davit: 1\ntitle: ramp\nbodies:\n  top: {{at: [0, 0, 20 m]}}\n"
                      "  load: {{at: [0, 0, 10 m], joint: {{prismatic: z}}, mass: 1000 kg}}\n"
                      "ropes: {{rp: {{from: top, to: load, tension: {} N, EA: 2 MN, damping: 20 ms}}}}\n"
                      "winches: {{w: {{rope: rp, mode: speed, drum: {{radius: 0.3 m, inertia: 20 kg m^2, gear: 10, "
                      "motor_inertia: 0.5 "
                      "kg m^2}}, response: {} s, limits: {{speed: 0.5 m/s, acceleration: 1 m/s^2}}}}}}\n"
                      "operation: [{{at: 1 s, over: 1 s, move: {{w: {}}}}}]\n"
                      "run: {{duration: 6 s, step: 1 ms, method: rk4}}\n",
                      1000 * gravity, response, 0.5 * way));
      double most = 0;
      while (run.state().t < 6) {
        run.step(1e-3);
        run.look();
        most = std::max(most, std::abs(run.channel("w.speed")));
      }
      check.at_most(
          fmt::format("{} to a limit of 0.5 m/s in 1 s, response {:g} s", way > 0 ? "lowering" : "hoisting", response),
          "largest speed of the rope", "m/s", "exact: the limit", most, 0.501);
    }
}

// A brake that held the load from the start opens: the motor has it at once, however the rope was given.
void opening_brake(Checker& check) {
  for (const char* mode : {"speed", "length", "tension, gain: 1e-6 m/s/N, target: 9806.65 N"})
    for (const char* given : {"length: 10 m", "tension: 9806.65 N"}) {
      ScenarioRun run(
          fmt::format("davit: 1\ntitle: brake\nbodies:\n  top: {{at: [0, 0, 20 m]}}\n"
                      "  load: {{at: [0, 0, 10 m], joint: {{prismatic: z}}, mass: 1000 kg}}\n"
                      "ropes: {{rp: {{from: top, to: load, EA: 20 MN, damping: 20 ms, {}}}}}\n"
                      "winches: {{w: {{rope: rp, mode: {}, drum: {{radius: 0.3 m, inertia: 20 kg m^2, gear: 10, "
                      "motor_inertia: 0.5 kg "
                      "m^2}}, response: 0.5 s, brake: {{torque: 8826 N m, closed: [[0, 2]]}}}}}}\n"
                      "run: {{duration: 6 s, step: 5 ms, method: conserving, from_equilibrium: true}}\n",
                      given, mode));
      const Equilibrium rest = find_equilibrium(run.system(), run.state());
      run.state() = rest.state;
      run.begin();
      run.look();
      const double before = run.channel("load.travel");
      double drop = 0;
      while (run.state().t < 6) {
        run.step(5e-3);
        run.look();
        drop = std::max(drop, before - run.channel("load.travel"));
      }
      // The brake creeps, by atanh(L/B) mrad/s for two seconds: 0.2 mm.
      check.at_most(
          fmt::format("a brake opens, {}, rope by {}", std::string(mode).substr(0, std::string(mode).find(',')),
                      std::string(given).substr(0, std::string(given).find(':'))),
          "drop of the load", "m", "exact: none but the creep of the brake", rest.converged ? drop : NAN, 5e-4);
    }
}

}  // namespace

void winches(Checker& check) {
  poles(check);
  limits_of_the_rope(check);
  compensation(check);
  equilibria(check);
  ramp_to_the_limit(check);
  opening_brake(check);
}

}  // namespace davit::verify
