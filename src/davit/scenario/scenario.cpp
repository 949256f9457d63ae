// From a file to a scenario that can be run: read, resolved, assembled, method and channels chosen, hulls solved.
#include "davit/scenario/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "davit/input/document.hpp"
#include "davit/input/emit.hpp"
#include "davit/input/overlay.hpp"
#include "davit/operation/lever_resolve.hpp"
#include "davit/result/csv.hpp"
#include "davit/scenario/attached.hpp"
#include "davit/scenario/invalid_elements.hpp"
#include "davit/scenario/model_building.hpp"
#include "davit/scenario/parts.hpp"
#include "davit/scenario/plausibility.hpp"
#include "davit/scenario/result_size.hpp"
#include "davit/scenario/source.hpp"
#include "davit/scenario/start_checks.hpp"
#include "davit/scenario/under_water.hpp"
#include "davit/solve/vibration.hpp"

namespace davit {

namespace {

using input::Problems;

// Speeds up to which the stiffness of a model is looked at when a method is chosen: it takes a dense matrix.
constexpr int most_for_stiffness = 200;

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

// `own`: elements that a program made, as forces.
Specification read_specification(const input::Node& root, const input::Named<BuiltByProgram>& own, Problems& problems) {
  Specification out = input::read<Specification>(root, problems);
  for (const auto& [name, how] : own)
    out.elements.add(
        registry().forces.key(), name,
        ElementSpec(std::make_shared<const BuiltByProgram>(how), {root.where().file, 0, 0, "forces." + name}));
  return out;
}

std::optional<Scenario> assemble_parts(const input::Node& root, const std::string& file,
                                       const vessel::NewHulls& new_hulls, Problems& problems,
                                       const input::Named<BuiltByProgram>& own) {
  Scenario out;
  out.file = file;
  out.specification = read_specification(root, own, problems);
  const Specification& spec = out.specification;
  auto resolved = resolve(spec, root, new_hulls, problems);
  if (!resolved) return std::nullopt;
  out.bodies = resolved->bodies;
  out.forms = resolved->forms;
  for (const auto& [name, vessel] : spec.elements.of<vessel::VesselSpec>())
    if (const auto hull = resolved->hulls.find(name); hull != resolved->hulls.end() && !hull->second->unsolved.empty())
      out.unsolved_hulls.push_back({name, hull->second->unsolved});
  const Bodies& bodies = resolved->parts;
  try {
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
    for (const auto& [name, vessel] : spec.elements.of<vessel::VesselSpec>())
      if (resolved->hulls.count(name)) out.notes.push_back(floating_note(name, spec, *resolved, problems));
  if (!out.bodies.empty()) out.model = build_model(*resolved, out, problems);
  const InvalidElements invalid(problems);
  if (moves && !invalid.elements) {
    const State start = out.initial_state();
    const bool has_inertia = check_inertia(out, start, problems);
    check_contacts(out, start, problems);
    if (has_inertia) check_compliant_contacts(out, start, problems);
    check_under_water(out, problems);
    if (has_inertia) out.degrees_of_freedom = out.model->nu() - check_constraints(out, start, problems);
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
                                 Problems& problems, const input::Named<BuiltByProgram>& own = {}) {
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
                                            const input::Named<BuiltByProgram>& own = {}) {
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
          {"solver.rejected", "1", "tries of the last step that were given up", solver, false, "solver"},
          {"solver.violation", "1", "of constraints that hold exactly, the largest: m, or rad of angles",
           "System::violation", false, "solver"}};
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
  for (const auto& [name, element] : specification.elements.in(registry().constraints)) names.insert(name);
  std::vector<Constraint> named;
  for (const auto& c : model->constraints())
    if (names.count(c.constraint.name)) named.push_back(c.constraint);
  return named;
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

std::optional<Scenario> resolve_scenario(const std::filesystem::path& file, Problems& problems) {
  auto root = input::load_with_base(file, problems);
  if (!root) return std::nullopt;
  if (root->is_map()) input::apply_case(*root, "", problems);
  if (!with_parts(*root, problems)) return std::nullopt;
  Scenario out;
  out.file = file.string();
  out.specification = read_specification(*root, {}, problems);
  auto resolved = resolve(out.specification, *root, vessel::NewHulls::plan, problems);
  if (!resolved || problems.has_errors()) return std::nullopt;
  out.bodies = std::move(resolved->bodies);
  return out;
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
                                       const input::Named<BuiltByProgram>& own, Problems& problems) {
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
  for (const auto& [vessel, spec] : scenario->specification.elements.of<vessel::VesselSpec>())
    for (const Scenario::UnsolvedHull& hull : scenario->unsolved_hulls)
      if (hull.vessel == vessel)
        problems.error(spec.where, "the hull was not solved before",
                       "run the scenario from a file, or solve it with `davit hydro solve`");
  return std::nullopt;
}

}  // namespace davit
