// Drives that hold what they move until a run has begun, so that equilibria exist (winches); run_clock.hpp says when it
// has. An element derives from this beside its own interface.
#pragma once

#include "davit/math/export.hpp"
#include "davit/model/state.hpp"

namespace davit {

class DAVIT_API HeldBeforeRun {
 public:
  virtual ~HeldBeforeRun() = default;
  // Takes the run as not begun: what it moves is held where it was committed last.
  virtual void come_to_rest(DiscreteState&, int first_slot) const = 0;
};

}  // namespace davit
