// The six motions of a body: their names, and how they change sign in a mirror.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "davit/hydro/database.hpp"

namespace davit::hydro {

inline constexpr std::array<std::string_view, 6> mode_names{"surge", "sway", "heave", "roll", "pitch", "yaw"};

inline bool is_rotation(int mode) { return mode % 6 >= 3; }

// +1 for what a mirror at the plane y = 0 leaves as it is (surge, heave, pitch), −1 for sway, roll and yaw.
inline double port_starboard_sign(int mode) { return mode % 2 == 0 ? 1 : -1; }

// "heave", or "heave of barge" where there are several bodies.
inline std::string mode_name(const Database& database, int mode) {
  std::string name(mode_names[static_cast<size_t>(mode % 6)]);
  if (database.bodies.size() > 1) name += " of " + database.bodies[static_cast<size_t>(mode / 6)].name;
  return name;
}

}  // namespace davit::hydro
