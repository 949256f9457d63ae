// Projection of the motion along and across the outputs, (4.23) and (4.33), or along and across outputs and
// constraints, (4.50), by backward Euler (4.52). Where the thesis divides by M, the same equations are written with the
// accelerations a that they speak of:
//   R(a) = 0,  R(a_h) + Aᵀμ = 0,  A a + Ȧ u = γ̈,   u = d/h, a_h = (u - u_n)/h,
// with A the gradient of the outputs (and constraints): the second is Dᵀ R(a_h) = 0 for all D with A D = 0, and the
// first and third are A M⁻¹ of the motion.
#pragma once

#include "davit/inverse_dynamics/modified_newton.hpp"
#include "davit/inverse_dynamics/plan.hpp"
#include "davit/inverse_dynamics/units.hpp"

namespace davit::inverse_dynamics {

class Projection final : public SquareEquations {
 public:
  Projection(ServoEquations&, bool along_constraints);
  bool step(Instant& now, double t);
  const ModifiedNewton& newton() const { return newton_; }

  void residual(const VecX& x, VecX& r) override;
  void matrix(const VecX& x, MatX& J) override;
  void units(VecX& rows, VecX& columns) const override;
  double size(const VecX& change, const VecX& x) const override;

 private:
  // Places of the unknowns: increments, accelerations, μ (of outputs, then of constraints), multipliers, inputs.
  int a() const { return n_; }
  int mu() const { return 2 * n_; }
  int lambda() const { return mu() + rows_; }
  int w() const { return lambda() + m_; }
  void spread(const VecX& x);

  ServoEquations& equations_;
  Units units_;
  bool constraints_;
  int n_, m_, p_, rows_, size_;
  double h_ = 0;
  Instant start_, at_;
  VecX euler_;  // a_h
  ModifiedNewton newton_;
};

}  // namespace davit::inverse_dynamics
