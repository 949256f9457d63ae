#include "davit/planning/planning.hpp"

#include <algorithm>

#include "davit/inverse_dynamics/closed_loop.hpp"
#include "davit/inverse_dynamics/set_point_feedback.hpp"
#include "davit/solve/equilibrium.hpp"
#include "davit/solve/methods.hpp"

namespace davit {

namespace {

using inverse_dynamics::Instant;

// Inputs as forces: explicit where every coordinate has mass.
std::unique_ptr<Stepper> stepper_for(const Model& model, std::string& name) {
  name = needs_mass(model, "rk4") ? "minimal_extension" : "rk4";
  return davit::method(name).make(model, {});
}

// Planned forces, with a spring and a damper about the plan at each drive, several times as fast as what runs away.
void hold_in_playback(PlanResult& result, const std::vector<Signal>& signals, Stepper& stepper, double step) {
  const inverse_dynamics::ServoProblem& problem = result.model.problem;
  const inverse_dynamics::PlanTrack track(*problem.model, result.plan);
  inverse_dynamics::SetPointGains gains;
  gains.frequency = std::max(gains.frequency, 5 * result.growth);
  inverse_dynamics::SetPointFeedback law(problem, track, gains);
  inverse_dynamics::LoopOptions options;
  options.sample_time = options.step = std::min(step, 0.1 / gains.frequency);
  options.end = track.end();
  State start = problem.start;
  start.q = result.plan.points.front().q;
  start.u = result.plan.points.front().u;
  const auto loop = inverse_dynamics::run_loop(problem, start, signals, track, &law, options, stepper);
  result.rigid = inverse_dynamics::Replay{loop.times, loop.errors, loop.largest, {}, loop.complete, loop.why};
  result.rigid_method += ", joints held by feedback about the plan";
}

void play_back(const Scenario& scenario, PlanResult& result) {
  const Model& model = *result.model.model;
  const auto stepper = stepper_for(model, result.rigid_method);
  std::vector<Signal> signals;
  for (const PlannedInput& input : result.model.inputs) signals.push_back(input.feedforward);
  // A plan may have few points; its playback is a simulation.
  constexpr double longest_step = 0.02;  // s
  const double step = std::min(scenario.specification.plan->step, longest_step);
  if (result.growth > 0) {
    hold_in_playback(result, signals, *stepper, step);
  } else {
    result.rigid = inverse_dynamics::replay(result.model.problem, result.plan, signals, *stepper, step);
  }

  input::Problems ignored;
  auto playback = build_playback_model(scenario, result.course, ignored);
  if (!playback) return;
  System system(*playback->model);
  State start = playback->model->initial_state();
  system.commit(start);
  const Equilibrium rest = find_equilibrium(system, start);
  if (rest.converged) start = rest.state;
  std::vector<inverse_dynamics::Told> told;
  for (size_t i = 0; i < result.model.inputs.size(); ++i)
    told.push_back({playback->signals[i], inverse_dynamics::planned_motion(result.plan, [&](const Instant& at) {
                      return travel(result.model.inputs[i], at);
                    })});
  std::vector<double> times;
  for (const Instant& at : result.plan.points) times.push_back(at.t);
  result.elastic_method = "conserving";
  const auto elastic = davit::method(result.elastic_method).make(*playback->model, {});
  result.elastic = inverse_dynamics::replay(playback->problem, start, told, times, *elastic, step);
}

}  // namespace

std::optional<PlanResult> plan_scenario(const Scenario& scenario, input::Problems& problems) {
  auto planned = plan_lift(scenario, problems);
  if (!planned) return std::nullopt;
  PlanResult result{std::move(*planned), {}, {}, {}, {}};
  if (result.plan.complete) play_back(scenario, result);
  return result;
}

std::optional<Scenario> playback_scenario(const Scenario& scenario, const PlanResult& result,
                                          input::Problems& problems) {
  auto playback = build_playback_model(scenario, result.course, problems);
  if (!playback) return std::nullopt;
  Scenario out;
  out.specification = scenario.specification;
  out.file = scenario.file;
  out.effective_text = scenario.effective_text;
  out.provenance = scenario.provenance;
  out.tree = playback->tree;
  out.environment = scenario.environment;  // to be seen: nothing of the plan feels it
  operation::Phase phase;
  phase.name = "plan";
  phase.at = 0;
  for (size_t i = 0; i < result.model.inputs.size(); ++i) {
    operation::SignalMove move;
    move.signal = playback->signals[i];
    move.kind = operation::SignalMove::Kind::follow;
    move.table = inverse_dynamics::planned_motion(
        result.plan, [&](const Instant& at) { return travel(result.model.inputs[i], at); });
    phase.moves.push_back(std::move(move));
  }
  out.operation = operation::Operation({std::move(phase)});
  for (const auto& [name, body] : out.bodies) {
    Frame frame;
    for (const TreeBody& b : playback->tree->bodies_of_tree())
      if (b.body.name == name) frame = playback->tree->frame(name);
    out.body_frames.push_back(frame);
  }
  out.channels = playback->model->channels();
  out.degrees_of_freedom = playback->model->nu() - playback->model->rows();
  out.from_equilibrium = true;
  out.options = {result.plan.points.back().t, scenario.specification.plan->step, scenario.specification.plan->step};
  out.method = "conserving";
  out.method_reason = "plans are played back with rope laws over steps";
  out.model = std::move(playback->model);
  return out;
}

}  // namespace davit
