// Controllers in shared libraries: the anti-sway controller of examples/ against the theory of its shapers and of its
// delayed feedback, and winches that a controller commands against winches that a signal commands.
#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "davit/test/source_tree.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double gravity = 9.80665, pi = std::numbers::pi;

// A load of a hundredth of the trolley hangs on it, so that what the trolley does is what it is told.
constexpr double rope_length = 12, sample_time = 0.01;
const double swing = std::sqrt(gravity / rope_length);  // rad/s

struct Trolley {
  int mode = 0;
  double length = rope_length;  // that the controller believes in
  double travel = 0;            // m, within 12 s
  double angle = 0;             // of the load at the start, rad
  double gain = 0, delay = 0;   // of the feedback
  std::string sensors = {};
  std::string method = "rk4";
};

std::string text_of(const Trolley& t) {
  return fmt::format(
      "davit: 1\n"
      "title: a load on a trolley\n"
      "bodies:\n"
      "  trolley: {{joint: {{prismatic: x}}, mass: 20 t}}\n"
      "  sway: {{on: trolley, joint: {{revolute: y}}, mass: 200 kg, centre: [0, 0, {} m], start: {{angle: {:.17g}}}}}\n"
      "control:\n"
      "  antisway: {{library: {{file: {}/libantisway_controller.so, sample_time: {} s, drive: [trolley],{}\n"
      "    measure: [antisway.trolley.target_rate, trolley.travel, trolley.travel_rate, sway.angle],\n"
      "    parameters: {{mode: {}, length: {:.17g} m, mass: 20 t, gain: {}, delay: {:.17g} s, bandwidth: 20 "
      "rad/s}}}}}}\n"
      "{}"
      "run: {{duration: 1000 s, step: {} s, method: {}}}\n",
      -rope_length, t.angle, in_build("controllers"), sample_time, t.sensors, t.mode, t.length, t.gain, t.delay,
      t.travel != 0 ? fmt::format("operation: [{{at: 1 s, over: 12 s, move: {{trolley: {} m}}}}]\n", t.travel) : "",
      sample_time, t.method);
}

// The amplitude that is left when all moves have ended.
double left(const Trolley& trolley) {
  ScenarioRun run(text_of(trolley));
  while (run.state().t < 1 + 12 + 1.5 * 2 * pi / swing) run.step(sample_time);
  return std::hypot(run.state().q[1], run.state().u[1] / swing);
}

// An undamped linear pendulum after a motion x(t) of its pivot: l ω A = |∫ ẍ exp(-iωt) dt|, by parts ω² |∫ ẋ exp(-iωt)
// dt|/…
double left_by_theory(double travel) {
  const Motion move = Motion(0).move(1, 12, travel);
  std::complex<double> sum = 0;
  const int n = 120000;
  for (int i = 0; i < n; ++i) {
    const double t = 1 + 12 * (i + 0.5) / n;
    sum += move.derivative(2, t) * std::polar(12.0 / n, -swing * t);
  }
  return std::abs(sum) / (rope_length * swing);
}

