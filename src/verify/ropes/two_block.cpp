// Two-blocking: a load that is hoisted up to what it hangs from, by a winch with and without a drum, on one fall and on
// two, or drawn there by a trolley, ends the run at the instant that kinematics says, at any scale; and an end that
// meets a plate that its rope touches ends it there, with no load out of nothing.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "davit/model/measuring.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double gravity = 9.80665;

struct Ending {
  double t = INFINITY;  // when the run broke, or never
  std::string why;
  double least_rope = INFINITY, largest_force = 0;  // before that
};

// `force`: a channel whose largest size is asked for.
Ending run_to_its_end(const std::string& text, double step, double until, const std::string& rope,
                      const std::string& force) {
  ScenarioRun run(text);
  Ending out;
  try {
    while (run.state().t < until) {
      run.step(step);
      run.look();
      out.least_rope = std::min(out.least_rope, run.channel(rope + ".unstretched"));
      out.largest_force = std::max(out.largest_force, std::abs(run.channel(force)));
    }
  } catch (const Breakdown& broken) {
    out.t = run.state().t;
    out.why = broken.why;
  }
  return out;
}

void add_rows(Checker& check, const std::string& name, const std::string& word, const Ending& ending, double exact,
              const std::string& formula, double step) {
  check.absolute(name, "end of the run", "s", rounded(exact), "exact: " + formula + ", to the end of the step",
                 ending.t, 1.01 * step);
  check.at_most(name, "endings with another cause", "1", "invariant", ending.why.find(word) == std::string::npos, 0);
}

// A particle below a point: N = N₀ - v t metres of rope are left, strained by the load. Models by Froude's law of
// others.
void one_fall(Checker& check) {
  for (const double scale : {0.01, 1.0, 20.0})
    for (const bool drum : {false, true}) {
      const double time = std::sqrt(scale), volume = scale * scale * scale;
      const double length = 5 * scale, speed = 0.5 * time, least = 0.25 * scale, mass = 2000 * volume,
                   EA = 2e7 * volume, step = 5e-3 * time, response = 0.05 * time, ramp = time;
      const std::string winch =
          drum ? fmt::format(
                     "mode: speed, response: {} s, target: {} m/s, load: {} kg, drum: {{radius: {} m, inertia: "
                     "{} kg m^2}}",
                     response, -speed, mass, 0.3 * scale, 20 * volume * scale * scale)
               : "mode: length";
      const double until = ramp + 1.3 * length / speed;
      const std::string move =
          drum ? std::string()
               : fmt::format("operation: [{{at: 0 s, over: {} s, ramp: {} s, move: {{w: {} m}}}}]\n", until, ramp,
                             -speed * (until - ramp));
      const std::string text = fmt::format(
          "davit: 1\n"
          "title: a load hoisted to its point\n"
          "bodies:\n"
          "  top: {{at: [0, 0, {} m]}}\n"
          "  load: {{at: [0, 0, 0], coordinates: particle, mass: {} kg}}\n"
          "ropes: {{rope: {{from: top, to: load, tension: {:.17g} N, EA: {} N, damping: {} s, least_length: {} m}}}}\n"
          "winches: {{w: {{rope: rope, {}}}}}\n"
          "{}"
          "run: {{duration: {} s, step: {} s, method: conserving}}\n",
          length, mass, mass * gravity, EA, 0.02 * time, least, winch, move, until, step);
      const Ending ending = run_to_its_end(text, step, until, "rope", "rope.tension");
      const std::string name = fmt::format("{:g} m of rope hoisted at {:g} m/s to {:g} m, {}", length, speed, least,
                                           drum ? "by a drum" : "exactly");
      const double natural = length / (1 + mass * gravity / EA);
      // The motor comes up to its speed as (1 + 2 t s)/(1 + t s)² does, which in the end is not late.
      const double lag = drum ? 0 : 0.5 * ramp;
      add_rows(check, name, "two-blocked", ending, (natural - least) / speed + lag,
               drum ? "(N₀ - least)/v" : "(N₀ - least)/v after half a ramp", drum ? 3 * step : step);
      check.at_most(name, "rope below the least length before that", "m", "invariant", least - ending.least_rope, 0);
    }
}

