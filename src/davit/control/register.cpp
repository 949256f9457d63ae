#include "davit/control/register.hpp"

#include "davit/control/library_spec.hpp"
#include "davit/control/pid_spec.hpp"
#include "davit/control/tip_spec.hpp"

namespace davit::control {

void register_elements(Registry& registry) {
  registry.controllers.add_kind<PidSpec>("pid");
  registry.controllers.add_kind<TipSpec>("tip");
  registry.controllers.add_kind<LibrarySpec>("library");
}

}  // namespace davit::control
