#pragma once

#include "davit/assembly/registry.hpp"

namespace davit::mooring {

void register_elements(Registry& registry);

}  // namespace davit::mooring
