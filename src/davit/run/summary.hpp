// What is said of a run when it is over: facts of the model, modes, advice about the step, statistics and limits.
#pragma once

#include "davit/result/summary.hpp"
#include "davit/run/preparation.hpp"
#include "davit/run/sinks.hpp"

namespace davit {

// Motions of bodies that oscillate or grow: first those that ring, with less than half of critical damping, then those
// that are soon gone; each by rising frequency.
std::vector<result::Mode> mode_table(const VibrationResult&);
// What the table leaves out, in words; empty where that is nothing.
std::string modes_left_out(const VibrationResult&);

// All but versions, files and times of the clock.
result::RunSummary summarise(const Scenario&, const Stepper&, const Preparation&, const RunOutcome&, const State& end,
                             const Monitors&, result::Confirmation confirmation = {});

}  // namespace davit
