// The hull of linear theory, Tysse & Egeland (78): M ν̇ + … + G η = τ, with ν the velocity of the centre of gravity in
// the axes of the hull and η its heave, roll and pitch.
//
// G η acts in the axes of the hull as if angles were small, and M ν̇ has no Coriolis terms. A body of the model moves by
// the exact equations m(v̇ + ω × v) = f, I ω̇ + ω × I ω = n about its centre of gravity: what is there beside M ν̇ is
// given back as a load. The weight is part of G, so the body itself is weightless.
#pragma once

#include "davit/hull_load/hull_frame.hpp"
#include "davit/hydro/database.hpp"
#include "davit/math/rotation.hpp"
#include "davit/model/element.hpp"

namespace davit::hull_load {

class LinearHull final : public ForceOf<LinearHull> {
 public:
  struct Data {
    Mat3 restoring = Mat3::Zero();  // G over heave, roll and pitch, about the centre of gravity
    hydro::MassProperties loading;  // its centre from the still water
  };
  // The frame is at the centre of gravity.
  LinearHull(std::string name, const Frame& frame, const Data& data)
      : ForceOf(std::move(name)), frame_(frame), data_(data) {}
  std::string summary() const override { return "restoring of linear theory, without Coriolis terms"; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {frame_.body}}}; }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const HullStateT<S> hull = hull_state(c.kin, frame_);
    const Vec3T<S> angles = rpy_of_rotation(hull.R);
    const Vec3T<S> motion(hull.p.z() - S(data_.loading.centre.z()), angles.x(), angles.y());
    const Vec3T<S> stress = as<S>(data_.restoring) * motion;
    const Vec6T<S> velocity = hull.velocity();
    const Vec3T<S> v = velocity.template head<3>(), w = velocity.template tail<3>();
    Vec6T<S> load;
    load << S(data_.loading.mass) * w.cross(v), w.cross(Vec3T<S>(as<S>(data_.loading.inertia) * w));
    load.template segment<3>(2) -= stress;
    add_hull_load<S>(loads, frame_, hull, load);
  }

 private:
  Frame frame_;
  Data data_;
};

}  // namespace davit::hull_load

namespace davit {
extern template class ForceOf<hull_load::LinearHull>;
}  // namespace davit
