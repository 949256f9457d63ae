// LU factors of a sparse matrix with a symmetric pattern, in an elimination order that is found once and kept. No
// pivoting: meant for the matrices of implicit steps, [[A, -Gᵀ], [G, Σ]] with A + Aᵀ positive definite and Σ ≥ 0, whose
// pivots are positive in any order (their symmetric part is positive semidefinite). A pivot that cancels to nothing
// marks an unknown that the others already determine (a redundant row): it is given no part in the solution.
// Factorisation and solution allocate nothing.
//
// Up-looking: row k of L and column k of U come from those before it (Davis, Direct Methods for Sparse Linear Systems,
// 2006, ch. 4, there for LDLᵀ).
#pragma once

#include <utility>
#include <vector>

#include "davit/math/types.hpp"

namespace davit {

class SparseLu {
 public:
  // `nodes`: sets of unknowns that are ordered together (bodies, constraints); `coupled`: pairs of nodes whose entries
  // may be nonzero, the diagonal blocks included; `after`: for each node, nodes that must come before it. A constraint
  // comes after all bodies that it touches: then it lacks a pivot only if those before it imply it.
  void analyse(int size, const std::vector<std::vector<int>>& nodes, const std::vector<std::pair<int, int>>& coupled,
               const std::vector<std::vector<int>>& after);

  // Where entry (row, column) is kept; both must be of coupled nodes.
  int place(int row, int column) const;
  std::vector<double>& values() { return values_; }

  void factor();
  void solve(VecX& x);  // b in x
  // Unknowns without a pivot of their own.
  const std::vector<int>& dropped() const { return dropped_; }
  // How many unknowns from `first` to before `last` have a negative pivot.
  int negative_pivots(int first, int last) const;
  size_t factor_entries() const { return lower_.size(); }

 private:
  int size_ = 0;
  std::vector<int> order_, place_in_order_;  // order_[k]: the unknown eliminated k-th
  // The pattern of A below the diagonal, by rows of the permuted matrix, and its values: [lower | upper | diagonal].
  std::vector<int> row_begin_, column_;
  std::vector<double> values_;
  // L by columns, U by rows (same pattern), and the pattern of L by rows.
  std::vector<int> begin_, index_;
  std::vector<double> lower_, upper_, pivot_;
  std::vector<int> reach_begin_, reach_;
  std::vector<int> filled_;  // entries of each column so far
  std::vector<double> row_work_, column_work_;
  std::vector<int> dropped_;
  VecX solution_;
};

}  // namespace davit
