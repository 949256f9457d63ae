// Joints that rigid rows drive along tables: places and speeds are those of the table at any step and by any method,
// forces are mass times acceleration, and where a speed jumps an impulse is told.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "davit/math/motion.hpp"
#include "verify/scenarios/carried_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

struct Way {
  const char *method, *step;
  double h;
  // How long before a row the force is that it shows, in steps: in the middle of the step, or at the row's own instant.
  double lag;
};
constexpr Way ways[] = {{"conserving", "20 ms", 0.02, 0.5},
                        {"conserving", "70 ms", 0.07, 0.5},
                        {"midpoint", "20 ms", 0.02, 0.5},
                        {"generalised_alpha", "20 ms", 0.02, 0},
                        {"minimal_extension", "20 ms", 0.02, 0},
                        {"rk4", "20 ms", 0.02, 0},
                        {"dopri5", "100 ms", 0.1, 0},
                        {"conserving, reduced: true", "20 ms", 0.02, 0.5}};

std::string name_of(const Way& way) { return fmt::format("{}, {}", way.method, way.step); }

std::string slide(const std::string& table, const Way& way, double duration, const std::string& more = {}) {
  return fmt::format(
      "davit: 1\ntitle: driven\nenvironment: {{gravity: 0}}\n"
      "bodies:\n  slide: {{joint: {{prismatic: x}}, mass: 100 kg}}\n{}"
      "constraints: {{drive: {{motion: {{joint: slide}}}}}}\n"
      "operation:\n  - {{follow: {{slide: {}}}}}\n"
      "run: {{duration: {} s, step: {}, output: {}, modes: false, method: {}}}\n",
      more, table, duration, way.step, way.step, way.method);
}

constexpr double mass = 100;

std::string points(const std::vector<double>& times, const std::vector<double>& values, const std::string& more) {
  std::string out;
  for (size_t i = 0; i < times.size(); ++i)
    out += fmt::format("{}[{:.17g} s, {:.17g} m]", i ? ", " : "", times[i], values[i]);
  return "{table: [" + out + "]" + more + "}";
}

// Rest, half a metre per second from 1 s to 3 s, rest.
void straight(Checker& check) {
  const std::vector<double> times{0, 1, 3, 5}, values{0, 0, 1, 1};
  const auto place = [](double t) { return std::clamp((t - 1) / 2, 0.0, 1.0); };
  const auto speed = [](double t) { return t > 1 - 1e-9 && t < 3 - 1e-9 ? 0.5 : 0.0; };
  for (const Way& way : ways) {
    const CarriedRun run = carried_out(slide(points(times, values, ", interpolation: linear"), way, 4.2));
    const std::string name = "a straight table, " + name_of(way);
    check.at_most(name, "largest error of the place", "m", "exact: the table", run.largest_error("slide.travel", place),
                  1e-9);
    check.at_most(name, "largest error of the speed", "m/s", "exact: the table",
                  run.largest_error("slide.travel_rate", speed), 1e-9);
    check.at_most(name, "largest force", "N", "exact: none between its corners", run.largest("drive.force"), 1e-4);
    const SpeedJump jump = run.outcome.speed_jumps.empty() ? SpeedJump() : run.outcome.speed_jumps[0];
    check.absolute(name, "jumps of the speed that were told", "", 2, "exact: two corners",
                   static_cast<double>(jump.count), 0);
    check.relative(name, "impulse of the largest", "N s", mass * 0.5, "exact: m Δv", jump.impulse, 1e-9);
  }
}

