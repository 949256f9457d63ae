// What must hold for the dimensions of every shape; throws std::invalid_argument with words for the user.
#pragma once

#include <fmt/format.h>

#include <stdexcept>

namespace davit::hull {

inline void require_length(double x, const char* what) {
  if (!(x >= 1e-3 && x <= 1e4))
    throw std::invalid_argument(fmt::format("{} is {} m: it must be between 1 mm and 10 km", what, x));
}

inline void require_draft(double draft, double depth, const char* limit) {
  require_length(draft, "the draft");
  if (draft > depth)
    throw std::invalid_argument(fmt::format("the draft of {} m is more than {} of {} m", draft, limit, depth));
}

}  // namespace davit::hull
