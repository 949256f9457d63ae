// Buoyancy of a hull: minus the gradient of a potential of its height and tilt, so that no energy is made or lost
// however it moves.
//
//   Π = −W (z + b·g) + ½ eᵀ Q e,   g = Rᵀ ẑ,  e = (z, g_y, −g_x)
//
// z is the height of the hull's origin over its place at rest, g the vertical seen from the hull (for small angles roll
// = g_y and pitch = −g_x), W the weight of the water displaced, b its centre, and Q the restoring of the waterplane.
// For small motions this is the restoring matrix of the database without the weight of the body: that is a force of its
// own, of whatever is on board. Yaw, surge and sway do not enter.
#pragma once

#include "davit/hull_load/hull_frame.hpp"
#include "davit/hydro/database.hpp"
#include "davit/model/element.hpp"

namespace davit::hull_load {

class Buoyancy final : public ForceOf<Buoyancy> {
 public:
  struct Data {
    double displaced_weight = 0;     // W
    Vec3 centre = Vec3::Zero();      // b, in the frame of the hull
    Mat3 waterplane = Mat3::Zero();  // Q, over heave, roll, pitch
  };
  // From the restoring of water alone, about the hull's origin (buoyancy_restoring).
  static Data from_restoring(const Mat6& restoring, double displaced_weight, const Vec3& centre);

  Buoyancy(std::string name, const Frame& frame, const Data& data)
      : ForceOf(std::move(name)), frame_(frame), data_(data) {}
  std::string summary() const override { return "buoyancy"; }
  std::vector<Figure> figures() const override;
  std::vector<Coupling> couplings() const override { return {{.bodies = {frame_.body}}}; }
  bool conservative() const override { return true; }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const HullStateT<S> hull = hull_state(c.kin, frame_);
    const WrenchT<S> at = load<S>(data_, hull.R, hull.p.z());
    add_hull_load<S>(loads, frame_, hull, at.f, at.n);
  }
  // On a hull turned by R at a height, about its origin and in world axes.
  template <class S>
  static WrenchT<S> load(const Data& data, const Mat3T<S>& R, const S& height) {
    const Vec3T<S> up = R.row(2).transpose(), tilt(height, up.y(), -up.x());
    const Vec3T<S> stress = as<S>(data.waterplane) * tilt;
    const Vec3T<S> by_up = Vec3T<S>(-stress.z(), stress.y(), S(0)) - S(data.displaced_weight) * as<S>(data.centre);
    const Vec3T<S> vertical(S(0), S(0), S(1));
    return {vertical.cross(R * by_up), (S(data.displaced_weight) - stress.x()) * vertical};
  }
  template <class S>
  S potential_energy(const ContextT<S>& c) const {
    const HullStateT<S> hull = hull_state(c.kin, frame_);
    const Vec3T<S> up = hull.R.row(2).transpose(), tilt(hull.p.z(), up.y(), -up.x());
    return S(0.5) * tilt.dot(as<S>(data_.waterplane) * tilt) -
           S(data_.displaced_weight) * (hull.p.z() + up.dot(as<S>(data_.centre)));
  }

 private:
  Frame frame_;
  Data data_;
};

}  // namespace davit::hull_load

namespace davit {
extern template class ForceOf<hull_load::Buoyancy>;
}  // namespace davit
