// The Tracker of track.hpp: one path while it changes. Motions and what they meet are in track.cpp, ways round corners
// in corners.cpp.
#pragma once

#include "davit/rope/crossing.hpp"
#include "davit/rope/track.hpp"

namespace davit::rope {

inline Vec3 in_world(const Layout& layout, const PathNode& n, const Poses& poses) {
  return poses[static_cast<size_t>(layout.place(n))] * layout.local(n);
}
// A node in the axes of the body at a place.
inline Vec3 seen_from(const Layout& layout, int place, const PathNode& n, const Poses& poses) {
  if (layout.place(n) == place) return layout.local(n);
  const Pose& pose = poses[static_cast<size_t>(place)];
  return pose.R.transpose() * (in_world(layout, n, poses) - pose.p);
}

struct Event {
  Crossing crossing;
  size_t leg = 0;
  int surface = -1, edge = -1;
  bool found() const { return surface >= 0; }
  // The earlier one; at the same time the one on the earlier leg, surface and edge.
  bool before(const Event& other) const {
    if (crossing.tau != other.crossing.tau) return crossing.tau < other.crossing.tau;
    if (leg != other.leg) return leg < other.leg;
    return surface != other.surface ? surface < other.surface : edge < other.edge;
  }
};

// The motion of a path: where each node is at the beginning and at the end, in the axes of its body, and the bodies.
struct Sweep {
  const Poses* from;
  const Poses* to;
  std::vector<MovingPoint> local;
  std::vector<double> since;  // per leg: τ from which it is looked at
  std::vector<Event> first;   // per leg
};

// A corner or an edge of a surface.
struct Listed {
  int surface, index;
  friend bool operator==(const Listed&, const Listed&) = default;
};

struct TrackerWork final : TrackWork {
  Sweep sweep;
  std::vector<Listed> passes, gone;
  std::vector<EdgeTree::Nearby> nearby;  // by leg and surface
  std::vector<double> met;               // by a piece of rope, along it
  Path way;
};

class Tracker {
 public:
  Tracker(const Rope& rope, size_t most, Path& path, TrackWork& work)
      : rope_(rope), layout_(rope.layout), most_(most), path_(path), work_(static_cast<TrackerWork&>(work)) {}
  TrackOutcome out;

  void follow(const Poses& from, const Poses& to, const PaidOut& paid);
  // `sliding`: false where nodes stay where the rope first met their edges.
  void settle(const Poses& poses, bool sliding = true);

 private:
  // A motion in which no node moves in its body.
  void all_rest();
  // A node seen from the axes of a surface, at the two ends of the motion.
  MovingPoint seen(size_t i, const TouchedSurface& surface) const;
  Event first_event(size_t leg) const;
  // Edges at a corner that is being passed are not looked at: which of them the rope crosses is known.
  bool passed(int surface, int edge) const;
  bool touches(size_t node, int surface, int edge) const;
  // Makes nodes of all crossings of the motion in sweep_; true if there were any.
  bool run_sweep();
  PathNode node_of(const Event& event) const;
  void insert(const Event& event);
  // Puts a node into a leg; its rope is shared by the lengths on both sides.
  void add_node(size_t leg, PathNode node);
  void erase_node(size_t i);
  // Balances the path; true if nodes came as it slid.
  bool slide(const Poses& poses);
  // Notes a corner or an edge that the rope leaves, and whether it does so again.
  void leave(std::vector<Listed>& list, const Listed& left);

  // The node that is highest above what its neighbours see, of those that may go; 0 if all press.
  template <class MayGo>
  size_t highest_above(const Path& path, const Poses& poses, MayGo&& may) const {
    size_t highest = 0;
    double most = 0;
    for (size_t i = 1; i + 1 < path.size(); ++i) {
      if (!path[i].on_edge()) continue;
      const int place = layout_.place(path[i]);
      const double h = height(seen_from(layout_, place, path[i - 1], poses),
                              seen_from(layout_, place, path[i + 1], poses), layout_.edge(path[i]), path[i].direction);
      if (h > most && may(path[i])) {
        most = h;
        highest = i;
      }
    }
    return highest;
  }

