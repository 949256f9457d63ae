#include "davit/panel/solution_cache.hpp"

#include <fmt/format.h>

#include "davit/hydro/database_file.hpp"
#include "davit/input/emit.hpp"
#include "davit/io/content_cache.hpp"
#include "davit/mesh/mesh_file.hpp"

namespace davit::panel {

namespace {

// All that the numbers depend on.
std::string content(const JobSpec& job) {
  std::string text = fmt::format("{}\n{}", solver_version, input::to_yaml(JobSpec::record().write(job)));
  for (const auto& [name, body] : job.bodies)
    if (const auto file = body.mesh_file()) text += read_mesh_bytes(*file);
  return text;
}

io::CacheEntry entry_of(const JobSpec& job) { return {"hydro", content(job), ".h5"}; }

}  // namespace

std::optional<hydro::Database> find_in_cache(const JobSpec& job) {
  try {
    const auto file = entry_of(job).find();
    if (!file) return std::nullopt;
    return hydro::read_database(*file);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

void keep_in_cache(const JobSpec& job, const hydro::Database& database) {
  try {
    entry_of(job).keep([&](const std::filesystem::path& beside) { hydro::write_database(database, beside); });
  } catch (const MeshFileError&) {  // the mesh is no longer there
  }
}

}  // namespace davit::panel
