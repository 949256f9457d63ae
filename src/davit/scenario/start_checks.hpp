// Whether a lift can begin as its file places it: every motion has inertia, contacts are not entered, constraints are
// closed and do not contradict each other.
#pragma once

#include "davit/dynamics/system.hpp"
#include "davit/scenario/scenario.hpp"

namespace davit {

// The motion without inertia, if there is one, is a mistake of the file. Returns whether there is none. Alarms that
// ring at the start are said.
bool check_inertia(const Scenario& scenario, const State& start, input::Problems& problems);

// Contacts must be open or closed at the start, not entered.
void check_contacts(const Scenario& scenario, const State& start, input::Problems& problems);

// Contacts that give may be pressed in at the start, but not so far that they throw bodies away.
void check_compliant_contacts(const Scenario& scenario, const State& start, input::Problems& problems);

// Constraints must be closed at the start, and rows that follow from others are named. Returns the number that do not.
int check_constraints(const Scenario& scenario, const State& start, input::Problems& problems);

}  // namespace davit
