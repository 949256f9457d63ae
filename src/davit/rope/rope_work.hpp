// The scratch of a rope, and how its path is followed from one state of the bodies to another.
#pragma once

#include <cstring>
#include <span>

#include "davit/rope/rope_ends.hpp"

namespace davit::rope {

inline Pose value_of_pose(const BodyKinT<double>& b) { return {b.R, b.p}; }
inline Pose value_of_pose(const BodyKinT<Dual8>& b) {
  Pose pose;
  for (int i = 0; i < 3; ++i) {
    pose.p[i] = b.p[i].value;
    for (int j = 0; j < 3; ++j) pose.R(i, j) = b.R(i, j).value;
  }
  return pose;
}

template <class S>
void take_values(const Layout& layout, const KinT<S>& kin, Poses& out) {
  out.resize(layout.bodies.size());
  for (size_t i = 0; i < layout.bodies.size(); ++i)
    out[i] = value_of_pose(kin.body[static_cast<size_t>(layout.bodies[i])]);
}

template <class S>
S paid_out(const std::shared_ptr<const Reel>& reel, const KinT<S>& kin) {
  return reel ? reel->paid_out(kin) : S(0);
}

// How far the body that holds a rotor has turned about its axis since a step began, times its radius.
template <class S>
S held_turn(const Waypoint& sheave, const Poses& from, const KinT<S>& kin) {
  if (!sheave.rotor) return S(0);
  return S(sheave.radius) * holder_turn(sheave, from[static_cast<size_t>(sheave.place)].R, kin);
}
// Rope that the angle of each sheave with inertia has carried over it since the step of a path began at `from`.
template <class S>
void take_over(const Layout& layout, const KinT<S>& kin, const Path& path, const Poses& from, std::vector<S>& out) {
  out.resize(layout.waypoints.size());
  for (const PathNode& n : path) {
    if (!layout.spins(n)) continue;
    const Waypoint& sheave = layout.waypoint(n);
    out[static_cast<size_t>(n.waypoint)] =
        (S(sheave.radius) * kin.q[sheave.spin->q] - S(n.turned) - held_turn(sheave, from, kin)) / S(n.gauge);
  }
}

// Rates of all that a path depends on.
template <class S>
void take_motion(const RopeSetup& setup, const KinT<S>& kin, const Path& path, MotionT<S>& out) {
  const Layout& layout = setup.rope.layout;
  out.poses.resize(layout.bodies.size());
  for (size_t i = 0; i < layout.bodies.size(); ++i) {
    const BodyKinT<S>& b = kin.body[static_cast<size_t>(layout.bodies[i])];
    out.poses[i].p = b.v;
    for (int k = 0; k < 3; ++k) out.poses[i].R.col(k) = b.w.cross(Vec3T<S>(b.R.col(k)));
  }
  out.paid = {rate_of_giving_out(setup, 0, kin), rate_of_giving_out(setup, 1, kin), rate_of_travel(setup, 0, kin),
              rate_of_travel(setup, 1, kin)};
  out.over.resize(layout.waypoints.size());
  for (const PathNode& n : path) {
    if (!layout.spins(n)) continue;
    const Waypoint& w = layout.waypoint(n);
    const S spin = w.rotor ? S(kin.u[w.spin->u] - holder_speed(w, kin)) : S(kin.u[w.spin->u]);
    out.over[static_cast<size_t>(n.waypoint)] = S(w.radius / n.gauge) * spin;
  }
}

// The rope that went over nodes in a step becomes part of the legs, and the next step begins.
void begin_step(const Rope& rope, const PaidOut& paid, Path& path);
// A rope that was let go carries nothing, however long its path is.
template <class S>
void let_go(TensionsT<S>& t) {
  std::fill(t.tension.begin(), t.tension.end(), S(0));
  std::fill(t.strain.begin(), t.strain.end(), S(0));
}
// How rope lies on sheaves with inertia from here on.
void keep_gauges(const Layout& layout, const std::vector<double>& strain, Path& path);
// Wrapped angles of the sheaves, which tell whole turns apart.
void keep_wraps(const Layout& layout, const TensionsT<double>& t, Path& path);

// A path that was followed from another, and what was asked.
struct FollowedPath {
  bool known = false;
  std::vector<double> question;
  PathState state;
  TrackOutcome outcome;
};

// The path of `from` where bodies have gone to new poses and reels given out rope. False: it is known already.
template <class S>
bool advance_path(const RopeSetup& setup, const std::string& name, const PathState& from, const KinT<S>& kin,
                  std::vector<double>& question, FollowedPath& out, TrackWork& work);

inline bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

template <class S>
struct RopeForce::Work final : ElementWork {
  std::unique_ptr<TrackWork> track = make_track_work();
  std::vector<double> question;

  // As committed, with the records of the discrete state that say so.
  std::vector<double> records, records_now;
  PathState committed;

  bool loose = false;  // when it was looked at last
  // What was found for a rope that carries is not true of one that is let go.
  void see(bool is_loose) {
    if (loose != is_loose) here.known = begin.known = end.known = false;
    loose = is_loose;
  }

  // Where the bodies are.
  FollowedPath here;
  PosesT<S> poses;
  std::vector<S> s, over, tension, weight;
  TensionsT<S> t;
  TensionsT<double> acting;                      // t with damping, for whoever looks
  PaidOutT<S> paid;                              // since it was committed
  S first = S(0), last = S(0), material = S(0);  // given out by the reels since the start, and of the whole rope
  MotionT<S> motion;
  RatesT<S> rates;
  bool rates_known = false;  // for the motion whose numbers these are
  std::vector<double> rates_question;
  PathState kept;

  SupplyT<S> supply() const { return {material, paid, &over}; }

  // Over a step: where it begins, also as the path that the step goes on from, and where it ends.
  FollowedPath begin, end;
  PathState start;
  TensionsT<double> t_start;
  std::vector<double> s_start;
  PosesT<S> point_poses;
  std::vector<S> s_point;
  TensionsT<S> point;
};

}  // namespace davit::rope