// A block with one sheave of radius r between two vertical falls: 2 h + π r = N (1 + e) with h from the middle of the
// sheave to the points above, whose distance √(h² + r²) - r from its rim shall be the least.
void two_falls(Checker& check) {
  const double r = 0.4, h = 8, speed = 0.5, least = 0.3, mass = 4000, EA = 1e9, step = 5e-3;
  const double ramp = 2, strain = 0.5 * mass * gravity / EA;
  const double natural = (2 * h + std::numbers::pi * r) / (1 + strain);
  const double height = std::sqrt((least + r) * (least + r) - r * r);
  const double hoisted = natural - (2 * height + std::numbers::pi * r) / (1 + strain);
  const double until = ramp + 1.2 * natural / speed;
  // A trapezium of speed: it is half a ramp late.
  const std::string text = fmt::format(
      "davit: 1\n"
      "title: a block on two falls hoisted to its points\n"
      "bodies:\n"
      "  top: {{at: [0, 0, {} m], points: {{left: [{} m, 0, 0], right: [{} m, 0, 0]}}}}\n"
      "  block: {{at: [0, 0, 0], joint: {{prismatic: z}}, mass: {} kg}}\n"
      "ropes:\n"
      "  rope: {{from: top.left, path: [{{sheave: block, radius: {} m, axis: -y}}], to: top.right, tension: {:.17g} N, "
      "EA: {} N, damping: 20 ms, least_length: {} m}}\n"
      "winches: {{w: {{rope: rope}}}}\n"
      "operation: [{{at: 0 s, over: {} s, ramp: {} s, move: {{w: {} m}}}}]\n"
      "run: {{duration: {} s, step: {} s, method: conserving}}\n",
      h, -r, r, mass, r, 0.5 * mass * gravity, EA, least, until, ramp, -speed * (until - ramp), until, step);
  const Ending ending = run_to_its_end(text, step, until, "rope", "rope.tension");
  const std::string name = "a block on two falls hoisted at 0.5 m/s of rope until 0.3 m are left";
  add_rows(check, name, "two-blocked", ending, hoisted / speed + 0.5 * ramp, "(N₀ - N)/v after half a ramp", step);
}

// No winch at all: a trolley that drives away from where the rope is made fast draws the load up to itself.
void drawn_up(Checker& check) {
  const double below = 4, speed = 0.5, least = 0.5, step = 5e-3, ramp = 2, until = 14;
  const std::string text = fmt::format(
      "davit: 1\n"
      "title: a trolley draws its load up\n"
      "bodies:\n"
      "  wall: {{at: [0, 0, 10 m]}}\n"
      "  trolley: {{at: [2 m, 0, 10 m], joint: {{prismatic: x}}, mass: 500 kg}}\n"
      "  load: {{on: trolley, at: [0, 0, {} m], joint: {{prismatic: z}}, mass: 1 t}}\n"
      "ropes: {{rope: {{from: wall, path: [{{eye: trolley}}], to: load, tension: {:.17g} N, EA: 1000 MN, damping: 20 "
      "ms, "
      "least_length: {} m}}}}\n"
      "constraints: {{drive: {{motion: {{joint: trolley}}}}}}\n"
      "operation: [{{at: 0 s, over: {} s, ramp: {} s, move: {{trolley: {} m}}}}]\n"
      "run: {{duration: {} s, step: {} s, method: conserving}}\n",
      -below, 1000 * gravity, least, until, ramp, speed * (until - ramp), until, step);
  const Ending ending = run_to_its_end(text, step, until, "rope", "rope.tension");
  add_rows(check, "a trolley at 0.5 m/s draws its load up to 0.5 m", "two-blocked", ending,
           (below - least) / speed + 0.5 * ramp, "(d₀ - least)/v after half a ramp", step);
}

// The end of a slack rope is driven down on a plate, closed and of some thickness, or an open sheet.
void end_meets_plate(Checker& check) {
  for (const double thickness : {0.02, 0.002}) {
    const double height = 1, speed = 0.25, step = 0.02, until = 8;
    const std::string text = fmt::format(
        "davit: 1\n"
        "title: the end of a slack rope meets a plate\n"
        "bodies:\n"
        "  deck: {{at: [0, 0, 0], points: {{lug: [-3 m, 0, 0.5 m]}}}}\n"
        "  hook: {{at: [1 m, 0.3 m, {} m], joint: {{prismatic: z}}, mass: 1 t}}\n"
        "surfaces: {{plate: {{on: deck, box: [8 m, 6 m, {} m]}}}}\n"
        "ropes: {{sling: {{from: hook, to: deck.lug, EA: 100 MN, damping: 50 ms, length: 4.3 m, touches: [plate], "
        "friction: 0.2}}}}\n"
        "constraints: {{drive: {{motion: {{joint: hook}}}}}}\n"
        "operation: [{{at: 0 s, over: {} s, smoothness: 0, move: {{hook: {} m}}}}]\n"
        "run: {{duration: {} s, step: {} s, method: conserving}}\n",
        height, thickness, until, -speed * until, until, step);
    const Ending ending = run_to_its_end(text, step, until, "sling", "hook.reaction.Fx");
    const std::string name = fmt::format("the end of a slack sling meets a plate of {:g} mm", 1e3 * thickness);
    add_rows(check, name, "surface 'plate'", ending, (height - 0.5 * thickness) / speed, "h/v", step);
    check.at_most(name, "largest pull of the sling along the plate before that", "N", "exact: it is slack",
                  ending.largest_force, 1e-6);
  }
}

}  // namespace

void two_block(Checker& check) {
  one_fall(check);
  two_falls(check);
  drawn_up(check);
  end_meets_plate(check);
}

}  // namespace davit::verify
