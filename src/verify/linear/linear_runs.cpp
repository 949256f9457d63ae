// Small motions of runs beside the matrix exponential of the linear model: what is left falls as the square of the
// amplitude.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <unsupported/Eigen/MatrixFunctions>

#include "davit/simulation/operating_point.hpp"
#include "davit/test/source_tree.hpp"
#include "verify/linear/linear_models.hpp"
#include "verify/scenarios/scenario_run.hpp"

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

// A barge that floats free, with the memory of its waves, and a load that swings on its boom.
const std::string crane_barge =
    "davit: 1\n"
    "title: a crane on a barge\n"
    "vessels: {barge: {hydrodynamics: " +
    in_source("vessels/barge_59x22.h5") +
    ", roll_damping: 0.03}}\nbodies:\n"
    "  boom: {on: barge, at: [10 m, 0, 8 m], joint: {revolute: -y}, mass: 10 t, centre: [8 m, 0, 0],\n"
    "    inertia: [1 t m^2, 200 t m^2, 200 t m^2], start: {angle: 40 deg}, points: {tip: [16 m, 0, 0]}}\n"
    "  load: {on: boom, at: [16 m, 0, 0], joint: {universal: [x, y]}, mass: 30 t, centre: [0, 0, -8 m],\n"
    "    inertia: [20 t m^2, 20 t m^2, 20 t m^2], start: {angle2: 40 deg}, points: {hook: [0, 0, -8 m]}}\n"
    "control: {luff: {pid: {joints: [boom], kp: 100 MN m/rad, kd: 60 MN m s/rad}}}\n"
    "operation: [{at: 0 s, move: {boom: 40 deg}, over: 1 s}]\n"
    "run: {duration: 100 s, step: 1 ms, method: rk4, from_equilibrium: true}\n";

struct Machine {
  std::string name;
  std::string text;
  std::vector<std::string> inputs, outputs;
  double time, weight;  // s, N
};
const Machine luffing{
    "boom on a cylinder",
    luffing_crane,
    {"piston.travel", "king.angle"},
    {"load.hook.x", "load.hook.y", "load.hook.z", "boom.angle", "luff.piston.force", "rod_end.reaction.Fz"},
    3,
    5e4};
const Machine floating{
    "crane on a barge",
    crane_barge,
    {"boom.angle"},
    {"load.hook.x", "load.hook.y", "load.hook.z", "barge.roll", "barge.pitch", "barge.position_z", "boom.reaction.Fz"},
    5,
    3e5};

struct Disturbance {
  const char* name;
  double angle1 = 0, angle2 = 0;  // rad, of the load beside its rest
  VecX inputs = {};               // constant: rates, or accelerations, of the targets
};

// Of x' = A x + B u with constant u, from x(0).
VecX after(double time, const linear::StateSpace& s, const VecX& x, const VecX& u) {
  const Eigen::Index n = s.A.rows(), m = s.B.cols();
  MatX both = MatX::Zero(n + m, n + m);
  both.topLeftCorner(n, n) = s.A;
  both.topRightCorner(n, m) = s.B;
  const MatX flow = (both * time).exp();
  return flow.topLeftCorner(n, n) * x + flow.topRightCorner(n, m) * u;
}

// A straight line has a constant rate; a move whose speed rises evenly a constant acceleration, until after the end.
Motion constant(int derivative, double value, double from, double time) {
  if (value == 0) return Motion(from);
  if (derivative == 1) return Motion(from).move(0, 4 * time, from + value * 4 * time, {0, 0});
  return Motion(from).move(0, 4 * time, from + value * 4 * time * time, {1, 2 * time});
}

