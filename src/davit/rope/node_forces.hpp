// The forces of a rope at a node, and what friction can bear there (balance.hpp has the laws).
#pragma once

#include <cmath>
#include <numbers>

#include "davit/rope/balance.hpp"

namespace davit::rope {

struct Coefficients {
  double sticking = 0, slipping = 0;
};
inline Coefficients coefficients(const Layout& layout, const PathNode& n) {
  if (n.on_edge()) {
    const TouchedSurface& s = layout.surfaces[static_cast<size_t>(n.surface)];
    return {s.static_friction, s.kinetic_friction};
  }
  const Waypoint& s = layout.waypoint(n);
  return {s.static_friction, s.kinetic_friction};
}

inline bool on_same_body(const Layout& layout, const PathNode& a, const PathNode& b) {
  return a.on_edge() && b.on_edge() && layout.place(a) == layout.place(b);
}

// Forces at a node and what friction can bear.
template <class S>
struct NodeForces {
  S jump, jump_bound;  // T_after - T_before
  S pull, pull_bound;  // along the edge
};

template <class S>
Vec3T<S> direction_of(const LegT<S>& leg) {
  return (leg.to - leg.from) / leg.length;
}

template <class S>
NodeForces<S> forces_at(const Rope& rope, const Path& path, const TensionsT<S>& t, size_t i, double mu) {
  using std::exp;
  using std::sqrt;
  const LegT<S>&before = t.legs[i - 1], &after = t.legs[i];
  const S &tb = t.tension[i - 1], &ta = t.tension[i];
  NodeForces<S> f{drive_over(rope, t, i), S(0), S(0), S(0)};
  const Vec3T<S> force = force_on(rope, t, i);
  if (path[i].on_edge()) f.pull = force.dot(t.along[i]);
  if (mu == 0) return f;
  const S lower = value_of(ta) < 0 || value_of(tb) < 0 ? S(0) : value_of(ta) < value_of(tb) ? ta : tb;
  if (rope.layout.radius(path[i]) > 0) {
    const S load2 = force.squaredNorm();
    if (rope.layout.waypoint(path[i]).post)
      f.jump_bound = (exp(S(mu) * wrap_angle(path[i], before, after)) - S(1)) * lower;
    else if (value_of(load2) > 0)
      f.jump_bound = S(mu) * sqrt(load2);
    return f;
  }
  const S width2 = (direction_of(after) - direction_of(before)).squaredNorm();  // (2 sin θ/2)²
  const S width = value_of(width2) > 1e-20 ? sqrt(width2) : S(0);
  switch (rope.law) {
    case FrictionLaw::coulomb: {
      const S half(0.5 * path[i].side);
      f.jump_bound = S(mu) * width * ((S(0.5) - half) * tb + (S(0.5) + half) * ta);
      break;
    }
    case FrictionLaw::capstan: {
      using std::asin;
      const S half = value_of(width) < 2 ? S(0.5) * width : S(1);
      const S angle = value_of(half) < 1 ? S(2) * asin(half) : S(std::numbers::pi);
      f.jump_bound = (exp(S(mu) * angle) - S(1)) * lower;
      break;
    }
    case FrictionLaw::sharp: {
      const S cosine2 = S(1) - S(0.25) * width2;
      const S cosine = value_of(cosine2) > 1e-12 ? sqrt(cosine2) : S(1e-6);
      f.jump_bound = S(0.5 * mu) * width / cosine * (ta + tb);
      break;
    }
  }
  if (value_of(f.jump_bound) < 0) f.jump_bound = S(0);
  if (path[i].on_edge()) {
    const S across2 = force.squaredNorm() - f.pull * f.pull;
    f.pull_bound = value_of(across2) > 0 ? S(mu) * sqrt(across2) : S(0);
  }
  return f;
}

// Forces at node i that are only round-off: a place p + R l + s ê is rounded six times in each coordinate, by up to
// 1.1e-16 of terms that are somewhat larger than it; the strain of a leg is known to that, at both of its ends, over
// its length.
template <class S>
double force_round_off(const Rope& rope, const TensionsT<S>& t, size_t i) {
  const auto reach = [&](size_t k) {
    double most = 0;
    for (int axis = 0; axis < 3; ++axis) most = std::max(most, std::abs(value_of(t.at[k][axis])));
    return most;
  };
  double sum = 0;
  for (size_t j = i - 1; j <= i; ++j) {
    const double length = value_of(t.length[j]), place = 2e-15 * (reach(j) + reach(j + 1) + length);
    sum += rope.elasticity.stiffness() * place / std::min(value_of(t.material[j]), length);
  }
  return sum;
}

}  // namespace davit::rope
