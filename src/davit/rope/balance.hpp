// The balance of a massless rope on a given sequence of nodes: where nodes stand on their edges, how much rope each leg
// has, and the tension in each. Without friction the tension is one and the path is the shortest over the same edges:
// every node's edge carries no force along itself. With friction every leg has its own rope and tension; a node sticks,
// or slips with rope going over it (σ, from the leg before to the leg after) and along its edge (Δs), both since the
// beginning of the step:
//   A = T_after - T_before,  E = the rope's pull along the edge,
//   sticks: σ = Δs = 0 while (A/a)² + (E/b)² ≤ 1;   slips: (A, E) = (a σ, b Δs)/|(σ, Δs)|,
// one cone for both. This is a return mapping at the end of the step, never a lagged update. Bounds a of the jump of
// tension at a turn by θ, for a coefficient μ:
//   coulomb  2 μ T sin(θ/2), T that of the leg which lies on the body, or the mean of two alike (find_sides)
//   capstan  (exp(μθ) - 1) T of the lower side
//   sharp    2 μ T tan(θ/2), T the mean: the exact balance of forces at a sharp edge
// and b = μ times the force across the edge. On a round post the capstan's law always holds, with the whole wrap for θ;
// a sheave's bearing bears μ times its load. Over a sheave with inertia σ is given by its angle.
// Derivatives by the poses follow from the implicit function theorem, not from differentiating iterations.
#pragma once

#include "davit/rope/block_tridiagonal.hpp"
#include "davit/rope/elasticity.hpp"
#include "davit/rope/path.hpp"

