// The name of something else in the scenario, with the place where it was used, because whether it exists can only be
// told when all is read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "davit/input/problems.hpp"
#include "davit/input/where.hpp"

namespace davit::input {

struct Reference {
  std::string name;
  Where where;
};

// A name begins with a letter or '_' and goes on with letters, digits, '_' and '-', so that 'king.tip' splits at its
// dot. What belongs to a part has the part's name before it: 'west/king'.
bool is_name(std::string_view text);

// "there is no body 'kign'": `what` is the noun in the singular.
void unknown_name(const Reference& reference, std::string_view what, const std::vector<std::string>& candidates,
                  Problems& problems);

}  // namespace davit::input
