#include "davit/scenario/lift_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/inverse_dynamics/consistent_start.hpp"
#include "davit/inverse_dynamics/motion_tangent.hpp"
#include "davit/inverse_dynamics/series_model.hpp"
#include "davit/math/linear_algebra.hpp"
#include "davit/scenario/shortest_profile.hpp"

namespace davit {

namespace {

using inverse_dynamics::Analysis;
using inverse_dynamics::ConsistentStart;
using inverse_dynamics::Instant;
using inverse_dynamics::Method;
using inverse_dynamics::Plan;
using inverse_dynamics::PlanOptions;
using inverse_dynamics::PlanProfile;
using inverse_dynamics::PlanSpec;
using inverse_dynamics::Scheme;

constexpr int first_smoothness = 4;
constexpr double most_points = 1e6;  // of a plan
constexpr double most_growth = 10;   // of errors over a plan, as an exponent

// Rates of what an input gives out or moves by.
double speed(const PlannedInput& input, const Instant& at) { return input.ratio * at.u[input.at.u]; }
double acceleration(const PlannedInput& input, const Instant& at) { return input.ratio * at.a[input.at.u]; }

PlanUse use_of(const Plan& plan, const std::string& what, const std::string& unit, double bound, bool below,
               const std::function<double(const Instant&)>& value) {
  PlanUse use{what, unit, bound, below ? 0.0 : std::numeric_limits<double>::infinity(), 0, below, {}};
  for (const Instant& at : plan.points) {
    use.values.push_back(value(at));
    const double x = below ? std::abs(use.values.back()) : use.values.back();
    if (below ? x > use.largest : x < use.largest) use.largest = x, use.at = at.t;
  }
  return use;
}

// The angle of a rope's last piece from the vertical.
class Sway {
 public:
  explicit Sway(const Model& model) : model_(model) { kin_.body.resize(static_cast<size_t>(model.bodies())); }
  double operator()(const rope::BuiltRope& rope, const Instant& at) {
    for (const auto& b : model_.blocks()) b.block->kinematics(at.q.data() + b.first_q, at.u.data() + b.first_u, kin_);
    const Vec3 d = position(kin_, rope.end) - position(kin_, rope.before);
    return std::atan2(std::hypot(d.x(), d.y()), std::abs(d.z()));
  }

