// Rates of a rope with friction: the equations of its nodes, differentiated along the motion of the bodies.
#include <cmath>

#include "davit/rope/sensitivities.hpp"

namespace davit::rope {

namespace {

// A number that goes on at a rate: direction 0 is the motion, the others are derivatives of the rate.
Dual<1> moving(double x, double rate) {
  Dual<1> out(x);
  out.d[0] = rate;
  return out;
}
Dual<9> moving(const Dual8& x, const Dual8& rate) {
  Dual<9> out(x.value);
  out.d[0] = rate.value;
  for (size_t k = 0; k < 8; ++k) out.d[k + 1] = rate.d[k];
  return out;
}
double rate_of(const Dual<1>& x) { return x.d[0]; }
Dual8 rate_of(const Dual<9>& x) {
  Dual8 out(x.d[0]);
  for (size_t k = 0; k < 8; ++k) out.d[k] = x.d[k + 1];
  return out;
}

NodeForces<double> forces_while_slipping(const Rope& rope, const Path& path, const FrictionWork& work, size_t i) {
  return forces_at(rope, path, work.plain.t, i, coefficients(rope.layout, path[i]).slipping);
}

// Nodes that slip or have slipped, and are at their bound, go on for the first.
void take_slipping(const Rope& rope, const Path& path, FrictionWork& work) {
  constexpr double at_bound = 1 - 1e-6;
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    const PathNode& n = path[i];
    if (rope.layout.spins(n)) continue;
    const NodeForces<double> f = forces_while_slipping(rope, path, work, i);
    const double over = f.jump_bound > 0 ? f.jump / f.jump_bound : 0;
    const double along = n.on_edge() && f.pull_bound > 0 ? f.pull / f.pull_bound : 0;
    const bool slips = (n.slips || n.slipping) && std::hypot(over, along) >= at_bound;
    work.holding[i].breaks = work.holding[i].breaks || slips;
    work.holding[i].given = slips;
  }
}

// Slip goes with the force that drives it: what would go against it sticks. True if there is such a node.
template <int K>
bool hold_back(const Rope& rope, const Path& path, const std::vector<Eigen::Matrix<double, 2, K>>& rates,
               FrictionWork& work) {
  bool any = false;
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    if (!work.holding[i].given.value_or(false)) continue;
    const NodeForces<double> f = forces_while_slipping(rope, path, work, i);
    double power = f.jump * rates[i](1, 0);
    if (path[i].on_edge()) power += f.pull * rates[i](0, 0);
    if (power >= 0) continue;
    work.holding[i].given = false;
    any = true;
  }
  return any;
}

}  // namespace

template <class S>
void find_rates(const Rope& rope, const PosesT<S>& poses, const MotionT<S>& motion, const SupplyT<S>& supply,
                const Path& path, RatesT<S>& out, BalanceWork& all) {
  constexpr int K = directions<S>;
  using D = Dual<K>;
  RateWork<S>& own = all_work(all).rates(S(0));
  FrictionWork& work = all_work(all).friction;
  PlacedPath<D>& w = own.path;
  const size_t n = path.size();
  own.poses.resize(poses.size());
  for (size_t b = 0; b < poses.size(); ++b)
    for (int i = 0; i < 3; ++i) {
      own.poses[b].p[i] = moving(poses[b].p[i], motion.poses[b].p[i]);
      for (int j = 0; j < 3; ++j) own.poses[b].R(i, j) = moving(poses[b].R(i, j), motion.poses[b].R(i, j));
    }
  w.place_all(rope.layout, path, own.poses);
  w.s.resize(n);
  w.slip.resize(n);
  w.over.resize(n);
  work.plain.placed.resize(n);
  work.plain.over.resize(n);
  for (size_t i = 0; i < n; ++i) {
    w.s[i] = D(path[i].s);
    w.slip[i] = D(path[i].slip);
    const auto waypoint = static_cast<size_t>(path[i].waypoint);
    w.over[i] = rope.layout.spins(path[i]) ? moving((*supply.over)[waypoint], motion.over[waypoint]) : D(path[i].slip);
    work.plain.placed[i] = values_of(w.placed[i]);
    work.plain.over[i] = value_of(w.over[i]);
  }
  const PaidOutT<D> given{moving(supply.paid.first, motion.paid.first), moving(supply.paid.last, motion.paid.last),
                          moving(supply.paid.first_travel, motion.paid.first_travel),
                          moving(supply.paid.last_travel, motion.paid.last_travel)};
  const auto fill = [&](Legs which) {
    make_legs(rope.layout, path, w.placed, w.s, w.t, which);
    fill_tensions(rope, path, w.slip, given, w.t);
  };
  fill(Legs::all);
  const PaidOut paid = values_of(given);
  stand_at(rope, paid, path, work);
  take_slipping(rope, path, work);
  own.right.resize(n);
  for (size_t round = 0; round <= n; ++round) {
    fill_matrix(rope, path, paid, work);
    work.matrix.factor();
    for (size_t i = 0; i < n; ++i) {
      own.right[i].setZero();
      if (i == 0 || i + 1 == n) continue;
      D r[2];
      node_equations(rope, path, w, i, work.holding[i], work.softened, r);
      for (int row = 0; row < 2; ++row)
        for (int k = 0; k < K; ++k) own.right[i](row, k) = -r[row].d[static_cast<size_t>(k)];
    }
    work.matrix.template solve<K>(own.right);
    if (!hold_back<K>(rope, path, own.right, work)) break;
  }
  out.over.assign(n, 0);
  out.along.assign(n, 0);
  for (size_t i = 1; i + 1 < n; ++i) {
    for (size_t k = 0; k < static_cast<size_t>(K); ++k) {
      w.s[i].d[k] = path[i].on_edge() ? own.right[i](0, static_cast<int>(k)) : 0;
      w.slip[i].d[k] = own.right[i](1, static_cast<int>(k));
    }
    out.over[i] = w.slip[i].d[0];
    out.along[i] = w.s[i].d[0];
  }
  fill(Legs::at_edges);
  out.strain.resize(n - 1);
  for (size_t j = 0; j + 1 < n; ++j) out.strain[j] = rate_of(w.t.strain[j]);
}

template void find_rates(const Rope&, const PosesT<double>&, const MotionT<double>&, const SupplyT<double>&,
                         const Path&, RatesT<double>&, BalanceWork&);
template void find_rates(const Rope&, const PosesT<Dual8>&, const MotionT<Dual8>&, const SupplyT<Dual8>&, const Path&,
                         RatesT<Dual8>&, BalanceWork&);

}  // namespace davit::rope
