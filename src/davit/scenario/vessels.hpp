// Vessels of a scenario: each becomes a free body, at the front of all bodies so that others can be on it, and the
// forces of the water on that body.
#pragma once

#include "davit/scenario/specification.hpp"
#include "davit/vessel/vessel.hpp"

namespace davit {

// The body of a vessel that has this weight itself.
BodySpec vessel_body(const vessel::VesselSpec& spec, const hydro::MassProperties& loading);

// Opens, solves or plans the hydrodynamics of all vessels and adds their bodies to the specification. In the order of
// spec.vessels; empty for a vessel with mistakes, which are reported and which has a body all the same.
std::vector<std::optional<vessel::Hydrodynamics>> add_vessel_bodies(Specification& spec,
                                                                    const vessel::NewHulls& new_hulls,
                                                                    input::Problems& problems);

// Adds the forces on all but the doubtful, whose own description has mistakes, but those of waves.
std::vector<vessel::Built> build_vessels(const Specification& spec,
                                         const std::vector<std::optional<vessel::Hydrodynamics>>& hydrodynamics,
                                         const std::set<std::string>& doubtful, Assembly& assembly);

}  // namespace davit
