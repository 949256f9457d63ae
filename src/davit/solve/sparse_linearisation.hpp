// The exact linearisation of a model of any size, from the sparse matrices of a step. With y = (q, u, z, λ) of small
// motions about a state,
//   M u̇ + D u + K q + F_z z + P λ = 0,   ż = φ_q q + φ_u u + φ_z z,   R_q q + R_u u + R_λ λ = 0,   q̇ = u,
// where P = -Gᵀ, and rows that follow from others say λ = 0. Elastic rows act as forces. Joints must not be driven by
// servos, and contacts are left out.
#pragma once

#include <Eigen/SparseCore>

#include "davit/dynamics/system.hpp"

namespace davit {

struct SparseLinearisation {
  using Matrix = Eigen::SparseMatrix<double>;
  Matrix M, D, K, F_z, P;
  Matrix phi_q, phi_u, phi_z;
  Matrix R_q, R_u, R_lambda;
  VecX residual;  // of the equations of motion at the point
};

// About the configuration, speeds, auxiliary states and time of a state, with accelerations and the multipliers of the
// constraints.
SparseLinearisation sparse_linearise(System&, const State&, const VecX& a, const VecX& lambda);

}  // namespace davit
