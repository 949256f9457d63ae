// Balance with and without friction behind one call, tensions of a balanced path for any scalar, and its misfit.
#include "davit/rope/balance.hpp"

#include <cmath>
#include <limits>

#include "davit/rope/friction_balance.hpp"
#include "davit/rope/sensitivities.hpp"

namespace davit::rope {

std::unique_ptr<BalanceWork> make_balance_work() { return std::make_unique<AllWork>(); }

BalanceOutcome balance(const Rope& rope, const Poses& poses, const PaidOut& paid, Path& path, BalanceWork& work,
                       BalanceFrom from) {
  return rope.friction ? balance_with_friction(rope, poses, paid, path, from, all_work(work).friction)
                       : shorten(rope, poses, path, work);
}

template <class S>
void evaluate(const Rope& rope, const PosesT<S>& poses, const SupplyT<S>& supply, const Path& path, TensionsT<S>& out,
              std::vector<S>& s_of_nodes, BalanceWork& work) {
  PlacedPath<S>& w = all_work(work).placed(S(0));
  const size_t n = path.size();
  w.place_all(rope.layout, path, poses);
  w.s.resize(n);
  w.slip.resize(n);
  w.over.resize(n);
  for (size_t i = 0; i < n; ++i) {
    w.s[i] = S(path[i].s);
    w.slip[i] = S(path[i].slip);
    const bool given = supply.over && rope.layout.spins(path[i]);
    w.over[i] = given ? (*supply.over)[static_cast<size_t>(path[i].waypoint)] : S(path[i].slip);
  }
  const auto fill = [&] {
    make_legs(rope.layout, path, w.placed, w.s, w.t);
    if (rope.friction) {
      fill_tensions(rope, path, w.slip, supply.paid, w.t);
      return;
    }
    const size_t legs = n - 1;
    w.t.material.resize(legs);
    w.t.stretching.resize(legs);
    const S stretching = supply.material - supply.paid.first_travel - supply.paid.last_travel;
    const S strain = (w.t.total_length - supply.material) / stretching;
    w.t.strain.assign(legs, strain);
    w.t.tension.assign(legs, rope.elasticity.tension(strain));
    for (size_t j = 0; j < legs; ++j) {
      w.t.material[j] = supply.material * w.t.length[j] / w.t.total_length;
      w.t.stretching[j] = stretching * w.t.length[j] / w.t.total_length;
    }
  };
  const auto finish = [&] {
    out = w.t;
    s_of_nodes = w.s;
  };
  fill();
  if constexpr (!std::is_same_v<S, double>) {
    if (n < 3) return finish();
    if (rope.friction)
      differentiate_friction(rope, supply, path, w, all_work(work));
    else
      differentiate_shortest(rope, path, w, all_work(work));
    fill();
  }
  finish();
}

template <class S>
void evaluate_legs(const Rope& rope, const PosesT<S>& poses, const Path& path, const std::vector<S>& s_of_nodes,
                   TensionsT<S>& out, BalanceWork& work) {
  PlacedPath<S>& w = all_work(work).placed(S(0));
  w.place_all(rope.layout, path, poses);
  make_legs(rope.layout, path, w.placed, s_of_nodes, out);
}

double friction_misfit(const Rope& rope, const Poses& poses, const PaidOut& paid, const Path& path) {
  if (!rope.friction) return 0;
  TensionsT<double> t;
  std::vector<double> s;
  evaluate<double>(rope, poses, {0, paid}, path, t, s, *make_balance_work());
  double worst = 0;
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    if (path[i].at_end || rope.layout.spins(path[i])) continue;
    const Coefficients c = coefficients(rope.layout, path[i]);
    const auto f = forces_at(rope, path, t, i, path[i].slipping || path[i].slips ? c.slipping : c.sticking);
    // Each of the two forces is known to that.
    const double least = 1e-9 * rope.elasticity.stiffness() + force_round_off(rope, t, i);
    const auto share = [&](double force, double bound) {
      return std::max(0.0, std::abs(force) - least) / (bound + std::numeric_limits<double>::min());
    };
    const double a = share(f.jump, f.jump_bound), b = path[i].on_edge() ? share(f.pull, f.pull_bound) : 0;
    worst = std::max(worst, std::hypot(a, b) - 1);
  }
  return std::max(worst, 0.0);
}

template void evaluate(const Rope&, const PosesT<double>&, const SupplyT<double>&, const Path&, TensionsT<double>&,
                       std::vector<double>&, BalanceWork&);
template void evaluate(const Rope&, const PosesT<Dual8>&, const SupplyT<Dual8>&, const Path&, TensionsT<Dual8>&,
                       std::vector<Dual8>&, BalanceWork&);
template void evaluate_legs(const Rope&, const PosesT<double>&, const Path&, const std::vector<double>&,
                            TensionsT<double>&, BalanceWork&);
template void evaluate_legs(const Rope&, const PosesT<Dual8>&, const Path&, const std::vector<Dual8>&,
                            TensionsT<Dual8>&, BalanceWork&);

}  // namespace davit::rope
