// Mean drift of one body in regular waves, from the momentum that the waves carry away (Maruo 1960, Newman 1967).
//
// Far away the waves that leave a body are η = 𝒜(θ) √(2/πkR) exp(−i(kR − π/4)), with 𝒜 = −π (ω/g) S H(θ), H its far
// field and S = wave_strength. The incident wave exp(−ikR cos(θ−β)) is πδ(θ−β) in the same measure. Waves carry the
// momentum (k cos θ, k sin θ) and the angular momentum i∂/∂θ for each ω of energy, so that with C = ρg c_g/(πkω)
//
//   Fx = −Ck [∫|𝒜|² cos θ dθ + 2π Re 𝒜(β) cos β],  Mz = C [∫ Im(𝒜* 𝒜') dθ + 2π Im 𝒜'(β)],
//
// and energy is kept when ∫|𝒜|² dθ + 2π Re 𝒜(β) = 0. Only surge, sway and yaw follow, and for several bodies only their
// sum.
#pragma once

#include "davit/panel/linear_flow.hpp"

namespace davit::panel {

struct Drift {
  double surge = 0, sway = 0, yaw = 0;  // yaw about the origin; per squared amplitude
  double energy_gap =
      0;  // what is missing in the balance of energy, in parts of the energy scattered: an error estimate
};

// One for each heading. `motions`: 6n × headings, of the origin, for unit wave amplitude.
std::vector<Drift> mean_drift(const FarField& far, const Eigen::MatrixXcd& motions, double frequency,
                              const std::vector<double>& headings, const Water& water);

}  // namespace davit::panel
