#include "davit/api/lift.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <mutex>

#include "davit/api/lift_run.hpp"
#include "davit/run/run.hpp"
#include "davit/simulation/simulation.hpp"

namespace davit {

struct Lift::Parts {
  Scenario scenario;
  std::string warnings;
  std::vector<std::string> warning_lines;
  std::vector<result::ChannelInfo> channels;

  std::shared_ptr<const Parts> first_sea;  // of a lift in another one

  // Found once for all runs, and for all seas that are the same at rest.
  const Start& start() const {
    std::call_once(found_, [this] {
      std::optional<Start> same;
      if (first_sea) same = same_start(first_sea->start(), first_sea->scenario, scenario);
      start_ = same ? *std::move(same) : find_start(scenario);
    });
    return start_;
  }

 private:
  mutable std::once_flag found_;
  mutable Start start_;
};

// Throws InputError when nothing was read.
auto Lift::parts_of(std::optional<Scenario> scenario, const input::Problems& problems) -> std::shared_ptr<Parts> {
  if (!scenario) throw InputError(problems.to_text());
  auto parts = std::make_shared<Parts>();
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

Lift Lift::in_another_sea(const std::vector<std::string>& settings) const {
  input::Problems problems;
  Lift out(davit::in_another_sea(parts_->scenario, settings, problems), problems);
  out.parts_->first_sea = parts_;
  return out;
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
  if (auto why = cannot_begin(parts_->scenario, parts_->start()))
    return {false, parts_->start().state.t, "", *std::move(why), true, true};
  CallingSink calls(observer);
  Simulation run(parts_->scenario, parts_->start(), {{&calls}, [&](double) { return calls.goes_on(); }});
  return outcome_of(run.run(), true, true);
}

LiftRun Lift::begin() const { return LiftRun(std::make_unique<LiftRun::Parts>(parts_)); }

LiftOutcome Lift::write(const std::filesystem::path& folder) const {
  RunSettings settings;
  settings.directory = folder;
  settings.created = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)));
  settings.warnings = parts_->warning_lines;
  const RunReport report = run_scenario(parts_->scenario, settings);
  return outcome_of(report.outcome, report.limits_kept, report.summary.quality.good());
}

struct LiftRun::Parts {
  explicit Parts(std::shared_ptr<const Lift::Parts> of) : lift(std::move(of)), run(lift->scenario, lift->start()) {}
  std::shared_ptr<const Lift::Parts> lift;
  Simulation run;
};

LiftRun::LiftRun(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
LiftRun::LiftRun(LiftRun&&) noexcept = default;
LiftRun& LiftRun::operator=(LiftRun&&) noexcept = default;
LiftRun::~LiftRun() = default;

double LiftRun::time() const { return parts_->run.time(); }
bool LiftRun::is_over() const { return parts_->run.is_over(); }
const State& LiftRun::state() const { return parts_->run.state(); }
void LiftRun::step() { parts_->run.step(); }
void LiftRun::advance(double to) { parts_->run.advance(to); }
void LiftRun::advance_onto(double to) { parts_->run.advance(to, Simulation::Landing::on); }
double LiftRun::get(std::string_view channel) { return parts_->run.get(channel); }
void LiftRun::set(std::string_view signal, double value) { parts_->run.set(signal, value); }
void LiftRun::drive(std::string_view signal, double speed) { parts_->run.drive(signal, speed); }
std::string LiftRun::save() const { return parts_->run.save(); }
void LiftRun::restore(std::string_view bytes) { parts_->run.restore(bytes); }
LiftOutcome LiftRun::finish() { return outcome_of(parts_->run.finish(), true, true); }

std::vector<std::string> LiftRun::signals() const {
  std::vector<std::string> names;
  for (const SignalInfo& signal : parts_->lift->scenario.model->signals()) names.push_back(signal.name);
  return names;
}

}  // namespace davit
