#include "davit/planning/plan_feedback.hpp"

#include <fmt/format.h>

#include <cmath>

#include "davit/force/applied_wrench.hpp"
#include "davit/inverse_dynamics/linearising_feedback.hpp"
#include "davit/inverse_dynamics/quadratic_feedback.hpp"
#include "davit/inverse_dynamics/series_model.hpp"
#include "davit/inverse_dynamics/servo_feedback.hpp"
#include "davit/inverse_dynamics/set_point_feedback.hpp"
#include "davit/solve/methods.hpp"

namespace davit {

namespace {

using inverse_dynamics::DisturbSpec;
using inverse_dynamics::FeedbackLaw;
using inverse_dynamics::FeedbackSpec;
using inverse_dynamics::Law;
using inverse_dynamics::PlanTrack;
using inverse_dynamics::Poles;

// Poles where the file gives none, 1/s.
constexpr double default_poles[] = {-0.8, -1.0, -1.2, -1.4, -1.6, -1.8, -2.0};

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

// The value of every input in a list by names; nothing where it has none.
std::vector<std::optional<double>> by_input(const input::Named<input::Quantity>& named, const PlanResult& plan,
                                            const input::Where& where, input::Problems& problems) {
  std::vector<std::optional<double>> out(plan.model.inputs.size());
  for (const auto& [name, quantity] : named) {
    bool known = false;
    for (size_t i = 0; i < out.size(); ++i) {
      if (plan.model.inputs[i].name != name) continue;
      known = true;
      out[i] = input::require(quantity, input::unit(plan.model.inputs[i].unit), problems);
      if (out[i] && !(*out[i] > 0)) problems.error(quantity.where, "it is not above 0", "give how large it may be");
    }
    if (!known) problems.error(where, "'" + name + "' is no input of the plan", "name one of its inputs");
  }
  return out;
}

// Inputs stay within the limits of the feedback, or those that the plan was held against.
void set_limits(const FeedbackSpec& spec, const PlanResult& plan, inverse_dynamics::LoopOptions& options,
                input::Problems& problems) {
  const auto given = by_input(spec.limits, plan, spec.where, problems);
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

Poles poles_of(const FeedbackSpec& spec, size_t needed, input::Problems& problems) {
  Poles poles(spec.poles.begin(), spec.poles.end());
  if (poles.empty()) poles.assign(default_poles, default_poles + std::min(needed, std::size(default_poles)));
  if (poles.size() < needed) {
    problems.error(spec.where,
                   fmt::format("the error dynamics have up to {} poles, and {} are given", needed, poles.size()),
                   "give more poles");
    poles.resize(needed, poles.back());
  }
  return poles;
}

std::unique_ptr<FeedbackLaw> servo_law(const FeedbackSpec& spec, const PlanResult& plan, const PlanTrack& track,
                                       PlanFeedback& out, input::Problems& problems) {
  inverse_dynamics::ServoGains gains{spec.a.value_or(0), spec.b.value_or(0), spec.c.value_or(0)};
  if (!spec.a) gains = inverse_dynamics::ServoGains::of_poles(poles_of(spec, 2, problems));
  const double horizon = spec.horizon.value_or(5 * spec.sample_time);
  out.design.push_back(
      fmt::format("a = {:.4g}/s, b = {:.4g}/s², c = {:.4g}/s³, horizon {:.4g} s", gains.a, gains.b, gains.c, horizon));
  return std::make_unique<inverse_dynamics::ServoFeedback>(plan.model.problem, track, gains, horizon);
}

std::unique_ptr<FeedbackLaw> linearising_law(const FeedbackSpec& spec, const PlanResult& plan, const PlanTrack& track,
                                             PlanFeedback& out, input::Problems& problems) {
  const double scale = inverse_dynamics::time_scale_of(plan.model.problem);
  if (!inverse_dynamics::without_series(plan.model.problem).empty()) {
    problems.error(spec.where, "the model cannot be expanded in time, which the law 'linearising' needs",
                   "use law: servo or lqr");
    return nullptr;
  }
  const auto orders = inverse_dynamics::linearising_orders(plan.model.problem, track.at(track.begin()), scale);
  if (!orders) {
    problems.error(spec.where, "no inputs follow from the state and error dynamics of any order up to six",
                   "use law: servo or lqr");
    return nullptr;
  }
  std::string words = "error dynamics of orders ";
  int most = 0;
  for (size_t i = 0; i < orders->of_outputs.size(); ++i) {
    words += fmt::format("{}{}", i == 0 ? "" : ", ", orders->of_outputs[i]);
    most = std::max(most, orders->of_outputs[i]);
  }
  out.design.push_back(words + (spec.integral ? " and one more for the integral" : ""));
  const Poles poles = poles_of(spec, static_cast<size_t>(most + (spec.integral ? 1 : 0)), problems);
  return std::make_unique<inverse_dynamics::LinearisingFeedback>(plan.model.problem, track, *orders, poles,
                                                                 spec.integral, scale);
}

std::unique_ptr<FeedbackLaw> quadratic_law(const FeedbackSpec& spec, const PlanResult& plan, const PlanTrack& track,
                                           PlanFeedback& out, input::Problems& problems) {
  inverse_dynamics::QuadraticWeights weights{
      spec.weights.error, spec.weights.rate, spec.weights.integral.value_or(0), {}};
  const auto given = by_input(spec.weights.inputs, plan, spec.where, problems);
  weights.inputs.setZero(static_cast<Eigen::Index>(given.size()));
  for (const auto& point : plan.plan.points) weights.inputs = weights.inputs.cwiseMax(0.1 * point.w.cwiseAbs());
  for (size_t i = 0; i < given.size(); ++i) {
    double& w = weights.inputs[static_cast<Eigen::Index>(i)];
    w = given[i].value_or(std::max(w, 1e-3 * weights.inputs.maxCoeff()));
  }
  auto law = std::make_unique<inverse_dynamics::QuadraticFeedback>(plan.model.problem, track, weights);
  if (!law->found()) {
    problems.error(spec.where,
                   fmt::format("no linear-quadratic feedback holds the crane at t = {:.4g} s: some of its motions "
                               "neither die out nor show in the outputs",
                               law->missing_at()),
                   "choose outputs that show them, or law: set_point");
    return nullptr;
  }
  if (law->unreachable_states() > 0)
    out.design.push_back(fmt::format("{} states that no input moves are left alone", law->unreachable_states()));
  return law;
}

std::unique_ptr<FeedbackLaw> law_of(const FeedbackSpec& spec, const PlanResult& plan, const PlanTrack& track,
                                    PlanFeedback& out, input::Problems& problems) {
  switch (spec.law) {
    case Law::servo:
      return servo_law(spec, plan, track, out, problems);
    case Law::linearising:
      return linearising_law(spec, plan, track, out, problems);
    case Law::lqr:
      return quadratic_law(spec, plan, track, out, problems);
    case Law::set_point:
      break;
  }
  return std::make_unique<inverse_dynamics::SetPointFeedback>(
      plan.model.problem, track,
      inverse_dynamics::SetPointGains{spec.frequency, spec.damping, spec.inertia, spec.energy});
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
  const auto law = law_of(feedback, plan, track, out, problems);
  inverse_dynamics::LoopOptions options;
  set_limits(feedback, plan, options, problems);
  const DisturbSpec disturb = spec.disturb.value_or(DisturbSpec{});
  const Disturbed crane = disturbed(scenario, disturb, out, problems);
  const auto plant = build_plan_model(crane.scenario, plan.course, problems);
  if (!law || !plant || problems.has_errors()) return std::nullopt;
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
