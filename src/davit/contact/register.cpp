#include "davit/contact/register.hpp"

#include "davit/contact/compliant_contact_spec.hpp"

namespace davit::contact {

void register_elements(Registry& registry) { registry.forces.add_kind<CompliantContactSpec>("contact"); }

}  // namespace davit::contact
