#include "davit/hydro/open_database.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "davit/hydro/capytaine_file.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/hydro/guarded_reading.hpp"
#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/mss_file.hpp"
#include "davit/hydro/nemoh_files.hpp"
#include "davit/hydro/wamit_files.hpp"

namespace davit::hydro {
namespace {

namespace fs = std::filesystem;

enum class Kind { own, capytaine, mss, wamit, nemoh };

std::string beginning(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes(128, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(in.gcount()));
  return bytes;
}

bool is_wamit_ending(const fs::path& path) {
  const std::string ending = path.extension().string();
  return std::find(wamit_endings.begin(), wamit_endings.end(), ending) != wamit_endings.end();
}

// The stem of a WAMIT run: what was named, without the ending of one of its files.
fs::path stem_of(const fs::path& path) { return is_wamit_ending(path) ? path.parent_path() / path.stem() : path; }

Kind kind_of(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    if (is_nemoh_folder(path)) return Kind::nemoh;
    throw DatabaseError(path.string(), "this is a folder without Nemoh.cal",
                        "give a file, the stem of a WAMIT run, or the folder of a NEMOH run");
  }
  if (fs::is_regular_file(path, ignored)) {
    const std::string bytes = beginning(path);
    const std::string ending = path.extension().string();
    if (bytes.starts_with("\x89HDF\r\n\x1a\n"))  // netCDF 4 and MATLAB 7.3 are HDF5 too
      return ending == ".nc" ? Kind::capytaine : ending == ".mat" ? Kind::mss : Kind::own;
    if (bytes.starts_with("CDF")) return Kind::capytaine;
    if (bytes.starts_with("MATLAB")) return Kind::mss;
    if (path.filename() == "Nemoh.cal") return Kind::nemoh;
    if (is_wamit_ending(path)) return Kind::wamit;
    throw DatabaseError(
        path.string(), "this is no file of hydrodynamics that is known",
        "known are Davit's .h5, Capytaine's .nc, .mat of MSS, the stem of a WAMIT run (.1, .3, .hst) and "
        "the folder of a NEMOH run");
  }
  if (fs::is_regular_file(stem_of(path).string() + ".1", ignored)) return Kind::wamit;
  throw DatabaseError(path.string(), "there is no such file", "check the path; a WAMIT run is named by its stem");
}

void refuse(const fs::path& path, bool given, const char* name) {
  if (given)
    throw DatabaseError(path.string(), std::string(name) + " was given, but the file says it itself", "leave it out");
}

}  // namespace

Database open_database(const fs::path& path, const ReadOptions& options) {
  const Kind kind = kind_of(path);
  if (kind != Kind::wamit) {
    refuse(path, options.density.has_value(), "the density");
    refuse(path, options.gravity.has_value(), "gravity");
    refuse(path, options.depth && kind != Kind::mss, "the water depth");
  }
  refuse(path, options.about && kind != Kind::capytaine, "the point that rotations are about");
  switch (kind) {
    case Kind::own:
      return read_guarded(path, [&] { return read_database(path); });
    case Kind::capytaine:
      return read_guarded(path, [&] { return read_capytaine(path, options); });
    case Kind::mss:
      return read_guarded(path, [&] { return read_mss(path, options); });
    case Kind::wamit:
      return read_wamit(stem_of(path), options);
    case Kind::nemoh:
      break;
  }
  return read_nemoh(fs::is_directory(path) ? path : path.parent_path());
}

}  // namespace davit::hydro
