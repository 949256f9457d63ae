// The lift at rest as tables on the terminal, as comma-separated values and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "davit/statics/lift_at_rest.hpp"

namespace davit::app {

void print_lifts(const std::vector<LiftAtRest>&, html::UnitSystem);
// One row for each end of each rope, in SI.
std::string csv_of(const std::vector<LiftAtRest>&);
nlohmann::json json_of(const std::vector<LiftAtRest>&);

}  // namespace davit::app