  // Nodes keep off corners, so a piece of rope between them may cut a corner by as much, below edges that it never
  // crossed; as nodes slide on from there it would get deeper. Puts a node on the edge that a piece passes
  // least below, inside the body; true if there is one.
  bool raise_one(const Poses& poses);
  // Whether the straight piece from a to b is inside a closed body, deeper than it may rest there. On a fine mesh few
  // pieces are, and thousands of edges are near each.
  bool dips(const TouchedSurface& surface, const Vec3& a, const Vec3& b) const;
  // Two nodes in a row at one place of an edge are one, or none if the rope crosses it there and comes back: they would
  // hold the rope, and a leg without length has no rope to tell its tension by. Where they come back again and again
  // they stay for this time.
  void merge();
  // Lets one node go that does not press; true if there is one.
  bool let_one_go(const Poses& poses);
  // With friction a path may need a node that does not press once it is there; then it stays for this time.
  bool may_go(const PathNode& n) const;
  void let_go(size_t i);
  // Pulls the rope tight where a node was let go: the node moves towards the line between its neighbours and is gone
  // there, or as far as the rope meets an edge, which gets a node of its own. True if there was one.
  bool pull_one(const Poses& poses);

  // The corner that a node is within reach of, or -1.
  int corner(const PathNode& n, double reach) const;
  // Nodes at a corner: the rope may go round it on the other side, or stay. True if it did.
  bool pass_corner(const Poses& poses);
  // A corner that the rope comes back to again and again is where it rests: friction, or a saddle, holds it there.
  bool may_pass(int surface, int corner_index) const;
  bool pulled_beyond(size_t i, int corner_index, const Poses& poses) const;
  // How a node turns about a corner: the place of its edge in the corner's list, and the sense in which the rope
  // crosses it, +1 counter-clockwise seen from outside. Counter-clockwise after an edge that begins here comes its left
  // face, so a rope from left to right turns clockwise.
  struct Turn {
    int place, sense;
  };
  Turn turn(const PathNode& n, const FeatureVertex& vertex, int corner_index) const;
  // Nodes on the convex edges from the face after place `from` in the list to the face after place `to`, in one sense.
  void nodes_between(int surface, const FeatureVertex& vertex, int from, int to, int sense, Path& nodes) const;
  // The nodes first..last are at a corner. Tries to lead the rope round it the other way, or the same way without what
  // is crossed back and forth.
  bool go_round(size_t first, size_t last, int corner_index, const Poses& poses);
  // A way round a corner, found close to it, between two points on the rope to both sides of it, over those edges that
  // press. It is taken if it is shorter and outside the body.
  bool lead_round(size_t first, size_t last, int corner_index, int from, int to, int sense, const Poses& poses);
  // Whether a path close to a corner is outside its body, or lies in its faces. Where concave edges meet, it need not.
  bool is_free(const Path& way, const TouchedSurface& surface, const Poses& poses) const;
  // Puts the inner nodes of a small path in the place of some of this one.
  void replace(size_t first, size_t last, const Path& by);
  // Shortest length of a small path between two fixed ends, over those of its nodes that press.
  double thin_out(Path& trial, const Poses& poses);

  const Rope& rope_;
  const Layout& layout_;
  size_t most_;
  Path& path_;
  PaidOut paid_;
  TrackerWork& work_;
  Sweep& sweep_ = work_.sweep;
  int passed_surface_ = -1, passed_corner_ = -1;
  // Corners passed and edges let go since the path was last settled.
  std::vector<Listed>&passes_ = work_.passes, &gone_ = work_.gone;
  // The rope has come back to one of them: the balance from the beginning of the step would lead it there for ever.
  bool came_back_ = false;
};

}  // namespace davit::rope
