#include "davit/operation/levers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "davit/operation/drive_motion.hpp"
#include "davit/operation/time_slack.hpp"

namespace davit::operation {

namespace {

constexpr double farthest = 1e6;  // beyond which a run breaks anyway

const Motion& motion_of(const State& state, const Lever& lever) { return state.discrete.signals[lever.signal.index()]; }

std::array<double, 3> motion_at(const State& state, const Lever& lever) {
  std::array<double, 3> x{};
  motion_of(state, lever).derivatives(state.t, x);
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
  const auto first = std::lower_bound(recorded_.begin(), recorded_.end(), tick,
                                      [](const RecordedCommand& r, std::int64_t t) { return r.tick < t; });
  for (auto at = first; at != recorded_.end() && at->tick == tick; ++at) out.push_back(at->command);
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
  // A lever that is let go although it did not move says nothing to a phase that moves the same thing.
  if (speed == 0 && x[1] == 0 && x[2] == 0) return;
  take_over(lever.signal.index(), state);
  give(lever, motion_at_speed(motion_of(state, lever), state.t, lever.limits, speed), state);
}

void LeverRun::go_to(const Lever& lever, double value, State& state) {
  take_over(lever.signal.index(), state);
  if (lever.kind == Lever::Kind::switched) tell(state.t, lever.name, value != 0 ? "connected" : "let go");
  const DriveLimits limits = lever.kind == Lever::Kind::switched ? DriveLimits{} : lever.limits;
  give(lever, motion_to(motion_of(state, lever), state.t, limits, value), state);
}

void LeverRun::take_over(int signal, State& state) {
  if (phases_) phases_->take_over(signal, state);
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
