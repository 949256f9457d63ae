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

// A body on a point of another is on that body, at the point.
void resolve_points(input::Named<BodySpec>& specs, input::Problems& problems);

// Reports what is wrong with each body; of those in `doubtful`, which have mistakes already, nothing more. A body whose
// parent is missing or that hangs on itself is put on the world, so that a tree can be made and the rest of the file be
// checked all the same.
Bodies build_bodies(const input::Named<BodySpec>& specs, const std::set<std::string>& doubtful,
                    input::Problems& problems);

// Free bodies, particles and director bodies that are on another body begin where that one is at the start, and move
// against the world from there.
void release_free_bodies(input::Named<BodySpec>& specs, Bodies& bodies);

}  // namespace davit
