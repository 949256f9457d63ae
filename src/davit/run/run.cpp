#include "davit/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "davit/result/csv.hpp"
#include "davit/result/recorder.hpp"
#include "davit/result/report.hpp"
#include "davit/run/sketch.hpp"
#include "davit/solve/equilibrium.hpp"
#include "davit/solve/vibration.hpp"

namespace davit {

namespace {

// Explicit Runge-Kutta of order four is stable to |λ| h = 2.78.
constexpr double stability_limit = 2.78;

// Modes and equilibrium work with dense matrices: beyond this many degrees of freedom a run would wait for
// them.
constexpr int most_for_modes = 200;

std::vector<result::ChannelInfo> channel_infos(const Scenario& scenario) {
  std::vector<result::ChannelInfo> infos;
  for (const Channel& c : scenario.channels) infos.push_back(info_of(c));
  const auto& plot = scenario.specification.run.plot;
  for (result::ChannelInfo& energy : energy_channels()) {
    if (!plot.empty())
      energy.main = std::any_of(plot.begin(), plot.end(),
                                [&](const std::string& pattern) { return result::matches(pattern, energy.name); });
    infos.push_back(std::move(energy));
  }
  return infos;
}

// Feeds rows to the file, the statistics and the limits.
class RecordingObserver final : public Observer, EventSink {
 public:
  RecordingObserver(const Scenario& scenario, result::Recorder& recorder, const std::vector<result::ChannelInfo>& infos,
                    const RunSettings& settings)
      : scenario_(scenario),
        recorder_(recorder),
        settings_(settings),
        reader_(scenario.channels),
        row_(infos.size()),
        crossed_(scenario.channels.size()),
        statistics(infos.size()),
        limits(scenario.limits, infos) {}

  void record(const State& state, System& system) override {
    reader_.read(state, system.workspace(), row_.data());
    size_t i = reader_.size();
    const Energy energy = system.energy(state);
    row_[i++] = energy.kinetic;
    row_[i++] = energy.potential;
    row_[i++] = energy.total();
    row_[i++] = energy.power;
    recorder_.append(state.t, row_);
    report_crossings(state.t);
    for (const ObservedEvents& e : scenario_.model->observables().events) e.report(state, system.workspace(), *this);
    if (rows_++ % 100 == 0) recorder_.append_hash(state.t, state.hash());
    statistics.add(state.t, row_);
    limits.add(state.t, row_);
  }
  bool proceed(const State& state) override { return !settings_.proceed || settings_.proceed(state.t); }

 private:
  const Scenario& scenario_;
  result::Recorder& recorder_;
  const RunSettings& settings_;
  ChannelReader reader_;
  std::vector<double> row_;
  long rows_ = 0;
  std::vector<bool> crossed_;  // by channel: whether it is at its level, or below

  // What is crossed between two rows is an event at the later one.
  void report_crossings(double t) {
    for (size_t i = 0; i < scenario_.channels.size(); ++i) {
      const ScalarInfo::Crossing& crossing = scenario_.channels[i].crossing;
      const bool now = row_[i] <= crossing.level;
      if (!crossing.element.empty() && now != crossed_[i])
        event(t, crossing.element, now ? crossing.reached : crossing.left);
      crossed_[i] = now;
    }
  }
  void event(double t, std::string_view element, std::string_view key, std::string_view text = {},
             std::span<const double> values = {}) override {
    recorder_.append_event(t, element, key, text, values);
  }

