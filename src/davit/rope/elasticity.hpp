// The elastic law of a rope: tension T(e) and energy W(e) per unstretched length, with e = (l - N)/N for a stretched
// length l of N metres of rope; T = dW/de, and nothing when it is slack. Linear, T = EA e, or a table of points through
// (0, 0). Damping is a time c: T = T(e) + c dT/de ė while it is taut.
#pragma once

#include "davit/math/one_sided_spring.hpp"

namespace davit::rope {

class Elasticity {
 public:
  using Point = OneSidedSpring::Point;  // strain and tension
  Elasticity(double stiffness, double damping) : spring_(stiffness), damping_(damping) {}
  Elasticity(const std::vector<Point>& table, double damping) : spring_(table), damping_(damping) {}

  double stiffness() const { return spring_.stiffness(); }  // the largest dT/de (N)
  double damping() const { return damping_; }               // s

  template <class S>
  S tension(const S& e) const {
    return spring_.force(e);
  }
  template <class S>
  S energy(const S& e) const {
    return spring_.energy(e);
  }
  // The tension that acts over a step from strain e0 to e1.
  template <class S>
  S step_tension(const S& e0, const S& e1) const {
    return spring_.step_force(e0, e1);
  }
  // What damping adds to a tension at a strain, and at a rate of it; a rope does not push.
  template <class S>
  S damped(const S& elastic, double strain, const S& rate) const {
    if (damping_ == 0 || value_of(elastic) <= 0) return elastic;
    const S sum = elastic + S(spring_.slope(strain) * damping_) * rate;
    return value_of(sum) > 0 ? sum : S(0);
  }

 private:
  OneSidedSpring spring_;
  double damping_ = 0;
};

}  // namespace davit::rope
