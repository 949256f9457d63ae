// The constraints that a scenario can name.
#pragma once

#include "davit/assembly/registry.hpp"

namespace davit::constraint {

void register_elements(Registry&);

}  // namespace davit::constraint
