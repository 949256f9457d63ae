#include "davit/inverse_dynamics/replay.hpp"

#include <algorithm>
#include <cmath>

namespace davit {
template class ControllerOf<inverse_dynamics::Feedforward>;
}  // namespace davit

namespace davit::inverse_dynamics {

std::vector<Coupling> Feedforward::couplings() const {
  Coupling all;
  for (const Channel& c : channels_) all.inputs.push_back(c.input);
  return {all};
}

Motion planned_motion(const Plan& plan, const std::function<double(const Instant&)>& value) {
  std::vector<double> times, values;
  for (const Instant& at : plan.points) {
    if (!times.empty() && at.t == times.back()) continue;
    times.push_back(at.t);
    values.push_back(value(at));
  }
  return Motion::through(times, values, Motion::Interpolation::smooth);
}

std::vector<Motion> planned_inputs(const Plan& plan) {
  std::vector<Motion> out;
  for (Eigen::Index i = 0; i < plan.points.front().w.size(); ++i) {
    if (plan.input_rates.empty()) {
      out.push_back(planned_motion(plan, [&](const Instant& at) { return at.w[i]; }));
      continue;
    }
    std::vector<double> times, values, rates;
    for (size_t k = 0; k < plan.points.size(); ++k) {
      times.push_back(plan.points[k].t);
      values.push_back(plan.points[k].w[i]);
      rates.push_back(plan.input_rates[k][i]);
    }
    out.push_back(Motion::through(times, values, rates));
  }
  return out;
}

VecX errors_at(System& system, const ServoProblem& problem, const State& state) {
  Workspace& work = system.workspace();
  system.place_bodies<double>(work, state.t, state.q.data(), state.u.data(), state.discrete);
  VecX error(problem.rows());
  int first = 0;
  for (const Output& o : problem.outputs) {
    o.rows->rows(work.kin, error.data() + first);
    first += o.rows->size();
  }
  return error;
}

Failure go_on(System& system, Stepper& stepper, State& state, double t) {
  try {
    const StepOutcome taken = stepper.step(system, state, t - state.t);
    if (!taken.ok) return taken.why;
    if (!state.q.allFinite()) return {"", "a coordinate is not a number"};
    state.t = t;
    system.commit(state);
  } catch (const Breakdown& breakdown) {
    return {breakdown.element, breakdown.why};
  }
  return {};
}

Replay replay(const ServoProblem& problem, const State& start, const std::vector<Told>& told,
              const std::vector<double>& times, Stepper& stepper, double step) {
  System system(*problem.model);
  Replay out;
  State state = start;
  for (const Told& t : told) state.discrete.signals.set(t.signal.index(), t.motion);
  out.largest = VecX::Zero(problem.rows());
  const auto look = [&] {
    const VecX error = errors_at(system, problem, state);
    out.times.push_back(state.t);
    out.errors.push_back(error);
    out.largest = out.largest.cwiseMax(error.cwiseAbs());
  };
  try {
    system.commit(state);
  } catch (const Breakdown& breakdown) {
    out.why = breakdown.element + ": " + breakdown.why;
    return out;
  }
  look();
  for (const double t : times) {
    if (t <= state.t) continue;
    // From one to the next in equal steps.
    const double from = state.t;
    const auto steps = std::max(1L, std::lround((t - from) / step));
    for (long i = 1; i <= steps; ++i) {
      const double next = i == steps ? t : from + static_cast<double>(i) * (t - from) / static_cast<double>(steps);
      const Failure failure = go_on(system, stepper, state, next);
      if (!failure.why.empty()) {
        out.why = failure.element + ": " + failure.why;
        return out;
      }
    }
    look();
  }
  out.end = state;
  out.complete = true;
  return out;
}

Replay replay(const ServoProblem& problem, const Plan& plan, const std::vector<Signal>& signals, Stepper& stepper,
              double step) {
  State start = problem.start;
  start.q = plan.points.front().q;
  start.u = plan.points.front().u;
  const std::vector<Motion> inputs = planned_inputs(plan);
  std::vector<Told> told;
  for (size_t i = 0; i < signals.size(); ++i) told.push_back({signals[i], inputs[i]});
  std::vector<double> times;
  for (const Instant& at : plan.points) times.push_back(at.t);
  return replay(problem, start, told, times, stepper, step);
}

}  // namespace davit::inverse_dynamics
