// Meshes of others, which are not part of the project: tests that need them skip with a word where they are absent.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace davit::hull {

inline std::filesystem::path shared_data(const std::string& name) {
  const char* folder = std::getenv("DAVIT_SHARED");
  return (folder ? std::filesystem::path(folder) : std::filesystem::path(DAVIT_SOURCE_DIR) / "../shared/data") / name;
}

}  // namespace davit::hull
