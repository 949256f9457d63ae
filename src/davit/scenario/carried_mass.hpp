// What stands on vessels by joints, as it is at the start; what hangs on ropes or is held by constraints alone is not
// on board.
#pragma once

#include "davit/scenario/bodies.hpp"
#include "davit/vessel/vessel.hpp"

namespace davit {

// Whether a body of the tree is another one, or on it by joints.
bool is_descendant_of(const Tree& tree, int body, int base);

// As one weight in the axes of the hull, of no mass when nothing stands on it; and what hangs in a joint that lets it
// swing freely, see Hydrodynamics::hanging.
struct CarriedMass {
  hydro::MassProperties weight;
  Vec3 hanging = Vec3::Zero();
};
CarriedMass carried_by(const std::string& vessel, const std::shared_ptr<const Tree>& tree);

// Tells every vessel what is on board, and takes that out of the own weight of vessels whose database has it in. Says
// whether bodies changed, so that the tree has to be made anew.
bool load_vessels(Specification& spec, Bodies& bodies, const std::shared_ptr<const Tree>& tree,
                  std::vector<std::optional<vessel::Hydrodynamics>>& vessels, input::Problems& problems);

}  // namespace davit
