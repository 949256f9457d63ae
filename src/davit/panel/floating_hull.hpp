// A hull as it is asked for becomes one that floats and can be solved: panelled, at its draft, with hydrostatics and
// weight.
#pragma once

#include "davit/hull/check.hpp"
#include "davit/hull/hydrostatics.hpp"
#include "davit/hydro/database.hpp"
#include "davit/math/pose.hpp"
#include "davit/panel/job.hpp"
#include "davit/panel/panelled_surface.hpp"

namespace davit::panel {

struct FloatingHull {
  WettedBody wetted;
  Pose pose;  // of axes as the hull's own, with z from its lowest point, in the water
  hull::Hydrostatics statics;
  hydro::FloatingBody body;
  std::vector<std::string> notes;       // what was assumed
  std::vector<hull::Finding> findings;  // what is wrong or doubtful with the mesh
};

// The longest dimension of a hull: what the default frequencies are chosen by. Mistakes go to `problems`.
std::optional<double> length_of(const HullSpec& spec, input::Problems& problems);

// The hull up to its deck, as described, before it is in the water.
struct WholeHull {
  hull::PanelMesh mesh;  // normals outward
  double lowest = 0;     // z of its lowest point
};
std::optional<WholeHull> whole_hull(const HullSpec& spec, input::Problems& problems);

// Panels of shapes in the shortest wave, where their size is not given.
inline constexpr double panels_in_shortest_wave = 8;

struct PanelRules {
  double shortest_wave = 0;
  bool lid = true;
  int most_panels = 3000;
  double finer = 1;  // panels are so much smaller where their size is not given
};
std::optional<FloatingHull> prepare_hull(const std::string& name, const HullSpec& spec, const WaterSpec& water,
                                         const PanelRules& rules, input::Problems& problems);

}  // namespace davit::panel
