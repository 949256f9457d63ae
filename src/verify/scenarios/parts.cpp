// Parts: a scenario made of parts is the scenario that one would have written out, bit for bit; the same lift placed
// and turned elsewhere is the same lift; and the block made of plates holds the steel that its plates hold.
#include "davit/scenario/parts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "davit/input/document.hpp"
#include "davit/mesh/block_mesh.hpp"
#include "davit/mesh/repair.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

using Files = std::map<std::string, std::string>;

ScenarioRun run_of(const std::string& text, const Files& parts) {
  input::Problems problems;
  auto root = input::parse_document(text, "lift.yaml", problems);
  const auto load = [&](const input::FilePath& file, input::Problems& of) -> std::optional<input::LoadedPart> {
    auto tree = input::parse_document(parts.at(file.text), file.text, of);
    return input::LoadedPart{*std::move(tree), file.text};
  };
  if (root) expand_parts(*root, problems, load);
  if (!root || problems.has_errors()) throw std::runtime_error(problems.to_text());
  auto scenario = build_scenario(*root, "lift.yaml", {}, problems);
  if (!scenario) throw std::runtime_error(problems.to_text());
  return ScenarioRun(*std::move(scenario));
}

// A crane with a hook on a rope, of two parts.
const Files crane_files{{"crane.yaml", R"(part: {title: crane}
parameters: {boom_length: {unit: m}, drop: 6 m, rate: 0.1 rad/s}
bodies:
  king: {joint: {revolute: z}, mass: 8 t, centre: [0, 0, 1 m], inertia: [9e3, 9e3, 5e3], start: {angle_rate: =rate}}
  boom: {on: king, at: [0, 0, 2 m], joint: {revolute: -y}, mass: =boom_length * 100 kg/m, centre: [=boom_length / 2, 0, 0],
    cylinder: {radius: 0.3 m, length: =boom_length, axis: x}, start: {angle: 50 deg}, points: {tip: [=boom_length, 0, 0]}}
parts: {hook: {part: hook.yaml, on: boom.tip, set: {drop: =drop, tip: boom.tip}}}
control: {hold: {pid: {joints: [king, boom], kp: =boom_length^2 * 1e6 N/m, kd: =boom_length^2 * 1e5 N s/m}}}
exports: {eye: hook.eye}
)"},
                        {"hook.yaml", R"(part: {title: hook}
parameters: {drop: {unit: m}, tip: {kind: name}}
bodies:
  block: {level: true, at: [0, 0, =-drop], joint: free, mass: 2 t, box: {size: [1 m, 1 m, 1 m]}, points: {top: [0, 0, 0.5 m], eye: [0.2 m, 0, -0.5 m]}}
ropes: {fall: {from: =tip, to: block.top, tension: 20 kN, EA: 5 MN, damping: 20 ms}}
exports: {eye: block.eye}
)"}};

// What the parts stand for, as one would write it: all names and numbers by hand.
std::string crane_by_hand(const std::string& name, const std::string& frame, double boom_length, double drop) {
  return fmt::format(R"(  {0}: {{{1}}}
  {0}/king: {{on: {0}, joint: {{revolute: z}}, mass: 8000 kg, centre: [0, 0, 1], inertia: [9000, 9000, 5000], start: {{angle_rate: 0.1}}}}
  {0}/boom: {{on: {0}/king, at: [0, 0, 2], joint: {{revolute: -y}}, mass: {2} kg, centre: [{3}, 0, 0],
    cylinder: {{radius: 0.3, length: {4}, axis: x}}, start: {{angle: 50 deg}}, points: {{tip: [{4}, 0, 0]}}}}
  {0}/hook: {{on: {0}/boom.tip}}
  {0}/hook/block: {{on: {0}/hook, level: true, at: [0, 0, {5}], joint: free, mass: 2000, box: {{size: [1, 1, 1]}},
    points: {{top: [0, 0, 0.5], eye: [0.2, 0, -0.5]}}}}
)",
                     name, frame, boom_length * 100, boom_length / 2, boom_length, -drop);
}
std::string rope_by_hand(const std::string& name) {
  return fmt::format(
      "  {0}/hook/fall: {{from: {0}/boom.tip, to: {0}/hook/block.top, tension: 20000, EA: 5e6, damping: 0.02}}\n",
      name);
}
std::string control_by_hand(const std::string& name, double boom_length) {
  const double l2 = boom_length * boom_length;
  return fmt::format("  {0}/hold: {{pid: {{joints: [{0}/king, {0}/boom], kp: {1} N m/rad, kd: {2} N m s/rad}}}}\n",
                     name, l2 * 1e6, l2 * 1e5);
}

