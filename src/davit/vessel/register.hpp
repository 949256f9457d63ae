// The kinds of elements of this module.
#pragma once

#include "davit/assembly/registry.hpp"

namespace davit::vessel {

void register_elements(Registry&);

}  // namespace davit::vessel
