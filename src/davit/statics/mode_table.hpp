// Vibration modes as tables show them.
#pragma once

#include "davit/result/summary.hpp"
#include "davit/solve/vibration.hpp"

namespace davit {

// Motions of bodies that oscillate or grow: first those that ring, with less than half of critical damping, then those
// that are soon gone; each by rising frequency.
std::vector<result::Mode> mode_table(const VibrationResult&);
// What the table leaves out, in words; empty where that is nothing.
std::string modes_left_out(const VibrationResult&);

}  // namespace davit
