// What forces add up into: a wrench per body (world axes, about the origin of the body's kernel frame), generalised
// forces per speed, and inertia that moves with a body but is not its own (added mass: f = f₀ - A u̇).
#pragma once

#include <algorithm>
#include <vector>

#include "davit/math/inertia.hpp"
#include "davit/model/kin.hpp"

namespace davit {

template <class S>
struct LoadsT {
  std::vector<WrenchT<S>> wrench;
  std::vector<S> tau;
  std::vector<SpatialInertiaT<S>> added;  // empty unless some force of the model adds inertia

  void resize(int bodies, int speeds, bool with_added_inertia) {
    wrench.resize(static_cast<size_t>(bodies));
    tau.resize(static_cast<size_t>(speeds));
    added.resize(with_added_inertia ? static_cast<size_t>(bodies) : 0);
  }
  void clear() {
    std::fill(wrench.begin(), wrench.end(), WrenchT<S>{});
    std::fill(tau.begin(), tau.end(), S(0));
    std::fill(added.begin(), added.end(), SpatialInertiaT<S>{});
  }

  // A force at a point of a body, both in world axes; `arm` is from the body's origin to the point.
  void add_force(int body, const Vec3T<S>& arm, const Vec3T<S>& force) {
    WrenchT<S>& w = wrench[static_cast<size_t>(body)];
    w.n += arm.cross(force);
    w.f += force;
  }
  void add_moment(int body, const Vec3T<S>& moment) { wrench[static_cast<size_t>(body)].n += moment; }
};
using Loads = LoadsT<double>;

}  // namespace davit
