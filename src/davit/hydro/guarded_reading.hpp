// Databases that a library reads (HDF5, netCDF, matio), private to this module: in a child process first, because the
// library may crash on what others made.
#pragma once

#include <filesystem>
#include <functional>

#include "davit/hydro/database.hpp"

namespace davit::hydro {

// What `read` gives, or a DatabaseError: that of `read`, or that reading crashed or had no end.
Database read_guarded(const std::filesystem::path& file, const std::function<Database()>& read);

}  // namespace davit::hydro
