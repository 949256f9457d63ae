// The path of a rope: its waypoints, given once and for all (ends, eyes, sheaves), and between them the nodes where it
// touches surfaces, which come, slide along edges and go. Between two neighbours the rope is straight.
#pragma once

#include <algorithm>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "davit/math/rotation.hpp"
#include "davit/mesh/edge_tree.hpp"
#include "davit/mesh/features.hpp"
#include "davit/mesh/triangle_tree.hpp"
#include "davit/model/kin.hpp"
#include "davit/rope/leg.hpp"

namespace davit::rope {

// A surface that a rope may touch, in the axes of its body.
struct TouchedSurface {
  std::string name;
  int body = 0;
  int place = 0;  // of the body among those that take part
  std::shared_ptr<const Features> features;
  std::shared_ptr<const EdgeTree> edges;
  // Of a closed surface or of an open one: what ends and pieces of the rope go through is looked for there.
  std::shared_ptr<const TriangleTree> solid, sheet;
  double size = 1;  // of the surface (m): lengths are judged by it
  double static_friction = 0, kinetic_friction = 0;
};

// Where a rope begins, ends or passes: a point or a sheave of a body.
struct Waypoint {
  std::string name;
  Frame frame;        // a sheave turns about the z axis of its frame, the rope goes counter-clockwise about it
  int place = 0;      // of its body among those that take part
  double radius = 0;  // 0: a point
  // Of an eye or a post, or of a sheave's bearing as seen by the rope: μ of the bearing · radius of its pin / radius.
  double static_friction = 0, kinetic_friction = 0;
  bool post = false;  // a round post that does not turn: the rope rubs on it
  // The angle of a sheave with inertia, positive as the rope goes: the rope does not slip on it. Of a joint it is
  // relative to the body that holds the sheave; of a rotor, which is no body, it is absolute, like its momentum.
  std::optional<CoordinateIndex> spin;
  bool rotor = false;
  double inertia = 0;      // of a rotor about its axis, kg m²: what its momentum is when it turns in space
  bool gap_after = false;  // no rope from here to the next waypoint: slings on an equalizer are one rope in pieces
  bool passing = true;     // false: only there to lay the rope around things at the start; let go as it is pulled tight
};

// At a waypoint, on an edge, or let go: then the rope is being pulled tight from where the node is.
struct PathNode {
  int waypoint = -1;
  int surface = -1, edge = -1;
  int direction = 0;  // +1: the rope crosses the edge from its left face to its right one
  // Distance from the beginning of the edge (m); of a sheave: the wrapped angle, or where the rope ends on one (a drum)
  // the angle at which it leaves.
  double s = 0;
  double material = 0;  // unstretched length of the leg that follows (m), where friction tells legs apart
  double mark = 0;      // of a sheave: the angle at which the rope of its two legs is told apart, or at which it ends
  double turned = 0;    // of a sheave with inertia: its angle times its radius (m), at the step's beginning
  double gauge = 1;     // … and how long a metre of rope is on it, see stretch_on_sheave
  bool slips = false;   // slipped in the last step: kinetic friction

  // Within a step: where it was and how strained the leg that follows was at its beginning; the rope that went over it
  // since then, from the leg before to the leg after; whether it slips; whether it is at the end of its edge and pulled
  // beyond.
  double s_before = 0, strain_before = 0;
  double slip = 0;
  double held = 0;  // of a rotor: how far the body that holds it has turned about its axis, times its radius (m)
  bool slipping = false, at_end = false;

  // On which side of it the rope lies on its body, from -1 (before) over 0 (both sides alike) to 1 (after): where the
  // nodes are before they slide.
  double side = 0;

  // Of a node that is let go: the place of the body that carries it, and where in its axes.
  int carrier = 0;
  Vec3 at = Vec3::Zero();

