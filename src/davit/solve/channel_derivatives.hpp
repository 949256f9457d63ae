// Channels of a model differentiated by differences: they are functions of plain numbers.
#pragma once

#include <span>

#include "davit/model/channel.hpp"
#include "davit/solve/equation_derivatives.hpp"

namespace davit {

struct ChannelDerivatives {
  MatX by;     // rows: channels; columns: changes
  VecX error;  // estimated, beside the largest derivative of the channel
  VecX value;  // at the point
};

// Along each change of arguments, in columns, which must have all that follows from it (AccelerationAnswer::complete).
// Leaves the system's workspace as the point is.
ChannelDerivatives channel_derivatives(ModelEquations&, const EquationPoint&, Loop, const MatX& changes,
                                       std::span<const Channel>, System&);

}  // namespace davit
