#include "davit/rope/sensitivities.hpp"

namespace davit::rope {

void differentiate_shortest(const Rope& rope, const Path& path, PlacedPath<Dual8>& w, AllWork& all) {
  const size_t n = path.size();
  ShortestWork& work = all.shortest;
  auto& right = all.right_of_shortest;
  work.placed.resize(n);
  work.s.resize(n);
  work.held.assign(n, 0);
  right.resize(n);
  bool any = false;
  for (size_t i = 0; i < n; ++i) {
    any = any || movable(path, i);
    work.placed[i] = values_of(w.placed[i]);
    work.s[i] = path[i].s;
    work.held[i] =
        path[i].on_edge() && (path[i].s <= rope.layout.lowest(path[i]) || path[i].s >= rope.layout.highest(path[i]));
  }
  if (!any) return;
  second_derivatives(rope, path, work);
  work.matrix.factor();
  for (size_t i = 0; i < n; ++i) {
    right[i].setZero();
    if (!movable(path, i) || work.held[i]) continue;
    const Dual8 slope = slope_of_length(w.t, i);
    for (int k = 0; k < 8; ++k) right[i][k] = -slope.d[static_cast<size_t>(k)];
  }
  work.matrix.solve<8>(right);
  for (size_t i = 0; i < n; ++i)
    if (path[i].on_edge())
      for (int k = 0; k < 8; ++k) w.s[i].d[static_cast<size_t>(k)] = right[i][k];
}

void stand_at(const Rope& rope, const PaidOut& paid, const Path& path, FrictionWork& work) {
  const size_t n = path.size();
  work.plain.s.resize(n);
  work.plain.slip.resize(n);
  work.softened.creep = 0;
  work.legs_known = false;
  work.holding.resize(n);
  for (size_t i = 0; i < n; ++i) {
    work.plain.s[i] = path[i].s;
    work.plain.slip[i] = path[i].slip;
    work.holding[i] = {path[i].slipping, path[i].slipping, path[i].at_end};
  }
  friction_tensions(rope, path, paid, false, Legs::all, work.plain);
}

void differentiate_friction(const Rope& rope, const SupplyT<Dual8>& supply, const Path& path, PlacedPath<Dual8>& w,
                            AllWork& all) {
  const size_t n = path.size();
  FrictionWork& work = all.friction;
  auto& right = all.right_of_friction;
  work.plain.placed.resize(n);
  work.plain.over.resize(n);
  right.resize(n);
  for (size_t i = 0; i < n; ++i) {
    work.plain.placed[i] = values_of(w.placed[i]);
    work.plain.over[i] = value_of(w.over[i]);
  }
  const PaidOut paid = values_of(supply.paid);
  stand_at(rope, paid, path, work);
  fill_matrix(rope, path, paid, work);
  work.matrix.factor();
  for (size_t i = 0; i < n; ++i) {
    right[i].setZero();
    if (i == 0 || i + 1 == n) continue;
    Dual8 r[2];
    node_equations(rope, path, w, i, work.holding[i], work.softened, r);
    for (int row = 0; row < 2; ++row)
      for (int k = 0; k < 8; ++k) right[i](row, k) = -r[row].d[static_cast<size_t>(k)];
  }
  work.matrix.solve<8>(right);
  for (size_t i = 1; i + 1 < n; ++i)
    for (int k = 0; k < 8; ++k) {
      w.s[i].d[static_cast<size_t>(k)] = path[i].on_edge() ? right[i](0, k) : 0;
      w.slip[i].d[static_cast<size_t>(k)] = right[i](1, k);
    }
}

}  // namespace davit::rope
