#include "davit/input/part_library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "davit/input/wording.hpp"

namespace davit::input {

std::vector<std::filesystem::path> part_folders() {
  std::vector<std::filesystem::path> folders;
  if (const char* chosen = std::getenv("DAVIT_PARTS"); chosen && *chosen) folders.emplace_back(chosen);
  std::error_code code;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", code);
  if (!code) folders.push_back(program.parent_path().parent_path() / "share" / "davit" / "parts");
  folders.emplace_back(DAVIT_INSTALLED_PARTS);
  folders.emplace_back(DAVIT_SOURCE_PARTS);
  return folders;
}

std::vector<std::string> known_parts() {
  std::vector<std::string> names;
  for (const std::filesystem::path& folder : part_folders()) {
    std::error_code code;
    for (std::filesystem::recursive_directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
      const std::string name = at->path().lexically_relative(folder).generic_string();
      if (at->path().extension() == ".yaml" && !name.starts_with("examples/")) names.push_back(name);
    }
    if (!names.empty()) break;
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::filesystem::path> find_part(const FilePath& part, Problems& problems) {
  std::error_code code;
  const std::filesystem::path beside = part.resolved();
  if (std::filesystem::exists(beside, code)) return beside;
  const std::filesystem::path named(part.text);
  if (named.is_relative())
    for (const std::filesystem::path& folder : part_folders()) {
      const std::filesystem::path file = (folder / named).lexically_normal();
      if (std::filesystem::exists(file, code)) return file;
    }
  problems.error(part.where, fmt::format("there is no part {}", shown(part.text)),
                 suggestion(part.text, "parts of the program", known_parts()));
  return std::nullopt;
}

}  // namespace davit::input
