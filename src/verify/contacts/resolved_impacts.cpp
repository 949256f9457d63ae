// Drops, snatches and touch-downs whose peaks are known, at steps that are longer than the whole event: what is
// reported with a good verdict is what acts.
#include <fmt/format.h>

#include <cmath>

#include "davit/run/confirmation.hpp"
#include "davit/run/run_quality.hpp"
#include "davit/simulation/preparation.hpp"
#include "davit/simulation/simulation.hpp"
#include "verify/methods/runge_kutta.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double g = 9.80665;

struct Judged {
  double peak = 0;
  bool green = false;
};

Judged judged(const std::string& text, const std::string& channel) {
  const Scenario scenario = scenario_of(text);
  System system(*scenario.model);
  const auto stepper = scenario.make_stepper();
  const Preparation prepared = prepare(scenario, *stepper, system);
  const auto channels = recorded_channels(scenario);
  Monitors monitors(limits_from(prepared.start, scenario), channels);
  Checkpoints checkpoints(scenario);
  Simulation run(scenario, prepared.start, {.sinks = {&monitors, &checkpoints}});
  const RunOutcome outcome = run.run();
  if (outcome.status != RunStatus::complete)
    throw std::runtime_error("a run broke off: " + outcome.element + ": " + outcome.why);
  Judged out;
  const auto statistics = monitors.statistics.results();
  for (size_t i = 0; i < channels.size(); ++i)
    if (channels[i].name == channel) out.peak = statistics[i].max;
  out.green =
      judge_quality(scenario, *stepper, prepared, outcome, confirm_peaks(scenario, checkpoints, monitors, outcome.t))
          .good();
  return out;
}

// A mass m that meets a spring k and damper c, which only push, at speed v under gravity: its largest force by steps of
// Runge and Kutta that are short beside everything, up to where it leaves or comes to rest.
double peak_by_integration(double m, double k, double c, double v) {
  const double h = 1e-4 * std::min(std::sqrt(m / k), c > 0 ? m / c : INFINITY);
  const auto force = [&](const Vec2& y) { return std::max(0.0, k * y[0] + c * y[1]); };
  const auto rate = [&](double, const Vec2& y) { return Vec2(y[1], g - force(y) / m); };
  Vec2 y(0, v);
  double peak = force(y);
  for (double t = 0; t < 4 * std::sqrt(m / k) && y[0] >= 0; t += h) {
    runge_kutta_step(rate, t, h, y);
    peak = std::max(peak, force(y));
  }
  return peak;
}

// A row for the peak and one for the verdict. The peak lies between steps that change loads by up to a hundredth of it.
void judge(Checker& check, const std::string& name, const std::string& text, const std::string& channel, double exact,
           const std::string& source) {
  constexpr double tolerance = 0.02;
  const Judged run = judged(text, channel);
  check.relative(name, "largest load", "N", rounded(exact), source, run.peak, tolerance);
  check.absolute(name, "good verdict", "", 1, "exact: the peak is resolved", run.green, 0);
}

void drops(Checker& check) {
  for (const double mass : {100.0, 3e5})
    for (const double damping_time : {0.0, 0.005, 0.02})
      for (const double step : {0.05, 0.02, 0.005}) {
        // As stiff for its weight whatever it weighs: ω = 200/s.
        const double stiffness = 1e4 * mass, height = 5, v = std::sqrt(2 * g * height);
        judge(check,
              fmt::format("{} kg dropped on a deck, damping time {} ms, step {} ms", mass, 1e3 * damping_time,
                          1e3 * step),
              fmt::format(
                  "davit: 1\n"
                  "title: a box is dropped\n"
                  "bodies:\n"
                  "  box: {{at: [0, 0, {} m], joint: free, mass: {} kg, box: {{size: [1 m, 1 m, 1 m]}}, points: "
                  "{{a: [0.5 m, 0.5 m, 0], b: [-0.5 m, 0.5 m, 0], c: [0.5 m, -0.5 m, 0], d: [-0.5 m, -0.5 m, 0]}}}}\n"
                  "  deck: {{at: [0, 0, 0]}}\n"
                  "forces: {{deck_contact: {{contact: {{surface: deck, points: [box.a, box.b, box.c, box.d], "
                  "stiffness: {} N/m, "
                  "damping_time: {} s}}}}}}\n"
                  "run: {{duration: 2 s, step: {} s}}\n",
                  height, mass, stiffness, damping_time, step),
              "deck_contact.normal", peak_by_integration(mass, 4 * stiffness, 4 * stiffness * damping_time, v),
              "oracle: m ẍ = m g - k x - c ẋ by Runge and Kutta");
      }
}

