// The 11-degree-of-freedom ship crane: hull, king, two booms and a payload on a massless universal joint, after Tysse &
// Egeland with the masses and sizes that make it a benchmark. NED axes (z down), as the reference values are.
#pragma once

#include "davit/dynamics/system.hpp"
#include "davit/dynamics/tree.hpp"

namespace davit {

// Restoring force [0, 0, -k_z z] at the hull's origin and moment [-k_roll φ, -k_pitch θ, 0] about the hull's axes.
struct HullRestoring {
  double heave = 1.5e7, roll = 1.1e8, pitch = 6e9;
};

struct ShipCraneOptions {
  bool massless_link = true;  // the universal joint has no link of its own; false: link 4 with 1e-6 kg, 1e-6 kg m²
  std::vector<double> start_angles = {0.5, 0.8, -0.5, -0.1, 0.15};
  double roll = 0.05, pitch = 0.01;
  double kp = 0, kd = 0;  // PD on q1-q3 about the start angles
};

struct ShipCrane {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
};

std::vector<Body> ship_crane_bodies(const ShipCraneOptions&);
std::shared_ptr<const Force> hull_restoring(int body, const HullRestoring& = {});
ShipCrane make_ship_crane(const ShipCraneOptions& = {});

}  // namespace davit
