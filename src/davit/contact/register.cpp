#include "davit/contact/register.hpp"

#include "davit/contact/compliant_contact_spec.hpp"
#include "davit/contact/rigid_contact_spec.hpp"

namespace davit::contact {

void register_elements(Registry& registry) {
  registry.constraints.add_kind<RigidContactSpec>("contact");
  registry.forces.add_kind<CompliantContactSpec>("contact");
}

}  // namespace davit::contact
