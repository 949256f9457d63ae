// What is seen of coordinates that are plain numbers of the state, and of frames.
#pragma once

#include "davit/model/observable.hpp"

namespace davit {

// A number of q with its rate and acceleration; `unit` is that of the coordinate.
void add_coordinate_scalars(const std::string& name, const std::string& unit, const std::string& source,
                            const std::string& group, int q, int u, Observables&);

// Position of a frame in world axes, and the velocity and acceleration in the three speeds from `u` on, which are those
// of `what`.
void add_position_scalars(const std::string& name, const std::string& what, const Frame&, int u, Observables&);

// Roll, pitch and yaw of a frame against the world.
void add_attitude_scalars(const std::string& name, const Frame&, Observables&);
// Angular velocity in the axes of a frame.
void add_spin_scalars(const std::string& name, const Frame&, Observables&);

}  // namespace davit
