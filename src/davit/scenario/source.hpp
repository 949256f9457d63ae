// What a scenario was read from, for results and reports: with the paths of its own file, and what tells two runs
// apart.
#pragma once

#include "davit/scenario/scenario.hpp"

namespace davit {

// Of the tree that a specification was read from.
void keep_source(const input::Node& root, Scenario& out);

}  // namespace davit
