// The water that waves run on.
#pragma once

#include <limits>

namespace davit::sea {

struct Water {
  double density = 1025, gravity = 9.80665;
  double depth = std::numeric_limits<double>::infinity();
};

}  // namespace davit::sea