namespace davit::rope {

enum class FrictionLaw { coulomb, capstan, sharp };

// What a rope is made of and runs over.
struct Rope {
  Layout layout;
  Elasticity elasticity{1, 0};
  FrictionLaw law = FrictionLaw::coulomb;
  double weight = 0;      // N per unstretched metre, half of a leg's at either of its ends; without inertia and sag
  bool friction = false;  // every leg has its own rope: some nodes have friction or are sheaves with inertia
};

// A path at given poses.
template <class S>
struct TensionsT {
  std::vector<LegT<S>> legs;
  std::vector<Vec3T<S>> at;     // per node: its place, of a sheave the centre
  std::vector<Vec3T<S>> along;  // per node: the direction of its edge
  std::vector<S> length;        // per leg, with its part of the arcs
  std::vector<S> material;      // per leg: unstretched rope between its ends
  std::vector<S> stretching;    // that of which strain (l - material)/stretching: all but what a piston gave out
  std::vector<S> strain, tension;
  S total_length = S(0);
};

// Height of the middle of leg j: what its own weight hangs at.
template <class S>
S height_of_leg(const TensionsT<S>& t, size_t j) {
  return S(0.5) * (t.at[j].z() + t.at[j + 1].z());
}
// Minus the derivative of a leg's energy N W(l/N - 1) by its unstretched length: T (1 + e) - W.
template <class S>
S material_pull(const Elasticity& law, const S& tension, const S& strain) {
  return tension * (S(1) + strain) - law.energy(strain);
}
// How long a metre of rope is where it lies on a sheave with inertia: 1 + the mean strain of its legs. A sheave that
// turns by dφ carries dN = r dφ/(1 + ē) of rope over; that gives up (P₂ - P₁) dN of energy, P = T (1 + e) - W, which of
// a linear law is r (T₂ - T₁) dφ: the sheave feels the difference of the tensions, and its holder no moment.
inline double stretch_on_sheave(const std::vector<double>& strain, size_t node) {
  return 1 + 0.5 * (std::max(0.0, strain[node - 1]) + std::max(0.0, strain[node]));
}
// What drives rope over node i, from the leg before to the leg after: the jump of tension. Of heavy rope it is the jump
// of what unstretched rope pulls with, less what it costs to lift it; along a rope at rest d(T (1 + e) - W) = weight
// dz.
template <class S>
S drive_over(const Rope& rope, const TensionsT<S>& t, size_t i) {
  if (rope.weight == 0) return t.tension[i] - t.tension[i - 1];
  const auto pull = [&](size_t j) {
    return material_pull(rope.elasticity, t.tension[j], t.strain[j]) - S(rope.weight) * height_of_leg(t, j);
  };
  return pull(i) - pull(i - 1);
}
// The force of the rope on node i.
template <class S>
Vec3T<S> force_on(const Rope& rope, const TensionsT<S>& t, size_t i) {
  Vec3T<S> force = Vec3T<S>::Zero();
  const auto add = [&](size_t leg, const Vec3T<S>& pull) {
    force += t.tension[leg] * pull;
    if (rope.weight > 0) force.z() -= S(0.5 * rope.weight) * t.material[leg];
  };
  if (i > 0) add(i - 1, t.legs[i - 1].pull_to);
  if (i < t.legs.size()) add(i, t.legs[i].pull_from);
  return force;
}

// The tension in leg j where it begins (end 0) or ends (1). Half of a heavy leg's weight is borne at either of its
// ends, so what it passes on there is |T d ∓ ½ W ẑ|, d along the leg: of one that hangs plumb T + ½ W above and T - ½ W
// below.
template <class S>
S tension_at(const Rope& rope, const TensionsT<S>& t, size_t j, int end) {
  const LegT<S>& leg = t.legs[j];
  if (rope.weight == 0 || !(value_of(leg.length) > 0)) return t.tension[j];
  Vec3T<S> force = t.tension[j] / leg.length * (leg.to - leg.from);
  force.z() += S((end == 0 ? -0.5 : 0.5) * rope.weight) * t.material[j];
  using std::sqrt;
  const S square = force.squaredNorm();
  return value_of(square) > 0 ? S(sqrt(square)) : S(0);
}
// The largest in leg j, which is at one of its ends, and along the whole rope.
template <class S>
S largest_tension(const Rope& rope, const TensionsT<S>& t, size_t j) {
  const S first = tension_at(rope, t, j, 0), last = tension_at(rope, t, j, 1);
  return value_of(first) > value_of(last) ? first : last;
}
template <class S>
S largest_tension(const Rope& rope, const TensionsT<S>& t) {
  S most(0);
  for (size_t j = 0; j < t.legs.size(); ++j)
    if (const S here = largest_tension(rope, t, j); value_of(here) > value_of(most)) most = here;
  return most;
}

// Scratch of the functions below: one of its own for each rope, so that nothing allocates in a step.
class BalanceWork {
 public:
  virtual ~BalanceWork() = default;
};
std::unique_ptr<BalanceWork> make_balance_work();

// How well a path was balanced.
struct BalanceOutcome {
  bool converged = true;
  int iterations = 0;
};

// The shortest path over the same edges between the first and the last node, which stay.
BalanceOutcome shorten(const Rope&, const Poses&, Path&, BalanceWork&);

// Rope added at the first and at the last waypoint since the beginning of the step. What a piston adds it does not wind
// off: it moves the rope's end towards the rope, by its travel since the start of the run.
template <class S>
struct PaidOutT {
  S first = S(0), last = S(0);
  S first_travel = S(0), last_travel = S(0);
};
using PaidOut = PaidOutT<double>;
template <class S>
PaidOut values_of(const PaidOutT<S>& paid) {
  return {value_of(paid.first), value_of(paid.last), value_of(paid.first_travel), value_of(paid.last_travel)};
}
// Moves nodes along their edges (not beyond their ends) and rope over them. With friction there may be more than one
// balance: that is taken which is found from where nodes were when the step began, or from where they are.
enum class BalanceFrom { step_begin, here };
BalanceOutcome balance(const Rope&, const Poses&, const PaidOut&, Path&, BalanceWork&,
                       BalanceFrom = BalanceFrom::step_begin);

// The tensions of a balanced path, with derivatives. `material`: of the whole rope, where there is no friction; legs
// have their own where there is, and what was paid out since.
template <class S>
struct SupplyT {
  S material = S(0);
  PaidOutT<S> paid = {};
  const std::vector<S>* over = nullptr;  // by waypoint: rope that the angle of a sheave carried over; else node.slip
};
template <class S>
void evaluate(const Rope&, const PosesT<S>&, const SupplyT<S>&, const Path&, TensionsT<S>& out,
              std::vector<S>& s_of_nodes, BalanceWork&);
// The same with nodes held where they are given, as between the ends of a step.
template <class S>
void evaluate_legs(const Rope&, const PosesT<S>&, const Path&, const std::vector<S>& s_of_nodes, TensionsT<S>& out,
                   BalanceWork&);

// Rates of all that a path depends on.
template <class S>
struct MotionT {
  PosesT<S> poses;      // of R and of p
  PaidOutT<S> paid;     // of rope given out at the ends
  std::vector<S> over;  // by waypoint: of rope that the angle of a sheave carries over
};
// How strains, rope and nodes go with that.
template <class S>
struct RatesT {
  std::vector<S> strain;            // per leg
  std::vector<double> over, along;  // per node: rope that goes over it, and its way along its edge (m/s)
};
// The rates of a balanced path with friction, from its equations differentiated along the motion: nothing is taken from
// the last step. A node that has slipped and is at its bound goes on if the motion pulls it on, and sticks otherwise.
// Derivatives are those by the motion; those by poses and rope at a given motion, of the order of the speeds, are left
// out.
template <class S>
void find_rates(const Rope&, const PosesT<S>&, const MotionT<S>&, const SupplyT<S>&, const Path&, RatesT<S>& out,
                BalanceWork&);

// How far the forces at a node are from the law of friction, in units of the bound (0: within); for self-checks.
double friction_misfit(const Rope&, const Poses&, const PaidOut&, const Path&);

}  // namespace davit::rope