const char* const head = "davit: 1\ntitle: parts\nrun: {duration: 2 s, step: 10 ms}\n";

// A ship that rolls, a lift on it by two cranes of one part, and a load between their hooks.
const char* const ship =
    R"(  ship: {joint: roll_pitch_yaw, mass: 900 t, centre: [0, 0, -1 m], box: {size: [40 m, 12 m, 4 m]}, start: {roll: 6 deg, roll_rate: 0.05 rad/s},
    points: {bow: [10 m, 2 m, 3 m]}}
  load: {on: ship, at: [-1 m, 14 m, 6 m], joint: free, mass: 3 t, box: {size: [2 m, 2 m, 1 m]}, points: {a: [1 m, 0, 0.5 m], b: [-1 m, 0, 0.5 m]}}
)";
const char* const springs = R"(forces:
  roll: {joint_spring: {joint: ship.roll, stiffness: 2e7 N m/rad}}
  pitch: {joint_spring: {joint: ship.pitch, stiffness: 2e8 N m/rad}}
  yaw: {joint_spring: {joint: ship.yaw, stiffness: 2e7 N m/rad}}
)";
const char* const tags = R"(  a: {from: load.a, to: west/hook/block.eye, tension: 15 kN, EA: 2 MN, damping: 20 ms}
  b: {from: load.b, to: east/hook/block.eye, tension: 15 kN, EA: 2 MN, damping: 20 ms}
)";

std::string two_cranes() {
  return std::string(head) + "bodies:\n" + ship + springs + R"(ropes:
  a: {from: load.a, to: west.eye, tension: 15 kN, EA: 2 MN, damping: 20 ms}
  b: {from: load.b, to: east.eye, tension: 15 kN, EA: 2 MN, damping: 20 ms}
parts:
  west: {part: crane.yaml, on: ship.bow, heading: 100 deg, set: {boom_length: 14 m}}
  east: {part: crane.yaml, on: ship, at: [-12 m, 2 m, 3 m], heading: 80 deg, set: {boom_length: 16 m, drop: 7 m}}
)";
}

std::string two_cranes_by_hand() {
  return std::string(head) + "bodies:\n" + ship + crane_by_hand("west", "on: ship.bow, turn: [{z: 100 deg}]", 14, 6) +
         crane_by_hand("east", "on: ship, at: [-12, 2, 3], turn: [{z: 80 deg}]", 16, 7) + springs + "ropes:\n" + tags +
         rope_by_hand("west") + rope_by_hand("east") + "control:\n" + control_by_hand("west", 14) +
         control_by_hand("east", 16);
}

constexpr int steps = 200;

void bit_for_bit(Checker& check) {
  ScenarioRun parts = run_of(two_cranes(), crane_files), by_hand = run_of(two_cranes_by_hand(), {});
  int differ = 0;
  double most = 0;
  for (int i = 0; i < steps; ++i) {
    parts.step(0.01);
    by_hand.step(0.01);
    if (parts.state().hash() != by_hand.state().hash()) ++differ;
  }
  parts.look();
  by_hand.look();
  for (const Channel& channel : by_hand.scenario().model->channels())
    most = std::max(most, std::abs(parts.channel(channel.name) - by_hand.channel(channel.name)));
  const std::string source = "oracle: the same scenario written out";
  check.absolute("two cranes of one part on a ship that rolls", "steps whose state differs in any bit", "", 0, source,
                 differ, 0);
  check.absolute("two cranes of one part on a ship that rolls", "largest difference of a channel", "", 0, source, most,
                 0);
  check.trend("two cranes of one part on a ship that rolls", "sway of the load, which shows that something moves", "m",
              Checker::Side::above, 0.05, source, std::abs(parts.channel("load.position_y") - 14));
}

