// Damping beyond potential flow: viscous roll, bilge keels, skin friction. F = −B ν − D |ν| ν in the axes of the hull,
// B a full matrix and D for each motion by itself.
#pragma once

#include "davit/hydro/hull_frame.hpp"
#include "davit/model/element.hpp"

namespace davit::hydro {

class HullDamping final : public ForceOf<HullDamping> {
 public:
  HullDamping(std::string name, const Frame& frame, const Mat6& linear, const Vec6& quadratic)
      : ForceOf(std::move(name)), frame_(frame), linear_(linear), quadratic_(quadratic) {}
  std::string summary() const override { return "damping of the hull"; }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const HullStateT<S> hull = hull_state(c.kin, frame_);
    const Vec6T<S> velocity = hull.velocity();
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
};

}  // namespace davit::hydro
