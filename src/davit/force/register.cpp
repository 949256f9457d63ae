#include "davit/force/register.hpp"

#include "davit/force/specs.hpp"

namespace davit::force {

void register_elements(Registry& registry) {
  registry.forces.add_kind<JointSpringSpec>("joint_spring");
  registry.forces.add_kind<JointDamperSpec>("joint_damper");
  registry.forces.add_kind<BearingFrictionSpec>("bearing_friction");
  registry.forces.add_kind<WrenchSpec>("wrench");
  registry.forces.add_kind<LineSpec>("line");
}

}  // namespace davit::force
