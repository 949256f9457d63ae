#include "davit/hydro/cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace davit::hydro {

namespace {

std::filesystem::path cache_folder() {
  if (const char* own = std::getenv("DAVIT_CACHE")) return own;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME")) return std::filesystem::path(xdg) / "davit";
  if (const char* home = std::getenv("HOME")) return std::filesystem::path(home) / ".cache" / "davit";
  return std::filesystem::temp_directory_path() / "davit";
}

}  // namespace

std::uint64_t content_hash(std::string_view content, std::uint64_t start) {
  for (const char c : content) start = (start ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return start;
}

std::filesystem::path cache_file(std::string_view kind, std::string_view content, std::string_view ending) {
  // From two starting values: 128 bits together.
  return cache_folder() / kind /
         fmt::format("{:016x}{:016x}{}", content_hash(content), content_hash(content, 1469598103934665603u), ending);
}

void write_cache(const std::filesystem::path& file, const std::function<void(const std::filesystem::path&)>& write) {
  // Another process, or another thread of this one, may be writing the same.
  const auto beside =
      file.parent_path() / (file.filename().string() + fmt::format(".{}.{}", getpid(), fmt::ptr(&file)));
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  try {
    write(beside);
    std::filesystem::rename(beside, file);
  } catch (const std::exception&) {
    std::filesystem::remove(beside, ignored);
  }
}

}  // namespace davit::hydro
