// The channels of a rope: tensions, lengths, wraps, forces on its ends, slip.
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/rope/rope_force.hpp"

namespace davit::rope {

void add_channels(const std::string& name, const std::shared_ptr<const RopeForce>& rope, const ElementPlace&,
                  Assembly&);

}  // namespace davit::rope
