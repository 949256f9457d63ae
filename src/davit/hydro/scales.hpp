// What small means in a matrix of motions of different units.
#pragma once

#include <algorithm>
#include <cmath>

#include "davit/hydro/modes.hpp"

namespace davit::hydro {

// The size of each mode's diagonal over frequency; a mode that has next to none against its kind (the yaw of a sphere)
// is round-off, and counts as that small part of its kind.
struct Scales {
  VecX size;
  std::vector<int> active;
};

inline Scales scales(const Database& database, const std::vector<MatX>& matrices, double round_off = 1e-4) {
  Scales s{VecX::Zero(database.modes()), {}};
  double largest[2] = {0, 0};
  for (int i = 0; i < s.size.size(); ++i) {
    for (const MatX& m : matrices) s.size[i] = std::max(s.size[i], std::abs(m(i, i)));
    largest[is_rotation(i)] = std::max(largest[is_rotation(i)], s.size[i]);
  }
  // A rotation about the centre of a round hull moves no water: against a translation times the size of the hull it is
  // nothing.
  double volume = 0;
  for (const FloatingBody& body : database.bodies)
    if (body.volume > volume) volume = body.volume;
  largest[1] = std::max(largest[1], std::cbrt(volume * volume) * largest[0]);
  for (int i = 0; i < s.size.size(); ++i) {
    const double floor = round_off * largest[is_rotation(i)];
    if (s.size[i] > floor) s.active.push_back(i);
    s.size[i] = std::max(s.size[i], floor);
  }
  return s;
}

}  // namespace davit::hydro
