// What commands that run scenarios and look at results share: where results are, when they were made, what was said
// when the scenario was read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "davit/app/commands.hpp"
#include "davit/input/problems.hpp"
#include "davit/scenario/scenario.hpp"
#include "davit/vessel/vessel.hpp"

namespace davit::app {

// The folder that the user named, or results/NAME.
std::filesystem::path results_folder(const std::string& named, const std::string& name);
// result.h5, or the one in the folder that a run wrote.
std::filesystem::path result_file(const std::string& named);
// Hulls that were not solved before are, and the terminal says so: it can take minutes.
vessel::NewHulls solve_new_hulls();
// The scenario of a command, with its settings and case. `no_solve`: hulls that were not solved before are planned
// only.
std::optional<Scenario> load(const ScenarioArguments& arguments, input::Problems& problems, bool no_solve = false);
// In ISO 8601, UTC.
std::string time_now();
// With place and part, to be repeated in the report.
std::vector<std::string> warnings_of(const input::Problems& problems);

}  // namespace davit::app
