// What stands on vessels by joints, as it is at the start; what hangs on ropes or is held by constraints alone is not
// carried.
#pragma once

#include "davit/scenario/resolution.hpp"
#include "davit/scenario/start_places.hpp"

namespace davit {

// As one weight in the axes of the hull, of no mass when nothing stands on it; and what hangs in a joint that lets it
// swing freely, see Hydrodynamics::hanging.
struct CarriedMass {
  hydro::MassProperties weight;
  Vec3 hanging = Vec3::Zero();
};
CarriedMass carried_by(const std::string& vessel, const StartPlaces& places);

// Tells every vessel what it carries, and takes that out of the own weight of vessels whose database has it in.
void load_vessels(const Specification& spec, Resolution& resolved, input::Problems& problems);

}  // namespace davit
