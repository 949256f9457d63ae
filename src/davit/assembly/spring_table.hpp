// The table of a spring that acts one way only, as a file has it: [[0.1 m, 50 kN], [0.2 m, 200 kN]].
#pragma once

#include "davit/input/quantity.hpp"
#include "davit/math/one_sided_spring.hpp"

namespace davit {

struct SpringColumn {
  std::string what, unit, example;
};

// Nothing after a mistake, which is reported: pairs that grow, the first above (0, 0).
std::optional<std::vector<OneSidedSpring::Point>> read_spring_table(
    const std::vector<std::vector<input::Quantity>>& table, const SpringColumn& stretch, const SpringColumn& force,
    const input::Where& where, input::Problems& problems);

}  // namespace davit