void shapers(Checker& check) {
  const double travel = 2, theory = left_by_theory(travel);
  const double unshaped = left({.mode = 0, .travel = travel});
  check.relative("trolley goes 2 m in 12 s, as asked", "amplitude of the load that is left", "rad", rounded(theory),
                 "exact: linear pendulum, size of ∫ ẍ exp(-iωt) dt over l ω", unshaped, 1e-3);
  const std::string source = "exact: the shaper has a zero at the pendulum's frequency";
  check.at_most("the same through a ZV shaper", "what is left over that without", "1", source,
                left({.mode = 1, .travel = travel}) / unshaped, 1e-3);
  check.at_most("the same through a ZV shaper, by an implicit method", "what is left over that without", "1", source,
                left({.mode = 1, .travel = travel, .method = "conserving"}) / unshaped, 1e-3);
  check.at_most("the same through a ZVD shaper", "what is left over that without", "1", source,
                left({.mode = 2, .travel = travel}) / unshaped, 1e-3);
  // A shaper for another length: its frequency is off by √.
  for (const double believed : {0.7, 1.3}) {
    const double ratio = std::sqrt(believed), zv = std::abs(std::cos(pi / 2 * ratio));
    const std::string name = fmt::format("for a length of {} times the true one", believed);
    check.absolute("ZV shaper " + name, "what is left over that without", "1", rounded(zv),
                   "exact: size of cos(π ω/2ω_s)",
                   left({.mode = 1, .length = believed * rope_length, .travel = travel}) / unshaped, 1e-4);
    check.absolute("ZVD shaper " + name, "what is left over that without", "1", rounded(zv * zv),
                   "exact: cos²(π ω/2ω_s)",
                   left({.mode = 2, .length = believed * rope_length, .travel = travel}) / unshaped, 1e-4);
  }
}

// The root of s² + ω² + k s² exp(-s τ) = 0 beside iω.
std::complex<double> root(double gain, double delay) {
  std::complex<double> s(-gain * swing / 2 * std::sin(swing * delay), swing);
  for (int i = 0; i < 50; ++i) {
    const auto e = gain * std::exp(-s * delay);
    s -= (s * s * (1.0 + e) + swing * swing) / (2.0 * s * (1.0 + e) - s * s * delay * e);
  }
  return s;
}

// Damping and frequency between two peaks of the angle, when all but the slowest motion has gone.
std::complex<double> decay(const Trolley& trolley) {
  ScenarioRun run(text_of(trolley));
  std::vector<std::pair<double, double>> peaks;  // time, angle
  double last_angle = 0, last_rate = 0;
  while (peaks.size() < 6) {
    const double t = run.state().t;
    run.step(sample_time);
    const double angle = run.state().q[1], rate = run.state().u[1];
    if (t > 2 * 2 * pi / swing && last_rate > 0 && rate <= 0) {
      const double part = last_rate / (last_rate - rate);
      peaks.emplace_back(t + part * sample_time, last_angle + part * (angle - last_angle));
    }
    last_angle = angle;
    last_rate = rate;
  }
  const double time = peaks.back().first - peaks.front().first;
  return {std::log(peaks.back().second / peaks.front().second) / time, 2 * pi * 5 / time};
}

void delayed_feedback(Checker& check) {
  struct Case {
    double gain, part;  // of the period
  };
  for (const auto& [gain, part] : {Case{0.2, 0.25}, Case{0.2, 0.15}, Case{0.3, 0.3}}) {
    const double delay = part * 2 * pi / swing;
    const std::complex<double> exact = root(gain, delay);
    const std::string name = fmt::format("delayed feedback of {} after {} of a period", gain, part);
    const std::string source = "exact: root of s² + ω² + k s² exp(-s τ)";
    const auto found = decay({.mode = 3, .angle = 0.03, .gain = gain, .delay = delay});
    check.relative(name, "rate of decay", "1/s", rounded(exact.real()), source, found.real(), 2e-3);
    check.relative(name, "frequency", "rad/s", rounded(exact.imag()), source, found.imag(), 5e-4);
    // Half of the delay in the sensor: the same delay in all, between samples.
    const double late = delay / 2;
    const auto seen = decay({.mode = 3,
                             .angle = 0.03,
                             .gain = gain,
                             .delay = delay - late,
                             .sensors = fmt::format(" sensors: {{sway.angle: {{delay: {:.17g} s}}}},", late)});
    check.relative(name + ", half of it in the sensor", "rate of decay", "1/s", rounded(exact.real()), source,
                   seen.real(), 2e-3);
  }
}

struct Hoist {
  std::string winch;
  std::string operation = {};
  bool by_controller = false;
};

constexpr double mass = 1000, drum_inertia = 100, radius = 0.4;

