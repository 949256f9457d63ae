// Wave forces on a hull for the components of one sea: the complex force of each component as a function of the heading
// of the hull, interpolated once from the database in frequency and heading (heading_interpolation.hpp) onto a fine
// grid of headings, so that a run only looks up.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "davit/hydro/database.hpp"
#include "davit/sea/realisation.hpp"

namespace davit::wave_load {

// How much of a sea the database does not know: parts of the energy at frequencies below its first or above its last.
struct Uncovered {
  double below = 0, above = 0;
};
Uncovered uncovered(const hydro::Database& database, const std::vector<sea::Component>& components);

// Whether the mean drift of a motion (of all bodies' motions) is known at every heading and frequency.
bool knows_drift(const hydro::Database& database, int motion);

class WaveForceTable {
 public:
  // Forces on one body about its reference point, for phases at the hull's origin. Components outside the database's
  // frequencies give none. The database must know headings all round (by symmetry): `expand_headings` was called.
  WaveForceTable(const hydro::Database& database, int body, const std::vector<sea::Component>& components);

  // Mean loads per squared amplitude at a frequency, a column for each heading of the database.
  using MeanLoads = std::function<MatX(double frequency)>;
  // The same of mean drift, per squared amplitude: the real parts. A motion of which it is not known everywhere has
  // none. Mean loads that are to act beside it are the imaginary parts. They are asked for at the frequency of each
  // component: those of a hull on lines change too fast for what the database knows between its frequencies.
  static WaveForceTable of_drift(const hydro::Database& database, int body,
                                 const std::vector<sea::Component>& components, const MeanLoads& beside = {});
  // Without drift.
  static WaveForceTable of_mean_loads(const hydro::Database& database, const std::vector<sea::Component>& components,
                                      const MeanLoads& loads);

  // Six real parts, then six imaginary ones: loops over them become vector instructions.
  using Parts = std::array<double, 12>;
  // Force of a unit wave of a component on a hull of a certain heading, and its slope and curvature by that heading.
  // Between the grid's headings it is a cubic with continuous slope (Catmull and Rom's): the ends of a hull that is
  // long against the wave make it change within a few degrees.
  struct Force {
    Parts value, slope, curvature;
  };
  // A heading of the hull, in steps of the grid.
  struct Cell {
    double place;
  };
  Cell cell(double heading) const { return {heading * per_radian}; }
  void at(const Cell& cell, size_t component, Force& out) const;
  // Asks for what `at` will read some components later: the values of a sea are scattered over more than a cache.
  static constexpr size_t ahead = 6;
  void expect(const Cell& cell, size_t component) const;

  static constexpr int steps = 720;  // of the grid of headings

 private:
  static constexpr double per_radian = steps / (2 * std::numbers::pi);
  // Headings of the grid from the one before 0 to the second after a whole turn: neighbours need no way round.
  static constexpr int block = steps + 4;

  // `forces`: by heading of the database, 6 × frequencies; `centre`: of what they act on.
  WaveForceTable(const hydro::Database& database, const std::vector<MatXc>& forces, const Vec2& centre,
                 const std::vector<sea::Component>& components, const MeanLoads& beside = {});

  struct Place {
    size_t first;    // of the values at the component's frequency
    double heading;  // towards which it goes, in steps
  };
  // The values around the heading of a wave seen from the hull, and the part of the way between the middle two.
  const Parts* around(const Cell& cell, size_t component, double& part) const;
  std::vector<Place> places_;  // of the components
  std::vector<Parts> values_;  // [frequency][heading of the wave, seen from the hull]
};

// Here so that it becomes part of the loops over components.
inline const WaveForceTable::Parts* WaveForceTable::around(const Cell& cell, size_t component, double& part) const {
  const double seen = places_[component].heading - cell.place;
  // Rounding may take a heading just below zero all the way round, where the block goes on.
  const double x = seen - steps * std::floor(seen / steps), below = std::floor(x);
  part = x - below;
  return values_.data() + places_[component].first + static_cast<size_t>(below);
}

inline void WaveForceTable::expect(const Cell& cell, size_t component) const {
  if (component >= places_.size()) return;
  double part;
  const char* const first = reinterpret_cast<const char*>(around(cell, component, part));
  for (size_t byte = 0; byte < 4 * sizeof(Parts); byte += 64) __builtin_prefetch(first + byte);
}

inline void WaveForceTable::at(const Cell& cell, size_t component, Force& out) const {
  double b;
  const Parts* const near = around(cell, component, b);
  using Row = Eigen::Array<double, 12, 1>;
  const auto row = [&](size_t i) { return Eigen::Map<const Row>(near[i].data()); };
  const Row before = row(0), low = row(1), high = row(2), after = row(3);
  const Row linear = 0.5 * (high - before), quadratic = before - 2.5 * low + 2 * high - 0.5 * after,
            cubic = 0.5 * (after - before) + 1.5 * (low - high);
  Eigen::Map<Row>(out.value.data()) = low + b * (linear + b * (quadratic + b * cubic));
  // The wave turns the other way than the hull.
  Eigen::Map<Row>(out.slope.data()) = -per_radian * (linear + b * (2 * quadratic + 3 * b * cubic));
  Eigen::Map<Row>(out.curvature.data()) = per_radian * per_radian * (2 * quadratic + 6 * b * cubic);
}

}  // namespace davit::wave_load
