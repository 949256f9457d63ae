#include "davit/solve/simulation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "davit/solve/step_cut.hpp"

namespace davit {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Of a run by an adaptive method, at the least: as many as it has rows if nothing is said of them. And of each of its
// steps, in which motion may turn: parts.
constexpr double least_looks = 1000;
constexpr int looks_per_step = 4;

// Energy out of nothing, as a part of what the motion honestly had, and a local error, as a multiple of its goal,
// beyond which a run means nothing.
constexpr double most_gained = 10, most_local_error = 1e4;

// A run whose steps were divided into so many parts each, over so many of them, is not the run that was asked for, and
// takes hundreds of times as long.
constexpr double most_divided = 100, steps_to_tell = 50;

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
std::string division_text(double parts, double step) {
  return "the step of " + number_text("%.3g", step) + " s had to be divided into " + number_text("%.0f", parts) +
         " parts each time, because its equations have no solution or loads are not resolved in it. Take a step of " +
         number_text("%.1g", step / parts) + " s, make the stiffest part softer, or give it its damping";
}
std::string error_text(const RunOutcome& out) {
  return "steps have a local error of " + number_text("%.1e", out.local_error) +
         " (rad, m, relative speed): the motion is not resolved, take a step of " +
         number_text("%.1g", out.advised_step) + " s";
}

// A step in which an element cannot go on has failed by that.
StepOutcome take_step(Stepper& stepper, System& system, State& state, double h) {
  try {
    return stepper.step(system, state, h);
  } catch (const Breakdown& breakdown) {
    StepOutcome out;
    out.ok = false;
    out.why = {breakdown.element, breakdown.why};
    return out;
  }
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
  StepAdvice(const Model& model, const Stepper& stepper, double steps, size_t breakpoints, bool active)
      : interval_(static_cast<long>(std::clamp(steps / 30, 5.0, 200.0))),
        model_(model),
        order_(stepper.order()),
        goal_(order_ >= 4 ? 1e-8 : 1e-6),
        most_measured_(steps / static_cast<double>(interval_) + static_cast<double>(breakpoints) + 1),
        without_history_(active ? stepper.clone_without_history(model) : nullptr) {
    active_ = active && !stepper.adaptive();
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
    if (!take_step(*without_history_, system, state, h).ok) return false;
    if (first) *first = state;
    try {
      if (system.commit(state)) without_history_->restart(state);
    } catch (const Breakdown&) {
      return false;  // the run will hear of it itself
    }
    return take_step(*without_history_, system, state, h).ok;
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
  StepAdvice advice(model, stepper, (options.end - start) / options.step, breakpoints, options.measures_error);
  StepView view(system, stepper, state);
  const bool watches = observer.watches();
  long outputs = 0, looks = 1;
  const auto output_time = [&](long i) { return start + static_cast<double>(i) * options.output; };
  const auto look_time = [&](long i) { return start + static_cast<double>(i) * ((options.end - start) / least_looks); };
  const Solution* solution = nullptr;
  enum class Due { nothing, look, row, both };
  const auto due = [](bool look, bool row) {
    return look ? row ? Due::both : Due::look : row ? Due::row : Due::nothing;
  };
  Energy seen;  // at the last look
  const auto show = [&](const State& s, Due what) {
    if (what != Due::row && watches) {
      seen = system.energy(s);
      observer.watch(s, system, seen);
    }
    if (what != Due::row && what != Due::both) return;
    observer.record(s, system);
    ++outputs;
  };
  const auto observe = [&](const State& s, Due what) {
    if (what == Due::nothing) return true;
    if (!view.look_at(s, solution)) return false;
    show(s, what);
    return true;
  };
  // A row so near the end of a step is that end's: times of steps are sums, and have their round-off.
  const auto row_slack = [&](double end, double h) {
    return std::max(Landings::slack(end), 1e-6 * std::min(h, options.output));
  };
  // What is due inside the last step.
  const auto observe_inside_step = [&](double begin, double end) {
    const double h = end - begin, slack = row_slack(end, h);
    const auto inside = [&](double t) { return t < end - slack && t <= options.end; };
    const bool may_look = watches && stepper.adaptive();
    int part = 1;
    while (true) {
      const double row = inside(output_time(outputs)) ? output_time(outputs) : infinity;
      const double share = may_look && part < looks_per_step ? begin + h * part / looks_per_step : infinity;
      const double of_run = may_look && inside(look_time(looks)) ? look_time(looks) : infinity;
      const double look = std::min(share, of_run), t = std::min(row, look);
      if (t == infinity) return;
      if (share == t) ++part;
      if (of_run == t) ++looks;
      const State* at = view.look_inside(t, end);
      if (!at) return;
      show(*at, due(look == t, row == t));
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
  SpeedJumps jumps(model);
  // True when a signal jumped.
  const auto supervise = [&] {
    if (!supervisor || out.status != RunStatus::complete) return false;
    jumps.remember(system);
    Supervisor::Decision decision = supervisor->decide(state, system.workspace());
    if (decision.stop) end_with(RunStatus::stopped, std::move(decision.element), std::move(decision.why));
    return decision.jumped;
  };

  if (!options.resumes && !system.satisfy_constraints(state)) {
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
  if (!options.resumes) commit(nullptr);
  if (out.status != RunStatus::complete) {
    out.t = state.t;
    return out;
  }
  EnergyBook book(model);
  // Speeds of rigid rows jump: whether they did.
  const auto settle_jumps = [&](SpeedJumps::Since since) {
    if (!jumps.settle(system, state, since)) return false;
    book.allow(jumps.work());
    for (const SpeedJump* news : jumps.news()) observer.jumped(*news);
    return true;
  };
  // Contacts push from the first instant on, and a model without mass somewhere has accelerations only in steps: the
  // first row shows what a trial step finds.
  std::unique_ptr<Stepper> trial_stepper;
  if (!options.resumes &&
      (!model.contacts().empty() || (!stepper.is_explicit() && needs_mass(model, stepper.name())))) {
    trial_stepper = stepper.clone_without_history(model);
    State trial = state;
    if (trial_stepper->step(system, trial, options.step).ok) {
      state.lambda = trial.lambda;
      solution = trial_stepper->solution();
    }
  }
  const bool looks_at_steps = watches || supervisor;
  // What begins at the start is in the first row.
  const bool seen_at_start = !supervisor || view.look_at(state, solution);
  if (seen_at_start && supervise()) settle_jumps(SpeedJumps::Since::remembered);
  if (!seen_at_start || !observe(state, due(looks_at_steps, true)))
    fail(system.failure().element, system.failure().why);
  if (watches && out.status == RunStatus::complete) book.begin(state, seen, system);
  std::optional<LoadResolution> loads;
  if (options.resolve_loads) loads.emplace(model, stepper, options.step, options.load_tolerance).begin(system, state);
  // Of the steps that were asked for, on average so far; of a run that has just begun, as if it had gone well so long.
  const auto parts_of_steps = [&] {
    if (stepper.adaptive()) return 1.0;
    const double tried = static_cast<double>(stepper.counts().steps + stepper.counts().rejected);
    return tried / (steps_to_tell + (state.t - start) / options.step);
  };
  StepCut cut(system, stepper, view, supervisor, state);
  State good = state;
  bool hopeless = false, smooth = false;
  while (out.status == RunStatus::complete && state.t < options.end - Landings::slack(options.end)) {
    if (const double parts = parts_of_steps(); parts > most_divided) {
      fail("", division_text(parts, options.step));
      break;
    }
    const double target = std::min({landings.after(state), supervisor ? supervisor->next_time(state) : infinity,
                                    loads ? loads->landing(state) : infinity});
    const double longest = loads ? loads->longest(state) : options.step;
    double limit = target - state.t;
    if (!stepper.adaptive() && limit > longest * (1 + 1e-9)) limit = longest;
    good = state;
    bool measure = advice.due(state) && limit == options.step;
    if (measure) advice.before(state);
    const StepOutcome step = take_step(stepper, system, state, limit);
    if (!step.ok) {
      state = good;
      fail(step.why.element, step.why.why);
      break;
    }
    const std::string broken = broken_coordinate(model, state);
    if (!broken.empty()) {
      fail(broken, stepper.adaptive() ? "the speed grows without bound: look for a force or controller that feeds "
                                        "energy (a wrong sign, gains too high)"
                                      : "the speed grows without bound: most likely the step is too long for the "
                                        "stiffest part; try a shorter step or method: dopri5");
      state = good;
      break;
    }
    measure = !cut.apply(good, state) && measure;
    if (loads && !loads->accepts(system, good, state, stepper.counts().last)) {
      good.next_step = state.next_step;
      state = good;
      stepper.go_back();
      continue;
    }
    if (state.t != target && std::abs(target - state.t) <= Landings::slack(target)) {
      state.t = target;
      stepper.restart(state);
    }
    solution = stepper.solution();
    if (measure) advice.after(system, state, step.taken);
    // Where loads are resolved, what is left of an impact may die away in steps that are too long for it.
    hopeless = measure && !(loads && loads->active()) && advice.is_beyond(most_local_error);
    observe_inside_step(good.t, state.t);
    smooth = true;
    const auto restart = [&] {
      stepper.restart(state);
      smooth = false;
    };
    if (commit(solution)) restart();
    if (out.status != RunStatus::complete) break;
    if (state.t == target && settle_jumps(SpeedJumps::Since::just_before)) restart();
    const double slack = row_slack(state.t, state.t - good.t);
    const Due now = due(looks_at_steps, std::abs(output_time(outputs) - state.t) <= slack);
    if (!observe(state, now)) {
      fail(system.failure().element, system.failure().why);
      break;
    }
    if (watches) book.enter(state, seen, system);
    if (book.gain().share() > most_gained) {
      fail(book.gain().element, gain_text(book.gain()));
      break;
    }
    if (supervise()) {
      settle_jumps(SpeedJumps::Since::remembered);
      restart();
    } else if (now != Due::nothing && !solution) {
      stepper.take_evaluation(system, state);
    }
    if (out.status != RunStatus::complete) break;
    view.begin(state.t, smooth ? solution : nullptr);
    while (look_time(looks) <= state.t + Landings::slack(state.t)) ++looks;
    if (!observer.proceed(state)) {
      out.status = RunStatus::interrupted;
      break;
    }
    if (hopeless) break;
  }
  // The last instant is always recorded, even off the output grid.
  if (out.status != RunStatus::broken && state.t > output_time(outputs - 1) + row_slack(state.t, options.step))
    observe(state, Due::row);
  out.t = state.t;
  out.counts = stepper.counts();
  if (loads) {
    out.load_steps = loads->steps();
    out.counts.steps -= out.load_steps.retried;
    out.counts.rejected += out.load_steps.retried;
  }
  out.energy_gain = book.gain();
  out.speed_jumps = jumps.all();
  advice.write(out);
  if (out.status == RunStatus::complete && !(loads && loads->active()) &&
      (hopeless || out.local_error > most_local_error * out.local_error_goal))
    fail(advice.worst(), error_text(out));
  return out;
}

}  // namespace davit
