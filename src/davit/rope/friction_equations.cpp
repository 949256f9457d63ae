#include "davit/rope/friction_equations.hpp"

#include <cmath>

namespace davit::rope {

namespace {

template <class To, class From>
Vec3T<To> constant_vector(const Vec3T<From>& v) {
  return {To(value_of(v[0])), To(value_of(v[1])), To(value_of(v[2]))};
}

// Legs that no unknown moves, by scalars of one direction in place of six.
void find_fixed_legs(const Layout& layout, const Path& path, FrictionWork& work) {
  using One = Dual<1>;
  const auto& placed = work.plain.placed;
  work.dual.t.legs.resize(path.size() - 1);
  for (size_t j = 0; j + 1 < path.size(); ++j) {
    if (ends_at_edge(path, j)) continue;
    const LegEndT<One> a = as_constant<One>(placed[j]).end, b = as_constant<One>(placed[j + 1]).end;
    const LegT<double>& known = work.plain.t.legs[j];
    const bool straight = a.radius == 0 && b.radius == 0;
    const LegT<One> found = layout.gap_after(path[j]) ? no_leg(a, b)
                            : straight                ? point_leg(a, b)
                                                      : leg_at(a, b, {known.angle_from, known.angle_to, known.tangent});
    LegT<Dual6>& leg = work.dual.t.legs[j];
    leg.length = Dual6(found.length.value);
    leg.measure = Dual6(found.measure.value);
    leg.angle_from = Dual6(found.angle_from.value);
    leg.angle_to = Dual6(found.angle_to.value);
    leg.from = constant_vector<Dual6>(found.from);
    leg.to = constant_vector<Dual6>(found.to);
    leg.pull_from = constant_vector<Dual6>(found.pull_from);
    leg.pull_to = constant_vector<Dual6>(found.pull_to);
    leg.moment_from = constant_vector<Dual6>(found.moment_from);
    leg.moment_to = constant_vector<Dual6>(found.moment_to);
    leg.tangent = found.tangent;
  }
  work.legs_known = true;
}

}  // namespace

void fill_matrix(const Rope& rope, const Path& path, const PaidOut& paid, FrictionWork& work) {
  const size_t n = path.size();
  PlacedPath<Dual6>& d = work.dual;
  d.placed.resize(n);
  d.s.resize(n);
  d.slip.resize(n);
  d.over.resize(n);
  for (size_t i = 0; i < n; ++i) {
    d.over[i] = Dual6(work.plain.over[i]);
    d.placed[i] = as_constant<Dual6>(work.plain.placed[i]);
    const bool inside = i > 0 && i + 1 < n;
    const int first = 2 * static_cast<int>(i % 3);
    d.s[i] = inside ? Dual6::variable(work.plain.s[i], first) : Dual6(work.plain.s[i]);
    d.slip[i] = inside ? Dual6::variable(work.plain.slip[i], first + 1) : Dual6(0);
  }
  // Slack legs answer a little, so that nothing runs away; the residual itself knows nothing of that.
  const PaidOutT<Dual6> constant{Dual6(paid.first), Dual6(paid.last), Dual6(paid.first_travel),
                                 Dual6(paid.last_travel)};
  if (!work.legs_known) find_fixed_legs(rope.layout, path, work);
  friction_tensions(rope, path, constant, work.softened.creep == 0, Legs::at_edges, d);
  work.matrix.resize(n);
  work.step.resize(n);
  for (size_t i = 0; i < n; ++i) {
    work.step[i].setZero();
    work.matrix.diagonal(i).setIdentity();
    if (i == 0 || i + 1 == n) continue;
    Dual6 r[2];
    double residual[2];
    node_equations(rope, path, d, i, work.holding[i], work.softened, r);
    node_equations(rope, path, work.plain, i, work.holding[i], work.softened, residual);
    for (int row = 0; row < 2; ++row) {
      work.step[i][row] = -residual[row];
      for (int column = 0; column < 2; ++column) {
        const auto at = [&](size_t node) { return r[row].d[2 * (node % 3) + static_cast<size_t>(column)]; };
        work.matrix.diagonal(i)(row, column) = at(i);
        work.matrix.lower(i)(row, column) = i > 1 ? at(i + 2) : 0;
        work.matrix.upper(i)(row, column) = i + 2 < n ? at(i + 1) : 0;
      }
    }
    if (work.softened.creep > 0) continue;
    // What does not answer at all (a slack leg, a rope along its edge) stays where it is.
    for (int k = 0; k < 2; ++k)
      if (work.matrix.diagonal(i)(k, k) == 0 && work.step[i][k] == 0) work.matrix.diagonal(i)(k, k) = 1;
    if (std::abs(work.matrix.diagonal(i).determinant()) == 0) work.matrix.diagonal(i).setIdentity();
  }
}

double small_force(const Rope& rope, const TensionsT<double>& t, size_t i, double precision) {
  double most = 0;
  for (const double tension : t.tension) most = std::max(most, std::abs(tension));
  return precision * most + slack_strain * rope.elasticity.stiffness() + force_round_off(rope, t, i);
}

}  // namespace davit::rope
