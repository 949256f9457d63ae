#include "davit/scenario/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "davit/force/gravity.hpp"
#include "davit/hydro/convert.hpp"
#include "davit/input/document.hpp"
#include "davit/input/emit.hpp"
#include "davit/input/file_path.hpp"
#include "davit/input/overlay.hpp"
#include "davit/operation/lever_resolve.hpp"
#include "davit/operation/resolve.hpp"
#include "davit/result/csv.hpp"
#include "davit/scenario/attached.hpp"
#include "davit/scenario/bodies.hpp"
#include "davit/scenario/environment.hpp"
#include "davit/scenario/limits.hpp"
#include "davit/scenario/neighbours.hpp"
#include "davit/scenario/parts.hpp"
#include "davit/scenario/plausibility.hpp"
#include "davit/scenario/start_checks.hpp"
#include "davit/scenario/under_water.hpp"
#include "davit/scenario/vessels.hpp"
#include "davit/scenario/wave_probes.hpp"
#include "davit/sea/wave_field.hpp"
#include "davit/solve/vibration.hpp"
#include "davit/vessel/floating_condition.hpp"

namespace davit {

namespace {

using input::Problems;

// A result larger than this is refused, with advice.
constexpr double largest_result = 16e9;  // bytes

// Speeds up to which the stiffness of a model is looked at when a method is chosen: it takes a dense matrix.
constexpr int most_for_stiffness = 200;

std::string human_bytes(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int i = 0;
  while (bytes >= 1000 && i < 5) bytes /= 1000, ++i;
  return fmt::format("{:.3g} {}", bytes, units[i]);
}

void add_gravity(const Specification& spec, const std::vector<Frame>& frames, Assembly& assembly) {
  std::vector<Gravity::Weight> weights;
  for (size_t i = 0; i < frames.size(); ++i) {
    const auto& [name, body] = spec.bodies[i];
    assembly.add_value(name + ".mass", body.mass, "kg");
    assembly.add_value(name + ".weight", body.mass * spec.environment.gravity, "N");
    if (!body.weightless && body.mass > 0)
      weights.push_back({frames[i].body, body.mass, frames[i].offset * body.centre});
  }
  if (spec.environment.gravity > 0 && !weights.empty())
    assembly.add(std::make_shared<Gravity>(Vec3(0, 0, -spec.environment.gravity), std::move(weights)));
}

void check_unique_names(const Specification& spec, Problems& problems) {
  std::set<std::string> seen;
  const auto visit = [&](const auto& named, const char* what) {
    for (const auto& [name, element] : named)
      if (!seen.insert(name).second)
        problems.error(element.where, fmt::format("the {} '{}' has the name of something else", what, name),
                       "channels are named after bodies, forces, controllers and the like: give each its own name");
  };
  visit(spec.bodies, "body");
  visit(spec.surfaces, "surface");
  visit(spec.constraints, "constraint");
  visit(spec.forces, "force");
  visit(spec.ropes, "rope");
  visit(spec.winches, "winch");
  visit(spec.slings, "set of slings");
  visit(spec.control, "controller");
  visit(spec.clearances, "clearance");
}

// All that a file makes, counted together: beyond it a model fills the memory before its first step.
constexpr size_t most_elements = 10'000;

bool check_count(const Specification& spec, Problems& problems) {
  size_t legs = 0;
  for (const auto& [name, slings] : spec.slings) legs += slings.to.size();
  const size_t count = spec.bodies.size() + spec.surfaces.size() + spec.constraints.size() + spec.forces.size() +
                       spec.ropes.size() + spec.winches.size() + legs + spec.control.size() + spec.clearances.size();
  if (count <= most_elements) return true;
  problems.error(spec.where,
                 fmt::format("the model has {} bodies, surfaces, constraints, forces, ropes, slings and controllers "
                             "together, more than the {} that Davit builds",
                             count, most_elements),
                 "leave out what does not matter to the lift, or let one element stand for many");
  return false;
}

// What has mistakes of its own, so that their consequences are not reported too.
struct InvalidElements {
  std::set<std::string> names;  // bodies, forces and controllers
  bool elements = false;        // any of them …
  bool section = false;         // … or all of a section
  bool run = false;
  explicit InvalidElements(const Problems& problems) : names(problems.unreadable()) {
    for (const auto& p : problems.all()) {
      if (p.severity != input::Problem::error) continue;
      const std::string& path = p.where.path;
      const std::string top = path.substr(0, path.find_first_of(".["));
      run = run || top == "run";
      static const std::set<std::string> sections{"vessels", "bodies",  "surfaces", "constraints", "forces",
                                                  "ropes",   "winches", "slings",   "control",     "clearances"};
      if (!sections.count(top)) continue;
      elements = true;
      section = section || path == top;
      if (path == top) continue;
      // A name may hold what else ends it: every beginning counts.
      const std::string rest = path.substr(top.size() + 1);
      for (size_t end = rest.find_first_of(".["); end != std::string::npos; end = rest.find_first_of(".[", end + 1))
        names.insert(rest.substr(0, end));
      names.insert(rest);
    }
  }
};

using VesselData = std::vector<std::optional<vessel::Hydrodynamics>>;

// What limits can be about.
std::vector<result::ChannelInfo> channels_of(const Model& model) {
  std::vector<result::ChannelInfo> channels;
  for (const Channel& c : model.channels()) channels.push_back(info_of(c));
  for (const auto& c : channels_of_every_run()) channels.push_back(c);
  return channels;
}

// Makes the environment, and reports what of it is wrong for the model.
void surround(const Model& model, const Surroundings& given, Scenario& out, Problems& problems) {
  out.environment = model.make_environment(given);
  for (const auto& check : out.environment_checks) check(*out.environment, problems);
  const auto waves = given.find<sea::Waves>();
  out.wave_ramp = out.feels_waves && waves ? wave_ramp_of(out.specification, *waves) : 0;
}

std::unique_ptr<Model> build_model(const Specification& spec, const Bodies& bodies, const VesselData& vessels,
                                   Problems& problems, Scenario& out) {
  Assembly assembly(out.tree, problems, InvalidElements(problems).names);
  if (!bodies.particles.empty()) assembly.add_particles(bodies.particles);
  for (const Body& body : bodies.of_directors) assembly.add_director_body(body);
  for (const auto& [name, body] : spec.bodies) {
    out.body_frames.push_back(assembly.body_frame(name).value());
    for (const auto& [point, at] : body.points) assembly.add_point(name, point, at);
  }
  add_gravity(spec, out.body_frames, assembly);
  const rope::RopesSpec ropes{spec.environment.gravity, spec.ropes, spec.winches, spec.slings};
  rope::add_targets(ropes, assembly);
  for (const auto& [name, force] : spec.forces)
    if (force.add_targets) force.add_targets(name, assembly);
  for (const auto& [name, controller] : spec.control)
    if (controller.add_targets) controller.add_targets(name, assembly);
  operation::Plan plan =
      operation::plan_operation(spec.operation, spec.run.duration, spec.levers.has_value(), assembly);
  // What has mistakes of its own is not built: its values mean nothing.
  const std::set<std::string> doubtful = InvalidElements(problems).names;
  for (const auto& [name, surface] : spec.surfaces)
    if (!doubtful.count(name)) surface.build(name, assembly);
  check_surface_sizes(spec, assembly);
  const auto build = [&](const auto& named) {
    for (const auto& [name, element] : named)
      if (element.build && !doubtful.count(name)) element.build(name, assembly);
  };
  const Surroundings around = surroundings_of(spec, problems);
  share_environment(spec.environment, around, assembly);
  if (spec.levers) share_weather_signals(spec.environment, assembly);
  add_wave_probes(spec.environment, assembly);
  const std::vector<vessel::Built> afloat = build_vessels(spec, vessels, doubtful, assembly);
  build(spec.constraints);
  build(spec.forces);
  rope::build(ropes, doubtful, assembly);
  build(spec.control);
  vessel::build_waves(afloat, spec.environment.gravity, assembly);
  for (const auto& [name, clearance] : spec.clearances)
    if (!doubtful.count(name)) clearance.build(name, assembly);
  const EquilibriumWish wish =
      spec.run.from_equilibrium.value_or(spec.vessels.empty() ? EquilibriumWish::no : EquilibriumWish::attempt);
  out.from_equilibrium = wish != EquilibriumWish::no;
  out.needs_equilibrium = wish == EquilibriumWish::yes;
  out.modes = spec.run.modes;
  if (spec.run.offset)
    for (const auto& [joint, by] : spec.run.offset->targets)
      if (const auto at = assembly.coordinate(joint))
        out.offsets.push_back({at->q, assembly.joint_quantity(by, *at, "rad", "m")});
  check_environment_is_felt(spec.environment, !spec.vessels.empty(), assembly);
  out.feels_waves = !spec.vessels.empty() || assembly.was_asked_for<sea::WaveField>();
  std::unique_ptr<Model> model = assembly.finish();
  if (!InvalidElements(problems).elements) assembly.check(*model);
  out.environment_checks = assembly.environment_checks();
  out.values = assembly.values();
  surround(*model, around, out, problems);

  const InvalidElements invalid(problems);
  const auto is_doubtful = [&](const std::string& element) {
    return invalid.section || (element.empty() ? invalid.elements : invalid.names.count(element) > 0);
  };
  const Limitable limitable{channels_of(*model), out.values, out.wave_ramp, is_doubtful};
  const auto bound = [&](const input::Threshold& threshold, const Channel& channel) {
    return bound_of(threshold, info_of(channel), limitable, problems);
  };
  out.operation =
      operation::resolve_operation(std::move(plan), {*model, bound, is_doubtful, spec.run.duration}, problems);
  resolve_limits(limitable, out, problems);
  out.rigging = resolve_rigging(spec, *model, invalid.names, problems);
  return model;
}

void choose_channels(const Specification& spec, Scenario& out, Problems& problems) {
  const auto selected = [&](const std::vector<std::string>& patterns, const std::string& name) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& p) { return result::matches(p, name); });
  };
  std::set<std::string> limited;  // limits are about every row
  for (const auto& l : out.limits) limited.insert(l.channel);
  std::vector<std::string> names;
  for (const Channel& c : out.model->channels()) names.push_back(c.name);
  for (const auto& c : channels_of_every_run()) names.push_back(c.name);
  const auto matches_nothing = [&](const std::string& pattern) {
    return std::none_of(names.begin(), names.end(),
                        [&](const std::string& name) { return result::matches(pattern, name); });
  };
  const char* const remedy = "run `davit check --channels FILE` for the list of channels";
  for (const std::string& pattern : spec.run.channels)
    if (matches_nothing(pattern))
      problems.error(spec.run.where, fmt::format("run.channels: '{}' matches no channel", pattern), remedy);
  for (const std::string& pattern : spec.run.plot)  // the run is worth its while without the plot
    if (matches_nothing(pattern))
      problems.warning(spec.run.where, fmt::format("run.plot: '{}' matches no channel", pattern), remedy);
  for (Channel c : out.model->channels()) {
    if (!spec.run.plot.empty()) c.main = selected(spec.run.plot, c.name);
    if (spec.run.channels.empty() || c.always_recorded() || limited.count(c.name) ||
        selected(spec.run.channels, c.name))
      out.channels.push_back(std::move(c));
  }
}

