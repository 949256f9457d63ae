// How what has a drive goes on from where it is: to a value, or at a speed. Levers, and programs that step a run.
#pragma once

#include "davit/math/motion.hpp"

namespace davit::operation {

// The time in which a drive changes its speed by so much.
double time_to_change(double by, const DriveLimits& limits);

// To a speed that it keeps.
Motion motion_at_speed(const Motion& now, double t, const DriveLimits& limits, double speed);
// The same, to rest where its travel ends.
Motion motion_at_speed(const Motion& now, double t, const DriveLimits& limits, double speed, double least, double most);

// To a value, as fast as it can; what moves is brought to rest first. Without limits it jumps.
Motion motion_to(const Motion& now, double t, const DriveLimits& limits, double value);

}  // namespace davit::operation
