// Where straight lines go through the surfaces that a rope touches: pieces of the rope as it was laid and as it lies,
// and the ways of its ends and of all that it passes. A rope is kept out of bodies by their edges alone (track.hpp), so
// neither can be told from its nodes.
#pragma once

#include <optional>

#include "davit/rope/balance.hpp"

namespace davit::rope {

struct Piercing {
  size_t node = 0;  // of the path; of a piece, where it begins
  int surface = 0;
  Vec3 at;           // in world axes
  double depth = 0;  // inside a closed body; of an open surface zero
};

// Where a straight piece is deepest inside a closed body, or else goes through an open surface.
std::optional<Piercing> find_piercing(const Layout&, const Poses&, const Path&);

// A waypoint that goes through a surface of another body, or into it, as bodies move from one set of poses to another.
std::optional<Piercing> find_passage(const Layout&, const Poses& from, const Poses& to, const Path&);

}  // namespace davit::rope
