// How well the equations of a step are conditioned as steps get shorter: the thesis on servo constraints, 3.3, says
// that the iteration matrix of (3.4) gets worse and worse, and that the discrete null-space method repairs it.
#pragma once

#include <string>
#include <vector>

#include "davit/model/model.hpp"

namespace davit::verify {

// Condition numbers of the Newton matrix of the energy-momentum scheme at the end of a step of length h.
struct NewtonConditions {
  double h = 0;
  double textbook = 0;  // (3.4) with v eliminated, in q and λ, as it stands
  double speeds = 0;    // as assembled here: in speeds and λ, rows as speeds
  double scaled = 0;    // … with rows and columns scaled, as the linear solvers do
  double reduced = 0;   // in the independent speeds
};
NewtonConditions newton_conditions(const Model&, double h);

// For Δt = 1e-1 … 1e-6 s, a pendulum of a director body and the rotary crane in 42 coordinates, as CSV.
std::string newton_conditions_csv();

}  // namespace davit::verify
