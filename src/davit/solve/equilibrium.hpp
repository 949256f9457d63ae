// Static equilibrium: F = 0 at rest. Newton with exact derivatives, damped as Levenberg and Marquardt do, so that it goes
// down to a near equilibrium instead of jumping. Auxiliary states settle too (ż = 0).
#pragma once

#include "davit/dynamics/system.hpp"

namespace davit {

struct Equilibrium {
  State state;  // at rest; the start state where not converged
  bool converged = false;
  int iterations = 0;
  double residual = 0;  // norm of F, each entry divided by the largest load on its coordinate
  std::string why;      // when not converged
};
Equilibrium find_equilibrium(System&, const State& start);

}  // namespace davit
