// Meshes of others, which are not part of the project: tests that need them skip with a word where they are absent.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "davit/test/source_tree.hpp"

namespace davit::hull {

inline std::filesystem::path shared_data(const std::string& name) {
  const char* folder = std::getenv("DAVIT_SHARED");
  return std::filesystem::path(folder ? folder : in_source("../shared/data")) / name;
}

}  // namespace davit::hull
