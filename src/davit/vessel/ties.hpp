// What ties hulls to the world and to each other beside the water: mooring lines, elastic lines, fenders, rigging
// between hulls. A moored hull answers waves otherwise than a free one. About the start, with hulls and all that stands
// on them as rigid, and the bodies that lines lead to (buoys, shackles, loads on deck) as they are:
//
//   S(ω) ξ = X,   S(ω) = diag(Z(ω) of hulls, −ω²m of other bodies) + K + iωC of the ties.
//
// One hull feels of that K_aa + iωC_aa − S_ab S_bb⁻¹ S_ba, with b everything else. Lines are taken with their stiffness
// at rest: their own inertia and drag are left out. What hangs on ropes is left out with its ropes: it may be lifted.
#pragma once

#include <functional>

#include "davit/model/model.hpp"
#include "davit/wave_load/linear_response.hpp"

namespace davit::vessel {

class Ties {
 public:
  // `parts`: all that was added to the model so far. `hulls`: their frames, about which motions are.
  Ties(const ModelParts& parts, const std::vector<Frame>& hulls, const std::shared_ptr<const Environment>& around);

  bool tied(size_t hull) const { return tied_[hull]; }
  // What a hull feels at a frequency, surge to yaw in level axes of its heading at the start. `free`: the dynamic
  // stiffness of each hull by itself.
  using DynamicStiffness = std::function<wave_load::Mat6c(size_t hull, double frequency)>;
  wave_load::Mat6c felt_by(size_t hull, double frequency, const DynamicStiffness& free) const;

 private:
  std::vector<bool> tied_;
  MatX mass_, damping_, stiffness_;  // six motions of each hull, then the speeds of other bodies; no mass of hulls
};

}  // namespace davit::vessel
