// Channels of coordinates that are plain numbers of the state.
#pragma once

#include "davit/model/channel.hpp"
#include "davit/model/kin.hpp"

namespace davit {

// A number of q with its rate and acceleration; `unit` is that of the coordinate.
void add_coordinate_channels(const std::string& name, const std::string& unit, const std::string& source,
                             const std::string& group, int q, int u, std::vector<Channel>&);

// Position of a frame in world axes, and the velocity and acceleration in the three speeds from `u` on, which are those
// of `what`.
void add_position_channels(const std::string& name, const std::string& what, const Frame&, int u,
                           std::vector<Channel>&);

// Roll, pitch and yaw of a frame against the world.
void add_attitude_channels(const std::string& name, const Frame&, std::vector<Channel>&);
// Angular velocity in the axes of a frame.
void add_spin_channels(const std::string& name, const Frame&, std::vector<Channel>&);

}  // namespace davit
