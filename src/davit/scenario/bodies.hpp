// Body specifications to bodies of the tree.
#pragma once

#include "davit/scenario/specification.hpp"

namespace davit {

// Reports what is wrong with each body; the result is only meant for a tree if there are no errors.
std::vector<Body> build_bodies(const input::Named<BodySpec>& specs, input::Problems& problems);

}  // namespace davit
