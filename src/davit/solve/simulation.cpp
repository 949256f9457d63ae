#include "davit/solve/simulation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace davit {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Of a run by an adaptive method, at the least: as many as it has rows if nothing is said of them.
constexpr double least_looks = 1000;

// Energy out of nothing, as a part of what the motion honestly had, and a local error, as a multiple of its goal,
// beyond which a run means nothing.
constexpr double most_gained = 10, most_local_error = 1e4;

// A run whose steps were divided into so many parts each, over so many of them, is not the run that was asked for, and
// takes hundreds of times as long.
constexpr long most_divided = 100, steps_to_tell = 50;

std::string number_text(const char* format, double x) {
  char text[32];
  std::snprintf(text, sizeof text, format, x);
  return text;
}
std::string gain_text(const EnergyGain& gain) {
  return "energy out of nothing: " + number_text("%.2g", gain.energy) + " J, where the motion had " +
         number_text("%.2g", gain.of) +
         " J. The step is too long for the stiffest part; try a shorter step, or method: conserving";
}
std::string division_text(const StepCounts& counts, double step) {
  const double parts = 1 + static_cast<double>(counts.rejected) / static_cast<double>(counts.steps);
  return "the equations have no solution for the step of " + number_text("%.3g", step) +
         " s: " + std::to_string(counts.steps) + " steps had to be divided into " + number_text("%.0f", parts) +
         " parts each. Take a step of " + number_text("%.1g", step / parts) + " s, or make the stiffest part softer";
}
std::string error_text(const RunOutcome& out) {
  return "steps have a local error of " + number_text("%.1e", out.local_error) +
         " (rad, m, relative speed): the motion is not resolved, take a step of " +
         number_text("%.1g", out.advised_step) + " s";
}

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

