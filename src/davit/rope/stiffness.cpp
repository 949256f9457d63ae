// What bending of a rope couples; bending and torsion, which are in their header, compiled once for all who use them.
#include "davit/rope/stiffness.hpp"

namespace davit::rope {

std::vector<Coupling> Bending::couplings() const {
  // Each turn is between three points, or two at a clamp.
  std::vector<Coupling> all;
  for (size_t i = clamp_ ? 0 : 1; i + 1 < points_.size(); ++i) {
    all.push_back({.bodies = {points_[i].body, points_[i + 1].body}});
    if (i > 0) all.back().bodies.push_back(points_[i - 1].body);
  }
  return all;
}

}  // namespace davit::rope

namespace davit {

template class ForceOf<rope::Bending>;
template class ForceOf<rope::Torsion>;

}  // namespace davit
