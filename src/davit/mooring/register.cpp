#include "davit/mooring/register.hpp"

#include "davit/mooring/line_spec.hpp"

namespace davit::mooring {

void register_elements(Registry& registry) { registry.forces.add_kind<MooringLineSpec>("mooring_line"); }

}  // namespace davit::mooring
