// What happens between two steps of a run, in order, and the reasons for which a run is broken.
#include "davit/solve/step_loop.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

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

// Whether it could be of this model.
bool fits(const Solution& solution, const System& system) {
  const Workspace& work = system.workspace();
  return solution.a.size() == work.a.size() && solution.lambda.size() == system.model().rows() &&
         solution.w.size() == work.w.size() && solution.transmitted.size() == work.transmitted.size() &&
         solution.reaction_load.size() == static_cast<Eigen::Index>(system.model().reaction_forces().size());
}

}  // namespace

StepLoop::StepLoop(System& system, Stepper& stepper, State& state, const SimulationOptions& options, Observer& observer,
                   Supervisor* supervisor)
    : system_(system),
      stepper_(stepper),
      state_(state),
      options_(options),
      observer_(observer),
      supervisor_(supervisor),
      model_(system.model()),
      start_(state.t),
      schedule_(model_, options.end),
      view_(system, stepper, state),
      watches_(observer.watches()),
      jumps_(model_),
      book_(model_),
      cut_(system, stepper, view_, supervisor, state),
      good_(state),
      kept_(state) {
  if (options.resolve_loads) loads_.emplace(model_, stepper, options.step, options.load_tolerance);
}

double StepLoop::look_time(long i) const {
  return start_ + static_cast<double>(i) * ((options_.end - start_) / least_looks);
}

// A row so near the end of a step is that end's: times of steps are sums, and have their round-off.
double StepLoop::row_slack(double end, double h) const {
  return std::max(EventSchedule::slack(end), 1e-6 * std::min(h, options_.output));
}

void StepLoop::make_advice() {
  size_t breakpoints = model_.breakpoints().size();
  for (int i = 0; i < state_.discrete.signals.size(); ++i)
    breakpoints += state_.discrete.signals[i].breakpoints().size();
  advice_.emplace(model_, stepper_, (options_.end - start_) / options_.step, breakpoints, options_.measures_error);
}

void StepLoop::begin() {
  make_advice();
  if (!options_.resumes) {
    if (!system_.satisfy_constraints(state_))
      fail(system_.failure().element, system_.failure().why);
    else
      commit(nullptr);
    if (out_.status != RunStatus::complete) return;
    find_first_contacts();
  }
  // What begins at the start is in the first row.
  const bool seen_at_start = !supervisor_ || view_.look_at(state_, solution_);
  if (seen_at_start && supervise()) settle_jumps(SpeedJumps::Since::remembered);
  if (!seen_at_start || !observe(state_, due(watches_ || supervisor_, true)))
    fail(system_.failure().element, system_.failure().why);
  if (watches_ && out_.status == RunStatus::complete) book_.begin(state_, seen_, system_);
  if (loads_) loads_->begin(system_, state_);
  keep();
}

void StepLoop::keep() {
  kept_ = state_;
  steps_since_kept_ = 0;
  kept_has_solution_ = solution_ != nullptr;
  kept_smooth_ = smooth_;
  if (solution_ && solution_ != &kept_solution_) kept_solution_ = *solution_;
}

void StepLoop::go_on_afresh() {
  if (is_over()) return;
  smooth_ = false;
  view_.begin(state_.t, nullptr);
  stepper_.forget();
  keep();
}

// Contacts push from the first instant on, and a model without mass somewhere has accelerations only in steps: the
// first row shows what a trial step finds.
void StepLoop::find_first_contacts() {
  if (model_.contacts().empty() && (stepper_.is_explicit() || !needs_mass(model_, stepper_.name()))) return;
  trial_stepper_ = stepper_.clone_without_history(model_);
  State trial = state_;
  if (!trial_stepper_->step(system_, trial, options_.step).ok) return;
  state_.lambda = trial.lambda;
  solution_ = trial_stepper_->solution();
}

bool StepLoop::is_over() const {
  return out_.status != RunStatus::complete || hopeless_ ||
         !(state_.t < options_.end - EventSchedule::slack(options_.end));
}

void StepLoop::step() {
  if (state_.step % snapshot_interval == 0) keep();
  while (!is_over())
    if (try_to_step()) break;
  ++steps_since_kept_;
}

// Of the steps that were asked for, on average so far; of a run that has just begun, as if it had gone well so long.
double StepLoop::parts_of_steps() const {
  if (stepper_.adaptive()) return 1.0;
  const double tried = static_cast<double>(stepper_.counts().steps + stepper_.counts().rejected);
  return tried / (steps_to_tell + (state_.t - start_) / options_.step);
}