// The same crane at the origin, and elsewhere and turned: no distance and no force changes.
void placed(Checker& check) {
  const auto lift = [&](const std::string& place) {
    return run_of(std::string(head) + "parts: {c: {part: crane.yaml, set: {boom_length: 14 m}" + place + "}}\n",
                  crane_files);
  };
  ScenarioRun here = lift(""), there = lift(", at: [30 m, -20 m, 5 m], heading: 130 deg");
  double tension = 0, place = 0;
  const Mat3 R = axis_rotation(2, 130 * M_PI / 180);
  for (int i = 0; i < steps; ++i) {
    here.step(0.01);
    there.step(0.01);
    here.look();
    there.look();
    const auto hook = [](const ScenarioRun& run) {
      return Vec3(run.channel("c/hook/block.position_x"), run.channel("c/hook/block.position_y"),
                  run.channel("c/hook/block.position_z"));
    };
    const double T = here.channel("c/hook/fall.tension");
    tension = std::max(tension, std::abs(there.channel("c/hook/fall.tension") - T) / T);
    place = std::max(place, (hook(there) - R * hook(here) - Vec3(30, -20, 5)).norm());
  }
  const std::string source = "invariant: a lift moved and turned about the vertical is the same lift";
  check.at_most("a crane placed and turned", "largest change of the tension, relative", "", source, tension, 1e-11);
  check.at_most("a crane placed and turned", "largest distance of the hook from the turned one", "m", source, place,
                1e-12);
}

// V = plates + girders + floors less their holes + stiffeners between floors + lugs.
double steel_of(const BlockForm& f) {
  const double L = f.size.x(), B = f.size.y(), D = f.size.z(), t = f.plate, between = D - 2 * t;
  const double bay = B / (f.girders + 1);
  const double hole =
      (BlockForm::hole_right - BlockForm::hole_left) * bay * (BlockForm::hole_top - BlockForm::hole_bottom) * D;
  const double floor = t * ((B - (f.girders + 2) * t) * between - (f.girders + 1) * hole);
  const double bars = 2 * t * BlockForm::stiffener_height * D * (L - f.floors * t) * (f.girders + 1) * f.stiffeners;
  return 2 * L * B * t + (f.girders + 2) * t * L * between + f.floors * floor + bars +
         4 * f.lug_length * t * f.lug_height;
}

void block(Checker& check) {
  for (const auto& [floors, girders, stiffeners] : {std::tuple(5, 3, 1), std::tuple(8, 6, 3), std::tuple(2, 2, 0)}) {
    BlockForm form;
    form.size = {20, 24, 2.2};
    form.floors = floors;
    form.girders = girders;
    form.stiffeners = stiffeners;
    const TriangleMesh mesh = block_mesh(form);
    const RepairedMesh repaired = repair(mesh);
    const std::string name = fmt::format("block of {} floors, {} girders, {} stiffeners per bay ({} triangles)", floors,
                                         girders, stiffeners, mesh.count());
    check.relative(name, "volume of its steel", "m^3", steel_of(form),
                   "exact: plates, girders, floors, bars and lugs added up", repaired.volume, 1e-12);
    check.absolute(name, "edges that are open, and faults that need repair", "", 0, "exact: a closed surface",
                   (repaired.closed ? 0.0 : 1.0) + static_cast<double>(repaired.problems.size()), 0);
  }
}

}  // namespace

void reusable_parts(Checker& check) {
  bit_for_bit(check);
  placed(check);
  block(check);
}

}  // namespace davit::verify
