// The controllers that a scenario can name.
#pragma once

#include "davit/assembly/registry.hpp"

namespace davit::control {

void register_elements(Registry&);

}  // namespace davit::control
