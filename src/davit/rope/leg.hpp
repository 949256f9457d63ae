// A leg: the straight piece of rope between two stations, each a point or a sheave that the rope leaves along a tangent.
// Its measure Λ = length + R_a α_a - R_b α_b has, beside the straight length, the arcs that belong to it: the angles at
// which the rope leaves a and arrives at b, about their axes from a direction fixed in the sheave's body. The sum of all
// measures is then the length of the rope but for whole turns, and what one unit of tension does to the two bodies is
// minus the gradient of Λ.
#pragma once

#include "davit/math/types.hpp"

namespace davit::rope {

// A station as a leg sees it, in world axes.
template <class S>
struct LegEndT {
  Vec3T<S> at = Vec3T<S>::Zero();  // the point, or the centre of the sheave
  double radius = 0;               // 0: a point
  Vec3T<S> axis = Vec3T<S>::Zero();       // the rope goes counter-clockwise about it
  Vec3T<S> reference = Vec3T<S>::Zero();  // across the axis; angles begin here
};

template <class S>
struct LegT {
  S length = S(0);
  S measure = S(0);
  Vec3T<S> from, to;  // where it touches its ends
  S angle_from = S(0), angle_to = S(0);
  // Of unit tension on the bodies of both ends: forces, and moments about the points (or centres) of the ends.
  Vec3T<S> pull_from, pull_to;
  Vec3T<S> moment_from = Vec3T<S>::Zero(), moment_to = Vec3T<S>::Zero();
};

template <class S>
LegT<S> point_leg(const LegEndT<S>& a, const LegEndT<S>& b) {
  LegT<S> leg;
  const Vec3T<S> d = b.at - a.at;
  using std::sqrt;
  leg.length = sqrt(S(d.squaredNorm()));
  leg.measure = leg.length;
  leg.from = a.at;
  leg.to = b.at;
  leg.pull_from = value_of(leg.length) > 0 ? Vec3T<S>(d / leg.length) : Vec3T<S>(Vec3T<S>::Zero());
  leg.pull_to = -leg.pull_from;
  return leg;
}

// Between any two stations.
template <class S>
LegT<S> leg(const LegEndT<S>& a, const LegEndT<S>& b) {
  return point_leg(a, b);
}

}  // namespace davit::rope
