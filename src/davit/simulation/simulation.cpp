#include "davit/simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/input/wording.hpp"
#include "davit/math/archive.hpp"
#include "davit/operation/drive_motion.hpp"

namespace davit {

namespace {

// The first bytes of what is saved, and the version of all that follows them.
constexpr std::string_view magic = "davit run\n";
constexpr std::uint32_t format = 1;

std::uint64_t hash_of(std::string_view text, std::uint64_t so_far = 0xcbf29ce484222325u) {
  for (const char c : text) so_far = (so_far ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return so_far;
}

// What a saved run must share with the one that goes on: all that the scenario says but for how long it lasts and what
// is recorded, and how the model was made of it.
std::uint64_t identity_of(const Scenario& scenario) {
  std::uint64_t out = hash_of(scenario.identity);
  for (const std::string& name : scenario.model->speed_names()) out = hash_of(name + "\n", out);
  for (const auto& placed : scenario.model->elements()) out = hash_of(placed.element->name() + "\n", out);
  return out ^ scenario.initial_state().hash();
}

}  // namespace

Simulation::Simulation(const Scenario& scenario, State start, Settings settings)
    : scenario_(scenario),
      settings_(std::move(settings)),
      system_(*scenario.model),
      stepper_(scenario.make_stepper()),
      state_(std::move(start)),
      recording_(scenario, *stepper_, settings_.sinks, settings_.proceed) {
  if (scenario.levers) {
    if (!settings_.commands) settings_.commands = &recorded_.emplace(scenario.levers->recorded);
    levers_ = std::make_unique<operation::LeverRun>(*scenario.levers, *settings_.commands, scenario.operation,
                                                    *scenario.model, &recording_);
  } else if (!scenario.operation.empty()) {
    phases_ = std::make_unique<operation::OperationRun>(scenario.operation, *scenario.model, &recording_);
  }
  Supervisor* supervisor = levers_ ? static_cast<Supervisor*>(levers_.get()) : phases_.get();
  loop_.emplace(system_, *stepper_, state_, settings_.options.value_or(scenario.options), recording_, supervisor);
}

Simulation::Simulation(const Scenario& scenario, const Start& start, Settings settings)
    : Simulation(scenario, start.state, std::move(settings)) {
  nowhere_to_begin_ = cannot_begin(scenario, start);
}

Simulation::~Simulation() = default;

void Simulation::begin() {
  if (begun_) return;
  begun_ = true;
  loop_->begin();
  if (nowhere_to_begin_) loop_->break_off("", *nowhere_to_begin_);
}

bool Simulation::is_over() const { return outcome_ || (begun_ ? loop_->is_over() : nowhere_to_begin_.has_value()); }

void Simulation::step() {
  begin();
  if (!is_over()) loop_->step();
}

void Simulation::advance(double to, Landing landing) {
  begin();
  if (landing == Landing::on) loop_->land_on(to);
  while (!is_over() && state_.t < to - EventSchedule::slack(to)) loop_->step();
  if (landing == Landing::on) loop_->go_on_afresh();
}

RunOutcome Simulation::run() {
  begin();
  while (!is_over()) loop_->step();
  return finish();
}

const RunOutcome& Simulation::finish() {
  if (outcome_) return *outcome_;
  begin();
  loop_->interrupt();
  outcome_ = loop_->finish();
  recording_.name_cause(*outcome_);
  for (Sink* sink : settings_.sinks) sink->finish(*outcome_);
  return *outcome_;
}

const Workspace& Simulation::look() {
  begin();
  loop_->look();
  return system_.workspace();
}

double Simulation::get(std::string_view name) {
  const std::vector<Channel>& all = scenario_.model->channels();
  if (channels_.empty())
    for (size_t i = 0; i < all.size(); ++i) channels_.emplace(all[i].name, i);
  const auto found = channels_.find(name);
  if (found == channels_.end()) {
    std::vector<std::string> names;
    for (const Channel& channel : all) names.push_back(channel.name);
    throw std::out_of_range(
        fmt::format("there is no channel '{}'{}", name, "; " + input::suggestion(name, "channels", names)));
  }
  const Workspace& work = look();
  return all[found->second].value(state_, work);
}

int Simulation::signal_named(std::string_view name) const {
  const std::vector<SignalInfo>& all = scenario_.model->signals();
  const auto find = [&](const auto& matches) -> std::optional<int> {
    const auto at = std::find_if(all.begin(), all.end(), matches);
    return at == all.end() ? std::nullopt : std::optional(static_cast<int>(at - all.begin()));
  };
  const std::string dot = std::string(name) + ".";
  if (const auto exact = find([&](const SignalInfo& s) { return s.name == name; })) return *exact;
  if (const auto of_body = find([&](const SignalInfo& s) { return s.name.starts_with(dot); })) return *of_body;
  std::vector<std::string> names;
  for (const SignalInfo& signal : all) names.push_back(signal.name);
  throw std::out_of_range(
      fmt::format("there is no signal '{}'{}", name, "; " + input::suggestion(name, "channels", names)));
}

void Simulation::give(int signal, Motion motion) {
  begin();
  loop_->intervene([&](State& state) {
    if (levers_) levers_->take_over(signal, state);
    if (phases_) phases_->take_over(signal, state);
    return operation::follow_from_here(state, signal, std::move(motion));
  });
}

void Simulation::set(std::string_view name, double value) {
  const int signal = signal_named(name);
  const SignalInfo& info = scenario_.model->signals()[static_cast<size_t>(signal)];
  if (!(value >= info.least && value <= info.most))
    throw std::invalid_argument(fmt::format("'{}' goes from {:.6g} to {:.6g} {}, and {:.6g} is beyond", info.name,
                                            info.least, info.most, info.unit, value));
  give(signal, operation::motion_to(state_.discrete.signals[signal], state_.t, info.limits, value));
}

void Simulation::drive(std::string_view name, double speed) {
  if (!std::isfinite(speed)) throw std::invalid_argument(fmt::format("{} is no speed for '{}'", speed, name));
  const int signal = signal_named(name);
  const SignalInfo& info = scenario_.model->signals()[static_cast<size_t>(signal)];
  give(signal, operation::motion_at_speed(state_.discrete.signals[signal], state_.t, info.limits, speed, info.least,
                                          info.most));
}

void Simulation::follow(std::string_view name, Motion motion) { give(signal_named(name), std::move(motion)); }

std::optional<std::string> Simulation::cannot_be_saved() const {
  for (const auto& controller : scenario_.model->controllers())
    if (controller.element->remembers_outside())
      return "controller '" + controller.element->name() + "' may remember what the State does not have";
  if (levers_ && !recorded_) return "somebody drives it, and what will be done with the levers is not known";
  return std::nullopt;
}

bool Simulation::may_go_on() const {
  const RunStatus status = loop_->outcome().status;
  return begun_ && (status == RunStatus::complete || status == RunStatus::interrupted);
}

bool Simulation::was_interrupted() const { return loop_->outcome().status == RunStatus::interrupted; }

std::string Simulation::save() const {
  if (const auto why = cannot_be_saved()) throw BadSave("a run cannot be saved: " + *why);
  if (!begun_) throw BadSave("a run that has not begun has nothing to save");
  ArchiveWriter a;
  loop_->save(a);
  a(recording_);
  if (phases_) a(*phases_);
  if (levers_) a(*levers_);
  ArchiveWriter head;
  head(std::string(magic), format, identity_of(scenario_), hash_of(a.bytes()));
  return head.bytes() + a.bytes();
}

void Simulation::restore(std::string_view bytes) {
  if (begun_) throw std::logic_error("a run that has begun cannot be another");
  if (const auto why = cannot_be_saved()) throw BadSave("a run cannot be restored: " + *why);
  try {
    ArchiveReader a(bytes);
    std::string first;
    a(first);
    if (first != magic) throw BadArchive("these are not the bytes of one");
    std::uint32_t version = 0;
    std::uint64_t identity = 0, sum = 0;
    a(version);
    if (version != format) throw BadArchive("another version of Davit saved it");
    a(identity, sum);
    if (identity != identity_of(scenario_)) throw BadArchive("it is a run of another scenario, or of a changed one");
    if (sum != hash_of(a.left())) throw BadArchive("it is damaged");
    loop_->restore(a, [this](bool again) { recording_.mute(again); });
    a(recording_);
    if (phases_) a(*phases_);
    if (levers_) a(*levers_);
    if (!a.at_end()) throw BadArchive("there is more than belongs to it");
    begun_ = true;
  } catch (const BadArchive& bad) {
    throw BadSave(fmt::format("a saved run cannot go on: {}", bad.what()));
  }
}

}  // namespace davit
