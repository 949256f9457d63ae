// Damping beyond potential flow: viscous roll, bilge keels, skin friction. F = −B ν − D |ν| ν, B a full matrix and D
// for each motion by itself, ν relative to the water and its current.
//
// Velocity and force are in the axes of waves and memory, level ones that follow the heading: in the axes of a hull
// that tilts, heave times pitch would be a force along the hull that is there on average.
#pragma once

#include "davit/hull_load/load_axes.hpp"
#include "davit/model/element.hpp"

namespace davit::hull_load {

class HullDamping final : public ForceOf<HullDamping> {
 public:
  HullDamping(std::string name, const Frame& frame, const Mat6& linear, const Vec6& quadratic, const Vec3& current,
              ForceAxes axes = ForceAxes::heading)
      : ForceOf(std::move(name)),
        frame_(frame),
        linear_(linear),
        quadratic_(quadratic),
        current_(current),
        axes_(axes) {}
  std::string summary() const override { return "damping of the hull"; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {frame_.body}}}; }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    HullStateT<S> hull = hull_state(c.kin, frame_);
    hull.v -= as<S>(current_);
    const LoadAxes<S> axes(axes_, hull);
    const Vec6T<S> velocity = axes.velocity();
    Vec6T<S> load = -(linear_.cast<S>() * velocity);
    for (int i = 0; i < 6; ++i) {
      const S& x = velocity[i];
      load[i] -= S(quadratic_[i]) * (value_of(x) < 0 ? -x : x) * x;
    }
    axes.add(loads, frame_, load);
  }

 private:
  Frame frame_;
  Mat6 linear_;
  Vec6 quadratic_;
  Vec3 current_;  // in world axes
  ForceAxes axes_;
};

}  // namespace davit::hull_load

namespace davit {
extern template class ForceOf<hull_load::HullDamping>;
}  // namespace davit
