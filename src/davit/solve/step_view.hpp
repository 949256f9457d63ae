// What there is to see at any instant of the last step: coordinates and speeds by the method's own interpolation; what
// a step finds once (accelerations, multipliers, inputs, wrenches) between what the step before found and what it found
// itself, straight in time, so that a row inside a step goes with those at its ends.
#pragma once

#include "davit/solve/stepper.hpp"

namespace davit {

class StepView {
 public:
  StepView(System& system, Stepper& stepper, const State& start)
      : system_(system), stepper_(stepper), inside_(start), from_(start.t) {}

  // A step begins at this time; the one before found this, or nothing that goes on smoothly from there.
  void begin(double t, const Solution* before);
  // Evaluates a state at the end of the step, or at its beginning before there was one. False when there is no
  // solution.
  bool look_at(const State& state) { return look_at(state, stepper_.solution()); }
  bool look_at(const State& state, const Solution* found);
  // The state inside the step that ends at `end`, evaluated; nullptr when there is no solution.
  const State* look_inside(double t, double end);

 private:
  System& system_;
  Stepper& stepper_;
  State inside_;
  double from_;
  bool has_before_ = false;
  Solution before_, between_;
};

}  // namespace davit