// sin(2π t/5 s), which begins with its largest speed, every 0.1 s.
void begins_with_speed(Checker& check) {
  const double w = 2 * std::numbers::pi / 5;
  std::vector<double> times, values;
  for (int i = 0; i <= 80; ++i) {
    times.push_back(0.1 * i);
    values.push_back(std::sin(w * times.back()));
  }
  // A cubic through its own values has (ω τ)⁴/384 of error, its speeds (ω τ)³/24 and accelerations (ω τ)²/8, for points
  // τ apart; a little more at ends whose speed is that of the points.
  const double wt = w * 0.1;
  for (const Way& way : ways) {
    const CarriedRun run = carried_out(slide(points(times, values, ""), way, 6));
    const std::string name = "a table that begins with a speed, " + name_of(way);
    check.at_most(name, "largest error of the place", "m", "exact: sin ωt",
                  run.largest_error("slide.travel", [&](double t) { return std::sin(w * t); }), std::pow(wt, 4));
    check.at_most(name, "largest error of the speed", "m/s", "exact: ω cos ωt",
                  run.largest_error("slide.travel_rate", [&](double t) { return w * std::cos(w * t); }),
                  w * std::pow(wt, 3));
    // Steps of 70 ms are cut at points of the table, and their middles are not half of them before the rows.
    if (way.h == 0.07) continue;
    check.at_most(
        name, "largest error of the force", "N", "exact: −m ω² sin ωt, in the middle of the step where that is found",
        run.largest_error(
            "drive.force", [&](double t) { return -mass * w * w * std::sin(w * (t - way.lag * way.h)); }, 2 * way.h),
        mass * w * w * std::pow(wt, 2));
  }
}

// Points that are far apart, from rest to rest: the motion is the spline's own.
void coarse(Checker& check) {
  const std::vector<double> times{0, 0.5, 1, 1.5, 2, 2.5, 3, 5}, values{0, 0.3, 0.1, 0.8, 0.4, 1, 0.6, 0.6};
  const Motion spline = Motion::through(times, values, Motion::Interpolation::smooth, {0.0, 0.0});
  for (const Way& way : ways) {
    const CarriedRun run = carried_out(slide(points(times, values, ", start_speed: 0 m/s, end_speed: 0 m/s"), way, 5));
    const std::string name = "a coarse table from rest to rest, " + name_of(way);
    check.at_most(name, "largest error of the place", "m", "exact: the spline",
                  run.largest_error("slide.travel", [&](double t) { return spline.value(t); }), 1e-9);
    check.at_most(name, "largest error of the speed", "m/s", "exact: the spline",
                  run.largest_error("slide.travel_rate", [&](double t) { return spline.derivative(1, t); }), 1e-8);
    check.absolute(name, "jumps of the speed", "", 0, "exact: it begins and ends at rest",
                   static_cast<double>(run.outcome.speed_jumps.size()), 0);
    // Steps of 20 ms end at all points of the table, and find the mean force of the step.
    if (way.lag != 0.5 || way.h != 0.02) continue;
    const auto force = [&](double t) {
      return mass * (spline.derivative(1, t) - spline.derivative(1, t - way.h)) / way.h;
    };
    check.at_most(name, "largest error of the force", "N", "exact: m (v₁ − v₀)/h over its step",
                  run.largest_error("drive.force", force, way.h / 2), 1e-4);
  }
}

// A pendulum hangs from a slide that is set off: (I + m l²) ω = m l v, and the impulse of the drive moves both.
void impulse(Checker& check) {
  const double m = 10, l = 2, I = 1, v = 0.5, w = m * l * v / (I + m * l * l);
  const std::string pendulum =
      "  bob: {on: slide, joint: {revolute: y}, mass: 10 kg, centre: [0, 0, -2 m], inertia: [1, 1, 1]}\n";
  for (const Way& way : ways) {
    const CarriedRun run =
        carried_out(slide("{table: [[0 s, 0 m], [10 s, 5 m]], interpolation: linear}", way, 0.5, pendulum));
    const std::string name = "a pendulum whose pivot is set off, " + name_of(way);
    check.relative(name, "its rate at once", "rad/s", w, "exact: (I + m l²) ω = m l v",
                   run.memory.rows[0][run.column("bob.angle_rate")], 1e-9);
    const SpeedJump jump = run.outcome.speed_jumps.empty() ? SpeedJump() : run.outcome.speed_jumps[0];
    check.relative(name, "impulse of the drive", "N s", mass * v + m * (v - l * w), "exact: momentum of both",
                   jump.impulse, 1e-9);
    // Without gravity it turns on at the same rate about a pivot that moves steadily.
    check.relative(name, "its rate after half a second", "rad/s", w, "exact: nothing turns it without gravity",
                   run.last("bob.angle_rate"), 1e-6);
  }
}

}  // namespace

void driven(Checker& check) {
  straight(check);
  begins_with_speed(check);
  coarse(check);
  impulse(check);
}

}  // namespace davit::verify
