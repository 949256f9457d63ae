// The struct `vessel` of the Marine Systems Simulator (MSS) in a MATLAB file. Its axes are z down and y to starboard;
// docs/hydrodynamics.md says what was found about its phases and points.
#pragma once

#include <filesystem>

#include "davit/hydro/database.hpp"
#include "davit/hydro/read_options.hpp"

namespace davit::hydro {

Database read_mss(const std::filesystem::path& file, const ReadOptions& options = {});

}  // namespace davit::hydro
