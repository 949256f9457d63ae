// The algebraic solution of a flat servo problem: at every instant motion and inputs follow from the desired motion and
// its derivatives there, by Newton's method on the derivative array, so that the step between instants does not matter.
#pragma once

#include "davit/inverse/derivative_array.hpp"

namespace davit::inverse_dynamics {

class AlgebraicSolver {
 public:
  AlgebraicSolver(const ServoProblem&, int K, double time_scale);

  // From coordinates, speeds, multipliers and inputs that are near.
  void begin(const State& near);
  // The solution at a time, from that of the last. False where Newton's method does not get there.
  bool solve(double t);

  const DerivativeArray::Point& point() const { return at_; }
  DerivativeArray::Values values() const { return array_.values(at_); }
  DerivativeArray& array() { return array_; }
  // How much of the array is missing of its rank on the way: more than at a regular place is a singular one.
  long matrices() const { return matrices_; }
  long iterations() const { return iterations_; }
  Eigen::Index rank() const { return factor_.rank(); }

 private:
  void factor();
  bool iterate(bool anew);
  bool solve(double t, int halvings);
  double misfit();
  void predict(double t);
  double update(const VecX& change);

  const ServoProblem& problem_;
  DerivativeArray array_;
  DerivativeArray::Point at_;
  VecX row_scale_, column_scale_, residual_;
  MatX matrix_;
  ShortestLeastSquares factor_;
  bool factored_ = false;
  long matrices_ = 0, iterations_ = 0;
};

}  // namespace davit::inverse_dynamics
