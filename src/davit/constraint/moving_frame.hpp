// Everything about one frame's motion that geometries need, in world axes; accelerations are those at u̇ = 0.
#pragma once

#include "davit/model/kin.hpp"

namespace davit {

template <class S>
struct MovingFrame {
  const BodyKinT<S>& body;
  Mat3T<S> R;
  Vec3T<S> arm, p, v, acc;

  MovingFrame(const KinT<S>& kin, const Frame& f)
      : body(kin.body[static_cast<size_t>(f.body)]), R(body.R * as<S>(f.offset.R)), arm(body.R * as<S>(f.offset.p)) {
    p = body.p + arm;
    v = body.v + body.w.cross(arm);
    acc = body.acc + body.alpha.cross(arm) + body.w.cross(Vec3T<S>(body.w.cross(arm)));
  }
};

}  // namespace davit
