// The scratch of all that balances a rope.
#pragma once

#include "davit/rope/friction_equations.hpp"
#include "davit/rope/shortest_path.hpp"

namespace davit::rope {

struct AllWork final : BalanceWork {
  ShortestWork shortest;
  FrictionWork friction;
  std::vector<Eigen::Matrix<double, 1, 8>> right_of_shortest;
  std::vector<Eigen::Matrix<double, 2, 8>> right_of_friction;
  PlacedPath<double> plain;
  PlacedPath<Dual8> dual;

  PlacedPath<double>& placed(double) { return plain; }
  PlacedPath<Dual8>& placed(Dual8) { return dual; }
};
inline AllWork& all_work(BalanceWork& work) { return static_cast<AllWork&>(work); }

}  // namespace davit::rope
