#include "davit/vessel/register.hpp"

#include "davit/vessel/specification.hpp"
#include "davit/vessel/wind_area_spec.hpp"

namespace davit::vessel {

void register_elements(Registry& registry) {
  registry.add_section<VesselSpec>("vessels", "vessel", "floating bodies with their hydrodynamics, by name",
                                   BuildStage::hulls);
  registry.forces.add_kind<WindAreaSpec>("wind_area");
}

}  // namespace davit::vessel