// Whether a step is beyond what an explicit method is stable to at the start.
bool steps_over(const Model& model, State start, const std::string& name, double step) {
  if (!method(name).fixed_step || model.nu() > most_for_stiffness || !model.servos().empty()) return false;
  if (!method(name).make(model, {})->is_explicit()) return false;
  System system(model);
  system.commit(start);
  return vibration_modes(system, start).fastest * step > stability_limit;
}

void choose_method(const Specification& spec, Scenario& out, Problems& problems) {
  const RunSpec& run = spec.run;
  out.options.end = run.duration;
  out.options.resolve_loads = run.resolve_loads;
  out.method = run.method;
  out.method_reason = "as asked";
  if (run.method == "auto") {
    MethodAdvice advice = advise_method(*out.model, run.step.has_value());
    if (run.step && !problems.has_errors() && steps_over(*out.model, out.initial_state(), advice.name, *run.step))
      advice = {"conserving", fmt::format("auto: a step of {:.3g} s does not resolve the stiffest part", *run.step)};
    out.method = advice.name;
    out.method_reason = advice.reason;
  }
  const bool fixed = method(out.method).fixed_step;
  out.options.step = run.step.value_or(run.duration / 100);
  if (fixed && !run.step)
    problems.error(run.where, "method " + out.method + " needs a step",
                   run.method == "auto" ? "give e.g. step: 10 ms" : "give e.g. step: 10 ms, or use method: dopri5");
  if (fixed && !problems.has_errors()) check_step_in_waves(spec, problems);
  if (run.step && *run.step > run.duration)
    problems.error(run.where, "the step is longer than the run", "give a step of a small part of the duration");
  out.options.output = run.output.value_or(fixed ? out.options.step : run.duration / 1000);
  if (fixed && run.step && run.duration / *run.step > 1e12)
    problems.error(run.where, "the run would take more than 1e12 steps", "shorten the duration or lengthen the step");
}

