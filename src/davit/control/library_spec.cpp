#include "davit/control/library_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "davit/control/drive.hpp"
#include "davit/control/library_controller.hpp"
#include "davit/force/joint_forces.hpp"

namespace davit::control {

using input::Record;
using input::Reference;

namespace {

// Numbers that a library may have kept in the state: a history of an hour at a kilohertz.
constexpr int most_states = 4'000'000;

// What a library drives, while it is put together.
struct Drives {
  std::vector<ControllerSetup::Port> ports;
  std::vector<LibraryController::Output> outputs;
};

// What the operation asks of a drive, for the controller to measure: `antisway.trolley.target`.
void show_what_is_asked(const std::string& drive, const std::string& what, const std::string& unit,
                        const std::string& controller, Signal asked, Assembly& assembly) {
  const std::string source = "controller " + controller;
  assembly.observables().add_scalars(
      {{drive + ".target", unit, "what the operation asks of " + what, source, "targets"},
       {drive + ".target_rate", unit + "/s", "its rate", source, "target rates"}},
      [asked](const State&, const Workspace& w, double* values) {
        values[0] = asked.value(w.kin);
        values[1] = asked.rate(w.kin);
      });
}

void add_winch(const std::string& name, const Reference& winch, const LibrarySpec& spec, Assembly& assembly,
               Drives& drives) {
  input::Problems& problems = assembly.problems();
  for (const auto& [limited, limit] : spec.limits.limits)
    if (limited.name == winch.name)
      problems.error(limit.where, "a winch has its limits under 'winches'", "give them there, as limits: {…}");
  const auto port = assembly.port(winch.name);
  if (!port) {
    if (!problems.has_errors())
      problems.error(winch.where, "'" + winch.name + "' takes no commands from a controller",
                     "name joints, and winches that have a drum");
    return;
  }
  drives.ports.push_back({winch.name, port->unit});
  drives.outputs.push_back({port->input, assembly.motion(port->asked).value(0)});
  show_what_is_asked(name + "." + winch.name, winch.name, port->unit, name, port->asked, assembly);
}

void add_joint(const std::string& name, const Reference& joint, const LibrarySpec& spec, Assembly& assembly,
               std::set<std::string>& driven, Drives& drives) {
  const auto at = assembly.coordinate(joint);
  if (!at) return;
  if (!driven.insert(at->name).second) {
    assembly.problems().error(joint.where, "'" + at->name + "' is named twice", "name each joint once");
    return;
  }
  std::optional<input::Quantity> limit;
  for (const auto& [limited, quantity] : spec.limits.limits)
    if (limited.name == joint.name) limit = quantity;
  const int input = add_drive(name, *at, limit, assembly);
  assembly.add(std::make_shared<JointActuator>(name + "." + at->name, *at, input));
  drives.ports.push_back({joint.name, at->angle ? "N m" : "N"});
  drives.outputs.push_back({input, 0});
  show_what_is_asked(drive_name(name, *at, assembly), at->name, at->angle ? "rad" : "m", name,
                     assembly.take_signal(*at), assembly);
}

// Asks the library how many numbers it wants to have kept; nothing after a mistake.
std::optional<int> states_of(const LibrarySpec& spec, const ControllerSetup& setup, input::Problems& problems) {
  const std::filesystem::path file = spec.file.resolved();
  try {
    check_library(file);
    const int states = ControllerProcess(file, setup, 0, spec.time_limit).states();
    if (states >= 0 && states <= most_states) return states;
    problems.error(spec.file.where, fmt::format("{}: it wants {} numbers of state", file.string(), states),
                   fmt::format("let it ask for 0 to {}", most_states));
  } catch (const ControllerError& error) {
    problems.error(spec.file.where, fmt::format("{}: {}", file.string(), error.what()), error.remedy);
  }
  return std::nullopt;
}

}  // namespace

const Record<LibrarySpec>& LibrarySpec::record() {
  static const auto r =
      Record<LibrarySpec>("library", "A controller of your own in a shared library: docs/own_controller.md")
          .field("file", &LibrarySpec::file, "the library, relative to this file. It is a program that Davit runs")
          .example("libantisway.so")
          .field("sample_time", &LibrarySpec::sample_time, "s", "at which it is asked; it holds its outputs in between")
          .above(0)
          .field("measure", &LibrarySpec::measure,
                 "channels that it is told, in this order, in SI; `davit check --channels` lists them")
          .by_default()
          .example("[trolley.travel, sway.angle, hoist.tension]")
          .field("sensors", &LibrarySpec::sensors, "how those channels are seen that are not seen as they are")
          .by_default()
          .field("drive", &LibrarySpec::drive,
                 "what it commands, in this order: joints or joint coordinates (a force or torque), and winches with a "
                 "drum (what their mode is about: force N, speed m/s, length m, tension N)")
          .example("[trolley, hoist]")
          .field("limits", &LibrarySpec::limits, "largest force or torque of joints, without bound if not given")
          .by_default()
          .field("parameters", &LibrarySpec::parameters, "named numbers for it, told in SI")
          .by_default()
          .example("{length: 12 m, gain: 0.4}")
          .field("time_limit", &LibrarySpec::time_limit, "s", "for one answer; then it counts as hanging")
          .at_least(0.001)
          .at_most(1e6)
          .by_default()
          .located(&LibrarySpec::where)
          .check([](const LibrarySpec& s, const input::Where& place, input::Problems& problems) {
            if (s.drive.empty())
              problems.error(place, "'drive' is empty", "name what it commands, e.g. drive: [trolley]");
            for (const auto& limit : s.limits.limits) {
              const std::string& limited = limit.first.name;
              if (std::none_of(s.drive.begin(), s.drive.end(), [&](const auto& d) { return d.name == limited; }))
                problems.error(limit.first.where, "'" + limited + "' has a limit and is not driven",
                               "write it as in 'drive'");
            }
          });
  return r;
}

void LibrarySpec::declare(const std::string& name, Assembly& assembly) const {
  for (const Reference& driven : drive)
    if (assembly.is_target(driven.name)) assembly.command(driven, name);
}

void LibrarySpec::build(const std::string& name, Assembly& assembly) const {
  const size_t errors = assembly.problems().error_count();
  Drives drives;
  std::set<std::string> joints;
  for (const Reference& driven : drive)
    if (assembly.is_commanded(driven.name))
      add_winch(name, driven, *this, assembly, drives);
    else
      add_joint(name, driven, *this, assembly, joints, drives);
  LibraryController::Data data;
  data.sensors = make_sensors(name, measure, sensors, sample_time, assembly);
  if (assembly.problems().error_count() > errors || drives.ports.size() != drive.size()) return;
  data.library = file.resolved();
  data.setup = {name, sample_time, {}, drives.ports, {}};
  for (const Reference& channel : measure)
    data.setup.measured.push_back({channel.name, assembly.channel_unit(channel.name)});
  for (const auto& [parameter, value] : parameters) data.setup.parameters.emplace_back(parameter, value.value());
  data.outputs = drives.outputs;
  data.time_limit = time_limit;
  const auto states = states_of(*this, data.setup, assembly.problems());
  if (!states) return;
  data.states = *states;
  assembly.add(std::make_shared<LibraryController>(std::move(data)));
}

}  // namespace davit::control

namespace davit::input {

Shape Codec<control::DriveLimitSpecs>::shape(const Unit&) {
  Shape shape;
  shape.kind = Shape::Kind::targets;
  shape.element = {Codec<Quantity>::shape({})};
  shape.example = "{trolley: 50 kN}";
  return shape;
}

void Codec<control::DriveLimitSpecs>::read(const Node& node, const Shape& shape, Problems& problems,
                                           control::DriveLimitSpecs& value) {
  if (!node.is_map()) {
    problems.error(node.where(), "a map from joints to limits is expected here", "write e.g. " + shape.example);
    return;
  }
  for (const Node::Entry& entry : node.entries) {
    Quantity limit;
    if (read_quantity(entry.value, Codec<Quantity>::shape({}), problems, limit))
      value.limits.push_back({{entry.key, entry.where()}, limit});
  }
}

Node Codec<control::DriveLimitSpecs>::write(const control::DriveLimitSpecs& value, const Shape&) {
  Node node = map_node();
  for (const auto& [joint, limit] : value.limits) node.entries.push_back({joint.name, {}, write_quantity(limit)});
  return node;
}

}  // namespace davit::input
