#include "davit/simulation/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/result/csv.hpp"

namespace davit {

std::vector<result::ChannelInfo> recorded_channels(const Scenario& scenario) {
  std::vector<result::ChannelInfo> infos;
  for (const Channel& c : scenario.channels) infos.push_back(info_of(c));
  const auto& plot = scenario.specification.run.plot;
  for (result::ChannelInfo& energy : channels_of_every_run()) {
    energy.main = std::any_of(plot.begin(), plot.end(),
                              [&](const std::string& pattern) { return result::matches(pattern, energy.name); });
    infos.push_back(std::move(energy));
  }
  return infos;
}

Recording::Recording(const Scenario& scenario, const Stepper& stepper, std::vector<Sink*> sinks,
                     std::function<bool(double t)> proceed)
    : channels_(scenario.channels),
      observables_(scenario.model->observables()),
      stepper_(stepper),
      sinks_(std::move(sinks)),
      proceed_(std::move(proceed)),
      reader_(scenario.channels),
      values_(channels_.size() + channels_of_every_run().size()),
      crossed_(channels_.size()),
      crossing_values_(channels_.size()),
      rang_(channels_.size()) {
  if (std::none_of(sinks_.begin(), sinks_.end(), [](const Sink* sink) { return sink->wants_shapes(); })) return;
  poses_.resize(observables_.poses.size());
  polylines_.resize(observables_.polylines.size());
}

bool Recording::watches() const {
  return std::any_of(sinks_.begin(), sinks_.end(), [](const Sink* sink) { return sink->wants_every_step(); });
}

void Recording::read_values(const State& state, System& system, const Energy& energy) {
  reader_.read(state, system.workspace(), values_.data());
  const double energies[] = {energy.kinetic, energy.potential, energy.total(), energy.power};
  const StepCounts::Step& step = stepper_.counts().last;
  const double solver[] = {step.length, static_cast<double>(step.iterations), static_cast<double>(step.rejected),
                           system.violation()};
  std::copy(std::begin(solver), std::end(solver),
            std::copy(std::begin(energies), std::end(energies),
                      values_.begin() + static_cast<std::ptrdiff_t>(reader_.size())));
  values_at_ = state.t;
  for (size_t i = 0; i < channels_.size() && not_a_number_.empty(); ++i)
    if (std::isnan(values_[i])) not_a_number_ = channels_[i].name;
  for (size_t i = 0; i < channels_.size() && rang_ == channels_.size(); ++i)
    if (values_[i] < channels_[i].alarm.below) {
      rang_ = i;
      rang_value_ = values_[i];
      rang_at_ = state.t;
    }
  report_crossings(state.t);
  for (Sink* sink : sinks_) sink->see(state.t, values_);
}

void Recording::watch(const State& state, System& system, const Energy& energy) {
  if (muted_) return;
  read_values(state, system, energy);
  const Snapshot now = snapshot(state, system);
  for (Sink* sink : sinks_)
    if (sink->wants_every_step()) sink->watch(now);
}

void Recording::record(const State& state, System& system) {
  if (muted_) return;
  if (values_at_ != state.t) read_values(state, system, system.energy(state));
  const Snapshot now = snapshot(state, system);
  for (Sink* sink : sinks_) sink->record(now);
  for (const ObservedEvents& e : observables_.events) e.report(state, system.workspace(), *this);
}

Snapshot Recording::snapshot(const State& state, System& system) {
  if (!look_at_shapes(state, system.workspace())) return {state, system.workspace(), values_, {}, {}};
  return {state, system.workspace(), values_, poses_, polylines_};
}

bool Recording::look_at_shapes(const State& state, const Workspace& work) {
  if (std::none_of(sinks_.begin(), sinks_.end(), [&](const Sink* sink) { return sink->wants_shapes_at(state.t); }))
    return false;
  for (size_t i = 0; i < poses_.size(); ++i) poses_[i] = observables_.poses[i].pose(work.kin);
  for (size_t i = 0; i < polylines_.size(); ++i) observables_.polylines[i].draw(state, work, polylines_[i]);
  return true;
}

// What is crossed between two instants is an event where the straight line between them crosses it.
void Recording::report_crossings(double t) {
  const bool first = !std::isfinite(crossings_at_);
  for (size_t i = 0; i < channels_.size(); ++i) {
    const ScalarInfo::Crossing& crossing = channels_[i].crossing;
    if (crossing.element.empty()) continue;
    const double before = crossing_values_[i], after = values_[i];
    const bool now = after <= crossing.level;
    if (now != crossed_[i]) {
      const double share = first ? 1 : std::clamp((crossing.level - before) / (after - before), 0.0, 1.0);
      const auto told = std::find_if(channels_.begin(), channels_.end(),
                                     [&](const Channel& channel) { return channel.name == crossing.told; });
      std::string text;
      if (told != channels_.end())
        text = fmt::format("{} = {:.4g} {}", told->name, values_[static_cast<size_t>(told - channels_.begin())],
                           told->unit);
      event(first || !std::isfinite(share) ? t : crossings_at_ + share * (t - crossings_at_), crossing.element,
            now ? crossing.reached : crossing.left, text);
    }
    crossed_[i] = now;
    crossing_values_[i] = after;
  }
  crossings_at_ = t;
}

void Recording::jumped(const SpeedJump& jump) {
  const double values[] = {jump.by, jump.impulse};
  event(jump.t, jump.element, "impulse",
        fmt::format("its speed jumps by {:.4g} {}/s, by an impulse of {:.4g} {}", jump.by, jump.unit, jump.impulse,
                    jump.unit == "rad" ? "N m s" : "N s"),
        values);
}

void Recording::event(double t, std::string_view element, std::string_view key, std::string_view text,
                      std::span<const double> values) {
  for (Sink* sink : sinks_)
    if (!muted_) sink->event(t, element, key, text, values);
}

void Recording::name_cause(RunOutcome& outcome) const {
  if (!not_a_number_.empty() && outcome.status != RunStatus::broken) {
    outcome.status = RunStatus::broken;
    outcome.element = not_a_number_;
    outcome.why = "it is not a number: a value in the file is too large or too small to compute with";
  }
  if (outcome.status != RunStatus::broken || rang_ == channels_.size()) return;
  outcome.why =
      fmt::format("{} ({} = {:.2g} at {:.4g} s); then {}", channels_[rang_].alarm.words, channels_[rang_].name,
                  rang_value_, rang_at_, outcome.why.substr(0, outcome.why.find(": ")));
}

}  // namespace davit
