// An Operation from what a file says: planned before elements are built, because they must know what moves them, and
// resolved when the model is there, because conditions are about its channels.
#pragma once

#include <functional>
#include <set>

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

// Tells the assembly what will be moved, let go and connected, and hands it the moves whose time is known. `duration`:
// of the run. Specifications must outlive the plan.
Plan plan_operation(const std::vector<PhaseSpec>&, double duration, Assembly&);

// What conditions need to know of the model.
struct Resolvable {
  const Model& model;
  // The bound of a channel in SI; nothing after a mistake, which it reports.
  std::function<std::optional<double>(const input::Threshold&, const Channel&)> bound;
  // Whether an element, or any with an empty name, has mistakes of its own: what is not found is then not reported.
  std::function<bool(const std::string& element)> doubtful;
};
Operation resolve_operation(Plan, const Resolvable&, input::Problems&);

}  // namespace davit::operation
