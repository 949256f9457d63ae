// Facts of the model, sea and wind, phases, advice on the step, alarms and impulses, for summary and report.
#include "davit/run/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "davit/run/run_quality.hpp"
#include "davit/sea/waves_spec.hpp"
#include "davit/simulation/recording.hpp"
#include "davit/statics/mode_table.hpp"

namespace davit {

namespace {

std::string step_advice(double step, const Stepper& stepper, const RunOutcome& outcome, double fastest) {
  if (outcome.local_error > 0) {
    std::string text = fmt::format(
        "A step of {:.3g} s has a local error of up to {:.1e} in nine of ten steps (rad, m, relative speed)", step,
        outcome.local_error);
    if (outcome.advised_step >= 1.5 * step)
      text += fmt::format("; {:.2g} s would keep it at {:.0e}.", outcome.advised_step, outcome.local_error_goal);
    else if (outcome.advised_step < 0.7 * step)
      text += fmt::format("; take {:.2g} s to bring it to {:.0e}.", outcome.advised_step, outcome.local_error_goal);
    else
      text += "; that is a good step.";
    if (fastest > 0 && stepper.is_explicit())
      text += fmt::format(" At the start it is stable to {:.2g} s.", stability_limit / fastest);
    return text;
  }
  if (outcome.counts.steps > 0 && stepper.adaptive())
    return fmt::format(
        "The steps were {:.2g} to {:.2g} s, {} of {} tries were rejected; a fixed step of about {:.1g} s would do.",
        outcome.counts.shortest, outcome.counts.longest, outcome.counts.rejected,
        outcome.counts.rejected + outcome.counts.steps,
        std::max(outcome.counts.shortest, outcome.t / static_cast<double>(outcome.counts.steps) / 2));
  return {};
}

std::vector<result::Fact> facts(const Scenario& scenario, const Preparation& prepared, const RunOutcome& outcome) {
  double mass = 0;
  for (const auto& [name, body] : scenario.bodies) mass += body.mass;
  const auto count = [](size_t n) { return std::optional<double>(static_cast<double>(n)); };
  std::vector<result::Fact> list = {
      {"bodies", count(scenario.bodies.size()), "", ""},
      {"degrees of freedom", count(static_cast<size_t>(scenario.degrees_of_freedom)), "", ""},
      {"constraints", count(scenario.named_constraints().size()), "", ""},
      {"forces", count(scenario.model->forces().size() + scenario.model->reaction_forces().size()), "", ""},
      {"controllers", count(scenario.model->controllers().size() + scenario.model->servos().size()), "", ""},
      {"channels recorded", count(scenario.channels.size() + channels_of_every_run().size()), "", ""},
      {"total mass", mass, "kg", ""},
      {"modes are about", std::nullopt, "", prepared.modes_about}};
  for (const std::string& note : scenario.notes) list.push_back({"vessel", std::nullopt, "", note});
  for (const std::string& motion : prepared.start.equilibrium.free_motions)
    list.push_back({"nothing holds", std::nullopt, "", motion});
  if (outcome.counts.iterations > 0)
    list.push_back({"Newton iterations per step",
                    static_cast<double>(outcome.counts.iterations) / static_cast<double>(outcome.counts.steps), "",
                    ""});
  if (!scenario.model->contacts().empty()) {
    list.push_back({"contacts", count(scenario.model->contacts().size()), "", ""});
    list.push_back({"largest misfit of the contact laws", outcome.counts.contact_residual, "m/s", ""});
    list.push_back({"energy of putting bodies back onto contacts", outcome.energy_gain.contacts, "J", ""});
  }
  return list;
}

// Sea, wind, current and water: as given, and the sea as it was realised.
std::vector<result::Fact> surroundings(const Scenario& scenario) {
  std::vector<result::Fact> list;
  const EnvironmentSpec& around = scenario.specification.environment;
  for (const Scenario::Weather& w : scenario.weather) {
    list.push_back({w.of + ", as given", std::nullopt, "", w.given});
    const auto waves = w.of == "waves" ? scenario.waves() : nullptr;
    if (!waves) continue;
    double zeroth = 0, first = 0, second = 0;
    for (const sea::Component& c : waves->components) {
      const double half_square = c.amplitude * c.amplitude / 2;
      zeroth += half_square;
      first += half_square * c.frequency;
      second += half_square * c.frequency * c.frequency;
    }
    constexpr double turn = 2 * std::numbers::pi;
    list.push_back({"significant wave height of its components, 4√m₀", 4 * std::sqrt(zeroth), "m", ""});
    list.push_back({"mean period T₁ of its components", turn * zeroth / first, "s", ""});
    list.push_back({"zero-crossing period T₂ of its components", turn * std::sqrt(zeroth / second), "s", ""});
    list.push_back({"components", static_cast<double>(waves->components.size()), "", ""});
    if (scenario.wave_ramp > 0) list.push_back({"the sea comes up over", scenario.wave_ramp, "s", ""});
  }
  if (around.water_depth) list.push_back({"water depth", *around.water_depth, "m", ""});
  if (!scenario.forms.empty()) list.push_back({"density of the water", around.water_density, "kg/m^3", ""});
  return list;
}

// Alarms that rang.
void add_alarms(const std::vector<Channel>& channels, const std::vector<result::Statistics>& statistics,
                std::vector<std::string>& warnings) {
  for (size_t i = 0; i < channels.size(); ++i)
    if (const ScalarInfo::Alarm& alarm = channels[i].alarm; statistics[i].min < alarm.below)
      warnings.push_back(fmt::format("{} ({} = {:.2g} at {:.4g} s)", alarm.words, channels[i].name, statistics[i].min,
                                     statistics[i].min_time));
}

std::vector<result::PhaseTime> phase_times(const operation::Operation& operation, const State& end) {
  using operation::Status;
  std::vector<result::PhaseTime> out;
  for (const operation::PhaseReport& phase : operation.report(end)) {
    const char* status = phase.status == Status::waiting  ? "not begun"
                         : phase.status == Status::done   ? "done"
                         : phase.status == Status::failed ? "failed"
                                                          : "not ended";
    out.push_back({phase.name, status, phase.begun, phase.ended});
  }
  return out;
}

void add_unfinished(const std::vector<result::PhaseTime>& phases, std::vector<std::string>& warnings) {
  for (const result::PhaseTime& phase : phases)
    if (phase.status != "done") {
      warnings.push_back(fmt::format("the run ended before the operation did: phase '{}' has {}", phase.name,
                                     phase.begun ? "not ended" : "not begun"));
      return;
    }
}

// Impulses of drives.
void add_impulses(const std::vector<SpeedJump>& jumps, std::vector<std::string>& warnings) {
  for (const SpeedJump& jump : jumps) {
    const std::string often = jump.count == 1 ? "jumps" : fmt::format("jumps {} times, at most", jump.count);
    warnings.push_back(fmt::format(
        "{}: the speed that it holds exactly {} by {:.4g} {}/s (at {:.4g} s). That takes an impulse, {:.4g} {} then, "
        "which is in no force and no limit: let it follow a smooth motion, or give it compliance",
        jump.element, often, jump.by, jump.unit, jump.t, jump.impulse, jump.unit == "rad" ? "N m s" : "N s"));
  }
}

}  // namespace

result::RunSummary summarise(const Scenario& scenario, const Stepper& stepper, const Preparation& prepared,
                             const RunOutcome& outcome, const State& end, const Monitors& monitors,
                             result::Confirmation confirmation) {
  result::RunSummary summary;
  summary.title = scenario.specification.title;
  summary.status = status_text(outcome);
  summary.method = stepper.name() + ": " + stepper.summary() + " (" + scenario.method_reason + ")";
  summary.step = scenario.options.step;
  // The sea's where there is one: that is what a reader would change.
  summary.seed = static_cast<std::uint64_t>(scenario.specification.run.seed);
  if (const auto& waves = scenario.specification.environment.waves)
    summary.seed = static_cast<std::uint64_t>(waves->seed.value_or(sea::default_seed));
  summary.simulated_time = outcome.t;
  summary.steps = static_cast<std::uint64_t>(outcome.counts.steps);
  summary.rejected_steps = static_cast<std::uint64_t>(outcome.counts.rejected);
  summary.evaluations = static_cast<std::uint64_t>(outcome.counts.evaluations);
  summary.step_advice = step_advice(scenario.options.step, stepper, outcome, prepared.vibration.fastest);
  summary.quality = judge_quality(scenario, stepper, prepared, outcome, std::move(confirmation));
  summary.modes = mode_table(prepared.vibration);
  summary.modes_left_out = modes_left_out(prepared.vibration);
  summary.facts = facts(scenario, prepared, outcome);
  summary.surroundings = surroundings(scenario);
  const ReportSpec& block = scenario.specification.report;
  summary.title_block = {block.project, block.client,     block.document, block.revision,
                         block.made_by, block.checked_by, block.notes};
  summary.replay = block.replay;
  summary.warnings = prepared.warnings;
  summary.units = scenario.specification.run.units;
  summary.phases = phase_times(scenario.operation, end);
  // Whoever has levers leaves out what they like.
  if (outcome.status == RunStatus::complete && !scenario.levers) add_unfinished(summary.phases, summary.warnings);

  const auto limits = monitors.limits.results(outcome.status == RunStatus::complete);
  for (size_t i = 0; i < limits.size(); ++i)
    summary.limits.push_back({scenario.limits[i], scenario.limit_units[i], limits[i]});
  const auto channels = recorded_channels(scenario);
  const auto statistics = monitors.statistics.results();
  for (size_t i = 0; i < channels.size(); ++i) summary.channels.push_back({channels[i], statistics[i]});
  add_alarms(scenario.channels, statistics, summary.warnings);
  add_impulses(outcome.speed_jumps, summary.warnings);
  return summary;
}

}  // namespace davit
