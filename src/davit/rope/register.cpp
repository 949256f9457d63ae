#include "davit/rope/register.hpp"

#include "davit/rope/specification.hpp"
#include "davit/rope/stiffness_specs.hpp"

namespace davit::rope {

void register_elements(Registry& registry) {
  registry.add_section<WinchSpec>("winches", "winch", "winches by name, each at the end of a rope",
                                  BuildStage::winches);
  registry.add_section<RopeSpec>("ropes", "rope", "ropes by name", BuildStage::ropes);
  registry.add_section<SlingsSpec>("slings", "set of slings", "slings on equalizers, by name", BuildStage::ropes);
  registry.forces.add_kind<BendingSpec>("bending");
  registry.forces.add_kind<TorsionSpec>("torsion");
}

}  // namespace davit::rope
