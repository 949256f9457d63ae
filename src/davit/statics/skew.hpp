// What ropes carry at rest when slings are not as long, and a load's centre of gravity is not where, they are said to
// be. Every variation is an equilibrium of its own, found from the nominal one, so that none depends on another.
#pragma once

#include <array>

#include "davit/scenario/scenario.hpp"

namespace davit {

struct Variations {
  std::string how;              // in words
  std::vector<double> largest;  // N, by rope in the order of the model: the nominal one included
};

// `nominal`: a state at rest, committed. Without rigging in the scenario: nothing.
std::optional<Variations> vary_rigging(const Scenario&, System&, const State& nominal);

// Four forces of one point in a load: T + d n stays in balance with n the null vector of their directions, which is
// positive on one diagonal. The largest tension of each when one diagonal carries `split` times (upwards) what the
// other does, in turn. None where the directions are not those of two diagonals.
std::optional<std::array<double, 4>> split_between_diagonals(const std::array<Vec3, 4>& directions,
                                                             const std::array<double, 4>& tensions, double split);

}  // namespace davit
