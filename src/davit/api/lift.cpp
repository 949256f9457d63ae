#include "davit/api/lift.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "davit/run/preparation.hpp"
#include "davit/run/recording.hpp"
#include "davit/run/run.hpp"

namespace davit {

struct Lift::Parts {
  Scenario scenario;
  std::string warnings;
  std::vector<std::string> warning_lines;
  std::vector<result::ChannelInfo> channels;
};

// Throws InputError when nothing was read.
auto Lift::parts_of(std::optional<Scenario> scenario, const input::Problems& problems) -> std::unique_ptr<Parts> {
  if (!scenario) throw InputError(problems.to_text());
  auto parts = std::make_unique<Parts>();
  parts->scenario = *std::move(scenario);
  parts->warnings = problems.to_text();
  for (const input::Problem& problem : problems.all()) parts->warning_lines.push_back(problem.message);
  for (const Channel& c : parts->scenario.channels) parts->channels.push_back(info_of(c));
  return parts;
}

namespace {

class ObservedInstant final : public Instant {
 public:
  explicit ObservedInstant(const Snapshot& now) : now_(now) {}
  double time() const override { return now_.state.t; }
  double value(std::size_t channel) const override {
    if (channel >= now_.values.size()) throw std::out_of_range(fmt::format("there is no channel {}", channel));
    return now_.values[channel];
  }
  const State& state() const override { return now_.state; }

 private:
  const Snapshot& now_;
};

class CallingSink final : public Sink {
 public:
  explicit CallingSink(const std::function<bool(const Instant&)>& call) : call_(call) {}
  void record(const Snapshot& now) override {
    if (go_on_) go_on_ = call_(ObservedInstant(now));
  }
  bool goes_on() const { return go_on_; }

 private:
  const std::function<bool(const Instant&)>& call_;
  bool go_on_ = true;
};

LiftOutcome outcome_of(const RunOutcome& run, bool limits_kept, bool good_quality) {
  return {run.status == RunStatus::complete, run.t, run.element, run.why, limits_kept, good_quality};
}

}  // namespace

Lift::Lift(std::optional<Scenario> scenario, const input::Problems& problems)
    : parts_(parts_of(std::move(scenario), problems)) {}
Lift::Lift(Lift&&) noexcept = default;
Lift& Lift::operator=(Lift&&) noexcept = default;
Lift::~Lift() = default;

Lift Lift::load(const std::filesystem::path& file, const std::vector<std::string>& settings) {
  input::Problems problems;
  return Lift(load_scenario(file, settings, problems), problems);
}

Lift Lift::parse(const std::string& yaml) {
  input::Problems problems;
  return Lift(parse_scenario(yaml, "scenario", problems), problems);
}

const std::string& Lift::title() const { return parts_->scenario.specification.title; }
const std::string& Lift::warnings() const { return parts_->warnings; }
std::string Lift::method() const { return parts_->scenario.method; }
const Model& Lift::model() const { return *parts_->scenario.model; }
const std::vector<result::ChannelInfo>& Lift::channels() const { return parts_->channels; }

std::size_t Lift::channel(std::string_view name) const {
  std::string names;
  for (std::size_t i = 0; i < parts_->channels.size(); ++i) {
    if (parts_->channels[i].name == name) return i;
    names += (i > 0 ? ", " : "") + parts_->channels[i].name;
  }
  throw std::out_of_range(fmt::format("there is no channel '{}': channels are {}", name, names));
}

LiftOutcome Lift::run(const std::function<bool(const Instant&)>& observer) const {
  const Scenario& scenario = parts_->scenario;
  System system(*scenario.model);
  Start start = find_start(scenario, system);
  if (auto why = cannot_begin(scenario, start)) return {false, start.state.t, "", *std::move(why), true, true};
  CallingSink calls(observer);
  const auto stepper = scenario.make_stepper();
  return outcome_of(simulate_into({&calls}, scenario, system, *stepper, start.state, scenario.options,
                                  [&](double) { return calls.goes_on(); }),
                    true, true);
}

LiftOutcome Lift::write(const std::filesystem::path& folder) const {
  RunSettings settings;
  settings.directory = folder;
  settings.created = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)));
  settings.warnings = parts_->warning_lines;
  const RunReport report = run_scenario(parts_->scenario, settings);
  return outcome_of(report.outcome, report.limits_kept, report.summary.quality.good());
}

}  // namespace davit