// How a vessel floats, with what rests on it by contact and hangs on ropes from it at the start.
std::string floating_note(const Specification& spec, size_t i, const vessel::Hydrodynamics& hydrodynamics,
                          const std::shared_ptr<const Tree>& tree, const input::Node& root, Problems& problems) {
  const std::string& name = spec.vessels[i].first;
  const vessel::VesselSpec& vessel_spec = spec.vessels[i].second;
  const Attached attached = attached_to(name, spec, tree, root);
  const auto note = [&](const vessel::VesselSpec& of, const vessel::Hydrodynamics& h) {
    return vessel::check_floating(name, of, h, spec.environment.water(), spec.run.units, problems);
  };
  if (!(attached.load.weight.mass > 0)) return note(vessel_spec, hydrodynamics);
  // It comes on top of a weight that has what is on board in it already.
  vessel::Hydrodynamics with = hydrodynamics;
  vessel::VesselSpec of = vessel_spec;
  of.weight = vessel::Weight::vessel_only;
  with.carried_mass = hydro::mass_properties_of(
      hydro::mass_matrix(with.carried_mass, Vec3::Zero()) + hydro::mass_matrix(attached.load.weight, Vec3::Zero()),
      Vec3::Zero());
  with.hanging += attached.load.hanging;
  std::string words;
  const auto list = [&](const std::vector<std::string>& bodies, const char* how) {
    for (const std::string& body : bodies) words += (words.empty() ? "'" : ", '") + body + "' " + how;
  };
  list(attached.resting, "by contact");
  list(attached.hanging, "on ropes");
  return note(of, with) +
         fmt::format("; {} of that are {}", page::with_unit(attached.load.weight.mass, "kg", spec.run.units), words);
}

