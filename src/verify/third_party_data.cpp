#include "verify/third_party_data.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "davit/test/source_tree.hpp"

namespace davit::verify {

std::optional<std::filesystem::path> third_party_data(const std::string& folder) {
  const char* own = std::getenv("DAVIT_SHARED");
  const std::filesystem::path place =
      std::filesystem::path(own != nullptr ? own : in_source("../shared/data")) / folder;
  if (std::filesystem::exists(place)) return place;
  fmt::print(stderr, "left out, because its data is not here: {}\n", folder);
  return std::nullopt;
}

}  // namespace davit::verify
