// An Operation from its plan, when the model is there: moves find their signals, conditions their channels.
#pragma once

#include <functional>

#include "davit/operation/phase_plan.hpp"

namespace davit::operation {

// What conditions need to know of the model.
struct Resolvable {
  const Model& model;
  // The bound of a channel in SI; nothing after a mistake, which it reports.
  std::function<std::optional<double>(const input::Threshold&, const Channel&)> bound;
  // Whether an element, or any with an empty name, has mistakes of its own: what is not found is then not reported.
  std::function<bool(const std::string& element)> doubtful;
  double duration = 0;  // s, of the run, after which nothing is a mistake; zero: not known
};
Operation resolve_operation(Plan, const Resolvable&, input::Problems&);

}  // namespace davit::operation
