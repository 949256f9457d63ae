// What a user may add to a file that does not say it.
#pragma once

#include <optional>

#include "davit/math/types.hpp"

namespace davit::hydro {

struct ReadOptions {
  std::optional<double> density, gravity, depth;
  std::optional<Vec3> about;  // the point that rotations and moments in the file are about
};

}  // namespace davit::hydro
