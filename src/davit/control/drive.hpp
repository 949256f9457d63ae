// What controllers of joints share: the largest torque or force of a drive, and its channel.
#pragma once

#include "davit/assembly/assembly.hpp"

namespace davit::control {

// Infinite when not given, and after a mistake.
double drive_limit(const std::optional<input::Quantity>& given, const JointCoordinate& at, Assembly& assembly);

// The input of a drive within its limit, and the channel of what it is commanded. Returns the port.
int add_drive(const std::string& controller, const JointCoordinate& at, const std::optional<input::Quantity>& limit,
              Assembly& assembly);
// What its channels begin with, `crane.king`: a joint of one coordinate goes by the name of its body.
std::string drive_name(const std::string& controller, const JointCoordinate& at, const Assembly& assembly);

}  // namespace davit::control
