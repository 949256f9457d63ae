// Holds a vessel about a place and a heading by a force in the horizontal plane, proportional to how far and how fast
// it goes: F = −K (p − p₀) − D ṗ in the axes of the wanted heading, with limits of what thrusters can give. It has no
// filter: it also works against the motion in waves, which is small if its period is long.
#pragma once

#include <limits>

#include "davit/hydro/hull_frame.hpp"
#include "davit/model/element.hpp"

namespace davit::vessel {

class PositionKeeping final : public ForceOf<PositionKeeping> {
 public:
  struct Data {
    Vec2 place = Vec2::Zero();
    double heading = 0;
    Vec3 stiffness = Vec3::Zero(), damping = Vec3::Zero();  // surge, sway, yaw
    double force_limit = std::numeric_limits<double>::infinity(), moment_limit = force_limit;
  };
  PositionKeeping(std::string name, const Frame& frame, const Data& data)
      : ForceOf(std::move(name)), frame_(frame), data_(data) {}
  std::string summary() const override { return "position keeping"; }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    using std::atan2;
    using std::sqrt;
    const hydro::HullStateT<S> hull = hydro::hull_state(c.kin, frame_);
    const double cosine = std::cos(data_.heading), sine = std::sin(data_.heading);
    const S dx = hull.p.x() - S(data_.place.x()), dy = hull.p.y() - S(data_.place.y());
    S surge = -(S(data_.stiffness[0]) * (cosine * dx + sine * dy) +
                S(data_.damping[0]) * (cosine * hull.v.x() + sine * hull.v.y()));
    S sway = -(S(data_.stiffness[1]) * (cosine * dy - sine * dx) +
               S(data_.damping[1]) * (cosine * hull.v.y() - sine * hull.v.x()));
    // The angle from the wanted heading, in (−π, π].
    const S turn = atan2(cosine * hull.R(1, 0) - sine * hull.R(0, 0), cosine * hull.R(0, 0) + sine * hull.R(1, 0));
    S yaw = -(S(data_.stiffness[2]) * turn + S(data_.damping[2]) * hull.w.z());
    const S force2 = surge * surge + sway * sway;
    if (value_of(force2) > data_.force_limit * data_.force_limit) {
      const S scale = S(data_.force_limit) / sqrt(force2);
      surge *= scale;
      sway *= scale;
    }
    if (std::abs(value_of(yaw)) > data_.moment_limit)
      yaw = S(value_of(yaw) > 0 ? data_.moment_limit : -data_.moment_limit);
    hydro::add_hull_load<S>(loads, frame_, hull,
                            Vec3T<S>(cosine * surge - sine * sway, sine * surge + cosine * sway, S(0)),
                            Vec3T<S>(S(0), S(0), yaw));
  }

 private:
  Frame frame_;
  Data data_;
};

}  // namespace davit::vessel
