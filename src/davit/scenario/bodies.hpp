// Body specifications to bodies of the tree.
#pragma once

#include <set>

#include "davit/scenario/specification.hpp"

namespace davit {

// Reports what is wrong with each body; of those in `doubtful`, which have mistakes already, nothing more. A body whose
// parent is missing or that hangs on itself is put on the world, so that a tree can be made and the rest of the file be
// checked all the same.
std::vector<Body> build_bodies(const input::Named<BodySpec>& specs, const std::set<std::string>& doubtful,
                               input::Problems& problems);

}  // namespace davit
