// Linear models beside closed forms: an overhead crane with trolley, pendulum and hoist, its poles, zeros and what its
// inputs reach.
#include "verify/linear/linear_models.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "davit/simulation/operating_point.hpp"
#include "verify/scenarios/scenario_run.hpp"

namespace davit::verify {

using linear::Complex;

PortSelection ports(const Model& model, Loop loop, const std::vector<std::string>& inputs,
                    const std::vector<std::string>& outputs) {
  PortSelection out;
  out.loop = loop;
  const auto place = [](const auto& list, const std::string& name) {
    for (size_t i = 0; i < list.size(); ++i)
      if (list[i].name == name) return static_cast<int>(i);
    return -1;
  };
  for (const std::string& name : inputs) {
    const int port = place(model.inputs(), name), signal = place(model.signals(), name);
    if (port < 0 && signal < 0) throw std::logic_error("there is no input " + name);
    port >= 0 ? out.inputs.push_back(port) : out.signals.push_back(signal);
  }
  for (const std::string& name : outputs) {
    const int channel = place(model.channels(), name);
    if (channel < 0) throw std::logic_error("there is no channel " + name);
    out.outputs.push_back(model.channels()[static_cast<size_t>(channel)]);
  }
  return out;
}

double apart(std::vector<Complex> a, std::vector<Complex> b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double gap = 0, size = 1;
  for (const Complex& x : a) {
    const auto nearest = std::min_element(
        b.begin(), b.end(), [&](const Complex& y, const Complex& z) { return std::abs(x - y) < std::abs(x - z); });
    gap = std::max(gap, std::abs(x - *nearest));
    size = std::max(size, std::abs(x));
    b.erase(nearest);
  }
  return gap / size;
}

double apart(const MatX& a, const MatX& b) { return apart(MatXc(a.cast<Complex>()), MatXc(b.cast<Complex>())); }
double apart(const MatXc& a, const MatXc& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

namespace {

constexpr double g = 9.80665, trolley = 8000, load = 20000, length = 12;
constexpr double kp = 40e3, kd = 60e3, hoist_kp = 800e3, hoist_ki = 100e3, hoist_kd = 200e3;

// `hold` is what holds the trolley.
std::string crane_text(const std::string& hold, const std::string& controllers) {
  return fmt::format(
      "davit: 1\n"
      "title: an overhead crane\n"
      "bodies:\n"
      "  trolley: {{at: [0, 0, 18 m], joint: {{prismatic: x}}, mass: {} kg}}\n"
      "  rope: {{on: trolley, joint: {{revolute: -y}}}}\n"
      "  load: {{on: rope, at: [0, 0, {} m], joint: {{prismatic: -z}}, mass: {} kg, points: {{hook: [0, 0, 0]}}}}\n"
      "{}control:\n{}  hoist: {{pid: {{joints: [load], kp: {} N/m, ki: {} N/m/s, kd: {} N s/m}}}}\n"
      "run: {{duration: 10 s, step: 10 ms, method: rk4, from_equilibrium: true}}\n",
      trolley, -length, load, hold, controllers, hoist_kp, hoist_ki, hoist_kd);
}
std::string driven_trolley() { return crane_text("constraints: {travel: {motion: {joint: trolley}}}\n", ""); }
std::string pushed_trolley() {
  return crane_text("", fmt::format("  travel: {{pid: {{joints: [trolley], kp: {} N/m, kd: {} N s/m}}}}\n", kp, kd));
}

LinearModel linear_at_start(const Scenario& scenario, const PortSelection& selection) {
  System system(*scenario.model);
  return linear_model(system, operating_point(scenario, system).state, selection);
}

const Complex swing(0, std::sqrt(g / length));
const Complex free_swing(0, std::sqrt((trolley + load) * g / (trolley * length)));

// (M + m) ẍ + m l θ̈ = F, ẍ + l θ̈ + g θ = 0, m s̈ = T about a load at rest: states x, θ, s and their rates.
void open_loop(Checker& check) {
  const std::string name = "overhead crane, controllers cut off";
  const Scenario scenario = scenario_of(pushed_trolley());
  const LinearModel model =
      linear_at_start(scenario, ports(*scenario.model, Loop::open, {"travel.trolley.travel", "hoist.load.travel"},
                                      {"trolley.travel", "load.hook.x", "load.hook.z"}));
  MatX A = MatX::Zero(6, 6), B = MatX::Zero(6, 2), C = MatX::Zero(3, 6);
  A.topRightCorner(3, 3).setIdentity();
  A(3, 1) = load * g / trolley;
  A(4, 1) = -(trolley + load) * g / (trolley * length);
  B(3, 0) = 1 / trolley;
  B(4, 0) = -1 / (trolley * length);
  B(5, 1) = 1 / load;
  C(0, 0) = C(1, 0) = 1;
  C(1, 1) = length;
  C(2, 2) = -1;
  const std::string source = "exact: equations of trolley, pendulum and hoist";
  check.at_most(name, "A beside its closed form", "", source, apart(model.space.A, A), 1e-13);
  check.at_most(name, "B beside its closed form", "", source, apart(model.space.B, B), 1e-13);
  check.at_most(name, "C beside its closed form", "", source, apart(model.space.C, C), 1e-13);
  check.at_most(name, "largest entry of D", "", source, model.space.D.cwiseAbs().maxCoeff(), 0);
  check.relative(name, "force of the hoist at the point", "N", -load * g, "exact: the weight", model.inputs[1].value,
                 1e-9);
  check.at_most(name, "poles beside four at zero and the swing of trolley and load", "", source,
                apart(linear::poles(model.space), {0, 0, 0, 0, free_swing, std::conj(free_swing)}), 1e-13);
  const auto zeros_of = [&](std::vector<int> inputs, std::vector<int> outputs) {
    return linear::zeros(linear::selected(model.space, inputs, outputs));
  };
  check.at_most(name, "zeros from both forces to trolley and height of the hook", "",
                "exact: the load swings under a trolley at rest, ±i √(g/l)",
                apart(zeros_of({0, 1}, {0, 2}), {swing, std::conj(swing)}), 1e-12);
  check.absolute(name, "zeros from both forces to the place of the hook", "", 0,
                 "exact: none, a flat output of relative degree six",
                 static_cast<double>(zeros_of({0, 1}, {1, 2}).size()), 0);
}

// PD on the trolley, PID on the hoist: the integral of the error is a state, and targets enter by their rate.
void closed_loop(Checker& check) {
  const std::string name = "overhead crane, controllers at work";
  const Scenario scenario = scenario_of(pushed_trolley());
  const LinearModel model = linear_at_start(
      scenario, ports(*scenario.model, Loop::closed, {"load.travel"}, {"load.travel", "hoist.load.force"}));
  const std::string source = "exact: m s³ + kd s² + kp s + ki, and the swing with kd s + kp on the trolley";
  // Hoist, integral and set value.
  std::vector<Complex> expected{0};
  MatX hoist(3, 3), travel(4, 4);
  hoist << 0, 1, 0, -hoist_kp / load, -hoist_kd / load, -hoist_ki / load, 1, 0, 0;
  travel << 0, 0, 1, 0, 0, 0, 0, 1, -kp / trolley, load * g / trolley, -kd / trolley, 0, kp / (trolley * length),
      -(trolley + load) * g / (trolley * length), kd / (trolley * length), 0;
  for (const MatX& A : {hoist, travel})
    for (const Complex& pole : linear::poles({A, {}, {}, {}, {}, {}, {}})) expected.push_back(pole);
  check.at_most(name, "poles beside those of two polynomials", "", source, apart(linear::poles(model.space), expected),
                1e-12);
  const Complex s(-0.2, 1.5);
  const Complex follows = (hoist_kd * s * s + hoist_kp * s + hoist_ki) /
                          (load * s * s * s + hoist_kd * s * s + hoist_kp * s + hoist_ki) / s;
  const MatXc seen = linear::transfer(model.space, s);
  check.at_most(name, "transfer from the target's rate to the travel of the load", "", source,
                std::abs(seen(0, 0) - follows) / std::abs(follows), 1e-12);
  const Complex force = load * s * s * follows;
  check.at_most(name, "transfer from the target's rate to the commanded force, by differences", "", source,
                std::abs(seen(1, 0) - force) / std::abs(force), 1e-8);
}

// A trolley on a driven row: θ̈ = -g θ/l - σ̈/l, in states θ, θ̇, σ, σ̇ and with σ̈ as input.
void driven_row(Checker& check) {
  const std::string name = "overhead crane, trolley driven by a constraint";
  const Scenario scenario = scenario_of(driven_trolley());
  const LinearModel model = linear_at_start(
      scenario, ports(*scenario.model, Loop::open, {"trolley.travel"}, {"rope.angle", "load.hook.x", "travel.force"}));
  const std::string source = "exact: a pendulum under a point that is moved";
  const Complex s(0.1, 0.7);
  MatXc exact(3, 1);
  const Complex angle = -1.0 / (length * (s * s + g / length));
  exact << angle, 1.0 / (s * s) + length * angle, trolley - load * g * angle;
  const MatXc seen = linear::transfer(model.space, s);
  check.at_most(name, "transfer from acceleration to angle and hook", "", source,
                apart(MatXc(seen.topRows(2)), MatXc(exact.topRows(2))), 1e-12);
  check.at_most(name, "transfer from acceleration to the drive's force, by differences", "", source,
                std::abs(seen(2, 0) - exact(2, 0)) / std::abs(exact(2, 0)), 1e-8);
  check.absolute(name, "derivative of the target that is the input", "", 2, "exact: a row holds with its acceleration",
                 model.inputs[0].derivative, 0);
  // The hoist, whose force stays as it is, has two poles at zero that nothing here reaches or sees: one of
  // two that are not simple, known to half of the digits.
  check.at_most(name, "zeros from acceleration to the hook", "", "exact: those of the hoist alone, two at zero",
                apart(linear::zeros(linear::selected(model.space, {0}, {1})), {0, 0}), 1e-7);
  check.at_most(name, "zeros from acceleration to the angle", "",
                "exact: those of the hoist, and set value and rate, which the angle does not show: four at zero",
                apart(linear::zeros(linear::selected(model.space, {0}, {0})), {0, 0, 0, 0}), 1e-12);
}

// Three drives make the tip of a crane follow: ë + 2 ζ ω ė + ω² e = 0 in each direction, whatever the crane is.
void tip_under_control(Checker& check) {
  const std::string name = "tip of a crane under control";
  constexpr double period = 2, damping = 0.7, omega = 2 * M_PI / period;
  const Scenario scenario = scenario_of(fmt::format(
      "davit: 1\n"
      "title: a crane whose tip is under control\n"
      "bodies:\n"
      "  king: {{joint: {{revolute: z}}, mass: 9 t, inertia: [5 t m^2, 5 t m^2, 3 t m^2]}}\n"
      "  inner: {{on: king, at: [0.5 m, 0, 3 m], joint: {{revolute: -y}}, mass: 3 t, centre: [4 m, 0, 0],\n"
      "    inertia: [0.3 t m^2, 16 t m^2, 16 t m^2], start: {{angle: 50 deg}}}}\n"
      "  outer: {{on: inner, at: [8 m, 0, 0], joint: {{revolute: -y}}, mass: 2 t, centre: [3 m, 0, 0],\n"
      "    inertia: [0.2 t m^2, 6 t m^2, 6 t m^2], start: {{angle: -70 deg}}, points: {{tip: [6 m, 0, 0]}}}}\n"
      "control: {{tip: {{tip: {{point: outer.tip, joints: [king, inner, outer], period: {} s, damping: {}}}}}}}\n"
      "run: {{duration: 1 s, step: 10 ms, from_equilibrium: true}}\n",
      period, damping));
  const LinearModel model = linear_at_start(
      scenario, ports(*scenario.model, Loop::closed, {"tip.x", "tip.z"}, {"outer.tip.x", "outer.tip.z"}));
  const Complex pole = omega * Complex(-damping, std::sqrt(1 - damping * damping));
  const std::string source = "exact: Tysse & Egeland (117)";
  check.at_most(name, "poles beside three pairs, and four at zero of the moves", "", source,
                apart(linear::poles(model.space),
                      {0, 0, 0, 0, pole, pole, pole, std::conj(pole), std::conj(pole), std::conj(pole)}),
                1e-9);
  const Complex s(0.2, 0.9);
  check.at_most(name, "transfer from accelerations of the moves to the tip, beside 1/s²", "", source,
                apart(linear::transfer(model.space, s), MatXc(MatXc::Identity(2, 2) / (s * s))), 1e-10);
}

// Two pendulums of one length under a trolley swing against each other whatever the trolley does.
void hidden_mode(Checker& check) {
  const auto space_of = [](double second) {
    const Scenario scenario = scenario_of(fmt::format(
        "davit: 1\n"
        "title: two loads under a trolley\n"
        "bodies:\n"
        "  trolley: {{joint: {{prismatic: x}}, mass: 5 t}}\n"
        "  left: {{on: trolley, at: [-2 m, 0, 0], joint: {{revolute: -y}}, mass: 2 t, centre: [0, 0, -9 m]}}\n"
        "  right: {{on: trolley, at: [2 m, 0, 0], joint: {{revolute: -y}}, mass: 2 t, centre: [0, 0, {} m]}}\n"
        "control: {{travel: {{pid: {{joints: [trolley], kp: 1 N/m}}}}}}\n"
        "run: {{duration: 1 s, step: 10 ms, from_equilibrium: true}}\n",
        -second));
    return linear_at_start(scenario, ports(*scenario.model, Loop::open, {"travel.trolley.travel"}, {"trolley.travel"}))
        .space;
  };
  const Complex together(0, std::sqrt(9 * g / (5 * 9))), against(0, std::sqrt(g / 9));
  const auto mode = [](const std::vector<linear::ModeAccess>& all, Complex pole) {
    return *std::min_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
      return std::abs(a.pole - pole) < std::abs(b.pole - pole);
    });
  };
  const std::string name = "two equal pendulums under a trolley";
  const linear::StateSpace equal = space_of(9), unequal = space_of(7);
  const std::string source = "exact: one mode swings against itself at √(g/l), without the trolley";
  const linear::ModeAccess hidden = mode(linear::controllability(equal), against),
                           unseen = mode(linear::observability(equal), against);
  check.at_most(name, "pole of the mode that swings against itself", "", source,
                std::abs(hidden.pole - against) / std::abs(against), 1e-12);
  check.absolute(name, "motions of it that the trolley's force does not reach", "", 1, source, hidden.hidden, 0);
  check.absolute(name, "motions of it that the trolley's place does not show", "", 1, source, unseen.hidden, 0);
  check.absolute(
      name, "hidden motions of the mode that swings together", "", 0, source,
      mode(linear::controllability(equal), together).hidden + mode(linear::observability(equal), together).hidden, 0);
  check.at_most(name, "zeros from force to place: the hidden mode and the loads under a held trolley", "", source,
                apart(linear::zeros(equal), {against, std::conj(against), against, std::conj(against)}), 1e-7);
  int missed = 0;
  double least = 1;
  for (const linear::ModeAccess& m : linear::controllability(unequal)) {
    missed += m.hidden;
    least = std::min(least, m.measure);
  }
  check.absolute("two unequal pendulums under a trolley", "motions that the trolley's force does not reach", "", 0,
                 "exact: none", missed, 0);
  check.trend("two unequal pendulums under a trolley", "least measure of reach", "", Checker::Side::above, 1e-3,
              "exact: both lengths answer differently", least);
}

}  // namespace

void linear_models(Checker& check) {
  open_loop(check);
  closed_loop(check);
  driven_row(check);
  tip_under_control(check);
  hidden_mode(check);
  linear_mechanism(check);
  linear_runs(check);
}

}  // namespace davit::verify
