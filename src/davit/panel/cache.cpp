#include "davit/panel/cache.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "davit/hydro/database_file.hpp"
#include "davit/input/emit.hpp"

namespace davit::panel {

namespace {

// FNV-1a, from two starting values: 128 bits together.
std::uint64_t hash(std::string_view text, std::uint64_t value) {
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return value;
}

std::filesystem::path folder() {
  if (const char* own = std::getenv("DAVIT_CACHE")) return own;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME")) return std::filesystem::path(xdg) / "davit";
  if (const char* home = std::getenv("HOME")) return std::filesystem::path(home) / ".cache" / "davit";
  return std::filesystem::temp_directory_path() / "davit";
}

// All that the numbers depend on.
std::string content(const JobSpec& job) {
  std::string text = fmt::format("{}\n{}", solver_version, input::to_yaml(JobSpec::record().write(job)));
  for (const auto& [name, body] : job.bodies)
    if (const auto file = body.mesh_file()) {
      std::ifstream in(*file, std::ios::binary);
      text.append(std::istreambuf_iterator<char>(in), {});
    }
  return text;
}

}  // namespace

std::filesystem::path cache_file(const JobSpec& job) {
  const std::string text = content(job);
  return folder() / "hydro" /
         fmt::format("{:016x}{:016x}.h5", hash(text, 14695981039346656037u), hash(text, 1469598103934665603u));
}

std::optional<hydro::Database> find_in_cache(const JobSpec& job) {
  const auto file = cache_file(job);
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return std::nullopt;
  try {
    return hydro::read_database(file);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

void keep_in_cache(const JobSpec& job, const hydro::Database& database) {
  const auto file = cache_file(job);
  // Written beside and then renamed, so that another run never sees half a file.
  const auto beside =
      file.parent_path() / (file.filename().string() + fmt::format(".{:x}", std::hash<const void*>{}(&database)));
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  try {
    hydro::write_database(database, beside);
    std::filesystem::rename(beside, file);
  } catch (const std::exception&) {
    std::filesystem::remove(beside, ignored);
  }
}

}  // namespace davit::panel
