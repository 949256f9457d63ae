// The ends of a rope on drums. A drum with an axis is a rotor: its angle is absolute, as its momentum is, so rope is
// given out by its angle less the turn of the body that holds it. What the drum feels its holder feels the other way
// round, beside the rope's pull along its tangent; what is left of both is the moment of the motor.
#pragma once

#include "davit/rope/rope_force.hpp"

namespace davit::rope {

inline const std::shared_ptr<const Reel>& reel_of(const RopeSetup& setup, int end) {
  return end == 0 ? setup.first_reel : setup.last_reel;
}
inline const Waypoint& waypoint_of(const RopeSetup& setup, int end) {
  return end == 0 ? setup.rope.layout.waypoints.front() : setup.rope.layout.waypoints.back();
}
// Whether the end is on a drum with an axis.
inline bool on_rotor(const RopeSetup& setup, int end) {
  const auto& reel = reel_of(setup, end);
  return reel && reel->speed() && waypoint_of(setup, end).radius > 0;
}
// A rope that begins on a drum is given out as the drum turns about its axis, one that ends there as it turns back.
inline double giving_out(int end) { return end == 0 ? 1 : -1; }

// How fast the holder turns about the drum's axis as it gives out rope.
template <class S>
S holder_speed(const RopeSetup& setup, int end, const KinT<S>& kin) {
  return on_rotor(setup, end) ? S(S(giving_out(end)) * holder_speed(waypoint_of(setup, end), kin)) : S(0);
}
// Rope given out since the start, and its rate.
template <class S>
S given_out(const RopeSetup& setup, int end, const KinT<S>& kin, const ReelMark& mark) {
  const auto& reel = reel_of(setup, end);
  if (!reel) return S(0);
  const S by_angle = reel->paid_out(kin);
  if (!on_rotor(setup, end)) return by_angle;
  return S(mark.paid) + by_angle - S(mark.by_angle) -
         S(giving_out(end)) * reel->radius(kin) * holder_turn(waypoint_of(setup, end), mark.holder, kin);
}
template <class S>
S rate_of_giving_out(const RopeSetup& setup, int end, const KinT<S>& kin) {
  const auto& reel = reel_of(setup, end);
  if (!reel) return S(0);
  return reel->rate(kin) - reel->radius(kin) * holder_speed(setup, end, kin);
}
// How far a piston has carried the end, and its rate; nothing on a drum.
inline bool on_piston(const RopeSetup& setup, int end) {
  const auto& reel = reel_of(setup, end);
  return reel && !reel->winds();
}
template <class S>
S travel(const RopeSetup& setup, int end, const KinT<S>& kin) {
  return on_piston(setup, end) ? reel_of(setup, end)->paid_out(kin) : S(0);
}
template <class S>
S rate_of_travel(const RopeSetup& setup, int end, const KinT<S>& kin) {
  return on_piston(setup, end) ? reel_of(setup, end)->rate(kin) : S(0);
}
inline ReelMark mark_of(const RopeSetup& setup, int end, const PathState& state) {
  const Mat3& holder = state.poses[static_cast<size_t>(waypoint_of(setup, end).place)].R;
  return end == 0 ? ReelMark{state.first_paid, state.first_by_angle, holder}
                  : ReelMark{state.last_paid, state.last_by_angle, holder};
}
// Rope that the ends have given out since the path was as at `begin`.
template <class S>
PaidOutT<S> paid_out_since(const RopeSetup& setup, const PathState& begin, const KinT<S>& kin) {
  return {given_out(setup, 0, kin, mark_of(setup, 0, begin)) - S(begin.first_paid),
          given_out(setup, 1, kin, mark_of(setup, 1, begin)) - S(begin.last_paid), travel(setup, 0, kin),
          travel(setup, 1, kin)};
}
inline PaidOut paid_out_between(const RopeSetup& setup, const PathState& begin, const PathState& end) {
  return {end.first_paid - begin.first_paid, end.last_paid - begin.last_paid,
          on_piston(setup, 0) ? end.first_by_angle : 0, on_piston(setup, 1) ? end.last_by_angle : 0};
}
// A moment on the drum, positive as it gives out rope, acts on its holder the other way round.
template <class S>
void react_on_holder(const RopeSetup& setup, int end, const KinT<S>& kin, const S& moment, LoadsT<S>& loads) {
  const Waypoint& at = waypoint_of(setup, end);
  if (!on_rotor(setup, end) || at.frame.body == 0) return;
  loads.add_moment(at.frame.body, Vec3T<S>(axis_of(at, kin) * (S(-giving_out(end)) * moment)));
}

}  // namespace davit::rope
