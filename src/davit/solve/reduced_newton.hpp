// Newton's method on the equations of a step in as many unknowns as there are motions: the discrete null-space method
// with reparametrisation (the thesis on servo constraints, 2.3.2 and 3.3; Betsch 2005). The full equations are
//   F(x) - Gᵀ(q₀, q₁) λ = 0,  rows(x) = 0.
// x is always on the constraints: from x₀ + N ν, with N a basis of null(∂rows/∂x), it is brought onto them along their
// gradients (2.30)-(2.31), so only ν is unknown. The balance is projected by P with G(q₀, q₁) P = 0, which takes the
// multipliers out: Pᵀ F = 0. Both bases come from QR factorisations with pivoting, so rows that follow from others do
// no harm. The solution is that of the full equations, but the matrix Pᵀ (∂F/∂x) N has no part that grows or vanishes
// against the rest as steps get shorter. Multipliers of rigid rows follow by least squares. Dense.
#pragma once

#include "davit/math/linear_algebra.hpp"
#include "davit/solve/step_equations.hpp"

namespace davit {

class ReducedNewton {
 public:
  static constexpr int most_unknowns = 200;

  ReducedNewton(const Model&, const StepEquations&);
  NewtonOutcome solve(System&, StepEquations&, StepEquations::Unknowns&, const NewtonOptions&);

  // Of the last iteration, for plots: the matrix of all unknowns and the reduced one.
  const MatX& full_matrix() const { return full_; }
  const MatX& matrix() const { return reduced_; }

 private:
  bool factor();
  void solve_full_step();
  bool close(System&, StepEquations&, StepEquations::Unknowns&);
  int other(int i) const { return i < nz_ ? nu_ + i : nu_ + rigid_ + i; }

  int nu_, nz_, rigid_, others_;  // others: z and the multipliers of elastic rows, which stay unknown
  Eigen::Index rank_ = 0;
  MatX full_, reduced_;
  MatX rows_Q_, balance_Q_;  // the last columns: N and P
  MatX along_N_;
  VecX residual_, change_, rhs_, step_, part_;
  PivotedQr rows_qr_, balance_qr_;
  PartialPivotLu lu_;
};

// Largest over smallest singular value.
double condition_number(const MatX&);

}  // namespace davit
