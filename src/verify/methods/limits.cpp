// Limits, extremes and statistics against exact motions: whatever is recorded, the worst value is that of the motion.
#include <fmt/format.h>

#include <numbers>

#include "davit/run/sinks.hpp"
#include "davit/simulation/preparation.hpp"
#include "davit/simulation/simulation.hpp"
#include "davit/test/source_tree.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

struct Judged {
  std::vector<result::LimitResult> limits;
  std::vector<result::Statistics> statistics;
  std::vector<result::ChannelInfo> channels;
  RunOutcome outcome;

  const result::Statistics& of(const std::string& channel) const {
    for (size_t i = 0; i < channels.size(); ++i)
      if (channels[i].name == channel) return statistics[i];
    throw std::runtime_error("there is no channel " + channel);
  }
};

Judged judged(const std::optional<Scenario>& scenario, const input::Problems& problems) {
  if (!scenario) throw std::runtime_error(problems.to_text());
  const Start start = find_start(*scenario);
  Judged out;
  out.channels = recorded_channels(*scenario);
  Monitors monitors(limits_from(start, *scenario), out.channels);
  out.outcome = Simulation(*scenario, start, {.sinks = {&monitors}}).run();
  if (out.outcome.status != RunStatus::complete)
    throw std::runtime_error("a run broke off: " + out.outcome.element + ": " + out.outcome.why);
  out.limits = monitors.limits.results(true);
  out.statistics = monitors.statistics.results();
  return out;
}

Judged judged(const std::string& text) {
  input::Problems problems;
  return judged(parse_scenario(text, "verification.yaml", problems), problems);
}

constexpr double period = 1.1, amplitude = 0.4;  // s, m

// A mass that starts through the middle of its spring: x = a sin(2π t/T), over ten periods.
std::string on_a_spring(const std::string& limits, const std::string& run) {
  const double w = 2 * std::numbers::pi / period, mass = 1000;
  return fmt::format(
      "davit: 1\n"
      "title: a mass on a spring\n"
      "bodies: {{bob: {{joint: {{prismatic: x}}, mass: {} kg, start: {{travel_rate: {:.17g} m/s}}}}}}\n"
      "forces: {{k: {{joint_spring: {{joint: bob, stiffness: {:.17g} N/m}}}}}}\n"
      "limits:\n{}"
      "run: {{duration: {} s, {}}}\n",
      mass, amplitude * w, mass * w * w, limits, 10 * period, run);
}

// The first peak, at T/4, lies between the rows of all outputs but the first.
void peaks_between_rows(Checker& check) {
  const std::string limits = fmt::format(
      "  - {{channel: bob.travel, below: {:.17g} m}}\n  - {{channel: bob.travel, below: {:.17g} m}}\n"
      "  - {{channel: bob.travel, above: {:.17g} m}}\n",
      0.999 * amplitude, 1.001 * amplitude, -1.001 * amplitude);
  for (const char* method : {"rk4, step: 1 ms", "conserving, step: 1 ms", "dopri5, tolerance: 1e-9"})
    for (const char* output : {"1 ms", "100 ms", "900 ms"}) {
      const Judged run = judged(on_a_spring(limits, fmt::format("method: {}, output: {}", method, output)));
      const std::string name = fmt::format("mass on a spring, {}, recorded every {}", method, output),
                        source = "exact: a sin(2π t/T)";
      // The peaks are at whole steps, and at whole thousandths of the run.
      check.relative(name, "worst value", "m", amplitude, source, *run.limits[0].worst, 1e-8);
      check.relative(name, "and on the other side", "m", -amplitude, source, *run.limits[2].worst, 1e-8);
      const double phase = std::remainder(*run.limits[0].worst_time - period / 4, period);
      check.absolute(name, "its time after a quarter of a period", "s", 0, source, phase, 1e-9);
      check.absolute(name, "verdicts passed of three", "", 2, "exact: one bound is below the peak, two beyond it",
                     run.limits[0].passed + run.limits[1].passed + run.limits[2].passed, 0);
      check.absolute(name, "mean", "m", 0, source, run.of("bob.travel").mean, 1e-8);
      // By trapezoids over steps of up to 60 ms.
      check.relative(name, "standard deviation", "m", rounded(amplitude / std::sqrt(2.0)), source,
                     run.of("bob.travel").standard_deviation, 5e-5);
    }
}

void windows(Checker& check) {
  const double from = 0.3 * period, until = 0.45 * period;
  const Judged run =
      judged(on_a_spring(fmt::format("  - {{channel: bob.travel, below: {0} m, from: {1:.17g} s, until: {2:.17g} s}}\n"
                                     "  - {{channel: bob.travel, above: {0} m, from: {1:.17g} s, until: {2:.17g} s}}\n",
                                     amplitude, from, until),
                         "method: rk4, step: 1 ms, output: 500 ms"));
  const auto exact = [&](double t) { return rounded(amplitude * std::sin(2 * std::numbers::pi * t / period)); };
  const std::string name = "mass on a spring, limits in a window", source = "exact: a sin(2π t/T)";
  check.absolute(name, "largest value, where it begins", "m", exact(from), source, *run.limits[0].worst, 1e-6);
  check.absolute(name, "least value, where it ends", "m", exact(until), source, *run.limits[1].worst, 1e-6);
}

