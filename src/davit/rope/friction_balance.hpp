// The balance of a rope with friction on a given sequence of nodes.
#pragma once

#include "davit/rope/friction_equations.hpp"

namespace davit::rope {

BalanceOutcome balance_with_friction(const Rope&, const Poses&, const PaidOut&, Path&, BalanceFrom, FrictionWork&);

}  // namespace davit::rope
