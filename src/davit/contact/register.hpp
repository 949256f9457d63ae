#pragma once

#include "davit/assembly/registry.hpp"

namespace davit::contact {

void register_elements(Registry& registry);

}  // namespace davit::contact
