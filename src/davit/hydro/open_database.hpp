// Whatever file or folder a database is in, by content and name: Davit's own HDF5, a Capytaine netCDF, an MSS .mat, the
// stem (or one of the files) of a WAMIT run, the folder of a NEMOH run.
#pragma once

#include <filesystem>

#include "davit/hydro/database.hpp"
#include "davit/hydro/read_options.hpp"

namespace davit::hydro {

// Throws a DatabaseError; also for options about something that the file says itself.
Database open_database(const std::filesystem::path& path, const ReadOptions& options = {});

}  // namespace davit::hydro
