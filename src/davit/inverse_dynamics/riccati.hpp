// Linear-quadratic design: the feedback δw = -K ζ of ζ̇ = A ζ + B δw that makes ∫ (ζᵀQζ + δwᵀR δw) dt least.
#pragma once

#include "davit/inverse_dynamics/error_dynamics.hpp"

namespace davit::inverse_dynamics {

struct Regulator {
  MatX P, K;    // the cost from ζ is ζᵀP ζ
  Poles poles;  // of the stable half of the Hamiltonian matrix: those of A - B K
  bool found = false;
};
// From the stable subspace of the Hamiltonian matrix [A, -B R⁻¹Bᵀ; -Q, -Aᵀ] (Laub 1979 for this by Schur vectors).
// Not found where some state is neither reached by inputs nor dies out by itself, or is not seen by Q.
Regulator regulate(const MatX& A, const MatX& B, const MatX& Q, const MatX& R);

// The stationary Kalman filter of x⁺ = F x + noise, y = C x + noise, with covariances Q and R of a step: what is
// expected of x⁺ is F x + gain (y - C x).
struct Predictor {
  MatX P, gain;  // the covariance of the error of x
  bool found = false;
};
// By doubling (Chu, Fan, Lin & Wang 2004). Not found where some state neither dies out nor shows in y.
Predictor predict(const MatX& F, const MatX& C, const MatX& Q, const MatX& R);

}  // namespace davit::inverse_dynamics