// False where the step was taken back, and a shorter one has to be tried.
bool StepLoop::try_to_step() {
  if (const double parts = parts_of_steps(); parts > most_divided) {
    fail("", division_text(parts, options_.step));
    return true;
  }
  const double target = std::min({schedule_.after(state_), supervisor_ ? supervisor_->next_time(state_) : infinity,
                                  loads_ ? loads_->landing(state_) : infinity,
                                  land_ > state_.t + EventSchedule::slack(land_) ? land_ : infinity});
  const double longest = loads_ ? loads_->longest(state_) : options_.step;
  double limit = target - state_.t;
  if (!stepper_.adaptive() && limit > longest * (1 + 1e-9)) limit = longest;
  good_ = state_;
  bool measure = advice_->due(state_) && limit == options_.step;
  if (measure) advice_->before(state_);
  const std::optional<double> taken = advance(limit);
  if (!taken) return true;
  measure = !cut_.apply(good_, state_) && measure;
  if (loads_ && !loads_->accepts(system_, good_, state_, stepper_.counts().last)) {
    good_.next_step = state_.next_step;
    state_ = good_;
    stepper_.go_back();
    return false;
  }
  if (state_.t != target && std::abs(target - state_.t) <= EventSchedule::slack(target)) {
    state_.t = target;
    stepper_.restart(state_);
  }
  solution_ = stepper_.solution();
  if (measure) advice_->after(system_, state_, *taken);
  // Where loads are resolved, what is left of an impact may die away in steps that are too long for it.
  const bool hopeless = measure && !(loads_ && loads_->active()) && advice_->is_beyond(most_local_error);
  observe_inside_step(good_.t, state_.t);
  smooth_ = true;
  if (commit(solution_)) restart();
  if (out_.status != RunStatus::complete) return true;
  if (state_.t == target && settle_jumps(SpeedJumps::Since::just_before)) restart();
  if (!observe_end_of_step()) return true;
  view_.begin(state_.t, smooth_ ? solution_ : nullptr);
  while (look_time(looks_) <= state_.t + EventSchedule::slack(state_.t)) ++looks_;
  if (!observer_.proceed(state_))
    out_.status = RunStatus::interrupted;
  else
    hopeless_ = hopeless;
  return true;
}

// The step itself, and what was taken of its time. A step in which an element cannot go on, or speeds grow beyond all
// bounds, leaves the state as it was.
std::optional<double> StepLoop::advance(double limit) {
  const StepOutcome step = try_step(stepper_, system_, state_, limit);
  if (!step.ok) {
    state_ = good_;
    fail(step.why.element, step.why.why);
    return std::nullopt;
  }
  const std::string broken = broken_coordinate(model_, state_);
  if (broken.empty()) return step.taken;
  fail(broken, stepper_.adaptive() ? "the speed grows without bound: look for a force or controller that feeds "
                                     "energy (a wrong sign, gains too high)"
                                   : "the speed grows without bound: most likely the step is too long for the "
                                     "stiffest part; try a shorter step or method: dopri5");
  state_ = good_;
  return std::nullopt;
}

// Shows where the step ended, enters it into the book and lets the Supervisor decide. False where the run ends here.
bool StepLoop::observe_end_of_step() {
  const double slack = row_slack(state_.t, state_.t - good_.t);
  const Due now = due(watches_ || supervisor_, std::abs(output_time(outputs_) - state_.t) <= slack);
  if (!observe(state_, now)) {
    fail(system_.failure().element, system_.failure().why);
    return false;
  }
  if (watches_) book_.enter(state_, seen_, system_, stepper_.contact_work());
  if (book_.gain().share() + book_.gain().contact_share() > most_gained) {
    fail(book_.gain().element, gain_text(book_.gain()));
    return false;
  }
  if (supervise()) {
    settle_jumps(SpeedJumps::Since::remembered);
    restart();
  } else if (now != Due::nothing && !solution_) {
    stepper_.take_evaluation(system_, state_);
  }
  return out_.status == RunStatus::complete;
}

void StepLoop::show(const State& s, Due what) {
  if (what != Due::row && watches_) {
    seen_ = system_.energy(s);
    observer_.watch(s, system_, seen_);
  }
  if (what != Due::row && what != Due::both) return;
  observer_.record(s, system_);
  ++outputs_;
}

bool StepLoop::observe(const State& s, Due what) {
  if (what == Due::nothing) return true;
  if (!view_.look_at(s, solution_)) return false;
  show(s, what);
  return true;
}

// What is due inside the last step.
void StepLoop::observe_inside_step(double begin, double end) {
  const double h = end - begin, slack = row_slack(end, h);
  const auto inside = [&](double t) { return t < end - slack && t <= options_.end; };
  const bool may_look = watches_ && stepper_.adaptive();
  int part = 1;
  while (true) {
    const double row = inside(output_time(outputs_)) ? output_time(outputs_) : infinity;
    const double share = may_look && part < looks_per_step ? begin + h * part / looks_per_step : infinity;
    const double of_run = may_look && inside(look_time(looks_)) ? look_time(looks_) : infinity;
    const double look = std::min(share, of_run), t = std::min(row, look);
    if (t == infinity) return;
    if (share == t) ++part;
    if (of_run == t) ++looks_;
    const State* at = view_.look_inside(t, end);
    if (!at) return;
    show(*at, due(look == t, row == t));
  }
}

