// What is said of a run when it is over: facts of the model, modes, advice about the step, statistics and limits.
#pragma once

#include "davit/result/summary.hpp"
#include "davit/run/sinks.hpp"
#include "davit/simulation/preparation.hpp"

namespace davit {

// All but versions, files and times of the clock.
result::RunSummary summarise(const Scenario&, const Stepper&, const Preparation&, const RunOutcome&, const State& end,
                             const Monitors&, result::Confirmation confirmation = {});

}  // namespace davit
