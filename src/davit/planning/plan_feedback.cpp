#include "davit/planning/plan_feedback.hpp"

#include <fmt/format.h>

#include <cmath>

#include "davit/force/applied_wrench.hpp"
#include "davit/inverse_dynamics/law_design.hpp"
#include "davit/solve/methods.hpp"

namespace davit {

namespace {

using inverse_dynamics::DisturbSpec;
using inverse_dynamics::FeedbackLaw;
using inverse_dynamics::FeedbackSpec;
using inverse_dynamics::PlanTrack;

// The crane as it is: the scenario with other masses and a push, and the frame of what is shifted at the start.
struct Disturbed {
  Scenario scenario;
  std::shared_ptr<std::optional<Frame>> shifted = std::make_shared<std::optional<Frame>>();
};

Disturbed disturbed(const Scenario& scenario, const DisturbSpec& spec, PlanFeedback& out, input::Problems& problems) {
  Disturbed changed;
  changed.scenario.specification = scenario.specification;
  changed.scenario.bodies = scenario.bodies;
  changed.scenario.file = scenario.file;
  changed.scenario.effective_text = scenario.effective_text;
  for (const auto& [name, factor] : spec.mass) {
    bool known = false;
    for (auto& [body, of] : changed.scenario.bodies) {
      if (body != name) continue;
      known = true;
      of.mass *= factor;
      if (of.inertia) *of.inertia *= factor;
      if (of.products) *of.products *= factor;
      out.disturbances.push_back(
          fmt::format("'{}' weighs {:.4g} t instead of {:.4g} t", name, of.mass / 1000, of.mass / factor / 1000));
    }
    if (!known)
      problems.error(spec.where, "there is no body '" + name + "' whose mass could differ", "name one of the bodies");
  }
  if (spec.push)
    out.disturbances.push_back(fmt::format("{:.4g} kN push '{}' from {:.4g} s {}", spec.push->force.norm() / 1000,
                                           spec.push->on.name, spec.push->from,
                                           spec.push->until ? fmt::format("to {:.4g} s", *spec.push->until) : "on"));
  if (spec.shift)
    out.disturbances.push_back(
        fmt::format("'{}' is {:.4g} m beside its place at the start", spec.shift->of.name, spec.shift->by.norm()));
  const BuiltByProgram element{[spec, shifted = changed.shifted](const std::string&, Assembly& assembly) {
    if (spec.shift) *shifted = assembly.frame(spec.shift->of);
    if (!spec.push) return;
    if (const auto at = assembly.frame(spec.push->on))
      assembly.add(std::make_shared<AppliedWrench>(
          "push of the disturbance", *at,
          AppliedWrench::Data{
              .force = spec.push->force, .from = spec.push->from, .until = spec.push->until.value_or(-1)}));
  }};
  changed.scenario.specification.elements.add(registry().forces.key(), "disturbance of the plan",
                                              ElementSpec(std::make_shared<const BuiltByProgram>(element)));
  return changed;
}

std::vector<Signal> signals_of(const PlanModel& model) {
  std::vector<Signal> signals;
  for (const PlannedInput& input : model.inputs) signals.push_back(input.feedforward);
  return signals;
}

// The same with ropes that stretch, where it has the same coordinates.
std::optional<inverse_dynamics::LoopResult> run_elastic(const Disturbed& crane, const PlanResult& plan,
                                                        const State& start, const PlanTrack& track, FeedbackLaw& law,
                                                        inverse_dynamics::LoopOptions options) {
  input::Problems ignored;
  const auto plant = build_elastic_plant(crane.scenario, plan.course, ignored);
  if (!plant || plant->model->speed_names() != plan.model.model->speed_names()) return std::nullopt;
  options.signal_factors.setOnes(static_cast<Eigen::Index>(plan.model.inputs.size()));
  for (size_t i = 0; i < plan.model.inputs.size(); ++i)
    if (plan.model.inputs[i].winch)
      options.signal_factors[static_cast<Eigen::Index>(i)] = -1 / plan.model.inputs[i].ratio;
  State state = plant->problem.start;
  state.q = start.q;
  state.u = start.u;
  const auto stepper = davit::method("conserving").make(*plant->model, {});
  return inverse_dynamics::run_loop(plant->problem, state, signals_of(*plant), track, &law, options, *stepper);
}

std::vector<inverse_dynamics::PlannedCrane::Input> inputs_of(const PlanResult& plan) {
  std::vector<inverse_dynamics::PlannedCrane::Input> inputs;
  for (const PlannedInput& input : plan.model.inputs) inputs.push_back({input.name, input.unit});
  return inputs;
}

// Inputs stay within the limits of the feedback, or those that the plan was held against.
void set_limits(const FeedbackSpec& spec, const PlanResult& plan, inverse_dynamics::LoopOptions& options,
                input::Problems& problems) {
  const auto given = inverse_dynamics::by_input(spec.limits, inputs_of(plan), spec.where, problems);
  const auto inputs = static_cast<Eigen::Index>(given.size());
  options.most = VecX::Constant(inputs, std::numeric_limits<double>::infinity());
  for (size_t i = 0; i < given.size(); ++i) {
    double& most = options.most[static_cast<Eigen::Index>(i)];
    if (given[i]) most = *given[i];
    const PlannedInput& input = plan.model.inputs[i];
    for (const PlanUse& use : plan.uses)
      if (!given[i] && use.what == input.name + (input.angle ? ": torque" : ": force"))
        most = std::min(most, use.bound);
  }
  options.least = -options.most;
}

// The linear closed loop at the end of the plan, where the crane rests: on the way its matrix changes with time, and
// poles of an instant prove nothing.
bool look_at_loop(const FeedbackSpec& spec, const PlanResult& plan, const PlanTrack& track, FeedbackLaw& law,
                  PlanFeedback& out, input::Problems& problems) {
  try {
    const auto loop = inverse_dynamics::linear_loop(plan.model.problem, track, law, track.end());
    out.poles = loop.poles();
    out.largest_multiplier = loop.largest_multiplier(out.sample_time, out.delay);
  } catch (const std::runtime_error& error) {
    problems.error(spec.where, error.what(), "use another law, or for law: servo a shorter horizon");
    return false;
  }
  return true;
}

}  // namespace

std::optional<PlanFeedback> play_with_feedback(const Scenario& scenario, const PlanResult& plan,
                                               input::Problems& problems) {
  const auto& spec = *scenario.specification.plan;
  const FeedbackSpec& feedback = *spec.feedback;
  if (plan.analysis.massless_motions > 0) {
    problems.error(feedback.where, "the crane has motions without mass, which feedback cannot take",
                   "give the bodies that move without mass some");
    return std::nullopt;
  }
  constexpr double most_samples = 2e5, longest_delay = 50;
  if (plan.plan.points.back().t / feedback.sample_time > most_samples)
    problems.error(feedback.where, fmt::format("the plan has more than {:.0g} samples", most_samples),
                   "give a longer sample_time");
  if (feedback.sensor.delay / feedback.sample_time > longest_delay)
    problems.error(feedback.where, fmt::format("the delay of the sensor is longer than {:.0f} samples", longest_delay),
                   "give a shorter delay or a longer sample_time");
  if (problems.has_errors()) return std::nullopt;
  PlanFeedback out;
  const PlanTrack track(*plan.model.model, plan.plan);
  const auto design =
      inverse_dynamics::design_law(feedback, {plan.model.problem, plan.plan, track, inputs_of(plan)}, problems);
  inverse_dynamics::LoopOptions options;
  set_limits(feedback, plan, options, problems);
  const DisturbSpec disturb = spec.disturb.value_or(DisturbSpec{});
  const Disturbed crane = disturbed(scenario, disturb, out, problems);
  const auto plant = build_plan_model(crane.scenario, plan.course, problems);
  if (!design || !plant || problems.has_errors()) return std::nullopt;
  const auto law = design->make();
  out.design = design->words;
  State start = plant->problem.start;
  start.q = plan.plan.points.front().q;
  start.u = plan.plan.points.front().u;
  if (*crane.shifted) start = inverse_dynamics::moved_start(plant->problem, start, **crane.shifted, disturb.shift->by);
  out.law = law->summary();
  out.sample_time = options.sample_time = feedback.sample_time;
  options.step = std::min(spec.step, feedback.sample_time);
  options.anti_windup = feedback.anti_windup;
  out.delay = options.sensor.delay = static_cast<int>(std::lround(feedback.sensor.delay / feedback.sample_time));
  options.sensor.place_noise = feedback.sensor.place_noise;
  options.sensor.speed_noise = feedback.sensor.speed_noise;
  options.sensor.seed = static_cast<unsigned>(feedback.sensor.seed);
  options.end = track.end();
  if (!look_at_loop(feedback, plan, track, *law, out, problems)) return std::nullopt;
  if (out.largest_multiplier > 1 + 1e-5)
    out.warnings.push_back(fmt::format(
        "with samples of {:.4g} s and this delay errors grow by a factor {:.5g} from sample to sample: sample faster, "
        "or ask for slower poles or larger input weights",
        out.sample_time, out.largest_multiplier));
  const auto run = [&](FeedbackLaw* with) {
    const auto stepper = davit::method("rk4").make(*plant->model, {});
    return inverse_dynamics::run_loop(plant->problem, start, signals_of(*plant), track, with, options, *stepper);
  };
  out.without = run(nullptr);
  out.with = run(law.get());
  out.elastic = run_elastic(crane, plan, start, track, *law, options);
  return out;
}

std::string feedback_csv(const PlanFeedback& f, const PlanResult& plan) {
  std::string out = "time_s";
  const int rows = plan.model.problem.rows();
  const auto head = [&](const char* which) {
    for (int i = 0; i < rows; ++i) out += fmt::format(",\"{}: error {}\"", plan.model.problem.row_name(i), which);
  };
  head("without feedback");
  head("with feedback");
  if (f.elastic) head("with feedback and elastic ropes");
  for (const PlannedInput& input : plan.model.inputs)
    out += fmt::format(",{}.{}_{}", input.name, input.angle ? "torque" : "force", input.angle ? "Nm" : "N");
  out += "\n";
  const auto add = [&](const std::vector<VecX>& values, size_t k, Eigen::Index count) {
    for (Eigen::Index i = 0; i < count; ++i)
      out += k < values.size() ? fmt::format(",{:.9g}", values[k][i]) : std::string(",");
  };
  const auto& times = f.with.times.size() > f.without.times.size() ? f.with.times : f.without.times;
  for (size_t k = 0; k < times.size(); ++k) {
    out += fmt::format("{:.12g}", times[k]);
    add(f.without.errors, k, rows);
    add(f.with.errors, k, rows);
    if (f.elastic) add(f.elastic->errors, k, rows);
    add(f.with.inputs, k, static_cast<Eigen::Index>(plan.model.inputs.size()));
    out += "\n";
  }
  return out;
}

}  // namespace davit