// Of a box that has the waterplane's area and second moments: C33 = ρgA, C44 = ρg(I + V z_B) - m g z_G.
Scenario::Form form_of(const hydro::Database& database) {
  const hydro::FloatingBody& body = database.bodies.front();
  const double weight = database.density * database.gravity;
  const double area = body.restoring(2, 2) / weight;
  const double mass = body.loading ? body.loading->mass : database.density * body.volume;
  const double volume = std::isfinite(body.volume) ? body.volume : mass / database.density;
  if (!(area > 0) || !(volume > 0)) return {};
  const double draft = volume / area;
  const double below = std::isfinite(body.buoyancy.z()) ? body.buoyancy.z() : -draft / 2;
  const double above = body.loading ? body.loading->centre.z() : 0;
  const auto side = [&](int motion) {
    const double second_moment =
        (body.restoring(motion, motion) + mass * database.gravity * above) / weight - volume * below;
    return std::sqrt(12 * std::max(second_moment, 0.0) / area);
  };
  Scenario::Form form{side(4), side(3), draft};
  if (!(form.length > 0) || !(form.beam > 0)) return {};
  form.fullness = area / (form.length * form.beam);
  return form;
}

void check_size(const Scenario& scenario, Problems& problems) {
  const SimulationOptions& options = scenario.options;
  const size_t channels = scenario.channels.size() + channels_of_every_run().size();
  const double rows = options.end / options.output + 1, row_bytes = 8 * static_cast<double>(channels + 1);
  if (rows * row_bytes <= largest_result) return;
  // Rounded up to two digits, so that the advice is good.
  const double least = options.end * row_bytes / largest_result;
  const double digit = std::pow(10.0, std::floor(std::log10(least)) - 1);
  problems.error(
      scenario.specification.run.where,
      fmt::format("the result would have {:.3g} rows of {} channels: {}, more than the {} that Davit writes", rows,
                  channels, human_bytes(rows * row_bytes), human_bytes(largest_result)),
      fmt::format("shorten the duration, record less often (run.output: {:.2g} s) or fewer channels (run.channels: "
                  "[king.*, …])",
                  std::ceil(least / digit + 1e-9) * digit));
}

