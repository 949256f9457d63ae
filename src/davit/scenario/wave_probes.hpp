// The undisturbed sea at named points of a model, as channels: elevation, air gap, velocity and dynamic pressure.
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/sea/realisation.hpp"

namespace davit {

// `ship.bow.wave_elevation` and so on for each of `points`; they go where their bodies go.
void add_wave_probes(const std::vector<input::Reference>& points, const std::vector<sea::Component>& waves,
                     const sea::Water& water, Assembly& assembly);

}  // namespace davit
