// One scenario from start to files: steps it, records it, checks its limits, and writes result.h5, summary.json and
// report.html into a directory. Prints nothing: progress and words for the terminal are the program's.
#pragma once

#include <filesystem>
#include <functional>

#include "davit/result/summary.hpp"
#include "davit/scenario/scenario.hpp"
#include "davit/solve/equilibrium.hpp"

namespace davit {

struct RunSettings {
  std::filesystem::path directory;
  std::string created;                // ISO time for the header; the caller's, so that tests can fix it
  std::vector<std::string> warnings;  // of reading, to be repeated in the report
  // Called after every step with the time reached; return false to stop.
  std::function<bool(double t)> proceed;
};

// The state that a run begins with: that of the file, or the equilibrium near it where the scenario asks for it, with
// its offsets.
struct Start {
  State given;              // as in the file
  Equilibrium equilibrium;  // looked for where the scenario, or the caller, wants it
  State state;
  std::vector<std::string> warnings;
};
Start find_start(const Scenario&, System&, bool find_equilibrium_anyway = false);

struct RunReport {
  RunOutcome outcome;
  result::RunSummary summary;
  bool limits_kept = true;
};

// Throws result::ResultError when the files cannot be written; what was recorded is then kept as far as it went.
RunReport run_scenario(const Scenario&, const RunSettings&);

// Version of the program, and of what it was built with.
std::string version();

}  // namespace davit