// Paths of other files as the scenario's own file would write them, wherever they stood (in a base, a part, on the
// command line).
input::Node with_own_paths(input::Node root, const Specification& spec, const std::filesystem::path& file) {
  for (const auto& [name, vessel] : spec.vessels) {
    if (!vessel.hydrodynamics) continue;
    const std::filesystem::path found = vessel.hydrodynamics->resolved(),
                                own = found.lexically_relative(file.parent_path());
    root.find("vessels")->find(name)->find("hydrodynamics")->text = (own.empty() ? found : own).string();
  }
  for (const auto& [name, surface] : spec.surfaces) {
    if (!surface.mesh) continue;
    const std::filesystem::path found = surface.mesh->resolved(), own = found.lexically_relative(file.parent_path());
    root.find("surfaces")->find(name)->find("mesh")->text = (own.empty() ? found : own).string();
  }
  if (input::Node* control = root.find("control"))
    for (auto& entry : control->entries) {
      input::Node* library = entry.value.find("library");
      input::Node* path = library ? library->find("file") : nullptr;
      if (!path) continue;
      const std::filesystem::path found = input::FilePath{path->text, path->where()}.resolved(),
                                  own = found.lexically_relative(file.parent_path());
      path->text = (own.empty() ? found : own).string();
    }
  return root;
}

// What can be shown and told apart of what it was read from.
void keep_source(const input::Node& root, Scenario& out) {
  const Specification& spec = out.specification;
  out.source = root;
  out.weather.clear();
  if (const input::Node* environment = root.find("environment"))
    for (const char* key : {"waves", "wind", "current"})
      if (const input::Node* given = environment->find(key))
        out.weather.push_back({key, weather_as_given(*given) + weather_in_numbers(spec.environment, key)});
  out.effective_text = input::to_yaml(with_own_paths(root, spec, out.file));
  out.provenance.clear();
  for (const auto& entry : root.entries)
    out.provenance += fmt::format("{}: {}:{}\n", entry.key, entry.where().file, entry.where().line);
  input::Node lasting = with_own_paths(root, spec, out.file);
  if (input::Node* run = lasting.find("run"))
    std::erase_if(run->entries, [](const input::Node::Entry& e) {
      return e.key == "duration" || e.key == "output" || e.key == "channels" || e.key == "plot";
    });
  out.identity = input::to_yaml(lasting);
}

