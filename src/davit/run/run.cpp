// `davit run` without its terminal: preparation, sinks, steps, saves, confirmation, summary, report.
#include "davit/run/run.hpp"

#include <algorithm>
#include <stdexcept>

#include "davit/result/report.hpp"
#include "davit/run/assumptions.hpp"
#include "davit/run/confirmation.hpp"
#include "davit/run/continuation.hpp"
#include "davit/run/extremes_monitor.hpp"
#include "davit/run/phase_loads.hpp"
#include "davit/run/rope_use.hpp"
#include "davit/run/run_summary.hpp"
#include "davit/scene/scenario_sketch.hpp"
#include "davit/simulation/simulation.hpp"
#include "davit/simulation/under_water_monitor.hpp"

namespace davit {

namespace {

result::RunHeader header_of(const Scenario& scenario, const Stepper& stepper, const std::string& created) {
  return {scenario.specification.title,
          version(),
          scenario.file,
          scenario.effective_text,
          scenario.provenance,
          static_cast<std::uint64_t>(scenario.specification.run.seed),
          stepper.name(),
          scenario.options.step,
          created,
          scenario.specification.run.precision == RecordedPrecision::full ? result::all_mantissa_bits
                                                                          : result::rounded_mantissa_bits};
}

void stop_the_clock(const RunSettings& settings, result::RunSummary& summary) {
  summary.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - settings.begun).count();
  summary.real_time_factor = summary.wall_time > 0 ? summary.simulated_time / summary.wall_time : 0;
}

// Completes the summary by what is the program's, and writes it and the report beside the result.
void write_files(const Scenario& scenario, const State& start, const RunSettings& settings,
                 result::RunSummary& summary) {
  // An alarm that rang at the start is said with its lowest value, and not again.
  std::vector<std::string> of_reading;
  for (const std::string& warning : settings.warnings)
    if (std::none_of(scenario.channels.begin(), scenario.channels.end(), [&](const Channel& channel) {
          return !channel.alarm.words.empty() && warning.ends_with("at the start " + channel.alarm.words);
        }))
      of_reading.push_back(warning);
  summary.warnings.insert(summary.warnings.begin(), of_reading.begin(), of_reading.end());
  summary.files = {
      {"report", "report.html"}, {"result", "result.h5"}, {"scenario", scenario.file}, {"summary", "summary.json"}};
  summary.versions = {{"compiler", __VERSION__}, {"davit", version()}};
  summary.created = settings.created;
  ModelSketch sketch = sketch_of(scenario, start);
  summary.model = std::move(sketch.tables);
  stop_the_clock(settings, summary);
  result::write_summary(summary, settings.directory / "summary.json");
  const auto result = result::Result::open(settings.directory / "result.h5", result::Origin::this_process);
  result::ReportPictures pictures{std::move(sketch.drawing), {}};
  if (settings.replay && summary.replay) pictures.replay = settings.replay(result);
  result::write_report(summary, result, pictures, settings.directory / "report.html");
  stop_the_clock(settings, summary);
}

// Saves it on the way, and at the end. In words what kept it from that, if anything but the kind of run did.
std::string step_to_the_end(Simulation& run, FileSink& file, const std::vector<Sink*>& sinks, double save_every,
                            Continuation& continuation) {
  using Clock = std::chrono::steady_clock;
  const auto between = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(save_every));
  std::string failed;
  const auto save = [&] {
    file.flush();
    if (!continuation.save(run, sinks))
      failed = "the run cannot go on later: it was not saved, " + continuation.why_not();
  };
  const bool can_be_saved = !run.cannot_be_saved();
  // Its last steps end where it ends, and those of a longer run do not: it is saved before them.
  const double last = run.scenario().options.end - 2 * run.scenario().options.step;
  bool before_last = false;
  auto next = Clock::now() + between;
  while (!run.is_over()) {
    run.step();
    if (!can_be_saved || !run.may_go_on() || before_last) continue;
    before_last = run.time() >= last;
    if (!before_last && Clock::now() < next) continue;
    save();
    next = Clock::now() + between;
  }
  if (can_be_saved && run.was_interrupted()) save();
  return failed;
}

Monitors::Windows windows_of(const Scenario& scenario) { return {&scenario.operation, scenario.limit_phases}; }

}  // namespace

std::vector<result::CheckedLimit> limits_at_start(const Scenario& scenario, const Start& start) {
  std::vector<result::CheckedLimit> checked;
  for (size_t i = 0; i < scenario.limits.size(); ++i)
    checked.push_back(
        {scenario.limits[i], scenario.limit_units[i], result::LimitAccumulator(scenario.limits[i]).result(false)});
  if (std::none_of(scenario.limits.begin(), scenario.limits.end(), [](const auto& limit) { return limit.of_first; }))
    return checked;
  Monitors monitors(limits_from(start, scenario), recorded_channels(scenario), windows_of(scenario));
  SimulationOptions no_steps = scenario.options;
  no_steps.end = start.state.t;
  Simulation(scenario, start.state, {.sinks = {&monitors}, .options = no_steps}).run();
  const auto results = monitors.limits.results(false);
  for (size_t i = 0; i < checked.size(); ++i) checked[i].result = results[i];
  return checked;
}

