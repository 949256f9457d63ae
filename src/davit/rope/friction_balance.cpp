// The balance of a rope with friction, by Newton's method from a path nearby.
#include "davit/rope/friction_balance.hpp"

#include <cmath>

#include "davit/rope/friction_search.hpp"

namespace davit::rope {

namespace {

// Whether a node slips where the work stands, and whether it is pulled beyond the end of its edge; true if that
// changed.
bool reconsider(const Rope& rope, const Path& path, FrictionWork& work, size_t i) {
  const PathNode& n = path[i];
  if (rope.layout.spins(n)) return false;
  Holding& holding = work.holding[i];
  const Holding old = holding;
  double unused[2];
  holding.slips = node_equations(rope, path, work.plain, i, holding, work.softened, unused);
  holding.breaks = holding.breaks || holding.slips;
  holding.at_end = false;
  if (holding.slips && n.on_edge()) {
    const double s = work.plain.s[i];
    const double pull = forces_at(rope, path, work.plain.t, i, coefficients(rope.layout, n).slipping).pull;
    holding.at_end = (s <= rope.layout.lowest(n) && pull < 0) || (s >= rope.layout.highest(n) && pull > 0);
  }
  return holding.slips != old.slips || holding.at_end != old.at_end;
}

// One step of Newton's method, as far as legs keep rope and nodes stay near; gives the largest change.
double step_on(const Rope& rope, const Path& path, FrictionWork& work, double share) {
  PlacedPath<double>& w = work.plain;
  const size_t n = path.size();
  const double full = share;
  for (size_t i = 1; i + 1 < n; ++i)
    if (!work.step[i].allFinite()) work.step[i].setZero();
  for (size_t j = 0; j + 1 < n; ++j) {
    const Vec3 stretch = work.step[j + 1][0] * w.t.along[j + 1] - work.step[j][0] * w.t.along[j];
    share = std::min(share, 0.7 * w.t.legs[j].length / std::max(stretch.norm(), 1e-300));
    const double gain = work.step[j][1] - work.step[j + 1][1];
    if (gain < 0) share = std::min(share, -0.7 * w.t.stretching[j] / gain);
  }
  double change = 0;
  for (size_t i = 1; i + 1 < n; ++i) {
    if (path[i].on_edge()) {
      const double to =
          std::clamp(w.s[i] + share * work.step[i][0], rope.layout.lowest(path[i]), rope.layout.highest(path[i]));
      change = std::max(change, std::abs(to - w.s[i]));
      w.s[i] = to;
    }
    w.slip[i] += share * work.step[i][1];
    change = std::max(change, std::abs(share * work.step[i][1]));
  }
  // A step that was cut short has not arrived, however short it was.
  return share < full ? std::max(change, 1.0) : change;
}

// Whether all legs have rope and all nodes obey the law but for round-off.
bool in_balance(const Rope& rope, const Path& path, const FrictionWork& work) {
  const TensionsT<double>& t = work.plain.t;
  for (const double stretching : t.stretching)
    if (!(stretching > 0)) return false;
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    double r[2];
    const bool slips = node_equations(rope, path, work.plain, i, work.holding[i], work.softened, r);
    const double small = slips ? small_force(rope, t, i, 1e-11) : 1e-13 * (1 + t.total_length);
    if (slips != work.holding[i].slips || !(std::abs(r[0]) <= small) || !(std::abs(r[1]) <= small)) return false;
  }
  return true;
}

bool solve_friction(const Rope& rope, const Path& path, const PaidOut& paid, FrictionWork& work, int most,
                    BalanceOutcome& out) {
  PlacedPath<double>& w = work.plain;
  for (int iteration = 0; iteration < most; ++iteration, ++out.iterations) {
    bool changed = false;
    for (size_t i = 1; i + 1 < path.size(); ++i) changed = reconsider(rope, path, work, i) || changed;
    fill_matrix(rope, path, paid, work);
    work.matrix.factor();
    work.matrix.solve<1>(work.step);
    const double change = step_on(rope, path, work, 1);
    friction_tensions(rope, path, paid, false, Legs::at_edges, w);
    // Where legs are very short, round-off of their tensions moves nodes to and fro for ever.
    const bool arrived = change <= 1e-13 * (1 + w.t.total_length) || iteration > 20;
    if (!changed && arrived && in_balance(rope, path, work)) return true;
  }
  return false;
}

// From what the search found to the sharp law, if Newton's method goes there at once.
void polish(const Rope& rope, const Path& path, const PaidOut& paid, FrictionWork& work, BalanceOutcome& out) {
  PlacedPath<double>& w = work.plain;
  work.found = work.holding;
  work.s_start = w.s;
  work.slip_start = w.slip;
  work.softened.creep = 0;
  if (solve_friction(rope, path, paid, work, 30, out)) {
    out.converged = true;
    return;
  }
  work.holding = work.found;
  w.s = work.s_start;
  w.slip = work.slip_start;
}

// Which of its two legs lies on the body that a node touches: one that goes on to another node of the body. But a node
// that the rope hardly turns at must count for as little as one that is not there, so a leg counts by what the rope
// turns in all on its side of the node, on the same body, and in full from a tenth of the node's own turn on.
void find_sides(const Layout& layout, const TensionsT<double>& t, std::vector<double>& turn, Path& path) {
  constexpr double enough = 0.1;
  const size_t n = path.size();
  turn.assign(n, 0);
  const auto counts = [&](double turned, size_t i) {
    const double x = turn[i] > 0 ? std::min(1.0, turned / (enough * turn[i])) : 0;
    return 0.5 * x * (3 - x * x);
  };
  double before = 0, after = 0;
  for (size_t i = 1; i + 1 < n; ++i) {
    path[i].side = 0;
    if (!path[i].on_edge()) continue;
    const Vec3 a = direction_of(t.legs[i - 1]), b = direction_of(t.legs[i]);
    turn[i] = std::atan2(a.cross(b).norm(), a.dot(b));
    before = on_same_body(layout, path[i - 1], path[i]) ? before + turn[i - 1] : 0;
    path[i].side = -counts(before, i);
  }
  for (size_t i = n - 1; i-- > 1;) {
    if (!path[i].on_edge()) continue;
    after = on_same_body(layout, path[i], path[i + 1]) ? after + turn[i + 1] : 0;
    path[i].side += counts(after, i);
  }
}

}  // namespace