std::optional<Scenario> assemble_parts(const input::Node& root, const std::string& file,
                                       const vessel::NewHulls& new_hulls, Problems& problems,
                                       const input::Named<ForceSpec>& own) {
  Scenario out;
  out.file = file;
  out.specification = input::read<Specification>(root, problems);
  for (const auto& element : own) out.specification.forces.push_back(element);
  VesselData vessels = add_vessel_bodies(out.specification, new_hulls, problems);
  for (size_t i = 0; i < vessels.size(); ++i)
    if (vessels[i] && !vessels[i]->unsolved.empty())
      out.unsolved_hulls.push_back({out.specification.vessels[i].first, vessels[i]->unsolved});
  for (const auto& each : vessels) out.forms.push_back(each ? form_of(each->database) : Scenario::Form{});
  resolve_points(out.specification.bodies, problems);
  const Specification& spec = out.specification;
  if (!check_count(spec, problems)) return std::nullopt;
  check_unique_names(spec, problems);
  const std::size_t errors = problems.error_count();
  check_sizes(root, spec, problems);
  // What is joined to a mass that cannot be computed with would be reported as missing.
  if (problems.error_count() > errors) return std::nullopt;
  check_neighbours(spec, out.forms, problems);
  if (spec.bodies.empty() && !problems.has_errors())
    problems.error(spec.where, "there are no bodies", "give at least one body that can move, or a vessel");
  Bodies bodies = build_bodies(spec.bodies, InvalidElements(problems).names, problems);
  try {
    out.tree = std::make_shared<Tree>(bodies.of_tree);
    release_free_bodies(out.specification.bodies, bodies, out.tree);
    if (load_vessels(out.specification, bodies, out.tree, vessels, problems))
      out.tree = std::make_shared<Tree>(bodies.of_tree);
  } catch (const std::invalid_argument& mistake) {
    if (!problems.has_errors()) problems.error(spec.where, mistake.what(), "correct the body named");
    return std::nullopt;
  }
  const bool moves = out.tree->nu() > 0 || !bodies.particles.empty() || !bodies.of_directors.empty();
  if (!moves && !problems.has_errors()) {
    problems.error(spec.where, "nothing can move: all joints are fixed",
                   "give a body a joint, e.g. joint: {revolute: z}");
    return std::nullopt;
  }
  if (!InvalidElements(problems).elements)
    for (size_t i = 0; i < spec.vessels.size(); ++i)
      if (vessels[i]) out.notes.push_back(floating_note(spec, i, *vessels[i], out.tree, root, problems));
  if (!spec.bodies.empty()) out.model = build_model(spec, bodies, vessels, problems, out);
  const InvalidElements invalid(problems);
  if (moves && !invalid.elements) {
    const State start = out.initial_state();
    const bool has_inertia = check_inertia(spec, *out.model, start, problems);
    check_contacts(spec, *out.model, start, problems);
    if (has_inertia) check_compliant_contacts(spec, *out.model, start, problems);
    check_under_water(out, problems);
    if (has_inertia) out.degrees_of_freedom = out.model->nu() - check_constraints(spec, *out.model, start, problems);
    if (!invalid.run) choose_channels(spec, out, problems);
  }
  if (spec.run.duration > 0 && !invalid.run && out.model) choose_method(spec, out, problems);
  if (problems.has_errors()) return std::nullopt;
  if (spec.levers) {
    const double step = method(out.method).fixed_step ? out.options.step : 0;
    out.levers = operation::resolve_levers(*spec.levers, *out.model, out.operation, step, problems);
    if (!out.levers) return std::nullopt;
  }
  check_size(out, problems);
  if (problems.has_errors()) return std::nullopt;
  const auto stepper = out.make_stepper();
  if (const auto why = unsupported_reason(*stepper, *out.model, out.options.step))
    problems.error(spec.run.where, *why, "see run.method and run.step");
  if (spec.run.reduced && stepper->is_explicit())
    problems.error(spec.run.where,
                   "run.reduced is about the equations of implicit methods, and " + out.method + " is explicit",
                   "choose another run.method, or leave run.reduced out");
  if (problems.has_errors()) return std::nullopt;
  keep_source(root, out);
  return out;
}

std::optional<Scenario> assemble(const input::Node& root, const std::string& file, const vessel::NewHulls& new_hulls,
                                 Problems& problems, const input::Named<ForceSpec>& own = {}) {
  try {
    return assemble_parts(root, file, new_hulls, problems, own);
  } catch (const Breakdown& broken) {
    const auto described = [&](const char* section) {
      const input::Node* of = root.find(section);
      return of ? of->find(broken.element) : nullptr;
    };
    if (const input::Node* rope = described("ropes")) {
      problems.error(rope->where(), broken.why, "lay the rope another way, or move its ends");
      return std::nullopt;
    }
    const input::Node* controller = described("control");
    problems.error((controller ? *controller : root).where(), broken.why, "correct the controller, or run without it");
    return std::nullopt;
  } catch (const std::exception& mistake) {
    // An element that refuses its numbers should say so at their place; at least the file is named.
    problems.error(root.where(), fmt::format("this lift cannot be built: {}", mistake.what()),
                   "change what was added last, and report the file: the message should name the place");
    return std::nullopt;
  }
}