void snatches(Checker& check) {
  for (const double mass : {1000.0, 4e5})
    for (const double damping : {0.0, 0.002})
      for (const double step : {0.05, 0.02, 0.005}) {
        const double EA = 1e5 * mass, length = 6, fall = 5, v = std::sqrt(2 * g * fall);
        judge(check,
              fmt::format("{} kg falls into its rope, damping {} ms, step {} ms", mass, 1e3 * damping, 1e3 * step),
              fmt::format("davit: 1\n"
                          "title: a load falls into its rope\n"
                          "bodies:\n"
                          "  top: {{points: {{p: [0, 0, 0]}}}}\n"
                          "  load: {{at: [0, 0, {} m], joint: {{prismatic: z}}, mass: {} kg}}\n"
                          "ropes: {{rope: {{from: top.p, to: load, EA: {} N, damping: {} s, length: {} m}}}}\n"
                          "run: {{duration: 1.5 s, step: {} s}}\n",
                          fall - length, mass, EA, damping, length, step),
              "rope.tension", peak_by_integration(mass, EA / length, damping * EA / length, v),
              "oracle: m ẍ = m g - k x - c ẋ by Runge and Kutta");
      }
}

// A deck that rises at constant speed meets a load that hangs at rest on its rope, and takes it over: the same as a
// load that is lowered onto a deck.
void touch_downs(Checker& check) {
  constexpr double mass = 4.2e5, EA = 2e9, length = 40, speed = 0.3, deck = 2e9, touches_at = 0.1;
  // x: down from where the load hangs at rest.
  const double k = EA / length, stretch = mass * g / k;
  const auto rope = [&](const Vec2& y) { return std::max(0.0, k * (stretch + y[0])); };
  const auto ground = [&](double t, const Vec2& y) { return std::max(0.0, deck * (y[0] + speed * t)); };
  const auto rate = [&](double t, const Vec2& y) { return Vec2(y[1], g - (rope(y) + ground(t, y)) / mass); };
  Vec2 y(0, 0);
  double peak = 0;
  constexpr double h = 1e-6;
  for (int i = 0; i < 400000; ++i) {
    runge_kutta_step(rate, i * h, h, y);
    peak = std::max(peak, ground((i + 1) * h, y));
  }
  for (const double step : {0.05, 0.02, 0.005})
    judge(
        check, fmt::format("420 t set down at {} m/s, step {} ms", speed, 1e3 * step),
        fmt::format(
            "davit: 1\n"
            "title: a load is set down\n"
            "bodies:\n"
            "  top: {{points: {{p: [0, 0, 0]}}}}\n"
            "  load: {{at: [0, 0, {:.17g} m], joint: {{prismatic: z}}, mass: {} kg, points: {{p: [0, 0, 0]}}}}\n"
            "  deck: {{at: [0, 0, {:.17g} m], joint: {{prismatic: z}}, mass: 1000 t, start: {{travel_rate: {} m/s}}}}\n"
            "forces: {{deck_contact: {{contact: {{surface: deck, points: [load.p], stiffness: {} N/m, damping_time: 0 "
            "s}}}}}}\n"
            "ropes: {{rope: {{from: top.p, to: load.p, EA: {} N, length: {} m}}}}\n"
            "constraints: {{drive: {{speed: {{joint: deck, speed: {} m/s}}}}}}\n"
            "run: {{duration: {} s, step: {} s}}\n",
            -length - stretch, mass, -length - stretch - touches_at * speed, speed, deck, EA, length, speed,
            touches_at + 0.4, step),
        "deck_contact.normal", peak, "oracle: load, rope and deck by Runge and Kutta");
}

}  // namespace

void resolved_impacts(Checker& check) {
  drops(check);
  snatches(check);
  touch_downs(check);
}

}  // namespace davit::verify
