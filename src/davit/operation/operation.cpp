// An operation as it runs: when phases begin, wait, end and fail, and the motions that they give to signals.
#include "davit/operation/operation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "davit/operation/drive_motion.hpp"
#include "davit/operation/time_slack.hpp"

namespace davit::operation {

namespace {

// What is kept of a phase. Before those of all phases come the number of the one that failed, from one on (zero: none),
// and whether phases begin only by hand.
struct Kept {
  enum : int { status, ready, begun, ended, since, size };
};
constexpr size_t failed = 0, by_hand = 1, first = 2;
constexpr double not_yet = -1;

std::span<double> kept_of(State& state, int phase) {
  return std::span(state.operation).subspan(first + static_cast<size_t>(phase * Kept::size), Kept::size);
}
std::span<const double> kept_of(const State& state, int phase) {
  return std::span(state.operation).subspan(first + static_cast<size_t>(phase * Kept::size), Kept::size);
}
Status status_of(std::span<const double> kept) { return static_cast<Status>(static_cast<int>(kept[Kept::status])); }
void set(std::span<double> kept, Status status) { kept[Kept::status] = static_cast<double>(status); }

bool is_over(double time, double t) { return t >= time - time_slack(t); }

double largest_acceleration(const Motion& motion, double from, double to) {
  double most = 0;
  constexpr int samples = 200;
  for (int i = 0; i < samples; ++i)
    most = std::max(most, std::abs(motion.derivative(2, from + (to - from) * (i + 0.5) / samples)));
  return most;
}

// A stop whose deceleration is that of the drive, or what the motion itself had: Hermite's cubic from speed v to zero
// in the time T falls by 1.5 v/T at most.
double time_to_stop(const Motion& motion, double t, double acceleration) {
  const double speed = std::abs(motion.derivative(1, t));
  if (!std::isfinite(acceleration)) {
    const auto& joins = motion.breakpoints();
    acceleration = largest_acceleration(motion, joins.front(), joins.back());
  }
  constexpr double shortest = 0.1;  // s
  return acceleration > 0 ? time_to_change(speed, {.acceleration = acceleration}) : std::max(speed, shortest);
}

Motion brought_to_rest(const Motion& motion, double t, double acceleration) {
  Motion out = motion;
  const bool over = motion.ends() <= t;
  return over ? out : out.stop(t, time_to_stop(motion, t, acceleration));
}

}  // namespace

std::optional<int> Operation::find(const std::string& name) const {
  const auto at = std::find_if(phases_.begin(), phases_.end(), [&](const Phase& p) { return p.name == name; });
  return at == phases_.end() ? std::nullopt : std::optional(static_cast<int>(at - phases_.begin()));
}

std::vector<double> Operation::beginning(bool automatic) const {
  if (phases_.empty()) return {};
  std::vector<double> out{0, automatic ? 0.0 : 1.0};
  for (size_t i = 0; i < phases_.size(); ++i) out.insert(out.end(), {0, not_yet, not_yet, not_yet, not_yet});
  return out;
}

Status Operation::status(const State& state, int phase) const {
  return state.operation.empty() ? Status::waiting : status_of(kept_of(state, phase));
}

void Operation::set_automatic(State& state, bool automatic) const {
  if (!state.operation.empty()) state.operation[by_hand] = automatic ? 0 : 1;
}

bool Operation::is_automatic(const State& state) const {
  return !state.operation.empty() && state.operation[by_hand] == 0;
}

std::vector<PhaseReport> Operation::report(const State& state) const {
  std::vector<PhaseReport> out;
  for (size_t i = 0; i < phases_.size(); ++i) {
    PhaseReport r{phases_[i].name, status(state, static_cast<int>(i)), std::nullopt, std::nullopt};
    if (!state.operation.empty()) {
      const auto kept = kept_of(state, static_cast<int>(i));
      if (kept[Kept::begun] >= 0) r.begun = kept[Kept::begun];
      if (kept[Kept::ended] >= 0) r.ended = kept[Kept::ended];
    }
    out.push_back(std::move(r));
  }
  return out;
}

// Where it goes on smoothly the equations of this instant stay the same.
bool follow_from_here(State& state, int signal, Motion motion) {
  double before[3], after[3];
  state.discrete.signals[signal].derivatives(state.t, before);
  motion.derivatives(state.t, after);
  bool jumped = false;
  for (int k = 0; k < 3; ++k) jumped = jumped || std::abs(after[k] - before[k]) > 1e-9 * (1 + std::abs(before[k]));
  state.discrete.signals.set(signal, std::move(motion));
  return jumped;
}

namespace {

std::vector<Channel> channels_of(const Operation& operation) {
  std::vector<Channel> out;
  const auto add = [&](const std::optional<Condition>& condition) {
    if (!condition) return;
    for (const auto* part : {&condition->all, &condition->any})
      for (const Comparison& c : *part) out.push_back(c.channel);
  };
  for (const Phase& phase : operation.phases()) {
    add(phase.when);
    add(phase.until);
  }
  return out;
}

size_t size_of(const std::optional<Condition>& condition) {
  return condition ? condition->all.size() + condition->any.size() : 0;
}

}  // namespace

OperationRun::OperationRun(const Operation& operation, const Model& model, EventSink* events)
    : operation_(operation), model_(model), events_(events), reader_(channels_of(operation)), values_(reader_.size()) {
  size_t next = 0;
  for (const Phase& phase : operation_.phases()) {
    Place place;
    place.when = next;
    next += size_of(phase.when);
    place.until = next;
    next += size_of(phase.until);
    places_.push_back(place);
  }
}

void OperationRun::tell(double t, const std::string& element, const char* what, const std::string& text) const {
  if (events_) events_->event(t, element, what, text, {});
}

double OperationRun::next_time(const State& state) const {
  double next = never;
  const auto consider = [&](double time) {
    if (time > state.t + time_slack(state.t)) next = std::min(next, time);
  };
  if (state.operation.empty() || state.operation[failed] > 0) return next;
  for (size_t i = 0; i < operation_.phases().size(); ++i) {
    const Phase& phase = operation_.phases()[i];
    const auto kept = kept_of(state, static_cast<int>(i));
    const Status now = status_of(kept);
    if (now == Status::waiting && kept[Kept::ready] != not_yet) {
      consider(kept[Kept::ready] + phase.delay);
      if (phase.when) consider(kept[Kept::ready] + phase.delay + phase.timeout);
      if (phase.when && kept[Kept::since] != not_yet) consider(kept[Kept::since] + phase.when->lasting);
    } else if (now == Status::waiting) {
      consider(phase.at);
    } else if (now == Status::running) {
      consider(kept[Kept::begun] + phase.hold);
      consider(kept[Kept::begun] + phase.timeout);
      if (phase.until && kept[Kept::since] != not_yet) consider(kept[Kept::since] + phase.until->lasting);
    }
  }
  return next;
}

// Channels are looked at only while some phase waits for one, or may come to.
void OperationRun::read_values(const State& state, const Workspace& work) {
  for (size_t i = 0; i < operation_.phases().size(); ++i) {
    const Phase& phase = operation_.phases()[i];
    const Status now = operation_.status(state, static_cast<int>(i));
    if ((phase.when && now == Status::waiting) || (phase.until && now <= Status::running)) {
      reader_.read(state, work, values_.data());
      return;
    }
  }
}

const Condition* OperationRun::awaited(int index, const State& state, size_t& first_value) const {
  const Phase& phase = operation_.phases()[static_cast<size_t>(index)];
  const Place& place = places_[static_cast<size_t>(index)];
  const Status now = operation_.status(state, index);
  const bool begins = now == Status::waiting && phase.when.has_value();
  if (!begins && !(now == Status::running && phase.until)) return nullptr;
  first_value = begins ? place.when : place.until;
  return begins ? &*phase.when : &*phase.until;
}

bool OperationRun::waits(const State& state) const {
  if (state.operation.empty() || state.operation[failed] > 0) return false;
  size_t first_value = 0;
  for (size_t i = 0; i < operation_.phases().size(); ++i)
    if (awaited(static_cast<int>(i), state, first_value)) return true;
  return false;
}

bool OperationRun::has_come(const State& state, const Workspace& work) {
  if (!waits(state)) return false;
  reader_.read(state, work, values_.data());
  for (size_t i = 0; i < operation_.phases().size(); ++i) {
    size_t first_value = 0;
    const Condition* condition = awaited(static_cast<int>(i), state, first_value);
    const auto kept = kept_of(state, static_cast<int>(i));
    if (!condition || kept[Kept::since] != not_yet) continue;
    // Before its time a phase that waits does not look.
    const bool looks =
        status_of(kept) == Status::running || (operation_.is_automatic(state) && kept[Kept::ready] != not_yet &&
                                               is_over(kept[Kept::ready] + operation_.phases()[i].delay, state.t));
    if (looks && holds(*condition, first_value)) return true;
  }
  return false;
}

Supervisor::Decision OperationRun::decide(State& state, const Workspace& work) {
  if (state.operation[failed] == 0) {
    read_values(state, work);
    bool again = true;
    while (again && state.operation[failed] == 0) {
      again = false;
      for (size_t i = 0; i < operation_.phases().size() && state.operation[failed] == 0; ++i)
        again = advance(static_cast<int>(i), state) || again;
    }
  }
  Decision out;
  out.jumped = std::exchange(jumped_, false);
  if (state.operation[failed] == 0) return out;
  // What was moving has come to rest.
  const SignalMotions& signals = state.discrete.signals;
  for (int i = 0; i < signals.size(); ++i)
    if (!is_over(signals[i].ends(), state.t)) return out;
  out.stop = true;
  out.element = operation_.phases()[static_cast<size_t>(state.operation[failed]) - 1].name;
  out.why = why_;
  return out;
}

// True when its status changed.
bool OperationRun::advance(int phase, State& state) {
  switch (operation_.status(state, phase)) {
    case Status::waiting:
      return wait(phase, state);
    case Status::running:
    case Status::stopping:
      return go_on(phase, state);
    default:
      return false;
  }
}

bool OperationRun::wait(int index, State& state) {
  if (!operation_.is_automatic(state)) return false;
  const Phase& phase = operation_.phases()[static_cast<size_t>(index)];
  const auto kept = kept_of(state, index);
  if (kept[Kept::ready] == not_yet) {
    const bool all_over = std::all_of(phase.after.begin(), phase.after.end(),
                                      [&](int other) { return operation_.status(state, other) == Status::done; });
    if (!all_over || !is_over(phase.at, state.t)) return false;
    kept[Kept::ready] = state.t;
  }
  const double due = kept[Kept::ready] + phase.delay;
  if (!is_over(due, state.t)) return false;
  const Place& place = places_[static_cast<size_t>(index)];
  if (phase.when && !has_held(*phase.when, place.when, state.t, kept[Kept::since])) {
    if (!is_over(due + phase.timeout, state.t)) return false;
    if (!phase.continue_on_timeout) {
      fail(index, state, fmt::format("it waited {:.4g} s to begin when {}", phase.timeout, phase.when->text));
      return true;
    }
  }
  begin(index, state);
  return true;
}

void OperationRun::begin(int index, State& state) {
  const Phase& phase = operation_.phases()[static_cast<size_t>(index)];
  const auto kept = kept_of(state, index);
  const double t = state.t;
  set(kept, Status::running);
  kept[Kept::begun] = t;
  kept[Kept::since] = not_yet;
  tell(t, phase.name, "begins");
  for (const SignalMove& move : phase.moves) {
    if (move.scheduled) continue;
    const int signal = move.signal.index();
    const double from = state.discrete.signals[signal].value(t);
    Motion motion(from);
    if (move.kind == SignalMove::Kind::follow) {
      const double begins_at = move.table.value(0);
      if (std::abs(begins_at - from) > 1e-6 * (1 + std::abs(from))) {
        fail(index, state,
             fmt::format("its table for '{}' begins at {:.6g}, and that is at {:.6g}",
                         model_.signals()[static_cast<size_t>(signal)].name, begins_at, from));
        return;
      }
      motion = move.table.shifted(t);
    } else if (move.kind == SignalMove::Kind::jump) {
      motion.jump(t, move.value);
    } else {
      const double to = move.kind == SignalMove::Kind::by ? from + move.value : move.value;
      const Travel travel = move.over ? Travel{*move.over, move.profile}
                                      : fastest_travel(to - from, move.limits, move.profile.smoothness);
      if (travel.over > 0) motion.move(t, travel.over, to, travel.profile);
    }
    give(signal, std::move(motion), state);
  }
}

void OperationRun::begin_now(int phase, State& state) {
  if (operation_.status(state, phase) == Status::waiting) begin(phase, state);
}

void OperationRun::take_over(int signal, State& state) {
  for (size_t i = 0; i < operation_.phases().size(); ++i) {
    const Phase& phase = operation_.phases()[i];
    const int index = static_cast<int>(i);
    const bool moves = std::any_of(phase.moves.begin(), phase.moves.end(),
                                   [&](const SignalMove& move) { return move.signal.index() == signal; });
    if (!moves || operation_.status(state, index) != Status::running) continue;
    tell(state.t, phase.name, "taken over", model_.signals()[static_cast<size_t>(signal)].name);
    come_to_rest(index, state);
    end(index, state, "ends");
    operation_.set_automatic(state, false);
  }
}

bool OperationRun::moves_are_over(int index, const State& state) const {
  const Phase& phase = operation_.phases()[static_cast<size_t>(index)];
  return std::all_of(phase.moves.begin(), phase.moves.end(), [&](const SignalMove& move) {
    if (!move.scheduled) return is_over(state.discrete.signals[move.signal.index()].ends(), state.t);
    return is_over(phase.at + move.over.value_or(0), state.t);
  });
}

bool OperationRun::go_on(int index, State& state) {
  const Phase& phase = operation_.phases()[static_cast<size_t>(index)];
  const auto kept = kept_of(state, index);
  const bool over = moves_are_over(index, state);
  if (status_of(kept) == Status::stopping) {
    if (over) end(index, state, "ends");
    return over;
  }
  const bool held = is_over(kept[Kept::begun] + phase.hold, state.t);
  if (!phase.until) {
    if (over && held) end(index, state, "ends");
    return over && held;
  }
  const Place& place = places_[static_cast<size_t>(index)];
  const bool fires = has_held(*phase.until, place.until, state.t, kept[Kept::since]);
  const bool late = is_over(kept[Kept::begun] + phase.timeout, state.t);
  // Moves that are over bring the condition no nearer; without a time to wait for it that is the end.
  const bool in_vain = over && !phase.moves.empty() && phase.timeout == never;
  if ((fires && held) || ((late || in_vain) && phase.continue_on_timeout)) {
    tell(state.t, phase.name, fires ? "condition" : "timeout", phase.until->text);
    come_to_rest(index, state);
    return true;
  }
  if (late)
    fail(index, state, fmt::format("it waited {:.4g} s until {}", phase.timeout, phase.until->text));
  else if (in_vain)
    fail(index, state, "its moves are over, and it should last until " + phase.until->text);
  return late || in_vain;
}

void OperationRun::come_to_rest(int index, State& state) {
  const Phase& phase = operation_.phases()[static_cast<size_t>(index)];
  for (const SignalMove& move : phase.moves) {
    const int signal = move.signal.index();
    give(signal, brought_to_rest(state.discrete.signals[signal], state.t, move.limits.acceleration), state);
  }
  set(kept_of(state, index), Status::stopping);
}

void OperationRun::end(int index, State& state, const char* how) {
  const auto kept = kept_of(state, index);
  set(kept, Status::done);
  kept[Kept::ended] = state.t;
  tell(state.t, operation_.phases()[static_cast<size_t>(index)].name, how);
}

void OperationRun::fail(int index, State& state, const std::string& why) {
  tell(state.t, operation_.phases()[static_cast<size_t>(index)].name, "fails", why);
  const auto kept = kept_of(state, index);
  kept[Kept::ended] = state.t;
  // Whoever begins phases by hand decides what comes next.
  if (!operation_.is_automatic(state)) {
    come_to_rest(index, state);
    set(kept, Status::failed);
    return;
  }
  std::vector<double> braking;  // by signal
  for (const SignalInfo& signal : model_.signals()) braking.push_back(signal.limits.acceleration);
  for (size_t i = 0; i < operation_.phases().size(); ++i)
    if (operation_.is_under_way(state, static_cast<int>(i)))
      for (const SignalMove& move : operation_.phases()[i].moves)
        braking[static_cast<size_t>(move.signal.index())] = move.limits.acceleration;
  const SignalMotions& signals = state.discrete.signals;
  for (int i = 0; i < signals.size(); ++i)
    give(i, brought_to_rest(signals[i], state.t, braking[static_cast<size_t>(i)]), state);
  set(kept, Status::failed);
  state.operation[failed] = index + 1;
  why_ = fmt::format("at {:.6g} s {}", state.t, why);
}

bool OperationRun::holds(const Condition& condition, size_t first_value) const {
  size_t next = first_value;
  const auto within = [&](const Comparison& c) {
    const double x = values_[next++];
    return x >= c.above && x <= c.below;
  };
  bool all = true, any = condition.any.empty();
  for (const Comparison& c : condition.all) all = within(c) && all;
  for (const Comparison& c : condition.any) any = within(c) || any;
  return all && any;
}

bool OperationRun::has_held(const Condition& condition, size_t first_value, double t, double& since) const {
  if (!holds(condition, first_value)) {
    since = not_yet;
    return false;
  }
  if (since == not_yet) since = t;
  return is_over(since + condition.lasting, t);
}

}  // namespace davit::operation