// Whether the equations changed. An element that cannot go on ends the run.
bool StepLoop::commit(const Solution* found) {
  try {
    return system_.commit(state_, found);
  } catch (const Breakdown& breakdown) {
    fail(breakdown.element, breakdown.why);
    return false;
  }
}

// True when a signal jumped.
bool StepLoop::supervise() {
  if (!supervisor_ || out_.status != RunStatus::complete) return false;
  jumps_.remember(system_);
  Supervisor::Decision decision = supervisor_->decide(state_, system_.workspace());
  if (decision.stop) end_with(RunStatus::stopped, std::move(decision.element), std::move(decision.why));
  return decision.jumped;
}

// Speeds of rigid rows jump: whether they did.
bool StepLoop::settle_jumps(SpeedJumps::Since since) {
  if (!jumps_.settle(system_, state_, since)) return false;
  book_.allow(jumps_.work());
  for (const SpeedJump* news : jumps_.news()) observer_.jumped(*news);
  return true;
}

void StepLoop::restart() {
  stepper_.restart(state_);
  smooth_ = false;
}

bool StepLoop::look() { return view_.look_at(state_, solution_); }

void StepLoop::intervene(const std::function<bool(State&)>& change) {
  if (is_over() || !look()) return;
  jumps_.remember(system_);
  if (change(state_)) {
    settle_jumps(SpeedJumps::Since::remembered);
    stepper_.restart(state_);
  }
  go_on_afresh();
}

void StepLoop::interrupt() {
  if (!is_over()) out_.status = RunStatus::interrupted;
}

void StepLoop::end_with(RunStatus status, std::string element, std::string why) {
  out_.status = status;
  out_.element = std::move(element);
  out_.why = std::move(why);
}

RunOutcome StepLoop::finish() {
  // The last instant is always recorded, even off the output grid.
  if (outputs_ > 0 && out_.status != RunStatus::broken &&
      state_.t > output_time(outputs_ - 1) + row_slack(state_.t, options_.step))
    observe(state_, Due::row);
  out_.t = state_.t;
  out_.counts = stepper_.counts();
  if (loads_) {
    out_.load_steps = loads_->steps();
    out_.counts.steps -= out_.load_steps.retried;
    out_.counts.rejected += out_.load_steps.retried;
  }
  out_.energy_gain = book_.gain();
  out_.speed_jumps = jumps_.all();
  advice_->write(out_);
  if (out_.status == RunStatus::complete && !(loads_ && loads_->active()) &&
      (hopeless_ || out_.local_error > most_local_error * out_.local_error_goal))
    fail(advice_->worst(), error_text(out_));
  return out_;
}

void StepLoop::save(ArchiveWriter& a) const {
  a(kept_, kept_has_solution_, kept_smooth_, kept_solution_, steps_since_kept_, start_, options_.end, stepper_.counts(),
    state_.hash());
  archive_books(a, *this);
}

void StepLoop::restore(ArchiveReader& a, const std::function<void(bool again)>& repeat) {
  State kept = state_;
  std::int64_t steps = 0;
  StepCounts counts;
  std::uint64_t hash = 0;
  double end = 0;
  a(kept, kept_has_solution_, kept_smooth_, kept_solution_, steps, start_, end, counts, hash);
  constexpr std::int64_t most_steps = 1 << 20;
  if (!kept.fits(state_) || steps < 0 || steps > most_steps || (kept_has_solution_ && !fits(kept_solution_, system_)))
    throw BadArchive("it is the state of another model");
  state_ = kept_ = kept;
  solution_ = kept_has_solution_ ? &kept_solution_ : nullptr;
  make_advice();
  // Rows and looks that the run had already are not due again.
  ArchiveReader books = a;
  archive_books(books, *this);
  out_.status = RunStatus::complete;
  hopeless_ = false;
  smooth_ = kept_smooth_;
  view_.begin(state_.t, smooth_ ? solution_ : nullptr);
  stepper_.forget();
  steps_since_kept_ = 0;
  // Steps land on the end of their run.
  std::swap(options_.end, end);
  schedule_.set_end(options_.end);
  repeat(true);
  for (std::int64_t taken = 0; taken < steps && !is_over(); ++taken) step();
  repeat(false);
  std::swap(options_.end, end);
  schedule_.set_end(options_.end);
  if (state_.hash() != hash) throw BadArchive("its last steps, taken again, do not come to the same state");
  stepper_.resume_counts(counts);
  archive_books(a, *this);
  if (out_.status == RunStatus::interrupted) out_.status = RunStatus::complete;
}

RunOutcome simulate(System& system, Stepper& stepper, State& state, const SimulationOptions& options,
                    Observer& observer, Supervisor* supervisor) {
  StepLoop loop(system, stepper, state, options, observer, supervisor);
  loop.begin();
  while (!loop.is_over()) loop.step();
  return loop.finish();
}

}  // namespace davit