// Nobody waits minutes for a hull to hear of a mistake that could be seen at once: all is read and built with hulls
// only planned first, and solved when that was good.
std::optional<Scenario> assemble_then_solve(const input::Node& root, const std::string& file,
                                            const vessel::NewHulls& new_hulls, Problems& problems,
                                            const input::Named<ForceSpec>& own = {}) {
  Problems of_plan = problems;
  auto planned = assemble(root, file, vessel::NewHulls::plan, of_plan, own);
  if (planned && !planned->unsolved_hulls.empty()) return assemble(root, file, new_hulls, problems, own);
  problems = std::move(of_plan);
  return planned;
}

// What a mistake in a part leaves means nothing, and its consequences are not reported.
bool with_parts(input::Node& root, Problems& problems) {
  const std::size_t errors = problems.error_count();
  expand_parts(root, problems);
  return problems.error_count() == errors;
}

}  // namespace

result::ChannelInfo info_of(const Channel& c) { return {c.name, c.unit, c.description, c.source, c.main, c.group}; }

std::vector<result::ChannelInfo> channels_of_every_run() {
  const std::string source = "System::energy", solver = "Stepper::counts";
  return {{"energy.kinetic", "J", "kinetic energy of all bodies", source, true, "energy"},
          {"energy.potential", "J", "potential of gravity and springs", source, true, "energy"},
          {"energy.total", "J", "kinetic and potential energy", source, true, "energy"},
          {"energy.power", "W", "power of forces without a potential, positive when they feed the model", source, false,
           "power"},
          {"solver.step", "s", "length of the last step", solver, false, "solver"},
          {"solver.iterations", "1", "of Newton's method in the last step", solver, false, "solver"},
          {"solver.rejected", "1", "tries of the last step that were given up", solver, false, "solver"}};
}

State Scenario::first_state() const {
  State out = initial_state();
  out.operation = operation.beginning(!levers || levers->automatic);
  return out;
}

std::unique_ptr<Stepper> Scenario::make_stepper() const {
  MethodOptions o;
  o.step = options.step;
  o.tolerance = specification.run.tolerance;
  o.implicit.spectral_radius = specification.run.spectral_radius;
  o.implicit.dissipation = specification.run.dissipation;
  o.implicit.reduced = specification.run.reduced;
  return davit::method(method).make(*model, o);
}

std::vector<Constraint> Scenario::named_constraints() const {
  std::set<std::string> names;
  for (const auto& [name, element] : specification.constraints) names.insert(name);
  std::vector<Constraint> named;
  for (const auto& c : model->constraints())
    if (names.count(c.constraint.name)) named.push_back(c.constraint);
  return named;
}

namespace {

// Where settings for another sea may point.
bool is_of_environment(const std::string& setting) {
  const std::string path = setting.substr(0, setting.find('='));
  const auto below = [&](std::string_view section) {
    return path == section ||
           (path.starts_with(section) && (path[section.size()] == '.' || path[section.size()] == '['));
  };
  return below("environment.waves") || below("environment.wind") || path == "run.seed" || path == "title";
}

}  // namespace

