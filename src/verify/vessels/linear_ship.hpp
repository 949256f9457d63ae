// The ship of Tysse & Egeland, (78)–(79) with (71) and (83)–(85), written down a second time: NED axes, roll, pitch and
// yaw angles, dense matrices, Runge–Kutta. An oracle for the vessels of the models, with which it shares no code:
// matrices and waves are handed over (linear_ship_of.hpp).
#pragma once

#include <complex>
#include <vector>

#include "davit/math/types.hpp"

namespace davit::verify {

// All matrices about the centre of gravity, which is the origin of the frame {0}.
struct LinearShip {
  Mat6 mass = Mat6::Zero();        // M₀
  Mat6 added_mass = Mat6::Zero();  // A(∞)
  Mat6 damping = Mat6::Zero();     // D
  Mat6 restoring = Mat6::Zero();   // G
  MatX A, B, C;                    // of the memory: ẋ = A x + B ν, force −C x

  // A sum of cosines whose amplitude and phase are those of a complex force.
  struct Wave {
    double frequency;
    Eigen::Matrix<std::complex<double>, 6, 1> force;
  };
  std::vector<Wave> waves;
  double ramp = 0;  // s, over which they come up by a cubic

  // τ_w − D ν − C x − G η
  Vec6 force(double t, const Vec6& eta, const Vec6& nu, const VecX& x) const;
};

// η̇ = J(η) ν, (84)–(85).
Mat6 rates_of_position(const Vec6& eta);

// Rates of (η, ν, x) of the ship alone.
VecX linear_ship_rates(const LinearShip& ship, double t, const VecX& y);

}  // namespace davit::verify
