// Small motions of runs beside the matrix exponential of the linear model: what is left falls as the square of the
// amplitude.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <unsupported/Eigen/MatrixFunctions>

#include "davit/run/operating_point.hpp"
#include "davit/verify/linear_models.hpp"
#include "davit/verify/scenario_run.hpp"

namespace davit::verify {

namespace {

// A boom on a hydraulic cylinder, which closes a loop with a redundant row; its PID has an integral. The slewing column
// is driven by a constraint.
const char* const luffing_crane =
    "davit: 1\n"
    "title: a boom on a cylinder\n"
    "bodies:\n"
    "  king: {joint: {revolute: z}, mass: 4 t, inertia: [5 t m^2, 5 t m^2, 3 t m^2]}\n"
    "  boom: {on: king, joint: {revolute: -y}, mass: 3 t, centre: [6 m, 0, 0], inertia: [0.3 t m^2, 36 t m^2, 36 t "
    "m^2],\n"
    "    start: {angle: 30 deg}, points: {pin: [3 m, 0, -0.4 m], tip: [12 m, 0, 0]}}\n"
    "  cylinder: {on: king, at: [2 m, 0, -1.5 m], joint: {revolute: -y}, mass: 300 kg, centre: [0.6 m, 0, 0],\n"
    "    inertia: [3 kg m^2, 60 kg m^2, 60 kg m^2], start: {angle: 1.278648 rad}}\n"
    "  piston: {on: cylinder, joint: {prismatic: x}, mass: 150 kg, centre: [-0.5 m, 0, 0],\n"
    "    inertia: [1 kg m^2, 30 kg m^2, 30 kg m^2], start: {travel: 2.771004 m}}\n"
    "  load: {on: boom, at: [12 m, 0, 0], joint: {universal: [x, y]}, mass: 5 t, centre: [0, 0, -6 m],\n"
    "    inertia: [3 t m^2, 3 t m^2, 3 t m^2], start: {angle2: 30 deg}, points: {hook: [0, 0, -6 m]}}\n"
    "constraints:\n"
    "  rod_end: {ball: {from: boom.pin, to: piston}}\n"
    "  slewing: {motion: {joint: king}}\n"
    "control:\n"
    "  luff: {pid: {joints: [piston], kp: 5 MN/m, ki: 1 MN/m/s, kd: 1 MN s/m}}\n"
    "run: {duration: 100 s, step: 1 ms, method: rk4, from_equilibrium: true}\n";

constexpr double end = 3;

// Of x' = A x + B u with constant u, from x(0).
VecX after(const linear::StateSpace& s, const VecX& x, const VecX& u) {
  const Eigen::Index n = s.A.rows(), m = s.B.cols();
  MatX both = MatX::Zero(n + m, n + m);
  both.topLeftCorner(n, n) = s.A;
  both.topRightCorner(n, m) = s.B;
  const MatX flow = (both * end).exp();
  return flow.topLeftCorner(n, n) * x + flow.topRightCorner(n, m) * u;
}

struct Disturbance {
  const char* name;
  double angle1 = 0, angle2 = 0;    // rad, of the load beside its rest
  double luffing = 0, slewing = 0;  // m/s of the piston's target, rad/s² of the king's
};

// Largest difference of outputs over their largest change.
double error_of(const Disturbance& disturbance, double amplitude) {
  ScenarioRun run((std::string(luffing_crane)));
  const Model& model = *run.scenario().model;
  run.state() = operating_point(run.scenario(), run.system()).state;
  const std::vector<std::string> names{"load.hook.x", "load.hook.y",       "load.hook.z",
                                       "boom.angle",  "luff.piston.force", "rod_end.reaction.Fz"};
  const LinearModel linear =
      linear_model(run.system(), run.state(), ports(model, Loop::closed, {"piston.travel", "king.angle"}, names));
  if (linear.inputs[0].derivative != 1 || linear.inputs[1].derivative != 2)
    throw std::logic_error("the inputs are not rate and acceleration");
  VecX x = VecX::Zero(linear.space.A.rows());
  const auto offset = [&](const std::string& name, double by) {
    for (size_t i = 0; i < linear.space.states.size(); ++i)
      if (linear.space.states[i].name == name) x[static_cast<Eigen::Index>(i)] = by;
    const TreeBody& load = run.scenario().tree->body("load");
    run.state().q[load.q + (name.ends_with("1") ? 0 : 1)] += by;
  };
  offset("load.angle1", amplitude * disturbance.angle1);
  offset("load.angle2", amplitude * disturbance.angle2);
  const VecX u = amplitude * Vec2(disturbance.luffing, disturbance.slewing);
  // A straight line has a constant rate; a move whose speed rises evenly a constant acceleration, until after the end.
  SignalMotions& signals = run.state().discrete.signals;
  const auto set = [&](int input, double way, const Profile& profile) {
    const int signal = linear.inputs[static_cast<size_t>(input)].index;
    const double from = signals[signal].value(0);
    if (way != 0) signals.set(signal, Motion(from).move(0, 4 * end, from + way, profile));
  };
  set(0, u[0] * 4 * end, {0, 0});
  set(1, u[1] * 4 * end * end, {1, 2 * end});
  run.begin();
  const double h = 1e-3;
  for (int i = 0; i < static_cast<int>(end / h + 0.5); ++i) run.step(h);
  run.look();
  const VecX expected = linear.space.C * after(linear.space, x, u) + linear.space.D * u;
  double error = 0;
  // Forces beside the weight of the load, lengths beside the amplitude of the hook.
  for (size_t i = 0; i < names.size(); ++i) {
    const double scale = linear.space.outputs[i].unit == "N" ? 5e4 : 6;
    const double change = run.channel(names[i]) - linear.outputs[i].value;
    error = std::max(error, std::abs(change - expected[static_cast<Eigen::Index>(i)]) / scale);
  }
  return error;
}

}  // namespace

void linear_runs(Checker& check) {
  const std::string source = "exact: the matrix exponential of the linear model";
  for (const Disturbance& d :
       {Disturbance{.name = "the load let go beside its rest", .angle1 = 1, .angle2 = 0.5},
        Disturbance{.name = "the piston's target moves off", .luffing = 1},
        Disturbance{.name = "the king turns faster and faster", .slewing = 1},
        Disturbance{.name = "all at once", .angle1 = 1, .angle2 = 0.5, .luffing = 0.5, .slewing = 0.5}}) {
    const double large = error_of(d, 4e-3), small = error_of(d, 2e-3), smallest = error_of(d, 1e-3);
    const std::string name = std::string("boom on a cylinder, ") + d.name + ", 3 s";
    check.order(name, "order of the difference of run and linear model in the amplitude", 2, source,
                std::log2(small / smallest), 0.1);
    check.at_most(name, "difference over amplitude squared at 4e-3", "", source, large / (4e-3 * 4e-3), 30);
  }
}

}  // namespace davit::verify
