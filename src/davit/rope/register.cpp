#include "davit/rope/register.hpp"

#include "davit/rope/stiffness_specs.hpp"

namespace davit::rope {

void register_elements(Registry& registry) {
  registry.forces.add_kind<BendingSpec>("bending");
  registry.forces.add_kind<TorsionSpec>("torsion");
}

}  // namespace davit::rope
