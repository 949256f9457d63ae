// What must be true of every rope at any time, for tests and for whoever wants to check: the first thing that is not,
// in words.
#pragma once

#include "davit/rope/rope_force.hpp"

namespace davit::rope {

// The path is no shorter than the distance between its waypoints; no straight piece is inside a body; nodes stand on
// their edges and press on them; forces at every node are within the law of friction; the rope of all legs is that of
// the rope; pulls are the derivatives of the length. Empty: all is well.
std::string self_check(const RopeForce&, const RopeForce::View&);

}  // namespace davit::rope
