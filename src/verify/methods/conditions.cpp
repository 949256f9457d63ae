// When things happen: conditions of an operation, limits that are exceeded and lines that break, at the exact instant
// and not at the end of the step that it is in, by any method and at any step.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "verify/scenarios/carried_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr const char* steady_methods[] = {"conserving, step: 70 ms",
                                          "midpoint, step: 20 ms",
                                          "implicit_euler, step: 0.3 s",
                                          "generalised_alpha, step: 70 ms",
                                          "minimal_extension, step: 70 ms",
                                          "rk4, step: 0.3 s",
                                          "dopri5"};

// A body glides at 0.7 m/s, another is moved when it has gone a metre.
void steady(Checker& check) {
  const double exact = 1 / 0.7;
  for (const char* method : steady_methods)
    for (const double duration : {20.0, 2000.0}) {
      if (duration > 20 && std::string(method) != "dopri5") continue;
      const auto text = [&](const std::string& lasting) {
        return fmt::format(
            "davit: 1\ntitle: glides\nenvironment: {{gravity: 0}}\n"
            "bodies:\n  a: {{joint: {{prismatic: x}}, mass: 1 kg, start: {{travel_rate: 0.7 m/s}}}}\n"
            "  b: {{joint: {{prismatic: y}}, mass: 1 kg}}\n"
            "constraints: {{drive: {{motion: {{joint: b}}}}}}\n"
            "operation:\n  - {{name: wait, until: {{channel: a.travel, above: 1 m{}}}, timeout: 200 s}}\n"
            "  - {{name: go, move: {{b: 1 m}}, over: 1 s}}\n"
            "limits:\n  - {{channel: a.travel, below: 1 m}}\n"
            "run: {{duration: {} s, output: 0.1 s, modes: false, method: {}}}\n",
            lasting, duration, method);
      };
      const std::string name = fmt::format("a glide of {} s, {}", duration, method);
      const CarriedRun run = carried_out(text(""));
      check.absolute(name, "the condition fires at", "s", exact, "exact: 1 m at 0.7 m/s", run.begun(1), 1e-7);
      check.absolute(name, "the move that follows ends at", "s", exact + 1, "exact: a second later", run.ended(1),
                     1e-7);
      check.absolute(name, "the limit is exceeded at", "s", exact, "exact: 1 m at 0.7 m/s",
                     run.limits[0].first_exceeded.value_or(NAN), 1e-7);
      const CarriedRun later = carried_out(text(", for: 0.3 s"));
      check.absolute(name, "with `for: 0.3 s` it fires at", "s", exact + 0.3, "exact: 0.3 s after the crossing",
                     later.begun(1), 1e-7);
    }
}

// A body is thrown up and is above 0.9 m for a short time, inside one step of an adaptive method.
void thrown(Checker& check) {
  const double g = 9.80665, v = 4.5, level = 0.9, rise = (v - std::sqrt(v * v - 2 * g * level)) / g;
  for (const char* method : {"conserving, step: 50 ms", "midpoint, step: 50 ms", "rk4, step: 50 ms", "dopri5"}) {
    const CarriedRun run = carried_out(
        fmt::format("davit: 1\ntitle: thrown\n"
                    "bodies:\n  a: {{joint: {{prismatic: z}}, mass: 1 kg, start: {{travel_rate: {} m/s}}}}\n"
                    "  b: {{joint: {{prismatic: y}}, mass: 1 kg}}\n"
                    "constraints: {{drive: {{motion: {{joint: b}}}}}}\n"
                    "operation:\n  - {{name: wait, until: {{channel: a.travel, above: {} m}}, timeout: 5 s}}\n"
                    "  - {{name: go, move: {{b: 1 m}}, over: 2 s}}\n"
                    "limits:\n  - {{channel: a.travel, below: {} m}}\n"
                    "run: {{duration: 5 s, output: 50 ms, modes: false, method: {}}}\n",
                    v, level, level, method));
    check.absolute(fmt::format("a throw, {}", method), "the condition fires at", "s", rise,
                   "exact: v t − g t²/2 = 0.9 m", run.begun(1), 1e-7);
  }
}

// A bob on a spring swings above a bound and back.
void swings(Checker& check) {
  const double period = 1.2, amplitude = 0.4, w = 2 * std::numbers::pi / period;
  const double through = std::asin(0.23 / amplitude) / w, back = period / 2 - through;
  for (const char* method : {"rk4, step: 5 ms", "rk4, step: 30 ms", "dopri5"}) {
    const CarriedRun run = carried_out(
        fmt::format("davit: 1\ntitle: swings\n"
                    "bodies:\n  bob: {{joint: {{prismatic: x}}, mass: 1 t, start: {{travel_rate: {:.17g} m/s}}}}\n"
                    "  b: {{joint: {{prismatic: y}}, mass: 1 kg}}\n"
                    "forces: {{k: {{joint_spring: {{joint: bob, stiffness: {:.17g} N/m}}}}}}\n"
                    "constraints: {{drive: {{motion: {{joint: b}}}}}}\n"
                    "operation:\n  - {{name: out, until: {{channel: bob.travel, above: 0.23 m}}, timeout: 9 s}}\n"
                    "  - {{name: back, until: {{channel: bob.travel, below: 0.23 m}}, timeout: 9 s}}\n"
                    "  - {{name: go, move: {{b: 1 m}}, over: 1 s}}\n"
                    "limits:\n  - {{channel: bob.travel, below: 0.39 m}}\n"
                    "run: {{duration: 4 s, output: 10 ms, modes: false, method: {}}}\n",
                    amplitude * w, 1000 * w * w, method));
    const std::string name = fmt::format("a swing, {}", method);
    const double tolerance = std::string(method) == "rk4, step: 30 ms" ? 1e-5 : 1e-6;
    check.absolute(name, "rises through a bound at", "s", through, "exact: a sin(2π t/T)", run.begun(1), tolerance);
    check.absolute(name, "falls through it at", "s", back, "exact: a sin(2π t/T)", run.begun(2), tolerance);
    check.relative(name, "largest travel that a limit sees", "m", amplitude, "exact: the amplitude",
                   run.limits[0].worst.value_or(NAN), 0.01);
  }
}

}  // namespace

void conditions(Checker& check) {
  steady(check);
  thrown(check);
  swings(check);
}

}  // namespace davit::verify
