// Newton's method that keeps the factors of its matrix for as long as they serve.
#pragma once

#include "davit/inverse_dynamics/scaling.hpp"
#include "davit/math/linear_algebra.hpp"

namespace davit::inverse_dynamics {

// Equations r(x) = 0 with as many unknowns.
class SquareEquations {
 public:
  virtual ~SquareEquations() = default;
  virtual void residual(const VecX& x, VecX& r) = 0;
  virtual void matrix(const VecX& x, MatX& J) = 0;
  // Units of equations and unknowns.
  virtual void units(VecX& rows, VecX& columns) const = 0;
  // How large a change is beside what changes.
  virtual double size(const VecX& change, const VecX& x) const = 0;
};

class ModifiedNewton {
 public:
  // With kept factors round-off shows sooner: changes no larger than this may stop shrinking.
  explicit ModifiedNewton(double small_change_of_kept = 1e-10) : small_change_of_kept_(small_change_of_kept) {}
  // True when changes have become as small as round-off lets them be.
  bool solve(SquareEquations&, VecX& x);
  void forget() { factored_ = false; }
  long iterations() const { return iterations_; }
  long matrices() const { return matrices_; }

 private:
  double small_change_of_kept_;
  void factor(bool shortest);
  bool iterate(SquareEquations&, VecX& x, bool anew, bool shortest);

  PartialPivotLu lu_;
  ShortestLeastSquares least_;
  bool shortest_ = false;  // the factors are of the latter
  MatX matrix_;
  VecX row_units_, column_units_, rows_, columns_, residual_, change_;
  bool factored_ = false;
  long iterations_ = 0, matrices_ = 0;
};

}  // namespace davit::inverse_dynamics
