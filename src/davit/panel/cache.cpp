#include "davit/panel/cache.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "davit/hydro/cache.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/input/emit.hpp"

namespace davit::panel {

namespace {

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

std::filesystem::path cache_file(const JobSpec& job) { return hydro::cache_file("hydro", content(job), ".h5"); }

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
  hydro::write_cache(cache_file(job),
                     [&](const std::filesystem::path& beside) { hydro::write_database(database, beside); });
}

}  // namespace davit::panel
