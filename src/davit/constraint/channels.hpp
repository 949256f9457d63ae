// What can be seen of a constraint: the forces of its rows.
#pragma once

#include "davit/constraint/held_rows.hpp"

namespace davit::constraint {

// Force and moment on a body about a point, in world axes.
void add_reaction_channels(const std::string& name, const std::vector<HeldRows>& held, const Frame& to,
                           const char* where, Assembly& assembly);
// The torque or force that a row exerts in a joint: coefficient × λ.
void add_joint_channel(const std::string& channel, const std::string& constraint, const JointCoordinate& at,
                       double coefficient, const HeldRows& rows, Assembly& assembly);

}  // namespace davit::constraint
