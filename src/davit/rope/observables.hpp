// What is seen of a rope beside its line (rope_strand.cpp): tensions, lengths, wraps, forces on its ends and slip as
// numbers, and the nodes where it touches surfaces as events.
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/rope/rope_force.hpp"

namespace davit::rope {

void add_observables(const std::shared_ptr<const RopeForce>& rope, const ElementPlace&, Observables&);

}  // namespace davit::rope
