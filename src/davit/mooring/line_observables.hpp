// The channels of a mooring line.
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/mooring/line_force.hpp"

namespace davit::mooring {

// `strong`: its breaking load is known.
void add_observables(const std::shared_ptr<const LineForce>& force, const ElementPlace& place, bool strong,
                     Assembly& assembly);

}  // namespace davit::mooring
