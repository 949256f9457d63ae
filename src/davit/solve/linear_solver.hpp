// The two ways of solving with the matrix of a step, behind one interface: values are set by place, then factored.
#pragma once

#include "davit/math/linear_algebra.hpp"
#include "davit/solve/sparse_lu.hpp"

namespace davit {

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual int place(int row, int column) const = 0;
  virtual double* values() = 0;
  virtual void clear() = 0;
  virtual bool factor() = 0;  // false when the matrix is singular
  virtual void solve(VecX& x) = 0;
  // Of the last factors, how many unknowns from `first` to before `last` had a negative pivot; not of dense ones, which
  // exchange rows.
  virtual int negative_pivots(int /*first*/, int /*last*/) const { return 0; }
};

// Scaled to rows and columns of size one, then partial pivoting; where that finds a singular matrix (redundant rows),
// full pivoting and the part that it can solve.
class DenseSolver final : public LinearSolver {
 public:
  explicit DenseSolver(int size)
      : matrix_(MatX::Zero(size, size)),
        scaled_(matrix_),
        row_scale_(VecX::Ones(size)),
        column_scale_(VecX::Ones(size)),
        rhs_(VecX::Zero(size)),
        lu_(size) {}
  int place(int row, int column) const override { return row + column * static_cast<int>(matrix_.rows()); }
  double* values() override { return matrix_.data(); }
  void clear() override { matrix_.setZero(); }
  bool factor() override;
  void solve(VecX& x) override;

 private:
  MatX matrix_, scaled_;
  VecX row_scale_, column_scale_, rhs_;
  PartialPivotLu lu_;
  FullPivotLu full_;
  bool singular_ = false;
};

class SparseSolver final : public LinearSolver {
 public:
  SparseLu& lu() { return lu_; }
  int place(int row, int column) const override { return lu_.place(row, column); }
  double* values() override { return lu_.values().data(); }
  void clear() override { std::fill(lu_.values().begin(), lu_.values().end(), 0.0); }
  bool factor() override {
    lu_.factor();
    return true;
  }
  void solve(VecX& x) override { lu_.solve(x); }
  int negative_pivots(int first, int last) const override { return lu_.negative_pivots(first, last); }

 private:
  SparseLu lu_;
};

}  // namespace davit
