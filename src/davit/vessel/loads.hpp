// The forces on a vessel by subject; vessel::build calls them in order.
#pragma once

#include "davit/vessel/vessel.hpp"

namespace davit::vessel {

// What the forces on one vessel are made from.
struct Hull {
  const std::string& name;
  const VesselSpec& spec;
  const hydro::Database& database;
  Frame frame;
};

// Waves on the hull: excitation of first order and slow drift.
void add_wave_loads(const Hull& hull, const Surroundings& around, Assembly& assembly);

}  // namespace davit::vessel
