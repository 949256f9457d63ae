// Body specifications to bodies: those of the tree, particles and director bodies.
#pragma once

#include <set>

#include "davit/dynamics/particles.hpp"
#include "davit/scenario/specification.hpp"

namespace davit {

struct Bodies {
  std::vector<Body> of_tree;
  std::vector<Particle> particles;
  std::vector<Body> of_directors;  // on free joints, which say how they start
};

// Reports what is wrong with each body; of those in `doubtful`, which have mistakes already, nothing more. A body whose
// parent is missing or that hangs on itself is put on the world, so that a tree can be made and the rest of the file be
// checked all the same.
Bodies build_bodies(const input::Named<BodySpec>& specs, const std::set<std::string>& doubtful,
                    input::Problems& problems);

}  // namespace davit
