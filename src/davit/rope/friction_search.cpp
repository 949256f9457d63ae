// A balance with friction from anywhere: an energy is lowered with the bounds of friction held, which then follow the
// tensions.
#include "davit/rope/friction_search.hpp"

#include <cmath>

namespace davit::rope {

namespace {

// What the bounds of friction, and all else that is held while the energy is lowered, are at the present tensions, less
// what they are held at; true if that is nothing to speak of.
bool find_changes(const Rope& rope, const Path& path, FrictionWork& work) {
  const TensionsT<double>& t = work.plain.t;
  bool settled = true;
  work.softened.change.assign(path.size(), SoftBound{});
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    const PathNode& n = path[i];
    if (rope.layout.spins(n)) continue;
    const Coefficients c = coefficients(rope.layout, n);
    const bool kinetic = n.slips || work.holding[i].breaks || c.sticking <= c.slipping;
    const NodeForces<double> f = forces_at(rope, path, t, i, kinetic ? c.slipping : c.sticking);
    const SoftBound& old = work.softened.bound[i];
    SoftBound bound{std::max(0.0, f.jump_bound), n.on_edge() ? f.pull_bound : 0, 0, energy_drive(rope, t, i) - f.jump};
    const double slip = work.plain.slip[i], way = n.on_edge() ? work.plain.s[i] - n.s_before : 0;
    const double square = slip * slip + way * way;
    bound.scale = square > 0 ? (bound.jump * slip * slip + bound.pull * way * way) / square : bound.mean();
    const SoftBound change{bound.jump - old.jump, bound.pull - old.pull, bound.scale - old.scale,
                           bound.offset - old.offset};
    const double largest =
        std::max({std::abs(change.jump), std::abs(change.pull), std::abs(change.offset), std::abs(change.scale)});
    settled = settled && largest <= small_force(rope, t, i, 1e-11);
    work.softened.change[i] = change;
  }
  return settled;
}

// Brings what is held nearer to that by a share of the difference.
void follow_bounds(double share, Softened& soft) {
  for (size_t i = 0; i < soft.bound.size(); ++i) {
    SoftBound& bound = soft.bound[i];
    const SoftBound& change = soft.change[i];
    bound = {std::max(0.0, bound.jump + share * change.jump), std::max(0.0, bound.pull + share * change.pull),
             std::max(0.0, bound.scale + share * change.scale), bound.offset + share * change.offset};
  }
}

// The share with which bounds that go to and fro, or come nearer ever more slowly, arrive soonest, from the last two
// changes and the last share (Aitken's method for vectors: Irons & Tuck 1969).
double next_share(const Softened& soft, double last) {
  double along = 0, square = 0;
  const auto add = [&](double now, double before) {
    along += before * (now - before);
    square += (now - before) * (now - before);
  };
  for (size_t i = 0; i < soft.bound.size(); ++i) {
    const SoftBound &now = soft.change[i], &before = soft.last_change[i];
    add(now.jump, before.jump);
    add(now.pull, before.pull);
    add(now.scale, before.scale);
    add(now.offset, before.offset);
  }
  return square > 0 ? std::clamp(-last * along / square, 0.1, 10.0) : last;
}

// Holds nodes at the ends of their edges that are pulled beyond, lets go of the others; true if no force is left but
// `precision` of the tension and round-off.
bool hold_at_ends(const Rope& rope, const Path& path, double precision, FrictionWork& work) {
  bool still = true;
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    const PathNode& n = path[i];
    if (rope.layout.spins(n)) continue;
    bool& at_end = work.holding[i].at_end;
    at_end = false;
    double r[2];
    node_equations(rope, path, work.plain, i, work.holding[i], work.softened, r);
    if (n.on_edge()) {
      const double s = work.plain.s[i];
      at_end = (s <= rope.layout.lowest(n) && r[0] < 0) || (s >= rope.layout.highest(n) && r[0] > 0);
    }
    // Softened friction tells creep from the last digit of places.
    const double creep =
        4e-16 * std::max(n.s_before, work.plain.s[i]) * work.softened.bound[i].pull / work.softened.creep;
    const double small = small_force(rope, work.plain.t, i, precision) + creep;
    still = still && (at_end || std::abs(r[0]) <= small) && std::abs(r[1]) <= small;
  }
  return still;
}

