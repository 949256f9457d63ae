// How the path of a rope changes as bodies move: nodes come where the rope would pass through a body, slide, pass
// corners, and go where it no longer presses. Every change is followed as a motion of straight pieces, so that a rope
// never jumps through a plate, however thin, and stays on the side of things that it was on.
//
// One call: the waypoints and nodes move with their bodies from one set of poses to another while crossings are looked
// for (crossing.hpp) and become nodes, the earliest first; then the path is balanced (balance.hpp), with crossings
// looked for as nodes slide; a node at the end of its edge, pulled beyond, passes the corner: it is replaced by nodes
// on the other edges there, in the order in which the rope would meet them; nodes whose neighbours see each other over
// their edge are let go, and the rope is pulled tight between its neighbours, swept like any other motion. Until
// nothing changes.
//
// Not here: thickness and stiffness of the rope, contact of ropes with each other, waypoints that dive into a body (the
// rope then leaves the body through the nearest edges).
#pragma once

#include "davit/rope/balance.hpp"

namespace davit::rope {

struct TrackOutcome {
  bool settled = true;    // nothing more would change
  bool balanced = true;   // the balance converged
  bool too_many = false;  // nodes
  bool changed = false;   // nodes came or went
};

// Scratch, one of its own for each rope.
class TrackWork {
 public:
  virtual ~TrackWork() = default;
  const std::unique_ptr<BalanceWork> balance = make_balance_work();
};
std::unique_ptr<TrackWork> make_track_work();

// `most`: nodes that a path may have.
TrackOutcome follow(const Rope&, const Poses& from, const Poses& to, const PaidOut&, size_t most, Path&, TrackWork&);

// Settles a path as it was laid, with nodes that are let go. With friction, nodes stay where the rope meets their
// edges.
TrackOutcome pull_tight(const Rope&, const Poses&, size_t most, Path&, TrackWork&);

// The deepest that a straight piece of the path is inside a closed body (m), sampled, for self-checks.
double deepest_penetration(const Rope&, const Poses&, const Path&);

}  // namespace davit::rope