 private:
  const Model& model_;
  Kin kin_;
};

// Keys of a limit that are of an input alone, or of a rope.
void check_limit_fits(const std::string& name, const inverse_dynamics::PlanLimitSpec& limit, const PlanModel& model,
                      input::Problems& problems) {
  const auto named = [&](const auto& of) { return of.name == name; };
  const bool input = std::any_of(model.inputs.begin(), model.inputs.end(), named),
             rope = std::any_of(model.ropes.begin(), model.ropes.end(), named);
  if (!input && !rope)
    return problems.error(limit.where, "'" + name + "' is neither an input nor a rope of the plan",
                          "name an input or a rope");
  const auto refuse = [&](bool given, const char* key, bool fits, const char* has, const char* keys) {
    if (given && !fits)
      problems.error(limit.where, fmt::format("'{}' is {}, which has no '{}'", name, has, key),
                     fmt::format("give of it {}", keys));
  };
  const char *const a_rope = "a rope", *const of_rope = "tension, least_tension or sway; what drives it is its winch";
  const char *const an_input = "an input", *const of_input = "force, speed or acceleration; the others are of ropes";
  refuse(limit.force.has_value(), "force", input, a_rope, of_rope);
  refuse(limit.speed.has_value(), "speed", input, a_rope, of_rope);
  refuse(limit.acceleration.has_value(), "acceleration", input, a_rope, of_rope);
  refuse(limit.tension.has_value(), "tension", rope, an_input, of_input);
  refuse(limit.least_tension.has_value(), "least_tension", rope, an_input, of_input);
  refuse(limit.sway.has_value(), "sway", rope, an_input, of_input);
}

// All limits: those of the plan, and what the winches of the file can do.
std::vector<PlanUse> uses_of(const Scenario& scenario, const PlanModel& model, const Plan& plan,
                             input::Problems& problems) {
  std::vector<PlanUse> uses;
  const PlanSpec& spec = *scenario.specification.plan;
  const auto value = [&](const std::optional<input::Quantity>& q, const std::string& unit) -> std::optional<double> {
    return q ? input::require(*q, input::unit(unit), problems) : std::nullopt;
  };
  const auto add_input = [&](const PlannedInput& input, size_t i, std::optional<double> force,
                             std::optional<double> fastest, std::optional<double> most) {
    const bool turns = input.angle && !input.winch;
    const auto k = static_cast<Eigen::Index>(i);
    if (force)
      uses.push_back(use_of(plan, input.name + (input.angle ? ": torque" : ": force"), input.unit, *force, true,
                            [&](const Instant& at) { return at.w[k]; }));
    if (fastest)
      uses.push_back(use_of(plan, input.name + ": speed", turns ? "rad/s" : "m/s", *fastest, true,
                            [&](const Instant& at) { return speed(input, at); }));
    if (most)
      uses.push_back(use_of(plan, input.name + ": acceleration", turns ? "rad/s^2" : "m/s^2", *most, true,
                            [&](const Instant& at) { return acceleration(input, at); }));
  };
  Sway sway(*model.model);
  for (const auto& [name, limit] : spec.limits) {
    for (size_t i = 0; i < model.inputs.size(); ++i) {
      const PlannedInput& input = model.inputs[i];
      if (input.name != name) continue;
      const bool turns = input.angle && !input.winch;
      add_input(input, i, value(limit.force, input.unit), value(limit.speed, turns ? "rad/s" : "m/s"),
                value(limit.acceleration, turns ? "rad/s^2" : "m/s^2"));
    }
    for (const rope::BuiltRope& rope : model.ropes) {
      if (rope.name != name) continue;
      const auto tension = [&](const Instant& at) { return -at.lambda[rope.row]; };
      if (const auto most = value(limit.tension, "N"))
        uses.push_back(use_of(plan, name + ": tension", "N", *most, true, tension));
      if (const auto least = value(limit.least_tension, "N"))
        uses.push_back(use_of(plan, name + ": least tension", "N", *least, false, tension));
      if (limit.sway)
        uses.push_back(
            use_of(plan, name + ": sway", "rad", *limit.sway, true, [&](const Instant& at) { return sway(rope, at); }));
    }
  }
  for (const auto& [name, winch] : scenario.specification.elements.of<rope::WinchSpec>())
    for (size_t i = 0; i < model.inputs.size(); ++i)
      if (model.inputs[i].name == name)
        add_input(model.inputs[i], i, winch.limits.torque, winch.limits.speed, winch.limits.acceleration);
  return uses;
}

std::vector<Push> pushes_of(const PlanModel& model, const Plan& plan) {
  std::vector<Push> pushes;
  for (const rope::BuiltRope& rope : model.ropes) {
    bool pushing = false;
    for (const Instant& at : plan.points) {
      const double tension = -at.lambda[rope.row];
      if (tension < 0 && !pushing) pushes.push_back({rope.name, at.t, at.t, 0});
      pushing = tension < 0;
      if (!pushing) continue;
      pushes.back().to = at.t;
      pushes.back().most = std::max(pushes.back().most, -tension);
    }
  }
  return pushes;
}

// A time in which the motion of a course changes.
double time_scale_of(const Course& course, const inverse_dynamics::ServoProblem& problem) {
  double scale = inverse_dynamics::time_scale_of(problem);
  for (const Course::Stage& stage : course.stages)
    for (const auto& [output, share] : stage.share) scale = std::min(scale, stage.over / share.spans);
  return scale;
}

PlanOptions options_of(const PlanSpec& spec, const Analysis& analysis, const Course& course,
                       const inverse_dynamics::ServoProblem& problem) {
  PlanOptions options;
  options.method = spec.method;
  options.scheme = spec.scheme.value_or(Scheme::backward_euler);
  options.step = spec.step;
  // One order more gives the rates of the inputs.
  options.array_order = analysis.flat_about_rest ? 7 : std::min(7, std::max(3, analysis.derivatives() + 1));
  options.time_scale = time_scale_of(course, problem);
  return options;
}

// A coordinate as an output can be written.
std::string written(const inverse_dynamics::AlternativeOutput& output, const PlanModel& model) {
  for (const PlannedInput& input : model.inputs)
    if (input.winch && input.at.u == output.at.u)
      return fmt::format("{}: {{combination: {{{}: 1}}}}", input.name, input.name);
  const size_t dot = output.name.rfind('.');
  const std::string body = output.name.substr(0, dot),
                    last = dot == std::string::npos ? "" : output.name.substr(dot + 1);
  const bool of_tree = model.tree && output.at.u < model.tree->nu();
  if (!of_tree && last.size() == 1 && std::string("xyz").find(last) != std::string::npos)
    return fmt::format("{}_{}: {{point: {}, along: {}}}", body, last, body, last);
  return fmt::format("{}: {{combination: {{{}: 1}}}}", body, output.name);
}

// What must be so before anything is computed, with numbers.
bool check_problem(const Scenario& scenario, LiftPlan& result, input::Problems& problems) {
  const PlanSpec& spec = *scenario.specification.plan;
  const inverse_dynamics::ServoProblem& problem = result.model.problem;
  const int inputs = static_cast<int>(problem.inputs.size()), rows = problem.rows();
  if (rows > inputs)
    problems.error(spec.where, fmt::format("there are {} outputs and {} inputs: they cannot all follow", rows, inputs),
                   "leave some out (along: xz of a point, say), or drive more");
  if (rows < inputs && !result.shared) {
    std::string good;
    if (rows + 1 == inputs) {
      result.alternatives = inverse_dynamics::alternative_outputs(problem);
      for (const auto& a : result.alternatives)
        if (a.regular) good += (good.empty() ? "" : ", or ") + written(a, result.model);
    }
    problems.error(
        spec.where, fmt::format("there are {} inputs and only {} outputs: what the others do is open", inputs, rows),
        good.empty() ? "add outputs, leave inputs out, or let those that only balance others share: allocation: {}"
                     : "add an output; these would do: " + good);
  }
  for (const auto& [name, limit] : spec.limits) check_limit_fits(name, limit, result.model, problems);
  for (const std::string& why : inverse_dynamics::unsupported(*result.model.model))
    problems.error(spec.where, "a plan cannot take this model: " + why, "leave it out of the plan's file");
  return !problems.has_errors();
}

// What the analysis shows to be impossible.
bool check_analysis(const Scenario& scenario, LiftPlan& result, input::Problems& problems) {
  const PlanSpec& spec = *scenario.specification.plan;
  const Analysis& a = result.analysis;
  for (const int row : a.unreachable)
    problems.error(spec.where, "no input moves the output '" + result.model.problem.row_name(row) + "'",
                   "drive what moves it, or leave it out");
  if (a.output_rank < a.outputs)
    problems.error(spec.where, fmt::format("only {} of the {} outputs are independent", a.output_rank, a.outputs),
                   "leave out those that follow from the others");
  if (problems.has_errors()) return false;
  if (!a.index) {
    problems.error(spec.where, "the inputs do not follow from the outputs, whatever their derivatives",
                   "choose other outputs or other inputs");
    return false;
  }
  if (!a.flat && !a.internal_stable()) {
    std::string poles;
    for (const auto& pole : a.internal_poles)
      if (pole.real() > 0)
        poles += fmt::format("{}{:.3g}{:+.3g}i", poles.empty() ? "" : ", ", pole.real(), pole.imag());
    problems.error(spec.where,
                   fmt::format("the outputs leave {} internal states free, and these run away (poles {} 1/s)",
                               a.internal_states, poles),
                   "choose outputs that leave less free; of a load that swings, a point on the other side of its "
                   "centre of percussion");
    return false;
  }
  if (a.flat_about_rest)
    result.warnings.push_back(
        "the outputs show all of the motion about rest alone; in motion what they leave free is fast, and the plan "
        "follows its slow part: how well is seen when it is played back");
  if (!a.ranks_clear())
    result.warnings.push_back(fmt::format(
        "ranks are not told apart clearly (a gap of {:.3g}): the kind of problem may be another one", a.least_gap));
  if (!a.flat && spec.method == Method::algebraic)
    result.warnings.push_back(
        "the problem is not flat: its internal motion depends on its start, so minimal_extension with radau is used in "
        "the place of the algebraic method");
  return true;
}

std::optional<ConsistentStart> consistent_start(const PlanSpec& spec, const Analysis& analysis, const Course& course,
                                                const inverse_dynamics::ServoProblem& problem) {
  if (!inverse_dynamics::without_series(problem).empty()) return std::nullopt;
  return inverse_dynamics::find_consistent_start(problem, options_of(spec, analysis, course, problem).array_order);
}

// The start that the file asks for.
void take_start(const PlanSpec& spec, const Analysis& analysis, const Course& course,
                inverse_dynamics::ServoProblem& problem) {
  if (spec.start != inverse_dynamics::Start::consistent) return;
  if (const auto found = consistent_start(spec, analysis, course, problem)) problem.start = found->state;
}

// Whether the motion can begin where the crane is, for every method: those by time steps would make up for it at once.
void check_start(const PlanSpec& spec, LiftPlan& result, input::Problems& problems) {
  const auto found =
      consistent_start(spec, result.analysis, result.course, square_problem(result.model, result.shared));
  const char* const remedy = "let the load hang at rest below its rope at the start, or give start: consistent";
  std::string how;
  if (found && !found->given())
    how = fmt::format("'{}' is {:.3g} from where it would have to be", found->coordinate, found->by);
  // On a hull that moves nothing rests.
  constexpr double some = 1e-6;
  const bool rests = spec.hulls.empty();
  const double unrest = found || !rests ? 0 : inverse_dynamics::unrest_at_start(result.model.problem);
  if (unrest > some) how = fmt::format("no inputs hold it there (forces of {:.2g} of its loads are left)", unrest);
  if (how.empty()) return;
  const std::string words = "the crane does not rest where the motion starts: " + how;
  if (found && spec.start == inverse_dynamics::Start::consistent) {
    result.warnings.push_back(words + "; the plan begins there");
  } else if (!rests || (spec.method == Method::algebraic && result.analysis.flat)) {
    problems.warning(spec.where, words + "; the plan begins there", remedy);
  } else {
    problems.error(spec.where, words, remedy);
  }
}

// The fastest growth of small errors about the start when forces are as planned and nothing corrects them.
double growth_at_start(const LiftPlan& result) {
  if (result.analysis.massless_motions > 0) return 0;
  inverse_dynamics::ServoEquations equations(result.model.problem);
  const auto tangent = inverse_dynamics::linearise_motion(equations, held_at(equations, result.model.problem.start));
  double growth = 0;
  for (const auto& pole : complex_eigenvalues(tangent.A)) growth = std::max(growth, pole.real());
  return growth;
}

// The shortest time in which all limits are kept: doubled until they are, then halved between.
std::optional<double> shortest_time(const Scenario& scenario, const LiftPlan& result, int smoothness,
                                    input::Problems& problems) {
  const PlanSpec& spec = *scenario.specification.plan;
  const auto kept = [&](double over, std::optional<double> step = {}) {
    const Course course{over, smoothness, {}};
    auto model = build_plan_model(scenario, course, problems);
    if (!model) return false;
    take_start(spec, result.analysis, course, model->problem);
    PlanOptions options = options_of(*scenario.specification.plan, result.analysis, course, model->problem);
    options.step = step.value_or(model->problem.end / 300);
    const Plan plan = make_shared_plan(*model, result.shared, options).plan;
    if (!plan.complete) return false;
    for (const PlanUse& use : uses_of(scenario, *model, plan, problems))
      if (!use.kept()) return false;
    return pushes_of(*model, plan).empty();
  };
  double long_enough = 1;
  while (!kept(long_enough)) {
    if (problems.has_errors() || long_enough > 1e5) return std::nullopt;
    long_enough *= 2;
  }
  double too_short = 0.5 * long_enough;
  while (too_short > 1e-3 && kept(too_short)) long_enough = too_short, too_short *= 0.5;
  while (long_enough - too_short > 1e-4 * long_enough) {
    const double middle = 0.5 * (too_short + long_enough);
    (kept(middle) ? long_enough : too_short) = middle;
  }
  // What the plan's own points show beyond a limit costs a little more time.
  for (int i = 0; i < 20 && long_enough / spec.step < most_points && !kept(long_enough, spec.step); ++i)
    long_enough *= 1 + 1e-4;
  return long_enough;
}

// By how much of itself each limit is exceeded at the points of a plan, and of their largest tension ropes push. Where
// inputs share, forces are at their limits by choice: that is as well kept as any.
Excess excess_of(const PlanModel& model, const Plan& plan, const std::vector<PlanUse>& uses, bool shared) {
  Excess rows;
  const auto add = [&](const std::vector<double>& values, double factor, double bound, double scale, bool by_choice) {
    rows.emplace_back();
    for (const double x : values) {
      const double excess = (factor * x - bound) / scale;
      rows.back().push_back(by_choice && excess <= 1e-9 ? std::min(excess, -well_kept) : excess);
    }
  };
  for (const PlanUse& use : uses) {
    const bool by_choice = shared && (use.unit == "N" || use.unit == "N m");
    const auto most = [&] { return std::abs(*std::max_element(use.values.begin(), use.values.end())); };
    if (use.below) {
      add(use.values, 1, use.bound, use.bound, by_choice);
      add(use.values, -1, use.bound, use.bound, by_choice);
    } else {
      add(use.values, -1, -use.bound, std::max(use.bound, most()), by_choice);
    }
  }
  for (const rope::BuiltRope& rope : model.ropes) {
    std::vector<double> tensions;
    for (const Instant& at : plan.points) tensions.push_back(-at.lambda[rope.row]);
    add(tensions, -1, 0, std::max(1.0, std::abs(*std::max_element(tensions.begin(), tensions.end()))), shared);
  }
  return rows;
}

// The profile with which the motion is shorter than by the polynomial, which the result has.
void shorten_profile(const Scenario& scenario, LiftPlan& result, input::Problems& problems) {
  ProfileProblem problem{result.course, result.model.rests, result.model.moving,
                         result.course.smoothness < result.analysis.derivatives()};
  const auto attempt = [&](const Course& course, const std::vector<double>& times) -> std::optional<Excess> {
    const auto model = build_plan_model(scenario, course, problems);
    if (!model) return std::nullopt;
    PlanOptions options = options_of(*scenario.specification.plan, result.analysis, course, model->problem);
    options.times = times;
    const Plan plan = make_shared_plan(*model, result.shared, options).plan;
    // What is interpolated keeps no limit for certain.
    if (!plan.complete || !plan.singular.empty()) return std::nullopt;
    return excess_of(*model, plan, uses_of(scenario, *model, plan, problems), result.shared.has_value());
  };
  result.polynomial = result.course.over;
  if (auto found = shortest_profile(problem, attempt)) result.course = std::move(*found);
}

// Splines are for problems whose plan depends on the desired motion at each instant alone, and have one derivative more
// than are continuous.
bool check_profile(const PlanSpec& spec, const Analysis& analysis, int smoothness, input::Problems& problems) {
  if (spec.profile != PlanProfile::shortest) return true;
  if (!analysis.flat)
    problems.error(spec.where, "the shortest profile is found for flat problems only, and this one is not flat",
                   "choose outputs that show all of the motion, or profile: polynomial");
  else if (smoothness + 1 < analysis.derivatives())
    problems.error(
        spec.where,
        fmt::format("inputs depend on derivative {} of the motion, which a profile of smoothness {} does not "
                    "have",
                    analysis.derivatives(), smoothness),
        fmt::format("give smoothness: {} for inputs that jump, or leave it out for continuous ones",
                    analysis.derivatives() - 1));
  return !problems.has_errors();
}

void complain_of(const inverse_dynamics::Allocation::Miss& miss, const SharedInputs& shared, const PlanSpec& spec,
                 input::Problems& problems) {
  const std::string& what = shared.options.limits[static_cast<size_t>(miss.limit)].what;
  problems.error(
      spec.allocation->where,
      fmt::format("from t = {:.4g} s on inputs cannot be shared so that all limits are kept: '{}' is missed by "
                  "{:.3g} % at least",
                  miss.t, what, 100 * miss.by),
      "give larger limits or a longer time");
}

}  // namespace

double travel(const PlannedInput& input, const Instant& at) { return input.ratio * at.q[input.at.q]; }

std::optional<LiftPlan> pose_lift(const Scenario& scenario, input::Problems& problems) {
  const PlanSpec& spec = *scenario.specification.plan;
  const double points = (spec.over.value_or(0) + spec.rest) / spec.step;
  if (points > most_points) {
    problems.error(spec.where, fmt::format("the plan would have {:.3g} points", points),
                   fmt::format("give a longer step: at most {:.0g} points are planned", most_points));
    return std::nullopt;
  }
  LiftPlan result;
  result.course = {spec.over.value_or(10), spec.smoothness.value_or(first_smoothness), {}};
  auto model = build_plan_model(scenario, result.course, problems);
  if (!model) return std::nullopt;
  result.model = std::move(*model);
  result.shared = shared_inputs(scenario, result.model, problems);
  if (result.shared)
    result.warnings.push_back(
        "inputs share as forces; drives that follow the planned motion leave it to the stiffness of ropes how these "
        "share");
  if (problems.has_errors() || !check_problem(scenario, result, problems)) return std::nullopt;
  const std::vector<std::string> without = inverse_dynamics::without_series(result.model.problem);
  if (!without.empty()) {
    std::string names;
    for (const std::string& name : without) names += (names.empty() ? "'" : ", '") + name + "'";
    if (spec.method == Method::algebraic)
      problems.error(spec.where, names + " cannot be expanded in time, which the algebraic method needs",
                     "use method: minimal_extension");
    if (problems.has_errors()) return std::nullopt;
  } else {
    result.analysis = inverse_dynamics::analyse(square_problem(result.model, result.shared));
    if (!check_analysis(scenario, result, problems)) return std::nullopt;
  }
  if (!spec.smoothness) result.course.smoothness = std::max(2, result.analysis.derivatives());
  if (spec.smoothness && *spec.smoothness < result.analysis.derivatives())
    result.warnings.push_back(
        fmt::format("inputs depend on derivative {} of the motion, of which only {} are continuous: they jump or spike "
                    "where it begins "
                    "and ends",
                    result.analysis.derivatives(), *spec.smoothness));
  if (!check_profile(spec, result.analysis, result.course.smoothness, problems)) return std::nullopt;
  check_start(spec, result, problems);
  if (problems.has_errors()) return std::nullopt;
  const double growth = growth_at_start(result), length = result.model.problem.end - result.model.problem.start.t;
  if (growth * length > most_growth) result.growth = growth;
  if (result.growth > 0)
    result.warnings.push_back(
        fmt::format("with planned forces alone the crane runs away from its motion (pole {:+.3g} 1/s): its joints are "
                    "held by feedback about the plan when it is played back",
                    growth));
  return result;
}

std::optional<LiftPlan> plan_lift(const Scenario& scenario, input::Problems& problems) {
  auto posed = pose_lift(scenario, problems);
  if (!posed) return std::nullopt;
  LiftPlan result = std::move(*posed);
  const PlanSpec& spec = *scenario.specification.plan;
  if (spec.over) {
    result.course.over = *spec.over;
  } else {
    result.shortest = true;
    const auto found = shortest_time(scenario, result, result.course.smoothness, problems);
    if (!found) {
      if (!problems.has_errors())
        problems.error(spec.where, "no time of motion keeps the limits of the plan",
                       "give larger limits, or a time with 'over' to see which are exceeded");
      return std::nullopt;
    }
    result.course.over = *found;
    if (spec.profile == PlanProfile::shortest) shorten_profile(scenario, result, problems);
    if ((result.course.over + spec.rest) / spec.step > most_points) {
      problems.error(spec.where,
                     fmt::format("the plan would take {:.3g} s and have too many points", result.course.over),
                     "give a longer step");
      return std::nullopt;
    }
  }
  if (result.course.over != spec.over.value_or(10) || !spec.smoothness) {
    auto model = build_plan_model(scenario, result.course, problems);
    if (!model) return std::nullopt;
    result.model = std::move(*model);
  }
  take_start(spec, result.analysis, result.course, result.model.problem);
  PlanOptions options = options_of(spec, result.analysis, result.course, result.model.problem);
  if (!result.analysis.flat && options.method == Method::algebraic && result.analysis.index) {
    options.method = Method::minimal_extension;
    options.scheme = Scheme::radau;
  }
  SharedPlan planned = make_shared_plan(result.model, result.shared, options);
  result.plan = std::move(planned.plan);
  if (planned.miss && result.plan.complete) {
    complain_of(*planned.miss, *result.shared, spec, problems);
    return std::nullopt;
  }
  const char* const names[] = {"algebraic", "minimal extension", "projection", "projection with constraints"};
  const char* const schemes[] = {"backward Euler", "BDF2", "Radau IIA"};
  result.method = names[static_cast<int>(options.method)];
  if (options.method != Method::algebraic)
    result.method += std::string(", ") +
                     schemes[static_cast<int>(options.method == Method::minimal_extension ? options.scheme
                                                                                          : Scheme::backward_euler)];
  if (!result.plan.complete) return result;
  result.uses = uses_of(scenario, result.model, result.plan, problems);
  result.pushes = pushes_of(result.model, result.plan);
  if (problems.has_errors()) return std::nullopt;
  return result;
}

}  // namespace davit