// Of a run and the linear model at the end, by output: lengths and angles as they are, forces over the load's weight.
struct Ends {
  VecX difference, response;  // what the linear model does not say, and what it says
};
Ends ends_of(const Machine& machine, const Disturbance& disturbance, double amplitude) {
  ScenarioRun run((std::string(machine.text)));
  const Model& model = *run.scenario().model;
  State& state = run.state();
  state = operating_point(run.scenario(), run.system()).state;
  for (int i = 0; i < state.discrete.signals.size(); ++i)
    state.discrete.signals.set(i, Motion(state.discrete.signals[i].value(0)));
  const LinearModel linear =
      linear_model(run.system(), state, ports(model, Loop::closed, machine.inputs, machine.outputs));
  VecX x = VecX::Zero(linear.space.A.rows());
  const TreeBody& load = run.scenario().tree->body("load");
  for (const auto& [name, q, by] : {std::tuple{"load.angle1", load.q, amplitude * disturbance.angle1},
                                    std::tuple{"load.angle2", load.q + 1, amplitude * disturbance.angle2}}) {
    for (size_t i = 0; i < linear.space.states.size(); ++i)
      if (linear.space.states[i].name == name) x[static_cast<Eigen::Index>(i)] = by;
    state.q[q] += by;
  }
  VecX u = VecX::Zero(linear.space.B.cols());
  for (Eigen::Index i = 0; i < disturbance.inputs.size(); ++i) {
    const LinearModel::InputInfo& input = linear.inputs[static_cast<size_t>(i)];
    u[i] = amplitude * disturbance.inputs[i];
    state.discrete.signals.set(
        input.index, constant(input.derivative, u[i], state.discrete.signals[input.index].value(0), machine.time));
  }
  run.begin();
  const double h = 1e-3;
  for (int i = 0; i < static_cast<int>(machine.time / h + 0.5); ++i) run.step(h);
  run.look();
  const VecX expected = linear.space.C * after(machine.time, linear.space, x, u) + linear.space.D * u;
  Ends ends{VecX(expected.size()), VecX(expected.size())};
  for (Eigen::Index i = 0; i < expected.size(); ++i) {
    const auto output = static_cast<size_t>(i);
    const double scale = linear.space.outputs[output].unit == "N" ? machine.weight : 1;
    const double change = run.channel(machine.outputs[output]) - linear.outputs[output].value;
    ends.difference[i] = (change - expected[i]) / scale;
    ends.response[i] = expected[i] / scale;
  }
  return ends;
}

// A difference a ε + b ε² + … at ε and 2 ε: the order is that of its largest part, and a = (4 d(ε) - d(2ε))/(2ε).
void small_motions(Checker& check, const Machine& machine, const std::vector<Disturbance>& disturbances) {
  const std::string source = "exact: the matrix exponential of the linear model";
  for (const Disturbance& d : disturbances) {
    const Ends large = ends_of(machine, d, 2e-3), small = ends_of(machine, d, 1e-3);
    const auto size = [](const VecX& x) { return x.cwiseAbs().maxCoeff(); };
    const std::string name = fmt::format("{}, {}, {} s", machine.name, d.name, machine.time);
    check.order(name, "order of the difference of run and linear model in the amplitude", 2, source,
                std::log2(size(large.difference) / size(small.difference)), 0.1);
    check.at_most(name, "part of the difference that is linear in the amplitude, over the response", "", source,
                  size(4 * small.difference - large.difference) / 2 / size(small.response), 1e-4);
  }
}

}  // namespace

void linear_runs(Checker& check) {
  small_motions(check, luffing,
                {{.name = "the load let go beside its rest", .angle1 = 1, .angle2 = 0.5},
                 {.name = "the piston's target moves off", .inputs = Vec2(1, 0)},
                 {.name = "the king turns faster and faster", .inputs = Vec2(0, 1)},
                 {.name = "all at once", .angle1 = 1, .angle2 = 0.5, .inputs = Vec2(0.5, 0.5)}});
  small_motions(check, floating,
                {{.name = "the load let go beside its rest", .angle1 = 1, .angle2 = 0.5},
                 {.name = "the boom is raised", .inputs = VecX::Constant(1, 1.0)}});
}

}  // namespace davit::verify
