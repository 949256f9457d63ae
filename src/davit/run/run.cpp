#include "davit/run/run.hpp"

#include <algorithm>

#include "davit/result/report.hpp"
#include "davit/run/recording.hpp"
#include "davit/run/sketch.hpp"
#include "davit/run/summary.hpp"

namespace davit {

namespace {

result::RunHeader header_of(const Scenario& scenario, const std::string& created) {
  return {scenario.specification.title,
          version(),
          scenario.file,
          scenario.effective_text,
          scenario.provenance,
          static_cast<std::uint64_t>(scenario.specification.run.seed),
          scenario.make_stepper()->name(),
          scenario.options.step,
          created};
}

void stop_the_clock(const RunSettings& settings, result::RunSummary& summary) {
  summary.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - settings.begun).count();
  summary.real_time_factor = summary.wall_time > 0 ? summary.simulated_time / summary.wall_time : 0;
}

}  // namespace

std::string version() { return DAVIT_VERSION; }

RunReport run_scenario(const Scenario& scenario, const RunSettings& settings) {
  System system(*scenario.model);
  const Preparation prepared = prepare(scenario, system);

  std::filesystem::create_directories(settings.directory);
  const auto path = settings.directory / "result.h5";
  const auto channels = recorded_channels(scenario);
  FileSink file(path, header_of(scenario, settings.created), channels,
                static_cast<std::uint64_t>(scenario.options.end / scenario.options.output) + 1);
  Monitors monitors(scenario.limits, channels);
  Recording recording(scenario, {&file, &monitors}, settings.proceed);
  State state = prepared.start.state;
  RunReport report;
  report.outcome = simulate(system, *scenario.make_stepper(), state, scenario.options, recording);
  if (report.outcome.status == RunStatus::broken)
    file.event(report.outcome.t, report.outcome.element, "broken", report.outcome.why, {});
  file.finish(status_text(report.outcome));

  result::RunSummary& summary = report.summary;
  summary = summarise(scenario, prepared, report.outcome, monitors);
  summary.warnings.insert(summary.warnings.begin(), settings.warnings.begin(), settings.warnings.end());
  summary.files = {
      {"result", "result.h5"}, {"summary", "summary.json"}, {"report", "report.html"}, {"scenario", scenario.file}};
  summary.versions = {{"davit", version()}, {"compiler", __VERSION__}};
  summary.created = settings.created;
  stop_the_clock(settings, summary);
  result::write_summary(summary, settings.directory / "summary.json");
  result::write_report(summary, result::Result::open(path), sketch_of(scenario, prepared.start.state),
                       settings.directory / "report.html");
  stop_the_clock(settings, summary);
  report.limits_kept = std::all_of(summary.limits.begin(), summary.limits.end(),
                                   [](const result::CheckedLimit& limit) { return limit.result.passed; });
  return report;
}

}  // namespace davit