std::optional<Scenario> in_another_sea(const Scenario& from, const std::vector<std::string>& settings,
                                       Problems& problems) {
  input::Node root = from.source;
  for (const std::string& setting : settings) {
    if (!is_of_environment(setting)) {
      problems.error(root.where(), fmt::format("'{}' is no part of the environment: it makes another model", setting),
                     "set environment.waves, environment.wind and run.seed, or load the file anew");
      return std::nullopt;
    }
    input::apply_setting(root, setting, problems);
  }
  Specification read = input::read<Specification>(root, problems);
  if (problems.has_errors()) return std::nullopt;
  const EnvironmentSpec& before = from.specification.environment;
  if (read.environment.waves.has_value() != before.waves.has_value() ||
      read.environment.wind.has_value() != before.wind.has_value()) {
    problems.error(root.where(), "waves or wind come or go: it makes another model",
                   "begin with a file that has both, however small, or load the file anew");
    return std::nullopt;
  }
  Scenario out = from;
  out.specification.environment = read.environment;
  out.specification.title = read.title;
  out.specification.run.seed = read.run.seed;
  const Surroundings given = surroundings_of(out.specification, problems);
  if (problems.has_errors()) return std::nullopt;
  if ((given.find<sea::Waves>() == nullptr) != (from.environment->find<sea::Waves>() == nullptr)) {
    problems.error(root.where(), "a sea without any waves: it makes another model",
                   "give waves a height, however small");
    return std::nullopt;
  }
  surround(*out.model, given, out, problems);
  if (method(out.method).fixed_step) check_step_in_waves(out.specification, problems);
  out.limits.clear();
  out.limit_units.clear();
  out.limit_phases.clear();
  resolve_limits({channels_of(*out.model), out.values, out.wave_ramp, [](const std::string&) { return false; }}, out,
                 problems);
  check_size(out, problems);
  if (problems.has_errors()) return std::nullopt;
  keep_source(root, out);
  return out;
}

std::vector<std::string> cases_of(const std::filesystem::path& file, Problems& problems) {
  const auto root = input::load_with_base(file, problems);
  return root ? input::case_names(*root) : std::vector<std::string>();
}

std::optional<Scenario> load_scenario(const std::filesystem::path& file, const std::vector<std::string>& settings,
                                      Problems& problems, const vessel::NewHulls& new_hulls,
                                      const std::string& case_name) {
  auto root = input::load_with_base(file, problems);
  if (!root) return std::nullopt;
  if (root->is_map()) input::apply_case(*root, case_name, problems);
  for (const std::string& setting : settings) input::apply_setting(*root, setting, problems);
  if (!with_parts(*root, problems)) return std::nullopt;
  if (new_hulls == vessel::NewHulls::plan) return assemble(*root, file.string(), new_hulls, problems);
  return assemble_then_solve(*root, file.string(), new_hulls, problems);
}

std::optional<Scenario> load_again(const std::string& effective_text, const std::filesystem::path& file,
                                   const std::vector<std::string>& settings, Problems& problems,
                                   const vessel::NewHulls& new_hulls) {
  auto root = input::parse_document(effective_text, file.string(), problems);
  if (!root) return std::nullopt;
  for (const std::string& setting : settings) input::apply_setting(*root, setting, problems);
  if (!with_parts(*root, problems)) return std::nullopt;
  return assemble_then_solve(*root, file.string(), new_hulls, problems);
}

std::optional<Scenario> build_scenario(const input::Node& root, const std::string& name,
                                       const input::Named<ForceSpec>& own, Problems& problems) {
  input::Node whole = root;
  if (!with_parts(whole, problems)) return std::nullopt;
  return assemble_then_solve(whole, name, vessel::NewHulls::solve, problems, own);
}

std::optional<Scenario> parse_scenario(const std::string& text, const std::string& name, Problems& problems) {
  auto root = input::parse_document(text, name, problems);
  if (root && root->is_map()) input::apply_case(*root, "", problems);
  if (!root || !with_parts(*root, problems)) return std::nullopt;
  auto scenario = assemble(*root, name, vessel::NewHulls::plan, problems);
  if (!scenario || scenario->unsolved_hulls.empty()) return scenario;
  for (const auto& [vessel, spec] : scenario->specification.vessels)
    for (const Scenario::UnsolvedHull& hull : scenario->unsolved_hulls)
      if (hull.vessel == vessel)
        problems.error(spec.where, "the hull was not solved before",
                       "run the scenario from a file, or solve it with `davit hydro solve`");
  return std::nullopt;
}

}  // namespace davit