// Times the stepper must land on: breakpoints of elements and of the motions that signals follow, and samples.
class Landings {
 public:
  Landings(const Model& model, double start, double end) : end_(end), breakpoints_(model.breakpoints()) {
    for (const auto& e : model.elements())
      if (e.element->sample_time() > 0) samples_.push_back(e.element->sample_time());
    next_join_ = std::upper_bound(breakpoints_.begin(), breakpoints_.end(), start);
  }
  double after(const State& state) {
    const double t = state.t;
    double next = end_;
    while (next_join_ != breakpoints_.end() && *next_join_ <= t + slack(t)) ++next_join_;
    if (next_join_ != breakpoints_.end()) next = std::min(next, *next_join_);
    for (int i = 0; i < state.discrete.signals.size(); ++i) {
      const std::vector<double>& times = state.discrete.signals[i].breakpoints();
      const auto later = std::upper_bound(times.begin(), times.end(), t + slack(t));
      if (later != times.end()) next = std::min(next, *later);
    }
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

// Positive numbers by their size, in bins of 4 % that need no memory but their own: what all but some of them keep.
class Sizes {
 public:
  void add(double size) {
    ++count_;
    const double octaves = std::isfinite(size) ? std::log2(std::max(size, smallest) / smallest) : infinity;
    ++bins_[static_cast<size_t>(std::min(per_octave * octaves, static_cast<double>(bins_.size() - 1)))];
  }
  // The share `rare` of them, rounded down, may be larger. Zero when there are none.
  double kept_but_for(double rare) const {
    long left = count_ - static_cast<long>(rare * static_cast<double>(count_));
    if (left <= 0) return 0;
    size_t bin = 0;
    for (left -= bins_[0]; left > 0; left -= bins_[bin]) ++bin;
    return size_of(bin);
  }
  long larger_than(double size) const {
    long count = 0;
    for (size_t bin = bins_.size(); bin-- > 0 && size_of(bin) > size;) count += bins_[bin];
    return count;
  }

 private:
  static double size_of(size_t bin) {
    return bin == 0 ? 0 : smallest * std::exp2((static_cast<double>(bin) + 0.5) / per_octave);
  }
  static constexpr double smallest = 1e-15, per_octave = 16;
  std::array<long, 16 * 64> bins_{};
  long count_ = 0;
};

// Every so often a fixed step is repeated as two halves on a copy: their difference is 1 - 2^-p of the local error, for
// a method of order p. An error in the instant of an impact falls with the step, not with its power, and an advice made
// of it would shrink with the step for ever. So steps in which a contact opens or closes are left out, and of the
// others the tenth with the largest errors: ropes that come taut, friction that begins to slip.
//
// How the error falls with the step depends on the model too: friction that slips follows the step that it is in to
// first order, whatever the method. So the first half is repeated as two quarters, and the two errors tell the power by
// which an advice settles.
class StepAdvice {
 public:
  // Of a run of so many steps, and more where they land on breakpoints.
  StepAdvice(const Model& model, const Stepper& stepper, double steps, size_t breakpoints)
      : interval_(static_cast<long>(std::clamp(steps / 30, 5.0, 200.0))),
        model_(model),
        order_(stepper.order()),
        goal_(order_ >= 4 ? 1e-8 : 1e-6),
        most_measured_(steps / static_cast<double>(interval_) + static_cast<double>(breakpoints) + 1),
        without_history_(stepper.clone_without_history(model)) {
    active_ = !stepper.adaptive();
    difference_.setZero(model.nu());
  }
  bool due(const State& s) const { return active_ && static_cast<long>(s.step) % interval_ == 7 % interval_; }
  void before(const State& s) { start_ = s; }
  void after(System& system, const State& s, double h) {
    if (!take_two(system, h / 2, halves_, &half_) || !take_two(system, h / 4, quarters_)) return;
    for (const State* other : {&start_, &halves_, &half_, &quarters_})
      if (!contacts_agree(*other, s)) {
        ++impacts_;
        return;
      }
    const Apart whole = apart(system, s, halves_), half = apart(system, half_, quarters_);
    if (whole.size > largest_) {
      largest_ = whole.size;
      worst_ = whole.speed;
    }
    const double of_difference = 1 / (1 - std::pow(2.0, -order_));
    errors_.add(of_difference * whole.size);
    errors_of_half_.add(of_difference * half.size);
    step_ = h;
  }
  // Whether more than a tenth of all steps that will be measured have such an error already: what comes cannot mend it.
  bool is_beyond(double multiple_of_goal) const {
    return static_cast<double>(errors_.larger_than(multiple_of_goal * goal_)) > std::floor(rare * most_measured_);
  }
  // The coordinate with the largest error of all.
  std::string worst() const { return worst_ < 0 ? std::string() : model_.speed_names()[static_cast<size_t>(worst_)]; }
  void write(RunOutcome& out) const {
    out.impact_steps = impacts_;
    const double error = errors_.kept_but_for(rare);
    if (error <= 0 || !std::isfinite(error)) return;
    out.local_error = error;
    // Two digits are all that such an advice is worth.
    out.local_error_goal = goal_;
    const double exact = step_ * std::pow(goal_ / error, 1 / power());
    const double digit = std::pow(10.0, std::floor(std::log10(exact)) - 1);
    out.advised_step = std::floor(exact / digit) * digit;
  }

 private:
  static constexpr double rare = 0.1;
  // Below this errors are those of Newton's method and of round-off, and say nothing about the step.
  static constexpr double noise = 1e-11;

  // Of the step, by which the error falls: at least two, which is first order; less is that of steps too long to tell.
  double power() const {
    const double whole = errors_.kept_but_for(rare), half = errors_of_half_.kept_but_for(rare);
    if (!(half > noise)) return order_ + 1;
    return std::clamp(std::log2(whole / half), 2.0, order_ + 1.0);
  }

  // Two steps from the start, as the run would take them: what has a memory (ropes that slip) keeps it between them.
  bool take_two(System& system, double h, State& state, State* first = nullptr) {
    state = start_;
    without_history_->restart(state);
    if (!without_history_->step(system, state, h).ok) return false;
    if (first) *first = state;
    if (system.commit(state)) without_history_->restart(state);
    return without_history_->step(system, state, h).ok;
  }

  struct Apart {
    double size = 0;  // rad, m, relative speed
    Eigen::Index speed = -1;
  };
  Apart apart(System& system, const State& a, const State& b) {
    Apart out;
    const auto see = [&](Eigen::Index speed, double size) {
      if (size > out.size) out = {size, speed};
    };
    system.difference(b.q, a.q, difference_);
    for (Eigen::Index i = 0; i < difference_.size(); ++i) see(i, std::abs(difference_[i]));
    for (Eigen::Index i = 0; i < a.u.size(); ++i) see(i, std::abs(a.u[i] - b.u[i]) / (1 + std::abs(a.u[i])));
    return out;
  }

  // Whether the same contacts carry.
  bool contacts_agree(const State& a, const State& b) const {
    const auto carries = [&](const State& s, Eigen::Index i) { return s.lambda[model_.rows() + 3 * i + 2] > 0; };
    for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(model_.contacts().size()); ++i)
      if (carries(a, i) != carries(b, i)) return false;
    return true;
  }

  long interval_;  // every two hundredth step, in short runs more
  const Model& model_;
  int order_;
  double goal_;
  double most_measured_;
  bool active_;
  std::unique_ptr<Stepper> without_history_;
  State start_, half_, halves_, quarters_;
  VecX difference_;
  Sizes errors_, errors_of_half_;
  double step_ = 0, largest_ = 0;
  Eigen::Index worst_ = -1;
  long impacts_ = 0;
};

}  // namespace

