// Rows between the ends of steps, and rows that miss them by round-off: what they show is of their own time.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "verify/scenarios/carried_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double mass = 100, w = 2 * std::numbers::pi / 5;

std::string sine_table() {
  std::string points;
  for (int i = 0; i <= 600; ++i)
    points += fmt::format("{}[{:.17g} s, {:.17g} m]", i ? ", " : "", 0.1 * i, std::sin(w * 0.1 * i));
  return points;
}

std::string driven_slide(double duration, const std::string& run) {
  return fmt::format(
      "davit: 1\ntitle: rows\nenvironment: {{gravity: 0}}\n"
      "bodies: {{slide: {{joint: {{prismatic: x}}, mass: 100 kg}}}}\n"
      "constraints: {{drive: {{motion: {{joint: slide}}}}}}\n"
      "operation:\n  - {{follow: {{slide: {{table: [{}]}}}}}}\n"
      "run: {{duration: {} s, modes: false, method: conserving, {}}}\n",
      sine_table(), duration, run);
}

// The force of a drive is that of the middle of a step, and is shown at its end; between two ends it lies on the
// straight line between theirs: half a step late everywhere, and no staircase.
void between_steps(Checker& check) {
  for (const auto& [step, output] : {std::pair(50, 20), std::pair(100, 7), std::pair(20, 50)}) {
    const CarriedRun run = carried_out(driven_slide(20, fmt::format("step: {} ms, output: {} ms", step, output)));
    const double h = step / 1000.0;
    const auto force = [&](double t) { return -mass * w * w * std::sin(w * (t - h / 2)); };
    // Straight lines between points h apart are off by (ω h)²/8, the means of steps by (ω h)²/24, the table by (ω
    // τ)²/8.
    const double goal = mass * w * w * (std::pow(w * h, 2) / 6 + std::pow(w * 0.1, 2) / 8);
    check.at_most(fmt::format("force of a drive, step {} ms, rows every {} ms", step, output),
                  "largest distance from the force half a step before", "N", "exact: −m ω² sin ω(t − h/2)",
                  run.largest_error("drive.force", force, 2 * h), goal);
  }
}

// A thousand steps add up to a time with round-off: each row still is that of its step.
void round_off(Checker& check) {
  const CarriedRun run = carried_out(driven_slide(49.5, "step: 1.1 ms, output: 1.1 ms"));
  const auto late = [&](double t) { return -mass * w * w * std::sin(w * (t - 0.55e-3)); };
  check.at_most("rows at every step of 1.1 ms", "largest distance from the force half a step before", "N",
                "exact: −m ω² sin ω(t − h/2)", run.largest_error("drive.force", late, 0.01),
                mass * w * w * std::pow(w * 0.1, 2) / 8);
  double off = 0;
  for (size_t i = 0; i < run.memory.times.size(); ++i)
    off = std::max(off, std::abs(run.memory.times[i] - 1.1e-3 * static_cast<double>(i)));
  check.at_most("rows at every step of 1.1 ms", "largest distance of a row from its time", "s",
                "exact: multiples of the interval of rows", off, 1e-6 * 1.1e-3);
}

// A chain whose fairlead surges: rows between steps lie between those at the ends of steps.
void lines(Checker& check) {
  std::string points;
  for (int i = 0; i <= 200; ++i)
    points += fmt::format("{}[{:.17g} s, {:.17g} m]", i ? ", " : "", 0.1 * i, 0.5 * (1 - std::cos(w * 0.1 * i)));
  const auto text = [&](const std::string& steps) {
    return fmt::format(
        "davit: 1\ntitle: rows of a line\nenvironment: {{water_depth: 60 m}}\n"
        "bodies: {{fairlead: {{at: [143.2 m, 0, -10 m], joint: {{prismatic: x}}, mass: 100 t, weightless: true}}}}\n"
        "constraints: {{drive: {{motion: {{joint: fairlead}}}}}}\n"
        "forces:\n  line:\n    mooring_line:\n      anchor: [0, 0, -60 m]\n      to: fairlead\n      sections:\n"
        "        - {{length: 170 m, diameter: 195 mm, EA: 61560 kN, mass: 234.52 kg/m, submerged_weight: 1999.576 N/m, "
        "drag_normal: 1.2, drag_tangential: 0.2, added_mass_normal: 1.0, added_mass_tangential: 0.5}}\n"
        "      seabed: {{stiffness: 4785 N/m^2}}\n"
        "operation:\n  - {{follow: {{fairlead: {{table: [{}]}}}}}}\n"
        "run: {{duration: 12 s, {}, modes: false, method: conserving}}\n",
        points, steps);
  };
  const CarriedRun between = carried_out(text("step: 50 ms, output: 20 ms")),
                   ends = carried_out(text("step: 50 ms, output: 50 ms"));
  const size_t tension = ends.column("line.tension");
  double mean = 0, square = 0, apart = 0, count = 0;
  for (size_t i = 100; i < between.memory.rows.size(); ++i) {
    const double place = between.memory.times[i] / 0.05, s = place - std::floor(place + 1e-6);
    const auto before = static_cast<size_t>(std::floor(place + 1e-6));
    if (before + 1 >= ends.memory.rows.size()) break;
    const double x = (1 - s) * ends.memory.rows[before][tension] + s * ends.memory.rows[before + 1][tension];
    const double y = between.memory.rows[i][tension];
    mean += x;
    square += x * x;
    apart += (x - y) * (x - y);
    ++count;
  }
  mean /= count;
  const double deviation = std::sqrt(square / count - mean * mean);
  check.at_most("tension of a line, step 50 ms, rows every 20 ms",
                "rms distance from the lines between the ends of steps, over its deviation", "",
                "oracle: the same run with rows at the ends of steps", std::sqrt(apart / count) / deviation, 0.01);
}

}  // namespace

void row_times(Checker& check) {
  between_steps(check);
  round_off(check);
  lines(check);
}

}  // namespace davit::verify
