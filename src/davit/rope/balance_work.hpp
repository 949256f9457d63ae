// The scratch of all that balances a rope.
#pragma once

#include "davit/rope/friction_equations.hpp"
#include "davit/rope/shortest_path.hpp"

namespace davit::rope {

// Along the motion, and with derivatives of that by eight more directions.
template <class S>
constexpr int directions = std::is_same_v<S, double> ? 1 : 9;
template <class S>
struct RateWork {
  PosesT<Dual<directions<S>>> poses;
  PlacedPath<Dual<directions<S>>> path;
  std::vector<Eigen::Matrix<double, 2, directions<S>>> right;
};

struct AllWork final : BalanceWork {
  ShortestWork shortest;
  FrictionWork friction;
  std::vector<Eigen::Matrix<double, 1, 8>> right_of_shortest;
  std::vector<Eigen::Matrix<double, 2, 8>> right_of_friction;
  PlacedPath<double> plain;
  PlacedPath<Dual8> dual;
  RateWork<double> rate_plain;
  RateWork<Dual8> rate_dual;

  PlacedPath<double>& placed(double) { return plain; }
  PlacedPath<Dual8>& placed(Dual8) { return dual; }
  RateWork<double>& rates(double) { return rate_plain; }
  RateWork<Dual8>& rates(Dual8) { return rate_dual; }
};
inline AllWork& all_work(BalanceWork& work) { return static_cast<AllWork&>(work); }

}  // namespace davit::rope