// Newton's direction of the softened energy, in which no node at the end of its edge leaves it.
void downhill(const Rope& rope, const Path& path, const PaidOut& paid, double damping, FrictionWork& work) {
  const size_t n = path.size();
  const double least = damping * rope.elasticity.stiffness() / work.plain.t.total_length;
  for (bool again = true; again;) {
    fill_matrix(rope, path, paid, work);
    for (size_t i = 1; i + 1 < n; ++i) {
      if (rope.layout.spins(path[i])) continue;
      if (path[i].on_edge() && !work.holding[i].at_end) work.matrix.diagonal(i)(0, 0) -= least;
      work.matrix.diagonal(i)(1, 1) -= least;
    }
    work.matrix.factor();
    work.matrix.solve<1>(work.step);
    again = false;
    for (size_t i = 1; i + 1 < n; ++i) {
      if (!path[i].on_edge() || work.holding[i].at_end) continue;
      const double s = work.plain.s[i], way = work.step[i][0];
      work.holding[i].at_end =
          (s <= rope.layout.lowest(path[i]) && way < 0) || (s >= rope.layout.highest(path[i]) && way > 0);
      again = again || work.holding[i].at_end;
    }
  }
}

// Minus the slope of the softened energy along the step.
double descent(const Rope& rope, const Path& path, FrictionWork& work) {
  double sum = 0;
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    if (rope.layout.spins(path[i])) continue;
    double r[2];
    node_equations(rope, path, work.plain, i, work.holding[i], work.softened, r);
    sum += r[1] * work.step[i][1];
    if (path[i].on_edge() && !work.holding[i].at_end) sum += r[0] * work.step[i][0];
  }
  return sum;
}

// How far along the step legs keep rope and nodes stay on their edges.
double longest_share(const Rope& rope, const Path& path, const FrictionWork& work) {
  double share = 1;
  for (size_t j = 0; j + 1 < path.size(); ++j) {
    const double gain = work.step[j][1] - work.step[j + 1][1];
    if (gain < 0) share = std::min(share, -0.9 * work.plain.t.stretching[j] / gain);
  }
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    const double way = work.step[i][0], s = work.plain.s[i];
    if (!path[i].on_edge() || way == 0) continue;
    share = std::min(share, ((way < 0 ? rope.layout.lowest(path[i]) : rope.layout.highest(path[i])) - s) / way);
  }
  return share;
}

// Lowers the softened energy to its lowest point by Newton's method. A convex function falls along a line as long as
// its slope is negative: the line search looks at slopes alone, which round-off spoils much later than energies.
bool descend(const Rope& rope, const Path& path, const PaidOut& paid, double precision, FrictionWork& work) {
  PlacedPath<double>& w = work.plain;
  const auto go = [&](double share) {
    for (size_t i = 1; i + 1 < path.size(); ++i) {
      w.slip[i] = work.slip_start[i] + share * work.step[i][1];
      if (path[i].on_edge())
        w.s[i] = std::clamp(work.s_start[i] + share * work.step[i][0], rope.layout.lowest(path[i]),
                            rope.layout.highest(path[i]));
    }
    friction_tensions(rope, path, paid, false, Legs::at_edges, w);
    return descent(rope, path, work);
  };
  constexpr double least_damping = 1e-9;
  double damping = least_damping;
  for (int iteration = 0; iteration < 100; ++iteration) {
    if (hold_at_ends(rope, path, precision, work)) return true;
    downhill(rope, path, paid, damping, work);
    const double steep = descent(rope, path, work);
    if (!(steep > 0 && std::isfinite(steep))) {
      // Round-off of a very short leg has hidden the way down; a shorter step is nearer to the steepest one.
      if (damping >= 1e4) return false;
      damping = std::max(100 * damping, 1e-4);
      continue;
    }
    work.s_start = w.s;
    work.slip_start = w.slip;
    double low = 0, at_low = steep, high = longest_share(rope, path, work);
    double at_high = go(high);
    double share = high;
    for (int k = 0; k < 60 && at_high < -0.3 * steep; ++k) {
      share = low + std::clamp(at_low / (at_low - at_high), 0.1, 0.9) * (high - low);
      const double there = go(share);
      if (std::abs(there) <= 0.3 * steep) break;
      (there > 0 ? low : high) = share;
      (there > 0 ? at_low : at_high) = there;
    }
    // Where legs turn slack and taut along the way, shorter steps fare better.
    damping = share < high ? std::clamp(3 * damping, 1e-4, 1e4) : std::max(0.3 * damping, least_damping);
  }
  return false;
}

