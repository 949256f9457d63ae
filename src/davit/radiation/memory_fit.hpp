// Radiation memory as a system of few states, found from a database: poles from the kernel in time (realisation.hpp),
// residues by least squares on the kernel and on its transform at the frequencies of the database, corrected as little
// as possible until the whole is passive (passivity.hpp). Motions that are coupled share poles.
#pragma once

#include "davit/hydro/database.hpp"
#include "davit/radiation/radiation_memory.hpp"

namespace davit::radiation {

struct MemoryFit {
  MemoryModel model;             // about the reference point of the database, in the axes of the hull
  Mat6 infinite = Mat6::Zero();  // A(∞), the inertia that goes with it
  int poles = 0;                 // of all groups, a pair counted twice
  // Largest differences from the database, of the entry i, j against the geometric mean of the largest of i, i and j,
  // j. Added mass counts as a force, in proportion to frequency, below that of the largest damping: in long waves it
  // may grow without bound, and matters little.
  double kernel_error = 0, damping_error = 0, added_mass_error = 0;
  double passivity_change = 0;     // of the kernel, in the measure of kernel_error, that passivity asked for
  double direct_share = 0;         // direct damping against the largest damping
  std::vector<std::string> notes;  // for the user
};

// The fewest poles with the kernel within the tolerance and damping within twice that; where no number of them does,
// the fewest that are nearly as good as any, with a note. Where damping gives energy at half
// of the frequencies, so that no memory is near it, few poles are tried, with a note. Throws DatabaseError as
// memory_kernel does.
MemoryFit fit_memory(const hydro::Database& database, int body, double tolerance = 0.01);

}  // namespace davit::radiation