std::string version() { return DAVIT_VERSION; }

PreparedRun prepare_run(const Scenario& scenario) {
  if (!scenario.unsolved_hulls.empty())
    throw std::invalid_argument("the hull of '" + scenario.unsolved_hulls[0].vessel + "' was planned and not solved");
  System system(*scenario.model);
  PreparedRun out;
  out.preparation = prepare(scenario, *scenario.make_stepper(), system);
  out.at_rest = ropes_at_rest(scenario, out.preparation, system);
  return out;
}

RunReport run_scenario(const Scenario& scenario, const RunSettings& settings) {
  const auto found = settings.prepared ? settings.prepared : std::make_shared<const PreparedRun>(prepare_run(scenario));
  const Preparation& prepared = found->preparation;
  const RopesAtRest& at_rest = found->at_rest;
  const auto channels = recorded_channels(scenario);
  const auto method = scenario.make_stepper();
  const result::RunHeader header = header_of(scenario, *method, settings.created);
  const std::optional<RecordedScene> scene = scene_of(scenario, prepared.start.state);
  if (settings.begins) settings.begins({header, channels, scene});

  std::filesystem::create_directories(settings.directory);
  Continuation continuation(settings.directory);
  if (settings.goes_on) continuation.begin(scenario, prepared.start.state);
  FileSink file(settings.directory / "result.h5", header, channels,
                static_cast<std::uint64_t>(scenario.options.end / scenario.options.output) + 1, scene, scenario.limits,
                settings.goes_on ? std::optional(continuation.earlier_result()) : std::nullopt);
  Monitors monitors(limits_from(prepared.start, scenario), channels, windows_of(scenario));
  ExtremesMonitor extremes(scenario);
  UnderWaterMonitor under_water(scenario);
  RunReport report;
  PhaseLoads phase_loads(scenario);
  std::vector<Sink*> sinks{&file, &monitors, &extremes, &under_water, &phase_loads};
  Checkpoints checkpoints(scenario);
  const std::optional<std::string> not_repeated = cannot_repeat(scenario);
  const bool fixed = !method->adaptive(), confirms = fixed && !settings.commands && !not_repeated;
  if (confirms) sinks.push_back(&checkpoints);
  const std::vector<Sink*> own_sinks = sinks;
  sinks.insert(sinks.end(), settings.sinks.begin(), settings.sinks.end());
  Simulation run(scenario, prepared.start, {sinks, settings.proceed, settings.commands});
  if (settings.goes_on)
    continuation.restore(run, own_sinks);
  else
    continuation.forget();
  const std::string not_saved = step_to_the_end(run, file, own_sinks, settings.save_every, continuation);
  report.outcome = run.finish();
  if (report.outcome.status == RunStatus::broken && !prepared.instability.empty() &&
      report.outcome.why.find("without bound") != std::string::npos)
    report.outcome.why = "the speed grows without bound, and no step helps: " + prepared.instability;

  result::Confirmation confirmation;
  if (confirms && report.outcome.status != RunStatus::broken)
    confirmation = confirm_peaks(scenario, checkpoints, monitors, report.outcome.t);
  if (not_repeated && fixed) confirmation.remarks.push_back("no peak was repeated at half the step: " + *not_repeated);
  report.summary =
      summarise(scenario, run.stepper(), prepared, report.outcome, run.state(), monitors, std::move(confirmation));
  if (!not_saved.empty()) report.summary.warnings.push_back(not_saved);
  report.summary.ropes = rope_use(scenario, at_rest, prepared.start.state, report.summary.channels);
  for (std::string& warning : overloaded(report.summary.ropes, report.summary.units))
    report.summary.warnings.push_back(std::move(warning));
  report.summary.ropes_at_rest = at_rest.of;
  report.summary.floating = at_rest.vessels;
  report.summary.extremes = extremes.results();
  for (std::string& warning : under_water.warnings()) report.summary.warnings.push_back(std::move(warning));
  for (result::HookLoad& hook : report.summary.extremes.hooks)
    if (const auto rest = at_rest.hooks.find(hook.name); rest != at_rest.hooks.end()) hook.at_rest = rest->second;
  compare_with_phases(phase_loads, run.state(), scenario, prepared, run.system(), report.summary);
  report.summary.assumptions = assumptions_of(scenario, prepared, report.summary);
  write_files(scenario, prepared.start.state, settings, report.summary);
  report.limits_kept = std::all_of(report.summary.limits.begin(), report.summary.limits.end(),
                                   [](const result::CheckedLimit& limit) { return limit.result.passed; });
  return report;
}

}  // namespace davit