RunOutcome simulate(System& system, Stepper& stepper, State& state, const SimulationOptions& options,
                    Observer& observer, Supervisor* supervisor) {
  RunOutcome out;
  const Model& model = system.model();
  const double start = state.t;
  Landings landings(model, start, options.end);
  size_t breakpoints = model.breakpoints().size();
  for (int i = 0; i < state.discrete.signals.size(); ++i) breakpoints += state.discrete.signals[i].breakpoints().size();
  StepAdvice advice(model, stepper, (options.end - start) / options.step, breakpoints);
  State shown = state;
  const bool watches = observer.watches();
  long outputs = 0, looks = 0;
  const auto output_time = [&](long i) { return start + static_cast<double>(i) * options.output; };
  const auto look_time = [&](long i) { return start + static_cast<double>(i) * ((options.end - start) / least_looks); };
  const Solution* solution = nullptr;
  enum class Due { nothing, look, row, both };
  const auto due = [](bool look, bool row) {
    return look ? row ? Due::both : Due::look : row ? Due::row : Due::nothing;
  };
  Energy seen;  // at the last look
  const auto observe = [&](const State& s, Due what) {
    if (what == Due::nothing) return true;
    if (solution)
      system.show(s, *solution);
    else if (!system.evaluate(s))
      return false;
    if (what != Due::row && watches) {
      seen = system.energy(s);
      observer.watch(s, system, seen);
    }
    if (what == Due::look) return true;
    observer.record(s, system);
    ++outputs;
    return true;
  };
  // What is due inside the last step.
  const auto observe_inside_step = [&](double end) {
    const auto inside = [&](double t) { return t < end - Landings::slack(end) && t <= options.end; };
    while (true) {
      const double row = inside(output_time(outputs)) ? output_time(outputs) : infinity;
      const double look = watches && stepper.adaptive() && inside(look_time(looks)) ? look_time(looks) : infinity;
      const double t = std::min(row, look);
      if (t == infinity) return;
      if (look == t) ++looks;
      stepper.interpolate(system, t, shown);
      if (!observe(shown, due(look == t, row == t))) return;
    }
  };
  const auto end_with = [&](RunStatus status, std::string element, std::string why) {
    out.status = status;
    out.element = std::move(element);
    out.why = std::move(why);
  };
  const auto fail = [&](std::string element, std::string why) {
    end_with(RunStatus::broken, std::move(element), std::move(why));
  };
  // True when a signal jumped.
  const auto supervise = [&] {
    if (!supervisor || out.status != RunStatus::complete) return false;
    Supervisor::Decision decision = supervisor->decide(state, system.workspace());
    if (decision.stop) end_with(RunStatus::stopped, std::move(decision.element), std::move(decision.why));
    return decision.jumped;
  };

  if (!system.satisfy_constraints(state)) {
    fail(system.failure().element, system.failure().why);
    out.t = state.t;
    return out;
  }
  // Whether the equations changed. An element that cannot go on ends the run.
  const auto commit = [&](const Solution* found) {
    try {
      return system.commit(state, found);
    } catch (const Breakdown& breakdown) {
      fail(breakdown.element, breakdown.why);
      return false;
    }
  };
  commit(nullptr);
  if (out.status != RunStatus::complete) {
    out.t = state.t;
    return out;
  }
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
  const bool looks_at_steps = watches || supervisor;
  if (!observe(state, due(looks_at_steps, true))) fail(system.failure().element, system.failure().why);
  supervise();
  looks = 1;
  EnergyBook book(model);
  if (watches && out.status == RunStatus::complete) book.begin(state, seen, system);
  State good = state;
  bool hopeless = false;
  while (out.status == RunStatus::complete && state.t < options.end - Landings::slack(options.end)) {
    const double target = std::min(landings.after(state), supervisor ? supervisor->next_time(state) : infinity);
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
    hopeless = measure && advice.is_beyond(most_local_error);
    observe_inside_step(state.t);
    if (commit(solution)) stepper.restart(state);
    if (out.status != RunStatus::complete) break;
    const Due now = due(looks_at_steps, std::abs(output_time(outputs) - state.t) <= Landings::slack(state.t));
    if (!observe(state, now)) {
      fail(system.failure().element, system.failure().why);
      break;
    }
    if (watches) book.enter(state, seen, system);
    if (book.gain().share() > most_gained) {
      fail(book.gain().element, gain_text(book.gain()));
      break;
    }
    if (supervise())
      stepper.restart(state);
    else if (now != Due::nothing && !solution)
      stepper.take_evaluation(system, state);
    if (out.status != RunStatus::complete) break;
    while (look_time(looks) <= state.t + Landings::slack(state.t)) ++looks;
    if (!observer.proceed(state)) {
      out.status = RunStatus::interrupted;
      break;
    }
    if (hopeless) break;
    if (const StepCounts& counts = stepper.counts();
        !stepper.adaptive() && counts.steps >= steps_to_tell && counts.rejected > most_divided * counts.steps) {
      fail("", division_text(counts, options.step));
      break;
    }
  }
  // The last instant is always recorded, even off the output grid.
  if (out.status != RunStatus::broken && state.t > output_time(outputs - 1) + Landings::slack(state.t))
    observe(state, Due::row);
  out.t = state.t;
  out.counts = stepper.counts();
  out.energy_gain = book.gain();
  advice.write(out);
  if (out.status == RunStatus::complete && (hopeless || out.local_error > most_local_error * out.local_error_goal))
    fail(advice.worst(), error_text(out));
  return out;
}

}  // namespace davit
