// The forces that a scenario can name.
#pragma once

#include "davit/assembly/registry.hpp"

namespace davit::force {

void register_elements(Registry&);

}  // namespace davit::force
