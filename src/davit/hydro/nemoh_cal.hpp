// What Nemoh.cal says: the water, and which motions and forces the columns of the results are. Private to
// nemoh_files.cpp.
#pragma once

#include <string>
#include <vector>

#include "davit/hydro/text_file.hpp"
#include "davit/math/types.hpp"

namespace davit::hydro {

struct NemohCal {
  double density = 0, gravity = 0, depth = 0;
  Vec2 wave_point = Vec2::Zero();  // where the phase of the wave is measured
  struct Body {
    std::string mesh;
    Vec3 reference = Vec3::Zero();
    int motions = 0, forces = 0;
  };
  std::vector<Body> bodies;
  std::vector<int> motions, forces;  // the mode 0 … 6n−1 of every zone and column of the results, in their order
};

NemohCal read_nemoh_cal(TextFile file);

}  // namespace davit::hydro
