// The plans that controllers of a scenario track, made before its model is built.
#pragma once

#include "davit/scenario/scenario.hpp"
#include "davit/tracking/tracked_plan.hpp"

namespace davit {

// By controller; without those whose plan has mistakes or does not come to its end, which is reported.
std::shared_ptr<const tracking::TrackedPlans> plans_to_track(const Scenario&, input::Problems&);

}  // namespace davit
