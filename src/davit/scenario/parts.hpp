// Parts of a scenario: which of its sections a part may have.
#pragma once

#include "davit/input/expand.hpp"

namespace davit {

// Puts parts and parameters into a scenario (input/expand.hpp). The tree means nothing after a mistake.
void expand_parts(input::Node& root, input::Problems& problems, const input::LoadPart& load = input::load_part);

// What a part may say, beside `part`, `parameters`, `exports` and `parts`.
const std::vector<std::string>& sections_of_parts();

}  // namespace davit
