// Rigid rows that follow from the others where a step begins need not do so in its middle: their multipliers would be
// determined by that difference alone, and large. They are left out of the step (λ = 0); the others imply them.
#pragma once

#include <vector>

#include "davit/model/model.hpp"

namespace davit {

class RedundantRows {
 public:
  // The first time: which of the model's rows may follow from others at all. Dense up to `most_dense` rows, beyond that
  // by a sparse factorisation.
  void find(const Model&, const Kin& start, int most_dense);
  // Which of those are left out of a step that begins here; whether they are others than before.
  bool choose(const Model&, const Kin& start);
  bool any() const { return any_; }
  bool left_out(int row) const { return any_ && left_out_[static_cast<size_t>(row)] != 0; }

 private:
  std::vector<int> find_sparse(const Model&, const Kin& start);
  void gradients(const Model&, const Kin& start);

  bool any_ = false;
  std::vector<int> candidates_;
  std::vector<int> column_of_;  // per row: its place among the candidates, or -1
  std::vector<char> left_out_, left_out_before_;
  std::vector<int> order_;
  std::vector<double> diagonal_;
  JacobianT<double> jacobian_;
  MatX gradient_, gram_;
};

}  // namespace davit
