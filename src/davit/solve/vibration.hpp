// Natural frequencies and mode shapes of any model about a state, from its exact linearisation; under constraints about
// an equilibrium, of the motions that they allow. Oscillations that are mostly of auxiliary states (waves that a hull
// has made and remembers, filters, integrals of controllers) are counted and left out of the list, unless they grow.
#pragma once

#include <complex>

#include "davit/dynamics/system.hpp"

namespace davit {

// Explicit Runge-Kutta of order four is stable to |λ| h = 2.78.
inline constexpr double stability_limit = 2.78;

struct VibrationMode {
  double frequency = 0;      // Hz, damped; zero for motions that do not oscillate
  double damping_ratio = 0;  // -Re/|λ|; negative: grows
  std::complex<double> eigenvalue;
  VecX shape;  // real amplitudes of the speeds' coordinates with signs of their phase, largest is one
  std::string description;
};

struct VibrationResult {
  std::vector<VibrationMode> modes;  // one per pair of eigenvalues, by rising frequency; the slowest first
  double fastest = 0;         // largest |λ| (rad/s): what an explicit step must resolve; of a large model to 1e-3
  bool only_slowest = false;  // of a large model: the modes of the slowest eigenvalues
  int auxiliary = 0;          // oscillations that are mostly of auxiliary states, left out
};
// How much of a mode must be motion of bodies. The shares of all states in (left eigenvector)·(right eigenvector) add
// up to one whatever the units are; the real part is what counts, because shares of strongly damped modes are large
// numbers of either sign that cancel.
inline constexpr double least_share_of_bodies = 0.5;
// Empty under constraints where the state is no equilibrium.
VibrationResult vibration_modes(System&, const State&);

// The same by dense matrices, whatever the size.
VibrationResult dense_vibration_modes(System&, const State&);
// Appends the mode of an eigenvalue, with what the speeds' coordinates do in it.
void add_mode(VibrationResult&, std::complex<double> eigenvalue, const VecXc& shape,
              const std::vector<std::string>& names);
void sort_modes(VibrationResult&);

}  // namespace davit
