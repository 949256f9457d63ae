// The balance of a rope with friction from anywhere, where Newton's method on the sharp law does not find it.
#pragma once

#include "davit/rope/friction_equations.hpp"

namespace davit::rope {

// Brings the rope close to its balance from anywhere: friction is smooth at first and less and less so, its bounds
// follow the tensions. Nodes that are found to slip come loose. False if it was not found; what is found is a balance
// in which nodes that stick have crept by at most the last `creep` or so. `accelerated`: bounds that are slow to settle
// are led on by Aitken's method; it finds most of the few balances that the plain way misses, and misses others.
bool search_balance(const Rope& rope, const Path& path, const PaidOut& paid, bool accelerated, FrictionWork& work);

}  // namespace davit::rope
