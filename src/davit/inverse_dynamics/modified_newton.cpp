#include "davit/inverse_dynamics/modified_newton.hpp"

#include <cmath>

namespace davit::inverse_dynamics {

namespace {
// The matrices of index 3 have conditions of 1e5 to 1e9: changes cannot become smaller than that lets them.
constexpr double smallest_change = 1e-13, small_change = 1e-12, close_change = 1e-3;
// … and where even new factors make them no smaller, this is what can be had.
constexpr double least_accuracy = 1e-6;
constexpr double singular = 1e-12;  // pivots, as parts of the largest
constexpr int patience = 3;
constexpr int most_tries = 25;
}  // namespace

void ModifiedNewton::factor(bool shortest) {
  shortest_ = shortest;
  if (shortest)
    least_.compute(matrix_, singular);
  else
    lu_.compute(matrix_);
  factored_ = true;
  ++matrices_;
}

bool ModifiedNewton::iterate(SquareEquations& equations, VecX& x, bool anew, bool shortest) {
  double last = std::numeric_limits<double>::infinity();
  int stalls = 0;
  bool renew = false;  // factors that serve no longer
  for (int i = 0; i < most_tries; ++i) {
    ++iterations_;
    equations.residual(x, residual_);
    if (!residual_.allFinite()) return false;
    if (anew && (i == 0 || last > close_change || renew)) {
      equations.matrix(x, matrix_);
      equations.units(row_units_, column_units_);
      equilibrate(matrix_, row_units_, column_units_, rows_, columns_);
      factor(shortest && i == 0);
    }
    const VecX scaled = rows_.cwiseProduct(residual_);
    if (shortest_)
      change_ = least_.solve(scaled);
    else
      lu_.solve(scaled, change_);
    change_ = -columns_.cwiseProduct(change_);
    if (!change_.allFinite()) return false;
    x += change_;
    const double size = equations.size(change_, x);
    const bool stalled = size > 0.3 * last;
    // What the next change would be, by the rate at which they shrink.
    const double next = stalled || std::isinf(last) ? size : size * size / last;
    last = size;
    if (next < smallest_change || (stalled && size < (anew ? small_change : small_change_of_kept_))) return true;
    stalls += stalled;
    renew = stalled;
    if (anew && stalls >= patience && size < least_accuracy) return true;
    // The first change is what the guess was off by, and says little of the rate.
    if (stalled && !anew && i > 1) return false;
    if (!(size < 1e8)) return false;
  }
  return false;
}

bool ModifiedNewton::solve(SquareEquations& equations, VecX& x) {
  const VecX start = x;
  if (factored_ && !shortest_ && iterate(equations, x, false, false)) return true;
  // Where the first matrix is singular (a pulley that hangs straight), the shortest change leads away from there.
  for (const bool shortest : {false, true}) {
    x = start;
    if (iterate(equations, x, true, shortest)) return true;
  }
  factored_ = false;
  return false;
}

}  // namespace davit::inverse_dynamics
