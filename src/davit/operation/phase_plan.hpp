// An operation as it stands in a file becomes a list of phases that wait for each other, before elements are built,
// because they must know what moves them. resolve.hpp makes an Operation of it when the model is there.
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/operation/operation.hpp"
#include "davit/operation/specification.hpp"

namespace davit::operation {

// A phase with its place among the others, and the names of what it moves.
struct PlannedMove {
  SignalMove move;   // but for its signal
  std::string name;  // of the signal
  std::string unit;  // of its value
  input::Where where;
};
struct PlannedPhase {
  Phase phase;
  const PhaseSpec* spec = nullptr;
  bool readable = true;  // or it has mistakes of its own: nothing is made of it
  std::vector<PlannedMove> moves;
};
struct Plan {
  std::vector<PlannedPhase> phases;
  std::vector<std::unique_ptr<PhaseSpec>> gates;  // what groups of phases wait for, as phases of their own
};

// Tells the assembly what will be moved, let go and connected, and hands it the moves whose time is known: none of
// them where levers may change what comes. `duration`: of the run. Specifications must outlive the plan.
Plan plan_operation(const std::vector<PhaseSpec>&, double duration, bool levers, Assembly&);

}  // namespace davit::operation
