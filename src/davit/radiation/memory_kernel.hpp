// The retardation functions of one hull on a uniform grid of time, and the inertia that goes with them (Cummins 1962):
//
//   (M + A(∞)) ν̇ + ∫ K(τ) ν(t − τ) dτ = …,   K(t) = 2/π ∫ B cos ωt dω
//
// about the reference point of the database, in the axes of the hull.
#pragma once

#include "davit/hydro/database.hpp"

namespace davit::radiation {

struct KernelOptions {
  double tolerance = 2e-3;  // the kernel ends where it stays below this part of its largest
  double step = 0;          // s; zero: a tenth of half a period of the highest frequency
};

struct MemoryKernel {
  double step = 0;                       // s
  std::vector<Mat6> values;              // K(n step), symmetric; zero beyond the last
  Mat6 infinite = Mat6::Zero();          // A(∞)
  std::optional<Mat6> zero;              // A(0), where it is known
  std::vector<std::vector<int>> groups;  // motions that are coupled; a motion without memory is in none
  // Square root of the largest |K_ii|, one where there is no memory: K_ij/(size_i size_j) is a number without unit, at
  // most about one.
  Vec6 size = Vec6::Ones();
  double known = 0;  // s; beyond, the steps between frequencies say little, see known_length()

  double length() const { return step * static_cast<double>(values.size() - 1); }
  Mat6 at(double t) const;  // linear between the values
};

// Throws DatabaseError for several bodies, which would need their memory of each other, and too few frequencies.
MemoryKernel memory_kernel(const hydro::Database& database, int body, const KernelOptions& options = {});

}  // namespace davit::radiation
