// What the numbers of a run rest on, in sentences for its report: only what applies to this very scenario.
#pragma once

#include "davit/result/summary.hpp"
#include "davit/simulation/preparation.hpp"

namespace davit {

std::vector<std::string> assumptions_of(const Scenario&, const Preparation&, const result::RunSummary&);

}  // namespace davit
