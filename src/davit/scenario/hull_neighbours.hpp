// Hulls beside each other. Each has the hydrodynamics of a hull alone: waves that another one holds off, reflects or
// makes do not reach it.
#pragma once

#include "davit/scenario/resolution.hpp"

namespace davit {

inline constexpr const char* hulls_are_alone =
    "do not feel each other: each meets the waves as if it were alone, without the other's lee and the waves that the "
    "other reflects and makes";

// Two vessels at the start: how far the rectangles of their waterplanes are apart (m), or negative how far they are in
// each other.
struct HullsApart {
  size_t one = 0, other = 0;  // vessels of the specification
  std::string first, second;
  double distance = 0;
};
// Of all pairs whose size is known.
std::vector<HullsApart> hulls_apart(const Specification& spec, const std::vector<HullForm>& forms);

// Hulls in one place are an error, those that are near each other in waves a warning.
void check_neighbours(const Specification& spec, const std::vector<HullForm>& forms, input::Problems& problems);

}  // namespace davit