// Friction lets no tension jump from something to nothing: between two nodes where rope is held, all legs are taut or
// all are slack. Where there is rope enough for all, every leg gets its share; so it does where one has so little that
// nothing can be told from its tension.
void share_rope(const Rope& rope, const Path& path, const PaidOut& paid, FrictionWork& work) {
  PlacedPath<double>& w = work.plain;
  const size_t n = path.size();
  for (size_t first = 0, last; first + 1 < n; first = last) {
    double material = 0, length = 0;
    bool starved = false;
    for (last = first; last == first || (last + 1 < n && !rope.layout.spins(path[last])); ++last) {
      material += w.t.material[last];
      length += w.t.length[last];
      starved = starved || !(w.t.material[last] > 0.1 * w.t.length[last]);
    }
    const bool slack = rope.weight == 0 && length <= material * (1 + slack_strain);
    if (!slack && !starved) continue;
    for (size_t j = first; j + 1 < last; ++j)
      w.slip[j + 1] = w.slip[j] + path[j].material + (j == 0 ? paid.first : 0) - material * w.t.length[j] / length;
  }
  friction_tensions(rope, path, paid, false, Legs::at_edges, w);
}

}  // namespace

bool search_balance(const Rope& rope, const Path& path, const PaidOut& paid, bool accelerated, FrictionWork& work) {
  constexpr double first = 1e-2, last = 1e-10, again = 1e-5;
  constexpr int relaxed_from = 30, most_rounds = 200;
  PlacedPath<double>& w = work.plain;
  Softened& soft = work.softened;
  soft.bound.assign(path.size(), SoftBound{});
  const double length = w.t.total_length;
  double creep = first;
  share_rope(rope, path, paid, work);
  find_changes(rope, path, work);
  follow_bounds(1, soft);
  double share = 0.5;
  for (int round = 0; round < most_rounds; ++round) {
    soft.creep = creep * length;
    const bool coarse = creep > 1.5 * last;
    const bool lowest = descend(rope, path, paid, coarse ? 1e-4 : 1e-11, work);
    share_rope(rope, path, paid, work);
    soft.last_change.swap(soft.change);
    const bool settled = find_changes(rope, path, work);
    if (accelerated && round > relaxed_from && !coarse) share = next_share(soft, share);
    follow_bounds(round < relaxed_from ? 1 : share, soft);
    if (coarse) {
      creep *= 0.1;
      continue;
    }
    if (!settled || !lowest) continue;
    bool more = false;
    for (size_t i = 1; i + 1 < path.size(); ++i) {
      Holding& holding = work.holding[i];
      const double way = path[i].on_edge() ? w.s[i] - path[i].s_before : 0;
      holding.slips = !rope.layout.spins(path[i]) && std::hypot(w.slip[i], way) > 100 * soft.creep;
      more = more || (holding.slips && !holding.breaks);
      holding.breaks = holding.breaks || holding.slips;
    }
    if (!more) return true;
    creep = again;
  }
  return false;
}

}  // namespace davit::rope
