#include "davit/solve/simulation.hpp"

#include <algorithm>
#include <cmath>

namespace davit {

namespace {

// The name of the coordinate that broke, or an empty text if all is finite and sane.
std::string broken_coordinate(const Model& model, const State& state) {
  const auto name = [&](Eigen::Index i) { return model.speed_names()[static_cast<size_t>(i)]; };
  for (Eigen::Index i = 0; i < state.u.size(); ++i)
    if (!(std::abs(state.u[i]) < 1e6)) return name(i);
  for (Eigen::Index i = 0; i < state.z.size(); ++i)
    if (!std::isfinite(state.z[i])) return "an auxiliary state";
  for (Eigen::Index i = 0; i < state.q.size(); ++i)
    if (!std::isfinite(state.q[i])) return "a coordinate";
  return {};
}

// Times the stepper must land on: breakpoints of reference motions and samples.
class Landings {
 public:
  Landings(const Model& model, double start, double end) : end_(end), breakpoints_(model.breakpoints()) {
    for (const auto& e : model.elements())
      if (e.element->sample_time() > 0) samples_.push_back(e.element->sample_time());
    next_join_ = std::upper_bound(breakpoints_.begin(), breakpoints_.end(), start);
  }
  double after(double t) {
    double next = end_;
    while (next_join_ != breakpoints_.end() && *next_join_ <= t + slack(t)) ++next_join_;
    if (next_join_ != breakpoints_.end()) next = std::min(next, *next_join_);
    for (double period : samples_) next = std::min(next, (std::floor((t + slack(t)) / period) + 1) * period);
    return next;
  }
  static double slack(double t) { return 1e-12 * std::max(1.0, std::abs(t)); }

 private:
  double end_;
  const std::vector<double>& breakpoints_;
  std::vector<double>::const_iterator next_join_;
  std::vector<double> samples_;
};

// Every so often a fixed step is repeated as two halves on a copy: their difference is 1 - 2^-p of the local error.
class StepAdvice {
 public:
  StepAdvice(const Model& model, const Stepper& stepper)
      : order_(stepper.order()), without_history_(stepper.clone_without_history(model)) {
    active_ = !stepper.adaptive();
    difference_.setZero(model.nu());
  }
  bool due(const State& s) const { return active_ && s.step % 100 == 7; }
  void before(const State& s) { copy_ = s; }
  void after(System& system, const State& s, double h) {
    without_history_->restart(copy_);
    if (!without_history_->step(system, copy_, h / 2).ok || !without_history_->step(system, copy_, h / 2).ok) return;
    system.difference(copy_.q, s.q, difference_);
    double error = difference_.size() ? difference_.cwiseAbs().maxCoeff() : 0;
    for (Eigen::Index i = 0; i < s.u.size(); ++i)
      error = std::max(error, std::abs(s.u[i] - copy_.u[i]) / (1 + std::abs(s.u[i])));
    largest_ = std::max(largest_, error / (1 - std::pow(2.0, -order_)));
    step_ = h;
  }
  void write(RunOutcome& out) const {
    if (largest_ <= 0 || !std::isfinite(largest_)) return;
    out.local_error = largest_;
    // Two digits are all that such an advice is worth.
    out.local_error_goal = order_ >= 4 ? 1e-8 : 1e-6;
    const double exact = step_ * std::pow(out.local_error_goal / largest_, 1.0 / (order_ + 1));
    const double digit = std::pow(10.0, std::floor(std::log10(exact)) - 1);
    out.advised_step = std::floor(exact / digit) * digit;
  }

 private:
  int order_;
  bool active_;
  std::unique_ptr<Stepper> without_history_;
  State copy_;
  VecX difference_;
  double largest_ = 0, step_ = 0;
};

}  // namespace

RunOutcome simulate(System& system, Stepper& stepper, State& state, const SimulationOptions& options,
                    Observer& observer) {
  RunOutcome out;
  const Model& model = system.model();
  const double start = state.t;
  Landings landings(model, start, options.end);
  StepAdvice advice(model, stepper);
  State shown = state;
  long outputs = 0;
  const auto output_time = [&](long i) { return start + static_cast<double>(i) * options.output; };
  const Solution* solution = nullptr;
  const auto record = [&](const State& s) {
    if (solution)
      system.show(s, *solution);
    else if (!system.evaluate(s))
      return false;
    observer.record(s, system);
    ++outputs;
    return true;
  };
  const auto fail = [&](std::string element, std::string why) {
    out.status = RunStatus::broken;
    out.element = std::move(element);
    out.why = std::move(why);
  };

  if (!system.satisfy_constraints(state)) {
    fail(system.failure().element, system.failure().why);
    out.t = state.t;
    return out;
  }
  system.commit(state);
  // Contacts push from the first instant on, and a model without mass somewhere has accelerations only in steps: the
  // first row shows what a trial step finds.
  std::unique_ptr<Stepper> trial_stepper;
  if (!model.contacts().empty() || (!stepper.is_explicit() && needs_mass(model, stepper.name()))) {
    trial_stepper = stepper.clone_without_history(model);
    State trial = state;
    if (trial_stepper->step(system, trial, options.step).ok) {
      state.lambda = trial.lambda;
      solution = trial_stepper->solution();
    }
  }
  if (!record(state)) fail(system.failure().element, system.failure().why);
  State good = state;
  while (out.status == RunStatus::complete && state.t < options.end - Landings::slack(options.end)) {
    const double target = landings.after(state.t);
    double limit = target - state.t;
    const bool lands = stepper.adaptive() || limit <= options.step * (1 + 1e-9);
    if (!lands) limit = options.step;
    good = state;
    const bool measure = advice.due(state) && limit == options.step;
    if (measure) advice.before(state);
    const StepOutcome step = stepper.step(system, state, limit);
    if (!step.ok) {
      state = good;
      fail(step.why.element, step.why.why);
      break;
    }
    if (state.t != target && std::abs(target - state.t) <= Landings::slack(target)) {
      state.t = target;
      stepper.restart(state);
    }
    solution = stepper.solution();
    const std::string broken = broken_coordinate(model, state);
    if (!broken.empty()) {
      fail(broken, stepper.adaptive() ? "the speed grows without bound: look for a force or controller that feeds "
                                        "energy (a wrong sign, gains too high)"
                                      : "the speed grows without bound: most likely the step is too long for the "
                                        "stiffest part; try a shorter step or method: dopri5");
      state = good;
      break;
    }
    if (measure) advice.after(system, state, step.taken);
    while (output_time(outputs) < state.t - Landings::slack(state.t) && output_time(outputs) <= options.end) {
      stepper.interpolate(system, output_time(outputs), shown);
      if (!record(shown)) break;
    }
    if (system.commit(state)) stepper.restart(state);
    if (std::abs(output_time(outputs) - state.t) <= Landings::slack(state.t) && !record(state)) {
      fail(system.failure().element, system.failure().why);
      break;
    }
    if (!observer.proceed(state)) {
      out.status = RunStatus::interrupted;
      break;
    }
  }
  // The last instant is always recorded, even off the output grid.
  if (out.status != RunStatus::broken && state.t > output_time(outputs - 1) + Landings::slack(state.t)) record(state);
  out.t = state.t;
  out.counts = stepper.counts();
  advice.write(out);
  return out;
}

}  // namespace davit
