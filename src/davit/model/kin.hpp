// Kinematics: where every body is and how it moves. Blocks fill it, everything else (forces, rows, channels) reads it,
// and so no element needs to know the coordinates that a body is described by.
#pragma once

#include <vector>

#include "davit/math/pose.hpp"
#include "davit/model/environment.hpp"
#include "davit/model/signal.hpp"

namespace davit {

// One body's motion in world axes. `alpha` and `acc` are the accelerations that remain when all u̇ are zero (the
// velocity products Ġu); the reference point is the origin of the body's kernel frame.
template <class S>
struct BodyKinT {
  Mat3T<S> R = Mat3T<S>::Identity();
  Vec3T<S> p = Vec3T<S>::Zero();
  Vec3T<S> w = Vec3T<S>::Zero();
  Vec3T<S> v = Vec3T<S>::Zero();
  Vec3T<S> r = Vec3T<S>::Zero();  // from the parent's origin to this one
  Vec3T<S> alpha = Vec3T<S>::Zero();
  Vec3T<S> acc = Vec3T<S>::Zero();
};

template <class S>
struct KinT {
  S t = S(0);
  const S* q = nullptr;  // coordinates and speeds of the whole model
  const S* u = nullptr;
  const SignalMotions* signals = nullptr;          // what is commanded: Signal reads it
  const SignalDeviation<S>* deviations = nullptr;  // of each signal; none: all follow their motions
  const Environment* environment = nullptr;        // InEnvironment reads it; none: nothing surrounds the model
  std::vector<BodyKinT<S>> body;                   // body 0 is the world and rests
};
using Kin = KinT<double>;

// A frame fixed in a body.
struct Frame {
  int body = 0;
  Pose offset;
};

// A coordinate that is a plain number of q with one speed as its rate: of a one-axis joint, or a scalar.
struct CoordinateIndex {
  int q = 0, u = 0;
};

template <class S>
Vec3T<S> position(const KinT<S>& kin, const Frame& frame) {
  const BodyKinT<S>& b = kin.body[static_cast<size_t>(frame.body)];
  return b.p + b.R * as<S>(frame.offset.p);
}
template <class S>
Mat3T<S> rotation(const KinT<S>& kin, const Frame& frame) {
  return kin.body[static_cast<size_t>(frame.body)].R * as<S>(frame.offset.R);
}
template <class S>
Vec3T<S> velocity(const KinT<S>& kin, const Frame& frame) {
  const BodyKinT<S>& b = kin.body[static_cast<size_t>(frame.body)];
  return b.v + b.w.cross(Vec3T<S>(b.R * as<S>(frame.offset.p)));
}

}  // namespace davit
