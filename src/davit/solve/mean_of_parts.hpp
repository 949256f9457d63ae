// What a step that was taken in parts found: multipliers, accelerations, inputs and wrenches as means over the whole
// step, each part by its length, so that Σ λ h of the steps of a run is what the rows gave.
#pragma once

#include "davit/model/state.hpp"
#include "davit/model/workspace.hpp"

namespace davit {

class MeanOfParts {
 public:
  void begin() {
    count_ = 0;
    length_ = 0;
  }
  int count() const { return count_; }
  void add(double h, const State&, const Solution&);
  // Puts the means where those of the last part are.
  void show(State&, Solution&) const;

 private:
  int count_ = 0;
  double length_ = 0;
  VecX lambda_;
  Solution sum_;
};

}  // namespace davit
