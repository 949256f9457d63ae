// A hull in motion: axes and origin of its database, carried by a body of the model, and loads in those axes. All
// forces on a hull are about this origin and in the order of naval architecture (surge, sway, heave, roll, pitch, yaw).
#pragma once

#include <cmath>
#include <utility>

#include "davit/model/loads.hpp"

namespace davit::hydro {

// Axes that follow the heading of a hull but not its roll and pitch, or all of its turning.
enum class HullAxes { level, hull };

template <class S>
struct HullStateT {
  Mat3T<S> R;     // axes of the hull in the world
  Vec3T<S> p;     // its origin
  Vec3T<S> v, w;  // velocities, in world axes
  Vec3T<S> arm;   // from the body's own origin to the hull's, in world axes

  Vec6T<S> velocity_in(HullAxes axes) const { return axes == HullAxes::level ? level_velocity() : velocity(); }
  // Velocity in the axes of the hull.
  Vec6T<S> velocity() const {
    Vec6T<S> out;
    out << R.transpose() * v, R.transpose() * w;
    return out;
  }

  // A vector of the world in axes that follow the heading but not roll and pitch, and back.
  Vec3T<S> to_level(const Vec3T<S>& a) const {
    const auto [cosine, sine] = heading_direction();
    return {cosine * a.x() + sine * a.y(), cosine * a.y() - sine * a.x(), a.z()};
  }
  Vec3T<S> from_level(const Vec3T<S>& a) const {
    const auto [cosine, sine] = heading_direction();
    return {cosine * a.x() - sine * a.y(), sine * a.x() + cosine * a.y(), a.z()};
  }
  // Velocity in those axes.
  Vec6T<S> level_velocity() const {
    Vec6T<S> out;
    out << to_level(v), to_level(w);
    return out;
  }

  // Of its x axis in the horizontal plane: 0 along x of the world, π/2 along y.
  S heading() const {
    using std::atan2;
    return atan2(R(1, 0), R(0, 0));
  }

 private:
  // Cosine and sine of the heading.
  std::pair<S, S> heading_direction() const {
    using std::sqrt;
    const S length = sqrt(R(0, 0) * R(0, 0) + R(1, 0) * R(1, 0));
    return {R(0, 0) / length, R(1, 0) / length};
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

// The same in axes that follow the heading of the hull but not its roll and pitch.
template <class S>
void add_level_load(LoadsT<S>& loads, const Frame& frame, const HullStateT<S>& hull, const Vec6T<S>& load) {
  add_hull_load<S>(loads, frame, hull, hull.from_level(load.template head<3>()),
                   hull.from_level(load.template tail<3>()));
}

template <class S>
void add_load_in(HullAxes axes, LoadsT<S>& loads, const Frame& frame, const HullStateT<S>& hull, const Vec6T<S>& load) {
  axes == HullAxes::level ? add_level_load<S>(loads, frame, hull, load) : add_hull_load<S>(loads, frame, hull, load);
}

}  // namespace davit::hydro
