// The forces of this module that a scenario can name beside ropes: bending and torsion.
#pragma once

#include "davit/assembly/registry.hpp"

namespace davit::rope {

void register_elements(Registry&);

}  // namespace davit::rope
