// The channels of a rope: tensions, lengths, wraps, forces on its ends, slip.
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/rope/rope_force.hpp"

namespace davit::rope {

// `slot`: the first of the rope in the discrete state.
void add_channels(const std::string& name, const std::shared_ptr<const RopeForce>& rope, int slot, Assembly&);

}  // namespace davit::rope
