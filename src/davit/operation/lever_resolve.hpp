// Levers from their description, when the model is there.
#pragma once

#include <optional>

#include "davit/input/problems.hpp"
#include "davit/operation/lever_spec.hpp"
#include "davit/operation/levers.hpp"

namespace davit::operation {

// `step`: of a method with steps of one size, 0 of others. Nothing after a mistake, which is reported.
std::optional<Levers> resolve_levers(const LeversSpec&, const Model&, const Operation&, double step, input::Problems&);

}  // namespace davit::operation
