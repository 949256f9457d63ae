// Hulls from and to files. Told by the ending of the name and by content:
//
// - WAMIT `.gdf`: a title; ULEN GRAV; ISX ISY; NPAN; then four corners x y z of every panel, freely over lines. Lengths
//   are multiplied by ULEN; ISX = 1 and ISY = 1 become mirror_x and mirror_y. What follows the numbers of one of the
//   first lines is a comment.
// - NEMOH `.dat` and `.mar`: a line `2 s` (s = 1: the half with y of one sign is listed), numbered points `i x y z`
//   closed by a line `0 0 0 0`, panels of four point numbers closed by `0 0 0 0`.
// - STL, OBJ and PLY, as davit/mesh/mesh_file.hpp reads them: triangles, no symmetry.
//
// Lengths are in metres. Points that are one (to 1e-6 of the hull, what files with few digits keep) are merged. A hull
// is taken as it is: check.hpp looks for faults, and z = 0 is the waterplane unless it is moved (placed in
// waterplane.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "davit/hull/panel_mesh.hpp"
#include "davit/mesh/mesh_file.hpp"

namespace davit::hull {

// Both throw MeshFileError.
PanelMesh read_hull(const std::filesystem::path& file);
PanelMesh parse_hull(std::string_view bytes, const std::string& name);

void write_gdf(const PanelMesh& mesh, const std::filesystem::path& file, const std::string& title = "hull",
               double gravity = 9.80665);

}  // namespace davit::hull
