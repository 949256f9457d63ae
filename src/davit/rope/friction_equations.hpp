// The equations of a rope with friction: unknowns s and σ of every node between the ends. Sticking and slipping are one
// projection (Alart & Curnier 1991): with p = (A + ρσ, E a/b + ρ Δs) a node sticks while |p| ≤ a, and else (A/a, E/b) =
// p/|p|; Newton's method on it is a search for the set of nodes that slip.
#pragma once

#include <optional>

#include "davit/rope/node_forces.hpp"
#include "davit/rope/placed_path.hpp"

namespace davit::rope {

using Dual6 = Dual<6>;

// `breaks`: it has come loose in this step, kinetic friction acts from here on; `at_end`: of its edge, pulled beyond;
// `given`: whether it slips is not asked of the forces.
struct Holding {
  bool breaks = false, slips = false, at_end = false;
  std::optional<bool> given = {};
};

// Friction in the search for a balance. While bounds are held, the balance is the lowest point of a convex function,
//   Σ N W(l/N - 1) - Σ c σ + Σ √(k (a σ² + b Δs² + m creep²)),
// of all places and slips: the energy of legs, a linear term and the work of friction, smooth at the scale of `creep`.
// Its slopes are the law of friction if c is what the derivative of energy by rope differs from the jump of tension,
// and k = (a σ² + b Δs²)/(σ² + Δs²), which makes up for slip that is not at right angles to the cone where a ≠ b.
struct SoftBound {
  double jump = 0, pull = 0;                           // a, b (N)
  double scale = 0;                                    // k (N)
  double offset = 0;                                   // c (N)
  double mean() const { return 0.5 * (jump + pull); }  // m
};
struct Softened {
  double creep = 0;  // m; 0: not softened
  std::vector<SoftBound> bound;
  std::vector<SoftBound> change, last_change;  // that the search makes of them
};

struct FrictionWork {
  Softened softened;
  std::vector<double> s_start, slip_start, turn;
  PlacedPath<double> plain;
  PlacedPath<Dual6> dual;
  bool legs_known = false;  // of `dual`, those that no unknown moves
  BlockTridiagonal<2> matrix;
  std::vector<Eigen::Matrix<double, 2, 1>> step;
  std::vector<Holding> holding, found;
};

// Minus the derivative of the energy by the slip over node i. Legs that push (friction_tensions) have W = T e/2.
template <class S>
S energy_drive(const Rope& rope, const TensionsT<S>& t, size_t i) {
  const auto pull = [&](size_t j) {
    const S& e = t.strain[j];
    const S stored = value_of(e) < 0 ? S(S(0.5) * t.tension[j] * e) : rope.elasticity.energy(e);
    return t.tension[j] * (S(1) + e) - stored - S(rope.weight) * height_of_leg(t, j);
  };
  return pull(i) - pull(i - 1);
}

// Whether p is beyond the bound, if that is not given, and its direction.
template <class S>
bool slips_at(const NodeForces<S>& f, const S& slip, const S& moved, const S& stiffness, bool on_edge, double round_off,
              const std::optional<bool>& given, S* heading) {
  using std::sqrt;
  const S weight = value_of(f.pull_bound) > 0 ? S(f.jump_bound / f.pull_bound) : S(1);
  const S over = f.jump + stiffness * slip;
  const S along = on_edge ? S(weight * f.pull + stiffness * moved) : S(0);
  const S square = over * over + along * along;
  const double bound = value_of(f.jump_bound) * (1 + 1e-9) + round_off;
  if (!given.value_or(value_of(square) > bound * bound) || value_of(square) == 0) return false;
  const S size = sqrt(square);
  heading[0] = over / size;
  heading[1] = along / size;
  return true;
}

// The two equations of a node, in newtons where it slips and metres where it sticks; says whether it slips.
template <class S>
bool node_equations(const Rope& rope, const Path& path, const PlacedPath<S>& w, size_t i, const Holding& holding,
                    const Softened& softened, S* out) {
  const PathNode& n = path[i];
  if (rope.layout.spins(n)) {
    out[0] = w.s[i] - S(value_of(w.s[i]));
    out[1] = w.slip[i] - w.over[i];
    return false;
  }
  if (softened.creep > 0) {
    using std::sqrt;
    const SoftBound& bound = softened.bound[i];
    const NodeForces<S> f = forces_at(rope, path, w.t, i, 0);
    const S way = n.on_edge() ? S(w.s[i] - S(n.s_before)) : S(0);
    const S square = S(bound.jump) * w.slip[i] * w.slip[i] + S(bound.pull) * way * way +
                     S(bound.mean() * softened.creep * softened.creep);
    const S factor = bound.scale > 0 ? S(sqrt(S(bound.scale) / square)) : S(0);
    const bool slides = n.on_edge() && !holding.at_end;
    out[0] = slides ? S(f.pull - factor * S(bound.pull) * way) : S(w.s[i] - S(value_of(w.s[i])));
    out[1] = energy_drive(rope, w.t, i) - S(bound.offset) - factor * S(bound.jump) * w.slip[i];
    return true;
  }
  const Coefficients c = coefficients(rope.layout, n);
  const bool kinetic = n.slips || holding.breaks || c.sticking <= c.slipping;
  const NodeForces<S> f = forces_at(rope, path, w.t, i, kinetic ? c.slipping : c.sticking);
  const S moved = n.on_edge() ? S(w.s[i] - S(n.s_before)) : S(0);
  // How fast the jump falls as rope goes over the node.
  const S stiffness = S(rope.elasticity.stiffness()) * (S(1) / w.t.material[i - 1] + S(1) / w.t.material[i]);
  S heading[2] = {S(0), S(0)};
  const bool no_friction = c.slipping == 0 && kinetic;
  const double round_off = 1e-14 * rope.elasticity.stiffness() + force_round_off(rope, w.t, i);
  if (!no_friction && !slips_at(f, w.slip[i], moved, stiffness, n.on_edge(), round_off, holding.given, heading)) {
    out[0] = n.on_edge() ? moved : S(w.s[i] - S(value_of(w.s[i])));
    out[1] = w.slip[i];
    return false;
  }
  const NodeForces<S> bound = kinetic ? f : forces_at(rope, path, w.t, i, c.slipping);
  out[1] = f.jump - heading[0] * bound.jump_bound;
  if (!n.on_edge() || holding.at_end)
    out[0] = w.s[i] - S(value_of(w.s[i]));
  else
    out[0] = f.pull - heading[1] * bound.pull_bound;
  return true;
}

// While the balance is sought, a slack leg between two waypoints pushes: rope that goes over a waypoint then always
// changes the jump of tension, and Newton's method does not run to and fro over a kink. In balance the legs of a
// waypoint that slips are both taut or both slack, and of slack ones only that counts.
template <class S>
void friction_tensions(const Rope& rope, const Path& path, const PaidOutT<S>& paid, bool softened, Legs which,
                       PlacedPath<S>& w) {
  make_legs(rope.layout, path, w.placed, w.s, w.t, which);
  fill_tensions(rope, path, w.slip, paid, w.t);
  for (size_t j = 0; j < w.t.legs.size(); ++j) {
    if (value_of(w.t.strain[j]) >= 0) continue;
    const bool between_stations = !path[j].on_edge() && !path[j + 1].on_edge();
    if (between_stations || softened)
      w.t.tension[j] = S((between_stations ? 1 : 1e-4) * rope.elasticity.stiffness()) * w.t.strain[j];
  }
}

// The matrix of Newton's method and its right side, at work.plain, whose legs are known.
void fill_matrix(const Rope& rope, const Path& path, const PaidOut& paid, FrictionWork& work);

// Rope that is strained by less than this is slack to all intents.
constexpr double slack_strain = 2e-10;

// Forces at node i that count as none: a part of the largest tension, what slack rope may pull with, and round-off.
double small_force(const Rope& rope, const TensionsT<double>& t, size_t i, double precision);

}  // namespace davit::rope
