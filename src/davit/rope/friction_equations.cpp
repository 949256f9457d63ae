#include "davit/rope/friction_equations.hpp"

#include <cmath>

namespace davit::rope {

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
  friction_tensions(rope, path, constant, work.softened.creep == 0, d);
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
