#include "davit/operation/levers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "davit/operation/time_slack.hpp"

namespace davit::operation {

namespace {

constexpr double shortest_change = 0.1;  // s, in which a speed changes
constexpr double farthest = 1e6;         // beyond which a run breaks anyway

// Hermite's cubic changes a speed by Δ in the time T with 1.5 Δ/T at most.
double time_to_change(double by, const DriveLimits& limits) {
  return std::max(1.5 * std::abs(by) / limits.acceleration, shortest_change);
}

std::array<double, 3> motion_at(const State& state, const Lever& lever) {
  std::array<double, 3> x{};
  state.discrete.signals[lever.signal.index()].derivatives(state.t, x);
  return x;
}

// Where it would come to rest if it were stopped now.
double rest_after_stop(const std::array<double, 3>& x, const Lever& lever) {
  const double T = time_to_change(x[1], lever.limits);
  return x[0] + x[1] * T / 2 + x[2] * T * T / 12;
}

}  // namespace

std::optional<int> Levers::find(const std::string& name) const {
  const auto at = std::find_if(levers.begin(), levers.end(), [&](const Lever& l) { return l.name == name; });
  return at == levers.end() ? std::nullopt : std::optional(static_cast<int>(at - levers.begin()));
}

std::string mistake_in(const LeverCommand& command, const Levers& levers, const Operation& operation) {
  if (!std::isfinite(command.value)) return "the value is not a number";
  if (command.verb == LeverVerb::phase)
    return operation.find(command.name) ? "" : fmt::format("there is no phase '{}'", command.name);
  if (command.verb == LeverVerb::automatic && operation.empty()) return "there is no operation";
  if (command.verb != LeverVerb::speed && command.verb != LeverVerb::move) return {};
  const auto at = levers.find(command.name);
  if (!at) return fmt::format("there is no lever '{}'", command.name);
  const Lever& lever = levers.levers[static_cast<size_t>(*at)];
  if (command.verb == LeverVerb::speed && lever.kind != Lever::Kind::driven)
    return fmt::format("'{}' is set to a value with 'move', it has no speed", lever.name);
  if (std::abs(command.value) > farthest)
    return fmt::format("{:.3g} {} is beyond any sense for '{}'", command.value, lever.unit, lever.name);
  if (command.verb == LeverVerb::move && (command.value < lever.least || command.value > lever.most))
    return fmt::format("'{}' goes from {:.6g} to {:.6g} {}", lever.name, lever.least, lever.most, lever.unit);
  return {};
}

std::vector<LeverCommand> RecordedCommands::at_tick(std::int64_t tick, const State&, const Workspace&, EventSink*) {
  std::vector<LeverCommand> out;
  for (; next_ < recorded_.size() && recorded_[next_].tick <= tick; ++next_) out.push_back(recorded_[next_].command);
  return out;
}

LeverRun::LeverRun(const Levers& levers, CommandSource& source, const Operation& operation, const Model& model,
                   EventSink* events)
    : levers_(levers), source_(source), operation_(operation), events_(events) {
  if (!operation.empty()) phases_.emplace(operation, model, events);
}

double LeverRun::next_time(const State& state) const {
  const double next = (std::floor((state.t + time_slack(state.t)) / levers_.tick) + 1) * levers_.tick;
  return phases_ ? std::min(next, phases_->next_time(state)) : next;
}

Supervisor::Decision LeverRun::decide(State& state, const Workspace& work) {
  jumped_ = false;
  const double ticks = state.t / levers_.tick, tick = std::round(ticks);
  if (std::abs(ticks - tick) * levers_.tick <= time_slack(state.t)) {
    for (const LeverCommand& command : source_.at_tick(static_cast<std::int64_t>(tick), state, work, events_))
      if (mistake_in(command, levers_, operation_).empty()) carry_out(command, state);
    stop_at_ends(state);
  }
  Decision out;
  if (phases_) out = phases_->decide(state, work);
  out.jumped = out.jumped || jumped_;
  return out;
}

void LeverRun::carry_out(const LeverCommand& command, State& state) {
  switch (command.verb) {
    case LeverVerb::speed:
      return set_speed(levers_.levers[static_cast<size_t>(*levers_.find(command.name))], command.value, state);
    case LeverVerb::move:
      return go_to(levers_.levers[static_cast<size_t>(*levers_.find(command.name))], command.value, state);
    case LeverVerb::phase:
      phases_->begin_now(*operation_.find(command.name), state);
      return;
    case LeverVerb::automatic:
      operation_.set_automatic(state, command.value != 0);
      tell(state.t, "operation", command.value != 0 ? "automatic" : "by hand");
      return;
    case LeverVerb::stop:
      for (const Lever& lever : levers_.levers)
        if (lever.kind == Lever::Kind::driven && motion_at(state, lever)[1] != 0) set_speed(lever, 0, state);
      return;
  }
}

void LeverRun::set_speed(const Lever& lever, double speed, State& state) {
  const std::array<double, 3> x = motion_at(state, lever);
  const double wanted = std::clamp(speed, -lever.limits.speed, lever.limits.speed);
  // A lever that is let go although it did not move says nothing to a phase that moves the same thing.
  if (wanted == 0 && x[1] == 0 && x[2] == 0) return;
  if (phases_) phases_->take_over(lever.signal.index(), state);
  give(lever, Motion::to_speed(state.t, x, time_to_change(wanted - x[1], lever.limits), wanted), state);
}

// What moves is brought to rest first.
void LeverRun::go_to(const Lever& lever, double value, State& state) {
  if (phases_) phases_->take_over(lever.signal.index(), state);
  const std::array<double, 3> x = motion_at(state, lever);
  Motion motion(x[0]);
  double begin = state.t;
  if (lever.kind == Lever::Kind::switched) {
    if (x[0] != value) motion.jump(begin, value);
    tell(state.t, lever.name, value != 0 ? "connected" : "let go");
    return give(lever, std::move(motion), state);
  }
  if (x[1] != 0 || x[2] != 0) {
    const double over = time_to_change(x[1], lever.limits);
    motion = Motion::to_speed(begin, x, over, 0);
    begin += over;
  }
  const Travel travel = fastest_travel(value - motion.end_value(), lever.limits);
  if (travel.over > 0) motion.move(begin, travel.over, value, travel.profile);
  give(lever, std::move(motion), state);
}

// A tick more, and it could not be stopped in time.
void LeverRun::stop_at_ends(State& state) {
  for (const Lever& lever : levers_.levers) {
    if (lever.kind != Lever::Kind::driven || !(std::isfinite(lever.least) || std::isfinite(lever.most))) continue;
    // Moves end where they should.
    if (std::isfinite(state.discrete.signals[lever.signal.index()].ends())) continue;
    const std::array<double, 3> x = motion_at(state, lever);
    const double rest = rest_after_stop(x, lever) + x[1] * levers_.tick;
    if ((x[1] > 0 && rest > lever.most) || (x[1] < 0 && rest < lever.least)) {
      set_speed(lever, 0, state);
      tell(state.t, lever.name, "end of travel");
    }
  }
}

void LeverRun::give(const Lever& lever, Motion motion, State& state) {
  jumped_ = follow_from_here(state, lever.signal.index(), std::move(motion)) || jumped_;
}

void LeverRun::tell(double t, const std::string& element, const char* what, const std::string& text) const {
  if (events_) events_->event(t, element, what, text, {});
}

}  // namespace davit::operation
