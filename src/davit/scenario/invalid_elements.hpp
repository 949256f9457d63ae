// What has mistakes of its own, so that their consequences are not reported too.
#pragma once

#include <set>
#include <string>

#include "davit/input/problems.hpp"

namespace davit {

struct InvalidElements {
  explicit InvalidElements(const input::Problems& problems);

  std::set<std::string> names;  // bodies, forces, controllers and the like
  bool elements = false;        // any of them …
  bool section = false;         // … or all of a section
  bool run = false;
};

}  // namespace davit
