// What is wrong or doubtful with a hull before a panel method takes it, in words for the user. It changes nothing;
// orient (panel_edges.hpp) turns panels, cut_at_waterplane (waterplane.hpp) cuts what is above the water.
#pragma once

#include <string>

#include "davit/hull/panel_mesh.hpp"

namespace davit::hull {

struct Finding {
  enum class Severity { note, warning, error } severity;  // error: results would be wrong
  std::string what;
  std::string where;   // "panel 17 at (12.0, 3.5, -2.0)"; panels are counted from 1, as in the file
  std::string remedy;  // what to do
};
std::string in_words(const Finding& finding);

// Constant panels resolve waves of six times their longest side.
inline constexpr double panels_per_wave = 6;
double shortest_wave_resolved(const PanelMesh& mesh);

// Panels above the water are named but not looked at further. `shortest_wave_length` of 0 leaves that rule out.
std::vector<Finding> check(const PanelMesh& mesh, double shortest_wave_length);

}  // namespace davit::hull
