// The forces on a vessel by subject; vessel::build calls them in order.
#pragma once

#include "davit/hydro/low_frequency_position.hpp"
#include "davit/vessel/vessel.hpp"

namespace davit::vessel {

// What the forces on one vessel are made from.
struct Hull {
  const std::string& name;
  const VesselSpec& spec;
  const hydro::Database& database;
  hydro::Loading own;      // of the vessel itself
  hydro::Loading loading;  // with all on board
  Frame frame;
  hydro::LowFrequencyPosition slow_place;
  bool solved;  // false: added mass, damping and forces of waves are zero
};

// Centre of buoyancy; of a hull whose own is not known, below its centre of gravity in the waterplane.
Vec3 buoyancy_centre(const hydro::FloatingBody& body);

// What the water does to a hull that floats in it: buoyancy, or restoring of linear theory.
void add_restoring(const Hull& hull, double gravity, Assembly& assembly);

// Added mass and memory. Returns the added mass at infinite frequency; none after a mistake.
std::optional<Mat6> add_radiation(const Hull& hull, Assembly& assembly);

// Damping beyond potential flow. `infinite`: added mass at infinite frequency.
void add_damping(const Hull& hull, const Mat6& infinite, Assembly& assembly);

// Waves on the hull: excitation of first order and slow drift.
void add_wave_loads(const Hull& hull, const Surroundings& around, Assembly& assembly);

// Velocity of the current that the hull is in: at its centre of buoyancy.
Vec3 current_at(const Hull& hull, Assembly& assembly);

// Drag of air and water that flow past the hull.
void add_wind_and_current(const Hull& hull, Assembly& assembly);

// Position keeping, where it is asked for. `infinite`: added mass at infinite frequency.
void add_thrusters(const Hull& hull, const Surroundings& around, const Mat6& infinite, Assembly& assembly);

}  // namespace davit::vessel