 public:
  result::StatisticsMonitor statistics;
  result::LimitMonitor limits;
};

std::string step_advice(const Scenario& scenario, const RunOutcome& outcome, double fastest) {
  const double step = scenario.options.step;
  if (outcome.local_error > 0) {
    std::string text = fmt::format("A step of {:.3g} s has a local error of {:.1e} per step (rad, m, relative speed)",
                                   step, outcome.local_error);
    if (outcome.advised_step >= 1.5 * step)
      text += fmt::format("; {:.2g} s would keep it at {:.0e}.", outcome.advised_step, outcome.local_error_goal);
    else if (outcome.advised_step < 0.7 * step)
      text += fmt::format("; take {:.2g} s to bring it to {:.0e}.", outcome.advised_step, outcome.local_error_goal);
    else
      text += "; that is a good step.";
    if (fastest > 0 && scenario.make_stepper()->is_explicit())
      text += fmt::format(" At the start it is stable to {:.2g} s.", stability_limit / fastest);
    return text;
  }
  if (outcome.counts.steps > 0 && scenario.make_stepper()->adaptive())
    return fmt::format(
        "The steps were {:.2g} to {:.2g} s, {} of {} tries were rejected; a fixed step of about {:.1g} s would do.",
        outcome.counts.shortest, outcome.counts.longest, outcome.counts.rejected,
        outcome.counts.rejected + outcome.counts.steps,
        std::max(outcome.counts.shortest, outcome.t / static_cast<double>(outcome.counts.steps) / 2));
  return {};
}

std::vector<result::Mode> mode_table(const VibrationResult& vibration) {
  std::vector<result::Mode> table;
  for (const VibrationMode& m : vibration.modes) {
    const bool grows = m.eigenvalue.real() > 1e-6 * std::max(1.0, vibration.fastest);
    // Free, neutral and overdamped motions have no frequency.
    const bool oscillates = m.eigenvalue.imag() > 1e-6 * vibration.fastest;
    if (!oscillates && !grows) continue;
    table.push_back({m.frequency, oscillates ? 1 / m.frequency : NAN,
                     std::abs(m.damping_ratio) < 1e-6 ? 0.0 : m.damping_ratio,
                     (grows ? "unstable: " : "") + m.description});
  }
  return table;
}

std::vector<result::Fact> facts(const Scenario& scenario, const std::string& about,
                                const std::vector<std::string>& free_motions) {
  double mass = 0;
  for (const auto& [name, body] : scenario.specification.bodies) mass += body.mass;
  const auto count = [](size_t n) { return std::optional<double>(static_cast<double>(n)); };
  std::vector<result::Fact> list = {
      {"bodies", count(scenario.specification.bodies.size()), "", ""},
      {"degrees of freedom", count(static_cast<size_t>(scenario.degrees_of_freedom)), "", ""},
      {"constraints", count(scenario.named_constraints().size()), "", ""},
      {"forces", count(scenario.model->forces().size() + scenario.model->reaction_forces().size()), "", ""},
      {"controllers", count(scenario.model->controllers().size() + scenario.model->servos().size()), "", ""},
      {"channels recorded", count(scenario.channels.size() + energy_channels().size()), "", ""},
      {"total mass", mass, "kg", ""},
      {"modes are about", std::nullopt, "", about}};
  for (const std::string& note : scenario.notes) list.push_back({"vessel", std::nullopt, "", note});
  for (const std::string& motion : free_motions) list.push_back({"nothing holds", std::nullopt, "", motion});
  return list;
}

std::string status_text(const RunOutcome& outcome) {
  switch (outcome.status) {
    case RunStatus::complete:
      return "complete";
    case RunStatus::interrupted:
      return "interrupted";
    default:
      return fmt::format("broken: at {:.6g} s{}: {}", outcome.t, outcome.element.empty() ? "" : ", " + outcome.element,
                         outcome.why);
  }
}

}  // namespace

std::string version() { return DAVIT_VERSION; }

Start find_start(const Scenario& scenario, System& system, bool find_equilibrium_anyway) {
  Start out;
  out.given = scenario.model->initial_state();
  system.commit(out.given);
  out.state = out.equilibrium.state = out.given;
  if (scenario.from_equilibrium || find_equilibrium_anyway) out.equilibrium = find_equilibrium(system, out.given);
  if (scenario.from_equilibrium) {
    const auto& controllers = scenario.model->controllers();
    // Sampled drives of servos take their first sample where the run begins.
    if (std::any_of(controllers.begin(), controllers.end(), [](const auto& c) { return c.element->sample_time() > 0; }))
      out.warnings.push_back(
          "the equilibrium is that of the commands which sampled controllers hold at the given start: expect a jerk at "
          "their second sample");
    if (out.equilibrium.converged)
      out.state = out.equilibrium.state;
    else
      out.warnings.push_back("the run does not start from equilibrium: " + out.equilibrium.why);
  }
  for (const Scenario::Offset& offset : scenario.offsets) out.state.q[offset.q] += offset.by;
  return out;
}

RunReport run_scenario(const Scenario& scenario, const RunSettings& settings) {
  RunReport report;
  System system(*scenario.model);
  result::RunSummary& summary = report.summary;
  summary.warnings = settings.warnings;

  const bool smooth = scenario.model->contacts().empty();
  const bool wants_modes = smooth && scenario.model->nu() <= most_for_modes;
  Start start = find_start(scenario, system, wants_modes);
  summary.warnings.insert(summary.warnings.end(), start.warnings.begin(), start.warnings.end());
  State& state = start.state;
  const Equilibrium& equilibrium = start.equilibrium;
  std::string about = "the static equilibrium near the start";
  State linearised = equilibrium.state;
  if (equilibrium.converged && !equilibrium.stable) about += ", which is not stable";
  if (!equilibrium.converged) {
    about = scenario.model->rows() > 0 ? "nothing: " + equilibrium.why : "the state at the start: " + equilibrium.why;
    linearised = start.given;
  }
  if (!smooth)
    about = "nothing: contacts open and close";
  else if (!wants_modes)
    about = fmt::format("nothing: they are left out beyond {} degrees of freedom", most_for_modes);
  const VibrationResult vibration = wants_modes ? vibration_modes(system, linearised) : VibrationResult{};
  const auto stepper = scenario.make_stepper();
  if (!stepper->adaptive() && stepper->is_explicit() && vibration.fastest * scenario.options.step > stability_limit)
    summary.warnings.push_back(
        fmt::format("the step of {:.3g} s is longer than {:.2g} s, to which the method is stable at the start: expect "
                    "the run to break",
                    scenario.options.step, stability_limit / vibration.fastest));
  const result::ModelSketch sketch = sketch_of(scenario, state);

  const auto infos = channel_infos(scenario);
  std::filesystem::create_directories(settings.directory);
  const auto file = settings.directory / "result.h5";
  const result::RunHeader header{scenario.specification.title,
                                 version(),
                                 scenario.file,
                                 scenario.effective_text,
                                 scenario.provenance,
                                 static_cast<std::uint64_t>(scenario.specification.run.seed),
                                 stepper->name(),
                                 scenario.options.step,
                                 settings.created};
  result::RecorderOptions options;
  options.expected_rows = static_cast<std::uint64_t>(scenario.options.end / scenario.options.output) + 1;
  const auto begin = std::chrono::steady_clock::now();
  {
    result::Recorder recorder(file, header, infos, options);
    RecordingObserver observer(scenario, recorder, infos, settings);
    report.outcome = simulate(system, *stepper, state, scenario.options, observer);
    if (report.outcome.status == RunStatus::broken)
      recorder.append_event(report.outcome.t, report.outcome.element, "broken", report.outcome.why);
    recorder.finish(status_text(report.outcome));
    const auto limit_results = observer.limits.results(report.outcome.status == RunStatus::complete);
    for (size_t i = 0; i < limit_results.size(); ++i) {
      summary.limits.push_back({scenario.limits[i], scenario.limit_units[i], limit_results[i]});
      report.limits_kept = report.limits_kept && limit_results[i].passed;
    }
    const auto statistics = observer.statistics.results();
    for (size_t i = 0; i < infos.size(); ++i) summary.channels.push_back({infos[i], statistics[i]});
    for (size_t i = 0; i < scenario.channels.size(); ++i)
      if (const Channel::Alarm& alarm = scenario.channels[i].alarm; statistics[i].min < alarm.below)
        summary.warnings.push_back(fmt::format("{} ({} = {:.2g} at {:.4g} s)", alarm.words, scenario.channels[i].name,
                                               statistics[i].min, statistics[i].min_time));
  }
  const RunOutcome& outcome = report.outcome;
  summary.title = scenario.specification.title;
  summary.status = status_text(outcome);
  summary.files = {
      {"result", "result.h5"}, {"summary", "summary.json"}, {"report", "report.html"}, {"scenario", scenario.file}};
  summary.versions = {{"davit", version()}, {"compiler", __VERSION__}};
  summary.created = settings.created;
  summary.method = stepper->name() + ": " + stepper->summary() + " (" + scenario.method_reason + ")";
  summary.step = scenario.options.step;
  summary.seed = header.seed;
  summary.simulated_time = outcome.t;
  summary.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  summary.real_time_factor = summary.wall_time > 0 ? outcome.t / summary.wall_time : 0;
  summary.steps = static_cast<std::uint64_t>(outcome.counts.steps);
  summary.rejected_steps = static_cast<std::uint64_t>(outcome.counts.rejected);
  summary.evaluations = static_cast<std::uint64_t>(outcome.counts.evaluations);
  summary.step_advice = step_advice(scenario, outcome, vibration.fastest);
  summary.modes = mode_table(vibration);
  summary.facts = facts(scenario, about, equilibrium.free_motions);
  if (outcome.counts.iterations > 0)
    summary.facts.push_back({"Newton iterations per step",
                             static_cast<double>(outcome.counts.iterations) / static_cast<double>(outcome.counts.steps),
                             "", ""});
  if (!scenario.model->contacts().empty()) {
    summary.facts.push_back({"contacts", static_cast<double>(scenario.model->contacts().size()), "", ""});
    summary.facts.push_back({"largest misfit of the contact laws", outcome.counts.contact_residual, "m/s", ""});
  }
  result::write_summary(summary, settings.directory / "summary.json");
  result::write_report(summary, result::Result::open(file), sketch, settings.directory / "report.html");
  return report;
}

}  // namespace davit