std::string text_of(const Hoist& h) {
  return fmt::format(
      "davit: 1\n"
      "title: a load on a winch\n"
      "bodies:\n"
      "  top: {{at: [0, 0, 40 m]}}\n"
      "  load: {{at: [0, 0, 10 m], joint: {{prismatic: z}}, mass: {} kg}}\n"
      "ropes: {{rope: {{from: top, to: load, tension: {:.17g} N, EA: 200 MN, damping: 20 ms}}}}\n"
      "winches: {{w: {{rope: rope, drum: {{radius: {} m, inertia: {} kg m^2}}, {}}}}}\n"
      "{}{}"
      "run: {{duration: 100 s, step: 1 ms, method: rk4}}\n",
      mass, mass * gravity, radius, drum_inertia, h.winch,
      h.by_controller ? fmt::format("control: {{pass: {{library: {{file: {}/libpass_on.so, sample_time: 5 ms, measure: "
                                    "[pass.w.target], drive: [w]}}}}}}\n",
                                    in_build("controllers"))
                      : "",
      h.operation);
}

// Length given out by a winch after so many seconds.
double given_out(const Hoist& hoist, double until) {
  ScenarioRun run(text_of(hoist));
  while (run.state().t < until - 1e-9) run.step(1e-3);
  run.look();
  return run.channel("w.paid_out");
}

void commanded_winches(Checker& check) {
  // What is constant is the same, whoever says it.
  const double tension = 1.05 * mass * gravity;
  for (const std::string& winch :
       {std::string("mode: speed, target: -0.3 m/s, limits: {acceleration: 0.5 m/s^2}"),
        std::string("mode: length, target: -0.4 m, limits: {speed: 0.2 m/s}"),
        fmt::format("mode: tension, target: {} N, gain: 1e-4 m/s/N, limits: {{speed: 0.2 m/s}}", tension),
        fmt::format("mode: force, target: {} N, limits: {{speed: 0.5 m/s}}", tension)}) {
    const double by_signal = given_out({.winch = winch}, 3);
    check.absolute("winch commanded by a controller, " + winch.substr(0, winch.find(',')),
                   "rope given out in 3 s beside the same commanded by a signal", "m", 0, "exact: the same command",
                   given_out({.winch = winch, .by_controller = true}, 3) - by_signal, 1e-12);
    check.trend("winch commanded by a signal, " + winch.substr(0, winch.find(',')), "rope given out in 3 s", "m",
                Checker::Side::below, -0.1, "exact: it hoists", by_signal);
  }
  // A speed that rises and falls: samples that are held add up to the same way.
  const Hoist moved{
      .winch = "mode: speed, load: 1 t",
      .operation = "operation: [{at: 1 s, over: 3 s, move: {w: -0.5 m/s}}, {at: 6 s, over: 3 s, move: {w: 0 m/s}}]\n",
      .by_controller = true};
  check.relative("hoisting by a controller, a speed of 0.5 m/s that rises and falls in 3 s each", "rope given out", "m",
                 -0.5 * 5, "exact: integral of the speed", given_out(moved, 20), 1e-8);
  // A constant force of the motor, which hoists against weight and inertia. Rope is wound as it is stretched, by T/EA =
  // 5e-5: that much of the tension is a thousandth of what hoists.
  const Hoist force{.winch = fmt::format("mode: force, target: {:.17g} N", tension), .by_controller = true};
  const double acceleration = (tension - mass * gravity) / (mass + drum_inertia / (radius * radius));
  check.relative("a controller holds the force of a motor at 1.05 of the weight", "rope given out in 5 s", "m",
                 rounded(-acceleration * 12.5), "exact: (F - m g)/(m + J/r²) t²/2", given_out(force, 5), 1e-3);
}

}  // namespace

void own_controller(Checker& check) {
  shapers(check);
  delayed_feedback(check);
  commanded_winches(check);
}

}  // namespace davit::verify
