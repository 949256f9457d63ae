// One scenario from start to files: steps it, records it, checks its limits, and writes result.h5, summary.json and
// report.html into a directory. Prints nothing: progress and words for the terminal are the program's.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>

#include "davit/result/reader.hpp"
#include "davit/result/run_header.hpp"
#include "davit/result/summary.hpp"
#include "davit/run/rope_use.hpp"
#include "davit/scenario/scenario.hpp"
#include "davit/scene/scenario_scene.hpp"
#include "davit/simulation/preparation.hpp"
#include "davit/simulation/sink.hpp"

namespace davit {

// What is found of a scenario before the first step: the same for all its runs.
struct PreparedRun {
  Preparation preparation;
  RopesAtRest at_rest;
};
PreparedRun prepare_run(const Scenario&);

struct RunSettings {
  std::filesystem::path directory;
  std::string created;                // ISO time for the header; the caller's, so that tests can fix it
  std::vector<std::string> warnings;  // of reading, to be repeated in the report
  // Called after every step with the time reached; return false to stop.
  std::function<bool(double t)> proceed;
  // What there will be to see of the run.
  struct Beginning {
    const result::RunHeader& header;
    const std::vector<result::ChannelInfo>& channels;
    const std::optional<RecordedScene>& scene;
  };
  // Called when start and modes are found and the first step is to be taken.
  std::function<void(const Beginning&)> begins;
  std::shared_ptr<const PreparedRun> prepared;   // none: it is found first
  std::vector<Sink*> sinks;                      // that look on too
  operation::CommandSource* commands = nullptr;  // of levers, in place of recorded ones
  // The run that was saved in the directory goes on (continuation.hpp); throws BadSave where it cannot.
  bool goes_on = false;
  double save_every = 300;  // s on the wall, after which the run is saved; at its end it is in any case
  // A replay of the scene for the report, as HTML; none: the report has none.
  std::function<std::string(const result::Result&)> replay;
  // Since when the user waits: the caller's, where reading the scenario shall count.
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
};

struct RunReport {
  RunOutcome outcome;
  result::RunSummary summary;  // its wall time counts everything up to the end; that in the files, up to their writing
  bool limits_kept = true;     // false also where a run did not come to its end
};

// Throws result::ResultError when the files cannot be written; what was recorded is then kept as far as it went.
RunReport run_scenario(const Scenario&, const RunSettings&);

// Its limits with bounds in numbers, before the first step from a start.
std::vector<result::CheckedLimit> limits_at_start(const Scenario&, const Start&);

// Version of the program, and of what it was built with.
std::string version();

}  // namespace davit
