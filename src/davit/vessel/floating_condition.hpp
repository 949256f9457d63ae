// How a vessel floats with what is on board, by linear hydrostatics: the same restoring as its buoyancy has for small
// motions. Heel is positive to starboard and trim by the bow, as roll and pitch are.
#pragma once

#include "davit/html/display_unit.hpp"
#include "davit/vessel/vessel.hpp"

namespace davit::vessel {

struct FloatingCondition {
  double mass = 0;                         // of vessel and all on board
  double gm = 0;                           // transverse
  double sinkage = 0, heel = 0, trim = 0;  // against the water of its database; where gm > 0
};
FloatingCondition floating_condition(const Hydrodynamics& hydrodynamics, double gravity);

// A note in words of how the vessel floats. A vessel that capsizes, sinks, or is deeper than the water is an error, one
// that heels or trims far a warning.
std::string check_floating(const std::string& name, const VesselSpec& spec, const Hydrodynamics& hydrodynamics,
                           const sea::Water& water, html::UnitSystem units, input::Problems& problems);

}  // namespace davit::vessel
