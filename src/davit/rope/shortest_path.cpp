#include "davit/rope/shortest_path.hpp"

#include <cmath>

#include "davit/rope/balance_work.hpp"

namespace davit::rope {

void second_derivatives(const Rope& rope, const Path& path, ShortestWork& work) {
  const size_t n = path.size();
  work.placed_dual.resize(n);
  work.s_dual.resize(n);
  for (size_t i = 0; i < n; ++i) {
    work.placed_dual[i] = as_constant<Dual3>(work.placed[i]);
    work.s_dual[i] = movable(path, i) ? Dual3::variable(work.s[i], static_cast<int>(i % 3)) : Dual3(work.s[i]);
  }
  make_legs(rope.layout, path, work.placed_dual, work.s_dual, work.t_dual);
  work.matrix.resize(n);
  work.step.resize(n);
  for (size_t i = 0; i < n; ++i) {
    work.step[i].setZero();
    work.matrix.diagonal(i)(0, 0) = 1;
    if (!movable(path, i) || work.held[i]) continue;
    const Dual3 slope = slope_of_length(work.t_dual, i);
    work.step[i](0, 0) = -slope.value;
    // A rope along its own edge has no curvature there.
    work.matrix.diagonal(i)(0, 0) =
        slope.d[i % 3] + 1e-9 / rope.layout.surfaces[static_cast<size_t>(path[i].surface)].size;
    work.matrix.lower(i)(0, 0) = slope.d[(i + 2) % 3];
    work.matrix.upper(i)(0, 0) = slope.d[(i + 1) % 3];
    if (!movable(path, i - 1)) work.matrix.lower(i)(0, 0) = 0;
    if (!movable(path, i + 1)) work.matrix.upper(i)(0, 0) = 0;
  }
}

BalanceOutcome shorten(const Rope& rope, const Poses& poses, Path& path, BalanceWork& scratch) {
  ShortestWork& work = all_work(scratch).shortest;
  const size_t n = path.size();
  BalanceOutcome out;
  work.placed.resize(n);
  work.s.resize(n);
  work.trial.resize(n);
  work.held.assign(n, 0);
  bool any = false;
  for (size_t i = 0; i < n; ++i) {
    work.placed[i] = place_node(rope.layout, path[i], poses);
    work.s[i] = path[i].s;
    any = any || movable(path, i);
  }
  if (!any) return out;
  make_legs(rope.layout, path, work.placed, work.s, work.t);
  for (out.iterations = 0; out.iterations < 100; ++out.iterations) {
    const double before = work.t.total_length;
    // The directions of legs, and so the slopes, have the round-off of places over their lengths.
    bool at_rest = true;
    for (size_t i = 0; i < n; ++i) {
      if (!movable(path, i)) continue;
      const double slope = slope_of_length(work.t, i);
      work.held[i] = (work.s[i] <= rope.layout.lowest(path[i]) && slope > 0) ||
                     (work.s[i] >= rope.layout.highest(path[i]) && slope < 0);
      const double shortest = std::min(work.t.legs[i - 1].length, work.t.legs[i].length);
      const double round_off = 4e-16 * (1 + work.t.legs[i].from.cwiseAbs().maxCoeff() / shortest);
      at_rest = at_rest && (work.held[i] || std::abs(slope) <= round_off);
    }
    if (at_rest) break;
    second_derivatives(rope, path, work);
    work.matrix.factor();
    work.matrix.solve<1>(work.step);
    double share = 1, change = 0;
    for (int halving = 0;; ++halving) {
      change = 0;
      for (size_t i = 0; i < n; ++i) {
        work.trial[i] = work.s[i];
        if (!movable(path, i)) continue;
        const double to = work.s[i] + share * work.step[i](0, 0);
        work.trial[i] = std::clamp(to, rope.layout.lowest(path[i]), rope.layout.highest(path[i]));
        change = std::max(change, std::abs(work.trial[i] - work.s[i]));
      }
      make_legs(rope.layout, path, work.placed, work.trial, work.t);
      if (work.t.total_length <= before + 1e-14 * before || halving > 20) break;
      share /= 2;
    }
    work.s = work.trial;
    if (change <= 1e-13 * before) break;
  }
  out.converged = out.iterations < 100;
  for (size_t i = 0; i < n; ++i)
    if (movable(path, i)) path[i].s = work.s[i];
  return out;
}

}  // namespace davit::rope
