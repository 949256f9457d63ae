// The moves of a phase, while its verbs say what they are.
#pragma once

#include "davit/operation/phase_plan.hpp"

namespace davit::operation {

class PhaseMoves {
 public:
  PhaseMoves(PlannedPhase& phase, Assembly& assembly) : phase_(phase), assembly_(assembly) {}

  Assembly& assembly() { return assembly_; }
  const PhaseSpec& spec() const { return *phase_.spec; }

  // A target goes somewhere, or so far from where it is, in the time or at the speed that the phase says; `sign`: of
  // what is written. A name or a unit that does not fit is reported.
  void travel(const Assembly::Target& target, const input::Reference& name, const input::Quantity& value,
              SignalMove::Kind kind, double sign = 1);
  // It follows points in time.
  void follow(const Assembly::Target& target, const SignalTableSpec& table);
  // What is let go or connected by a name (Assembly::take_switch).
  void switch_to(const input::Reference& name, double value);

 private:
  void take(PlannedMove move);

  PlannedPhase& phase_;
  Assembly& assembly_;
};

}  // namespace davit::operation
