// Damping beyond potential flow: viscous roll, bilge keels, skin friction. F = −B ν − D |ν| ν in the axes of the hull,
// B a full matrix and D for each motion by itself, ν relative to the water and its current.
#pragma once

#include "davit/hydro/hull_frame.hpp"
#include "davit/model/element.hpp"

namespace davit::hydro {

class HullDamping final : public ForceOf<HullDamping> {
 public:
  HullDamping(std::string name, const Frame& frame, const Mat6& linear, const Vec6& quadratic, const Vec3& current)
      : ForceOf(std::move(name)), frame_(frame), linear_(linear), quadratic_(quadratic), current_(current) {}
  std::string summary() const override { return "damping of the hull"; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {frame_.body}}}; }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const HullStateT<S> hull = hull_state(c.kin, frame_);
    Vec6T<S> velocity = hull.velocity();
    velocity.template head<3>() -= hull.R.transpose() * as<S>(current_);
    Vec6T<S> load = -(linear_.cast<S>() * velocity);
    for (int i = 0; i < 6; ++i) {
      const S& x = velocity[i];
      load[i] -= S(quadratic_[i]) * (value_of(x) < 0 ? -x : x) * x;
    }
    add_hull_load<S>(loads, frame_, hull, load);
  }

 private:
  Frame frame_;
  Mat6 linear_;
  Vec6 quadratic_;
  Vec3 current_;  // in world axes
};

}  // namespace davit::hydro

namespace davit {
extern template class ForceOf<hydro::HullDamping>;
}  // namespace davit