  bool on_edge() const { return surface >= 0; }
  bool let_go() const { return surface < 0 && waypoint < 0; }
};

using Path = std::vector<PathNode>;

// The angle on the branch nearest to another.
template <class S>
S unwrapped(const S& angle, double near) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + S(turn * std::round((near - value_of(angle)) / turn));
}
// How far a rope goes round a sheave, between its legs, whole turns included.
template <class S>
S wrap_angle(const PathNode& sheave, const LegT<S>& before, const LegT<S>& after) {
  return unwrapped(S(after.angle_from - before.angle_to), sheave.s);
}

// What a path runs over. Poses are kept per body that takes part.
struct Layout {
  std::vector<Waypoint> waypoints;
  std::vector<TouchedSurface> surfaces;
  std::vector<int> bodies;  // that take part

  // Fills `bodies` and all places.
  void number_bodies();

  const FeatureEdge& edge(const PathNode& n) const {
    return surfaces[static_cast<size_t>(n.surface)].features->edges[static_cast<size_t>(n.edge)];
  }
  const Waypoint& waypoint(const PathNode& n) const { return waypoints[static_cast<size_t>(n.waypoint)]; }
  double radius(const PathNode& n) const { return n.waypoint < 0 ? 0 : waypoint(n).radius; }
  bool gap_after(const PathNode& n) const { return n.waypoint >= 0 && waypoint(n).gap_after; }
  bool spins(const PathNode& n) const { return n.waypoint >= 0 && waypoint(n).spin.has_value(); }
  int place(const PathNode& n) const {
    return n.on_edge() ? surfaces[static_cast<size_t>(n.surface)].place : n.let_go() ? n.carrier : waypoint(n).place;
  }
  // In the axes of its body.
  Vec3 local(const PathNode& n) const {
    if (n.let_go()) return n.at;
    if (!n.on_edge()) return waypoint(n).frame.offset.p;
    const FeatureEdge& e = edge(n);
    return e.a + n.s * (e.b - e.a).normalized();
  }
  double edge_length(const PathNode& n) const { return (edge(n).b - edge(n).a).norm(); }
  // Nodes stay off the corners by this much, so that they never meet and what happens at a corner happens beside it.
  double clearance(const PathNode& n) const {
    return std::min(1e-7 * surfaces[static_cast<size_t>(n.surface)].size, 0.25 * edge_length(n));
  }
  double lowest(const PathNode& n) const { return clearance(n); }
  double highest(const PathNode& n) const { return edge_length(n) - clearance(n); }
};

template <class S>
using PosesT = std::vector<PoseT<S>>;  // by place
using Poses = PosesT<double>;

// The axis of a sheave or drum in world axes, how fast the body that holds it turns about it, and by how much since it
// stood as `before`.
template <class S>
Vec3T<S> axis_of(const Waypoint& round, const KinT<S>& kin) {
  return kin.body[static_cast<size_t>(round.frame.body)].R * as<S>(Vec3(round.frame.offset.R.col(2)));
}
template <class S>
S holder_speed(const Waypoint& round, const KinT<S>& kin) {
  return kin.body[static_cast<size_t>(round.frame.body)].w.dot(axis_of(round, kin));
}
template <class S>
S holder_turn(const Waypoint& round, const Mat3& before, const KinT<S>& kin) {
  if (round.frame.body == 0) return S(0);
  const Mat3T<S>& R = kin.body[static_cast<size_t>(round.frame.body)].R;
  const Mat3T<S> since = before.transpose().template cast<S>() * R;
  return log_rotation(since).dot(as<S>(Vec3(round.frame.offset.R.col(2))));
}

template <class S>
void take_poses(const Layout& layout, const KinT<S>& kin, PosesT<S>& out) {
  out.resize(layout.bodies.size());
  for (size_t i = 0; i < layout.bodies.size(); ++i) {
    const BodyKinT<S>& b = kin.body[static_cast<size_t>(layout.bodies[i])];
    out[i] = {b.R, b.p};
  }
}

}  // namespace davit::rope
