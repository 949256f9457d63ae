// The undisturbed sea at named points of a model, as channels: elevation, air gap, velocity and dynamic pressure.
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/scenario/specification.hpp"

namespace davit {

// `ship.bow.wave_elevation` and so on for each of the environment's points; they go where their bodies go.
void add_wave_probes(const EnvironmentSpec& environment, Assembly& assembly);

}  // namespace davit
