// What a file makes a rope pass, as waypoints: of elastic ropes and of rigid ones.
#pragma once

#include "davit/rope/specification.hpp"

namespace davit::rope {

Waypoint point(const std::string& name, const Frame& frame);
// A sheave or a drum about an axis of the frame.
void make_round(Waypoint& waypoint, double radius, const AxisSpec& axis);
// Nothing after a mistake, which is reported. A rotor has a coordinate of that name.
std::optional<Waypoint> station_of(const PassSpec& pass, const std::string& scalar_name, Assembly& assembly);

// Of drum and motor, at the drum: what resists its acceleration, and the momentum of both per speed of the drum. Behind
// a gear the motor is taken to turn about the same axis.
double drum_inertia(const DrumSpec& drum);
double drum_momentum(const DrumSpec& drum);

}  // namespace davit::rope
