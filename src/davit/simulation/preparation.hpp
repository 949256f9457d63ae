// What is found of a scenario before its first step: the state that it begins with, and how the model vibrates there.
#pragma once

#include "davit/scenario/scenario.hpp"
#include "davit/solve/equilibrium.hpp"
#include "davit/solve/vibration.hpp"

namespace davit {

// The state that a run begins with: that of the file, or the equilibrium near it where the scenario asks for it, with
// its offsets.
struct Start {
  State given;              // as in the file
  Equilibrium equilibrium;  // looked for where the scenario, or the caller, wants it
  State state;
  std::vector<std::string> warnings;
};
// Multiples of static values have no bound where a run that should begin in equilibrium does not.
std::vector<result::Limit> limits_from(const Start&, const Scenario&);
Start find_start(const Scenario&, System&, bool find_equilibrium_anyway = false);
Start find_start(const Scenario&);
// The start of the same lift in another sea (in_another_sea). None where what surrounds it at rest is not the same, a
// wind with another mean: then it has to be found.
std::optional<Start> same_start(const Start&, const Scenario& of, const Scenario& another);
// Why a run does not begin: the equilibrium that it should begin in was not found.
std::optional<std::string> cannot_begin(const Scenario&, const Start&);

// A start, and the natural modes about it for the report.
struct Preparation {
  Start start;
  VibrationResult vibration;
  std::string modes_about;  // what the modes are about, or why there are none
  std::vector<std::string> warnings;
  std::string instability;  // of the model itself, in words; empty: none was found
};
// The oscillation of the shortest period that has next to no damping, or nullptr: what a fixed step should resolve.
const VibrationMode* fastest_oscillation(const VibrationResult&);
// Asked for, or quick enough to find without.
bool wants_modes(const Scenario&);
Preparation prepare(const Scenario&, const Stepper&, System&);

}  // namespace davit
