// What is found of a scenario before its first step: the state that it begins with, and how the model vibrates there.
#pragma once

#include "davit/scenario/scenario.hpp"
#include "davit/solve/equilibrium.hpp"
#include "davit/solve/vibration.hpp"

namespace davit {

// Explicit Runge-Kutta of order four is stable to |λ| h = 2.78.
inline constexpr double stability_limit = 2.78;

// The state that a run begins with: that of the file, or the equilibrium near it where the scenario asks for it, with
// its offsets.
struct Start {
  State given;              // as in the file
  Equilibrium equilibrium;  // looked for where the scenario, or the caller, wants it
  State state;
  std::vector<std::string> warnings;
};
Start find_start(const Scenario&, System&, bool find_equilibrium_anyway = false);

// A start, and the natural modes about it for the report.
struct Preparation {
  Start start;
  VibrationResult vibration;
  std::string modes_about;  // what the modes are about, or why there are none
  std::vector<std::string> warnings;
};
Preparation prepare(const Scenario&, const Stepper&, System&);

}  // namespace davit
