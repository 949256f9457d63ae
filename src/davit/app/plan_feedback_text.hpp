// What `davit plan` says of feedback.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "davit/planning/plan_feedback.hpp"

namespace davit::app {

// Pairs and poles that come more than once are told once.
std::string poles_text(inverse_dynamics::Poles poles);
void print_feedback(const PlanFeedback&, const PlanResult&);
nlohmann::json json_of(const PlanFeedback&, const PlanResult&);

}  // namespace davit::app
