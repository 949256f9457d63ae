// Davit's own file of hydrodynamics: HDF5, every number of a Database to the bit, with its unit and meaning beside it.
// docs/hydrodynamics.md lists what is in it.
#pragma once

#include <filesystem>

#include "davit/hydro/database.hpp"

namespace davit::hydro {

inline constexpr unsigned database_file_version = 1;

// Both throw a DatabaseError that says file, dataset and remedy.
void write_database(const Database& database, const std::filesystem::path& file);
Database read_database(const std::filesystem::path& file);

}  // namespace davit::hydro
