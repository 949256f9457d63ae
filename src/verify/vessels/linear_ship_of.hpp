// What the oracle of a linear ship is handed over: the matrices of a database, a fitted memory and the waves of a
// scenario, turned to NED axes.
#pragma once

#include "davit/scenario/scenario.hpp"
#include "verify/vessels/linear_ship.hpp"

namespace davit::verify {

// Of the only vessel of the scenario, which floats at the origin and heads along x.
LinearShip linear_ship_of(const Scenario& scenario);

// Position and roll, pitch, yaw in NED of a frame in the world, against where it was at the start.
Vec6 motion_in_ned(const Kin& kin, const Frame& frame, const Vec3& start);

}  // namespace davit::verify
