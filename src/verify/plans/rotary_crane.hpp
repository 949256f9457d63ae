// The rotary crane of the thesis on servo constraints, section 2.4, in three kinds of coordinates: a girder that slews
// about the z axis, a trolley on it, a winch in the trolley and a load on its rope; no drives, only weight. The same
// crane every time: energy and the angular momentum about z are kept, and all three move alike.
#pragma once

#include "davit/dynamics/system.hpp"

namespace davit::verify {

// Table 2.1 and (2.90); the slewing rate of (2.91) is 1 rad/s. Section 2.4.2 starts at 2.5 m instead.
struct RotaryCraneOptions {
  double travel = 1.5;    // m, of the trolley at the start
  double rope = 5;        // m, at the start
  double slew_rate = 1;   // rad/s
  double gravity = 9.81;  // m/s²
  double drum = 0.1;      // m, radius of the winch
  bool driven = false;    // drives on the three, which inputs command
};

struct RotaryCrane {
  std::unique_ptr<Model> model;
  // Girder angle, trolley travel, and what the rope hangs on: its length itself or the angle of the winch. The length
  // is length_at_zero + length_per_hoist · hoist.
  CoordinateIndex slew, travel, hoist;
  double length_per_hoist = 1, length_at_zero = 0;
  Frame load;
};

// (2.75): slewing angle, travel, rope length and two angles of swing in a tree. The winch is a sixth coordinate, the
// length it winds with the mass J/r², geared 1:1 to the rope.
RotaryCrane rotary_crane_by_joints(const RotaryCraneOptions& = {});
// (2.92)-(2.111): three director bodies, a particle and three massless coordinates, 42 coordinates and 37 rows.
RotaryCrane rotary_crane_by_directors(const RotaryCraneOptions& = {});
// Girder, trolley and winch in a tree, the load a particle, and the rope a row between them.
RotaryCrane rotary_crane_by_rope(const RotaryCraneOptions& = {});

}  // namespace davit::verify
