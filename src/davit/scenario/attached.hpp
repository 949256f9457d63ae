// What a vessel carries without a joint, as it is at the start: what rests on it by contacts and what hangs on ropes
// from it. It may leave, so it is not part of the vessel's own load; but the vessel floats with it.
#pragma once

#include "davit/scenario/carried_mass.hpp"

namespace davit {

struct Attached {
  CarriedMass load;  // in the axes of the hull; what hangs pulls where its ropes leave what stands on the vessel
  std::vector<std::string> resting, hanging;
};

// What also rests elsewhere, or hangs on ropes from elsewhere too, is not counted.
Attached attached_to(const std::string& vessel, const Specification& spec, const std::shared_ptr<const Tree>& tree,
                     const input::Node& root);

}  // namespace davit
