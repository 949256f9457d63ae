#include "davit/tracking/register.hpp"

#include "davit/tracking/track_spec.hpp"

namespace davit::tracking {

void register_elements(Registry& registry) { registry.controllers.add_kind<TrackSpec>("track"); }

}  // namespace davit::tracking