BalanceOutcome balance_with_friction(const Rope& rope, const Poses& poses, const PaidOut& paid, Path& path,
                                     BalanceFrom from, FrictionWork& work) {
  const size_t n = path.size();
  BalanceOutcome out;
  if (n < 3) return out;
  PlacedPath<double>& w = work.plain;
  w.place_all(rope.layout, path, poses);
  work.legs_known = false;
  work.softened.creep = 0;
  const auto begin = [&](bool here) {
    w.s.resize(n);
    w.slip.assign(n, 0);
    w.over.resize(n);
    work.holding.assign(n, Holding{});
    for (size_t i = 0; i < n; ++i) {
      w.s[i] = path[i].on_edge() && !here ? path[i].s_before : path[i].s;
      w.over[i] = path[i].slip;
      if (here || rope.layout.spins(path[i])) w.slip[i] = path[i].slip;
    }
    friction_tensions(rope, path, paid, false, Legs::all, w);
  };
  begin(false);
  find_sides(rope.layout, w.t, work.turn, path);
  if (from == BalanceFrom::here) begin(true);
  out.converged = solve_friction(rope, path, paid, work, 40, out);
  for (const bool accelerated : {false, true}) {
    if (out.converged) break;
    begin(false);
    out.converged = search_balance(rope, path, paid, accelerated, work);
    polish(rope, path, paid, work, out);
  }
  for (size_t i = 1; i + 1 < n; ++i) {
    if (path[i].on_edge()) path[i].s = w.s[i];
    path[i].slip = w.slip[i];
    path[i].slipping = work.holding[i].slips;
    path[i].at_end = work.holding[i].at_end;
  }
  return out;
}

}  // namespace davit::rope
