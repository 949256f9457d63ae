// A boom that is luffed through the vertical falls over to the other side: nobody means that.
#pragma once

#include <optional>

#include "davit/assembly/assembly.hpp"

namespace davit::operation {

// The value of a joint at which what it carries stands upright, between where it is at the start and a target; nothing
// where it does not come through, or turns about no level axis.
std::optional<double> upright_on_the_way(const JointCoordinate&, double target, Assembly&);

}  // namespace davit::operation
