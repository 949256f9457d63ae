// An independent check of joint reactions: the rate of momentum of all bodies outboard of a joint, found by
// differentiating their momenta along the motion with dual numbers, less the loads on them. It shares with the
// recursions only the poses of the bodies.
#pragma once

#include "davit/dynamics/tree.hpp"
#include "davit/model/state.hpp"

namespace davit {

// The wrench that must act at the joint of a body, world axes, about the joint; kin is at the state, a its
// accelerations.
Wrench momentum_balance(const Tree&, const State&, const Kin&, const Loads&, const VecX& a, int body);

}  // namespace davit
