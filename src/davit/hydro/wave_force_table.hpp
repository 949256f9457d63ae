// Wave forces on a hull for the components of one sea: the complex force of each component as a function of the heading
// of the hull, interpolated once from the database in frequency and heading (heading_interpolation.hpp) onto a fine
// grid of headings, so that a run only looks up.
#pragma once

#include <array>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "davit/hydro/database.hpp"
#include "davit/sea/realisation.hpp"

namespace davit::hydro {

// How much of a sea the database does not know: parts of the energy at frequencies below its first or above its last.
struct Uncovered {
  double below = 0, above = 0;
};
Uncovered uncovered(const Database& database, const std::vector<sea::Component>& components);

// Whether the mean drift of a motion (of all bodies' motions) is known at every heading and frequency.
bool knows_drift(const Database& database, int motion);

class WaveForceTable {
 public:
  // Forces on one body about its reference point, for phases at the hull's origin. Components outside the database's
  // frequencies give none. The database must know headings all round (by symmetry): `expand_headings` was called.
  WaveForceTable(const Database& database, int body, const std::vector<sea::Component>& components);

  // The same of mean drift: real, per squared amplitude. A motion of which it is not known everywhere has none.
  static WaveForceTable of_drift(const Database& database, int body, const std::vector<sea::Component>& components);

  // Six real parts, then six imaginary ones: loops over them become vector instructions.
  using Parts = std::array<double, 12>;
  // Force of a unit wave of a component on a hull of a certain heading, and its slope and curvature by that heading.
  // Between the grid's headings it is a cubic with continuous slope (Catmull and Rom's): the ends of a hull that is
  // long against the wave make it change within a few degrees.
  struct Force {
    Parts value, slope, curvature;
  };
  // Where a heading of the hull is in the grid.
  struct Cell {
    std::array<const Parts*, 4> row;  // of all components, at the headings around
    double part;                      // of the way from the second to the third
  };
  Cell cell(double heading) const;
  void at(const Cell& cell, size_t component, Force& out) const;

  static constexpr int steps = 360;  // of the grid of headings

 private:
  // `forces`: by heading of the database, 6 × frequencies; `centre`: of what they act on.
  WaveForceTable(const Database& database, const std::vector<MatXc>& forces, const Vec2& centre,
                 const std::vector<sea::Component>& components);

  size_t count_;
  std::vector<Parts> values_;  // [heading of the hull][component]
};

// Here so that it becomes part of the loops over components.
inline void WaveForceTable::at(const Cell& cell, size_t component, Force& out) const {
  constexpr double per_step = steps / (2 * std::numbers::pi);
  using Row = Eigen::Array<double, 12, 1>;
  const auto row = [&](size_t i) { return Eigen::Map<const Row>(cell.row[i][component].data()); };
  const Row before = row(0), low = row(1), high = row(2), after = row(3);
  const Row linear = 0.5 * (high - before), quadratic = before - 2.5 * low + 2 * high - 0.5 * after,
            cubic = 0.5 * (after - before) + 1.5 * (low - high);
  const double b = cell.part;
  Eigen::Map<Row>(out.value.data()) = low + b * (linear + b * (quadratic + b * cubic));
  Eigen::Map<Row>(out.slope.data()) = per_step * (linear + b * (2 * quadratic + 3 * b * cubic));
  Eigen::Map<Row>(out.curvature.data()) = per_step * per_step * (2 * quadratic + 6 * b * cubic);
}

}  // namespace davit::hydro
