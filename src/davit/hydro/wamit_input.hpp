// What the input files of WAMIT say about a run: water, places and masses of the bodies. Private to wamit_files.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/read_options.hpp"
#include "davit/hydro/text_file.hpp"

namespace davit::hydro {

struct WamitInput {
  double length = 1;  // ULEN
  std::optional<double> gravity, density, depth;
  struct Body {
    std::string name;
    Vec3 place = Vec3::Zero();   // of its axes in the frame (XBODY)
    double yaw = 0;              // rad
    std::optional<Mat6> mass;    // about its own axes, in them
    Vec3 centre = Vec3::Zero();  // of gravity, in its own axes
    std::optional<Mat3> radii;   // of gyration about its own axes: moments of inertia are mass · r|r|
  };
  std::vector<Body> bodies;          // empty when there is no .pot
  bool column_is_frequency = false;  // the first column of all tables; else period
  std::string title;
  // Beside the flow, about the bodies' axes and in them: of all bodies together, in the unit of mass of the .frc file.
  std::optional<MatX> external_damping, external_stiffness;
};

// `bodies` is how many the tables have.
WamitInput read_wamit_input(const std::string& stem, const Texts& files, size_t bodies);

}  // namespace davit::hydro
