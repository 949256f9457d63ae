// The inertia of the water that moves with a hull, constant in the hull's axes: A(∞), whose memory of waves is a force
// of its own.
//
// The water has the momentum A ν in the axes of the hull (Kirchhoff). Its rate in space is A ν̇ and the terms that come
// from turning axes, ω × and v × of that momentum: with them the force on the hull is minus the rate of ½ νᵀAν. They
// are of second order in the motion; `coriolis` off leaves them out. What they have on average in waves is no drift,
// and is taken away where mean forces come from the database (linear_response.hpp).
#pragma once

#include "davit/hull_load/hull_frame.hpp"
#include "davit/math/inertia.hpp"
#include "davit/model/element.hpp"

namespace davit::hull_load {

class AddedMass final : public ForceOf<AddedMass> {
 public:
  // `matrix`: 6 × 6 about the origin of the hull, surge to yaw, symmetric.
  AddedMass(std::string name, const Frame& frame, const Mat6& matrix, bool coriolis);
  std::string summary() const override;
  std::vector<Figure> figures() const override;
  std::vector<Coupling> couplings() const override { return {{.bodies = {frame_.body}}}; }

  template <class S>
  void add_inertia(const ContextT<S>& c, std::vector<SpatialInertiaT<S>>& added) const {
    const HullStateT<S> hull = hull_state(c.kin, frame_);
    added[static_cast<size_t>(frame_.body)] += in_world(hull).about(-hull.arm);
  }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const HullStateT<S> hull = hull_state(c.kin, frame_);
    const SpatialInertiaT<S> turned = in_world(hull);
    // ν̇ in the axes of the hull is the acceleration of its origin less ω × v, and that acceleration is the body's with
    // the centripetal part of the arm, which added inertia at the body's origin leaves out.
    const Vec3T<S> centripetal = hull.w.cross(hull.w.cross(hull.arm)), turning = hull.w.cross(hull.v);
    WrenchT<S> load = turned * TwistT<S>{Vec3T<S>::Zero(), turning - centripetal};
    if (coriolis_) {
      const WrenchT<S> momentum = turned * TwistT<S>{hull.w, hull.v};
      load.n -= hull.w.cross(momentum.n) + hull.v.cross(momentum.f);
      load.f -= hull.w.cross(momentum.f);
    }
    add_hull_load<S>(loads, frame_, hull, load.f, load.n);
  }
  // Energy of the water that moves with the hull.
  double kinetic_energy(const Kin& kin) const;

 private:
  template <class S>
  SpatialInertiaT<S> in_world(const HullStateT<S>& hull) const {
    return SpatialInertiaT<S>{matrix_.J.cast<S>(), as<S>(matrix_.H), matrix_.M.cast<S>()}.rotated(hull.R);
  }

  Frame frame_;
  SpatialInertia matrix_;  // angular rows first
  bool coriolis_;
};

}  // namespace davit::hull_load

namespace davit {
extern template class ForceOf<hull_load::AddedMass>;
}  // namespace davit
