// Wave forces on a hull for the components of one sea: the complex force of each component as a function of its heading
// relative to the hull, interpolated once from the database in frequency (cubic) and heading (periodic cubic spline)
// onto a fine grid of headings, so that a run only looks up.
#pragma once

#include <array>
#include <complex>
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

  // Force of a unit wave of component n that goes towards `heading` as seen from the hull, linear between the grid's
  // headings, and its slope by that heading.
  struct Force {
    std::array<std::complex<double>, 6> value, slope;
  };
  Force at(size_t component, double heading) const;

  static constexpr int steps = 360;  // of the grid of headings

 private:
  // `forces`: by heading of the database, 6 × frequencies.
  WaveForceTable(const Database& database, const std::vector<MatXc>& forces,
                 const std::vector<sea::Component>& components);

  size_t count_;
  std::vector<std::complex<double>> values_;  // [component][heading][6]
};

}  // namespace davit::hydro
