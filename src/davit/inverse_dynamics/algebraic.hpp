// The algebraic solution of a flat servo problem: at every instant motion and inputs follow from the desired motion and
// its derivatives there, by Newton's method on the derivative array, so that the step between instants does not matter.
#pragma once

#include <optional>

#include "davit/inverse_dynamics/derivative_array.hpp"
#include "davit/inverse_dynamics/plan.hpp"
#include "davit/inverse_dynamics/scaling.hpp"
#include "davit/inverse_dynamics/servo_equations.hpp"

namespace davit::inverse_dynamics {

class AlgebraicSolver {
 public:
  AlgebraicSolver(const ServoProblem&, int K, double time_scale);

  // From coordinates, speeds, multipliers and inputs that are near.
  void begin(const State& near);
  // The solution at a time, from that of the last, on the way in at most 2^halvings parts. False where Newton's method
  // does not get there; it then stays where it was.
  bool solve(double t, int halvings = 6);

  // The rank of the array where the problem is regular, as a few instants of the motion have it; nothing is taken for
  // solved where it is lower. Begins anew.
  void find_regular_rank();
  // Ranks by the gap that each matrix has, where the usual threshold leads nowhere.
  void decide_by_gap(bool);
  // The solution at a time from where backward Euler comes near it: its coordinates are algebraic too, and it gets away
  // from a start that is singular.
  bool solve_along_steps(double t);

  // How far the coordinates are from those of a state, in their units.
  double beside(const State&) const;
  const DerivativeArray::Point& point() const { return at_; }
  DerivativeArray::Values values() const { return array_.values(at_); }
  DerivativeArray& array() { return array_; }
  long matrices() const { return matrices_; }
  long iterations() const { return iterations_; }
  Eigen::Index rank() const { return factor_.rank(); }

 private:
  void factor();
  Rank rank_of_matrix();
  bool iterate(bool anew);
  double misfit();
  void predict(double t);
  double update(const VecX& change);

  const ServoProblem& problem_;
  ServoEquations equations_;
  DerivativeArray array_;
  DerivativeArray::Point at_;
  VecX row_units_, column_units_, row_scale_, column_scale_, residual_;
  MatX matrix_;
  ShortestLeastSquares factor_;
  bool factored_ = false;
  double threshold_;
  bool by_gap_ = false;
  std::optional<Plan> guide_;
  Eigen::Index regular_rank_ = 0;
  long matrices_ = 0, iterations_ = 0;
};

}  // namespace davit::inverse_dynamics
