#pragma once

#include "davit/assembly/registry.hpp"

namespace davit::tracking {

// The controller that tracks a plan.
void register_elements(Registry&);

}  // namespace davit::tracking
