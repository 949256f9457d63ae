// Ship, crane and payload of Tysse & Egeland, (99), written down a second time as the document has it: 11 generalised
// speeds u = (ν, q̇), projections P from lines and twists (95), M u̇ + C u with dense matrices (13)–(14), NED axes.
// Masses and sizes are those of the 11-degree-of-freedom ship crane. An oracle: it shares no code with the tree, its
// joints or the forces of the water.
//
// What differs from the print: (48) means the axis z in the coordinates of {i}; the angle of joint 1 is π/2 − q₁, so
// its column of (95) is −L; (96) has −G η; (102)–(103) are diag(β, α, α).
#pragma once

#include "verify/vessels/linear_ship.hpp"

namespace davit::verify {

struct ShipCraneReplica {
  using Vec5 = Eigen::Matrix<double, 5, 1>;
  LinearShip ship;
  Vec3 wanted = Vec3::Zero();  // angles q₁ … q₃ that a PD controller holds
  double kp = 0, kd = 0;
  double gravity = 9.81;

  // Rates of (η, q, u, x).
  VecX rates(double t, const VecX& y) const;
};

}  // namespace davit::verify
