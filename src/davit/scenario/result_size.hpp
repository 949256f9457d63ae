#pragma once

#include "davit/scenario/scenario.hpp"

namespace davit {

// Reports a result that would be larger than anybody wants, with advice.
void check_size(const Scenario& scenario, input::Problems& problems);

}  // namespace davit
