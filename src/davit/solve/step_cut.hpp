// Steps end where something happens. What a Supervisor waits for, or an element (a line that breaks), comes at an
// instant inside a step: that is found by the method's own interpolation, and the step is taken again to end there.
#pragma once

#include "davit/solve/run_loop.hpp"
#include "davit/solve/step_view.hpp"

namespace davit {

class StepCut {
 public:
  StepCut(System& system, Stepper& stepper, StepView& view, Supervisor* supervisor, const State& start);

  // After a step from `start` to `state`, before anything was told of it: takes it again, to the first instant at which
  // something has come. False where the step stays as it is.
  bool apply(const State& start, State& state);

 private:
  // Whether something has come where the workspace was evaluated.
  bool has_come(const State&) const;
  // … at the end of a step.
  bool come_at(const State& end);
  // When it comes in the step, by interpolation; its end where it is not there any more at the end but was inside.
  std::optional<double> find(const State& start, const State& end);
  bool take(const State& start, double h);

  System& system_;
  Stepper& stepper_;
  StepView& view_;
  Supervisor* supervisor_;
  std::vector<const Model::Placed<Element>*> elements_;  // that may have an instant of their own
  State again_;
};

}  // namespace davit
