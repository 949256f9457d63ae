// Scenarios of the benchmarks, as text.
#pragma once

#include <string>

namespace davit::bench {

// Hull, king, two booms and a load on a universal joint, 11 degrees of freedom, joints held by springs and dampers as
// drives would; a sea of 60 frequencies and 13 directions; rk4 at 10 ms.
std::string ship_and_crane(double hours);

// A barge lifts a block with a crane, a hook, four slings and a winch in 60 waves: 20 degrees of freedom, five ropes,
// 20 ms, for one minute.
std::string barge_lift();

// Two barges end to end on a hinge in 60 waves, for one minute.
std::string hinged_barges();

// A barge on four lines of so many particles each, on springs that only pull, which begin straight and slack.
std::string moored_barge(int particles);

}  // namespace davit::bench
