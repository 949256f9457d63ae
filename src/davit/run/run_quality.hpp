// The numerical quality of a run, from what was measured while it went.
#pragma once

#include "davit/result/quality.hpp"
#include "davit/simulation/preparation.hpp"

namespace davit {

result::Quality judge_quality(const Scenario&, const Stepper&, const Preparation&, const RunOutcome&,
                              result::Confirmation confirmation = {});

}  // namespace davit
