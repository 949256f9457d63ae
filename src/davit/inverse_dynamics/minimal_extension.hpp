// Index reduction by minimal extension: outputs hold with both of their rates, and as many speeds and accelerations are
// no longer the rates of their coordinates but unknowns of their own, dummy derivatives. One form for all coordinates:
// (5.14) of dependent, (5.33) of minimal, (5.107) of redundant ones, discretised as (5.38), (5.40), (5.118) by backward
// Euler, by BDF2, or by Radau IIA of three stages.
#pragma once

#include "davit/inverse_dynamics/modified_newton.hpp"
#include "davit/inverse_dynamics/plan.hpp"
#include "davit/inverse_dynamics/units.hpp"

namespace davit::inverse_dynamics {

class MinimalExtension final : public SquareEquations {
 public:
  MinimalExtension(ServoEquations&, Scheme);

  // Steps from an instant to a later time. False where Newton's method does not get there.
  bool step(Instant& now, double t);
  const ModifiedNewton& newton() const { return newton_; }
  // The speeds whose rates are dummies now, and whether they were chosen in the last step.
  const std::vector<int>& dummies() const { return dummies_; }
  bool chosen_anew() const { return chosen_anew_; }

  void residual(const VecX& x, VecX& r) override;
  void matrix(const VecX& x, MatX& J) override;
  void units(VecX& rows, VecX& columns) const override;
  double size(const VecX& change, const VecX& x) const override;

 private:
  // Places of a stage's unknowns: increments, dummy speeds and accelerations, multipliers, inputs.
  int d(int stage) const { return stage * width_; }
  int speed(int stage) const { return d(stage) + n_; }
  int acceleration(int stage) const { return speed(stage) + p_; }
  int lambda(int stage) const { return acceleration(stage) + p_; }
  int w(int stage) const { return lambda(stage) + m_; }
  void choose_dummies(MatX gradient);
  VecX of_dummies(const VecX& all) const;
  void set_scheme(const Instant& now, double h);
  void spread(const VecX& x);

  ServoEquations& equations_;
  Units units_;
  VecX of_equal_energy_;  // speeds
  Scheme scheme_;
  int n_, m_, p_, width_, stages_ = 1;
  std::vector<int> dummies_;
  std::vector<char> is_dummy_;
  bool chosen_anew_ = false;
  MatX block_;  // of the gradient, in the columns of the dummies
  PartialPivotLu block_factor_;
  double pivot_when_looked_at_ = 0;
  // u = Σ beta d + u₀ and a = Σ beta u + a₀ of speeds that are not dummies.
  MatX beta_, beta2_;
  VecX c_;  // times of the stages, as parts of the step
  std::vector<VecX> u0_, a0_;
  VecX start_q_;
  double start_t_ = 0, h_ = 0;
  std::vector<Instant> stage_;
  ModifiedNewton newton_;
  // Of the step before, for BDF2.
  bool has_before_ = false;
  double h_before_ = 0;
  VecX d_before_, u_before_;
};

}  // namespace davit::inverse_dynamics
