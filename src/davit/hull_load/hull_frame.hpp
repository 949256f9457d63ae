// A hull in motion: axes and origin of its database, carried by a body of the model, and loads in those axes. All
// forces on a hull are about this origin and in the order of naval architecture (surge, sway, heave, roll, pitch, yaw).
#pragma once

#include <cmath>

#include "davit/model/loads.hpp"

namespace davit::hull_load {

// Level axes of some heading: vectors of the world into them, and back.
template <class S>
struct LevelAxes {
  S cosine, sine;

  explicit LevelAxes(const S& heading) {
    using std::cos;
    using std::sin;
    cosine = cos(heading);
    sine = sin(heading);
  }
  Vec3T<S> into(const Vec3T<S>& a) const {
    return {cosine * a.x() + sine * a.y(), cosine * a.y() - sine * a.x(), a.z()};
  }
  Vec3T<S> out_of(const Vec3T<S>& a) const {
    return {cosine * a.x() - sine * a.y(), sine * a.x() + cosine * a.y(), a.z()};
  }
};

template <class S>
struct HullStateT {
  Mat3T<S> R;     // axes of the hull in the world
  Vec3T<S> p;     // its origin
  Vec3T<S> v, w;  // velocities, in world axes
  Vec3T<S> arm;   // from the body's own origin to the hull's, in world axes

  // Velocity in the axes of the hull.
  Vec6T<S> velocity() const {
    Vec6T<S> out;
    out << R.transpose() * v, R.transpose() * w;
    return out;
  }

  LevelAxes<S> level_axes() const { return LevelAxes<S>(heading()); }
  Vec6T<S> velocity(const LevelAxes<S>& axes) const {
    Vec6T<S> out;
    out << axes.into(v), axes.into(w);
    return out;
  }

  // Of its x axis in the horizontal plane: 0 along x of the world, π/2 along y.
  S heading() const {
    using std::atan2;
    return atan2(R(1, 0), R(0, 0));
  }
};

template <class S>
HullStateT<S> hull_state(const KinT<S>& kin, const Frame& frame) {
  const BodyKinT<S>& body = kin.body[static_cast<size_t>(frame.body)];
  HullStateT<S> out;
  out.R = body.R * as<S>(frame.offset.R);
  out.arm = body.R * as<S>(frame.offset.p);
  out.p = body.p + out.arm;
  out.w = body.w;
  out.v = body.v + body.w.cross(out.arm);
  return out;
}

// Force and moment about the hull's origin, both in world axes.
template <class S>
void add_hull_load(LoadsT<S>& loads, const Frame& frame, const HullStateT<S>& hull, const Vec3T<S>& force,
                   const Vec3T<S>& moment) {
  loads.add_force(frame.body, hull.arm, force);
  loads.add_moment(frame.body, moment);
}

// The same in the axes of the hull.
template <class S>
void add_hull_load(LoadsT<S>& loads, const Frame& frame, const HullStateT<S>& hull, const Vec6T<S>& load) {
  add_hull_load<S>(loads, frame, hull, hull.R * load.template head<3>(), hull.R * load.template tail<3>());
}

// The same in level axes.
template <class S>
void add_hull_load(LoadsT<S>& loads, const Frame& frame, const HullStateT<S>& hull, const LevelAxes<S>& axes,
                   const Vec6T<S>& load) {
  add_hull_load<S>(loads, frame, hull, axes.out_of(load.template head<3>()), axes.out_of(load.template tail<3>()));
}

}  // namespace davit::hull_load
