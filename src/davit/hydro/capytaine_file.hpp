// A dataset of Capytaine as netCDF, with complex numbers separated into real and imaginary parts, as its
// documentation recommends.
#pragma once

#include <filesystem>

#include "davit/hydro/database.hpp"
#include "davit/hydro/read_options.hpp"

namespace davit::hydro {

Database read_capytaine(const std::filesystem::path& file, const ReadOptions& options = {});

}  // namespace davit::hydro