// A load let go on a rope that is straight and without tension: it swings to twice its weight.
void multiples(Checker& check) {
  constexpr double mass = 2000, g = 9.80665;
  const auto rope = [&](double mbl, bool from_equilibrium) {
    return judged(
        fmt::format("davit: 1\n"
                    "title: a load let go on its rope\n"
                    "bodies: {{load: {{at: [0, 0, -10 m], joint: {{prismatic: z}}, mass: {} kg}}}}\n"
                    "ropes: {{hoist: {{from: world, to: load, {}, EA: 20 MN, mbl: {:.17g} N}}}}\n"
                    "limits:\n  - {{channel: hoist.tension, below: 0.25 * mbl}}\n"
                    "  - {{channel: hoist.tension, below: 1.5 * load.weight}}\n{}"
                    "run: {{duration: 1 s, step: 0.2 ms, output: 100 ms, method: conserving, from_equilibrium: {}}}\n",
                    mass, from_equilibrium ? "length: 10 m" : "tension: 0 N", mbl,
                    from_equilibrium ? "  - {channel: hoist.tension, below: 1.3 * static}\n" : "", from_equilibrium));
  };
  const std::string name = "a load let go on its rope", source = "exact: a load put on at once doubles";
  const Judged strong = rope(8.2 * mass * g, false), weak = rope(7.8 * mass * g, false);
  check.relative(name, "largest tension, of the weight", "", 2, source, *strong.limits[0].worst / (mass * g), 1e-6);
  check.relative(name, "use of 0.25 * mbl, with mbl of 8.2 weights", "", rounded(2 / (0.25 * 8.2)), source,
                 *strong.limits[0].utilisation, 1e-5);
  check.absolute(name, "0.25 * mbl kept, with mbl of 8.2 weights", "", 1, source, strong.limits[0].passed, 0);
  check.absolute(name, "0.25 * mbl kept, with mbl of 7.8 weights", "", 0, source, weak.limits[0].passed, 0);
  check.relative(name, "use of 1.5 * weight of the load", "", rounded(2 / 1.5), source, *strong.limits[1].utilisation,
                 1e-5);
  const Judged hanging = rope(8 * mass * g, true);
  check.relative("a load that hangs on its rope", "bound 1.3 * static", "N", rounded(1.3 * mass * g),
                 "exact: its weight", *hanging.limits[2].bound, 1e-5);
  check.relative("a load that hangs on its rope", "use of it", "", rounded(1 / 1.3), "exact: it does not move",
                 *hanging.limits[2].utilisation, 1e-6);
}

// Four particles strike the floor, each in the middle of the eighth of the steps of one of the runs, which is the first
// that is measured; beside them a load swings on an elastic line. The advice is about the swing, whatever the step.
void advice(Checker& check) {
  constexpr double steps[] = {8e-3, 4e-3, 2e-3, 1e-3}, g = 9.80665;
  std::string particles, floors;
  for (size_t i = 0; i < 4; ++i) {
    const double t = 7.5 * steps[i];
    particles += fmt::format(
        "  p{0}: {{coordinates: particle, at: [{0} m, 0, {1:.17g} m], mass: 1 kg, start: {{z_rate: -1 m/s}}}}\n", i,
        t + g * t * t / 2);
    floors += fmt::format("  f{0}: {{contact: {{surface: world, point: p{0}}}}}\n", i);
  }
  std::vector<double> advised;
  for (const double step : steps) {
    const Judged run =
        judged(fmt::format("davit: 1\n"
                           "title: four particles strike the floor beside a swing\n"
                           "bodies:\n{}"
                           "  swing: {{coordinates: particle, at: [3 m, 5 m, 10 m], mass: 2 t}}\n"
                           "  mast: {{mass: 1 t, at: [0, 5 m, 14 m]}}\n"
                           "forces: {{line: {{line: {{from: mast, to: swing, stiffness: 200 kN/m, length: 5 m}}}}}}\n"
                           "constraints:\n{}"
                           "run: {{duration: 40 s, step: {} s, method: conserving}}\n",
                           particles, floors, step));
    check.trend("particles strike a floor beside a swing", fmt::format("impacts measured at {} ms", 1e3 * step), "",
                Checker::Side::above, 1, "exact: one is in the eighth step",
                static_cast<double>(run.outcome.impact_steps));
    advised.push_back(run.outcome.advised_step);
  }
  for (size_t i = 1; i < 4; ++i)
    check.relative("particles strike a floor beside a swing",
                   fmt::format("advised step at {} ms, of that at {} ms", 1e3 * steps[i], 1e3 * steps[i - 1]), "", 1,
                   "invariant: the swing is the same", advised[i] / advised[i - 1], 0.05);
}

// Rope that slips in basket slings follows its step to first order, whatever the method: the advice settles all the
// same.
void advice_with_friction(Checker& check) {
  constexpr double steps[] = {2e-3, 1e-3, 0.5e-3};
  double last = 0;
  for (const double step : steps) {
    input::Problems problems;
    const auto scenario =
        load_scenario(in_source("scenarios/basket_slings.yaml"), {fmt::format("run.step={} s", step)}, problems);
    const double advised = judged(scenario, problems).outcome.advised_step;
    if (last > 0)
      check.relative("a block in basket slings, with friction",
                     fmt::format("advised step at {} ms, of that at twice as much", 1e3 * step), "", 1,
                     "invariant: the lift is the same", advised / last, 0.1);
    last = advised;
  }
}

}  // namespace

void limits(Checker& check) {
  peaks_between_rows(check);
  windows(check);
  multiples(check);
  advice(check);
  advice_with_friction(check);
}

}  // namespace davit::verify
