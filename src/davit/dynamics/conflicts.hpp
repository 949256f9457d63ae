// Constraints that contradict each other: a row that follows from others but asks for something else than they do. The
// configuration, the speeds or the accelerations that meet them all do not exist.
#pragma once

#include "davit/dynamics/system.hpp"

namespace davit {

struct Conflict {
  enum class Of { position, speed, acceleration };
  std::string constraint;             // whose row follows from …
  std::vector<std::string> partners;  // … rows of these
  Of of = Of::position;
  double time = 0;
};

// At a state that meets the rows which do not follow from others. Speeds are compared also at the later times at which
// rows move by themselves, with the dependence of the rows that they have at the state.
std::vector<Conflict> find_conflicts(System& system, const State& state);

}  // namespace davit
