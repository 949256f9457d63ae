// The files of `davit plan`: plan.csv and plan.json.
#pragma once

#include <nlohmann/json.hpp>

#include "davit/planning/planning.hpp"

namespace davit::app {

// All that a plan warns of: what was found before it was made, singular places, ropes that would push.
std::vector<std::string> warnings_of(const PlanResult&);
// Limits that are exceeded and ropes that would push: why `davit plan` ends with the exit code of a limit. Empty: it
// does not.
std::vector<std::string> why_not_as_asked(const PlanResult&);

// time, inputs, travels (what signals follow), tensions, coordinates with rates. Where inputs jump there are two rows,
// one just before.
std::string csv_of(const PlanResult&);

// `problems` has the warnings of the file.
nlohmann::json json_of(const PlanResult&, const input::Problems& problems);

}  // namespace davit::app
