// Where the files of parts are found.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "davit/input/file_path.hpp"
#include "davit/input/problems.hpp"

namespace davit::input {

// Folders of parts that come with the program, the first one first: where DAVIT_PARTS says, beside the program where
// it is installed, where it was meant to be installed, in its sources.
std::vector<std::filesystem::path> part_folders();

// The parts in the first of those folders that has some, as `part` names them.
std::vector<std::string> known_parts();

// The file, from where the file that names it stands or in one of those folders; reports when it is in none.
std::optional<std::filesystem::path> find_part(const FilePath& part, Problems& problems);

}  // namespace davit::input
