#pragma once

#include "davit/assembly/registry.hpp"
#include "davit/math/export.hpp"

namespace davit {

// All kinds of elements of all modules, and those that others added (davit/api/extension.hpp).
DAVIT_API Registry& registry();

}  // namespace davit
