// Cranes of the thesis on servo constraints as servo problems: which inputs make the load go where it should?
#pragma once

#include <map>

#include "davit/inverse_dynamics/servo_problem.hpp"

namespace davit::verify {

// Cranes that are built while it lasts have their masses, lengths and times in units that are so many times smaller:
// the same cranes in other numbers.
class InUnits {
 public:
  InUnits(double mass, double length, double time);
  ~InUnits();
  InUnits(const InUnits&) = delete;
  InUnits& operator=(const InUnits&) = delete;
};

struct ServoCrane {
  std::unique_ptr<Model> model;
  inverse_dynamics::ServoProblem problem;
  std::map<std::string, CoordinateIndex> at;  // coordinates by the names of the references
  Frame load;
  std::vector<Signal> signals;      // of the inputs, in a Feedforward
  std::vector<double> input_units;  // in which the inputs are, by InUnits; rope forces in the last
  double hoist_ratio = 1;           // rope given out by the coordinate of the winch, where it may differ

  double coordinate(const VecX& q, const std::string& name) const { return q[at.at(name).q]; }
};

// Three-phase function of time (4.126)-(4.128), corrected, from 0 to 1 in 20 s with ramps of 5 s.
Motion three_phases(double from, double to);

// 4.4.1, 5.3.1: coordinates s, β, x, z with one constraint, or s, l, φ on a tree (and β geared to l).
ServoCrane overhead_crane_dependent();
ServoCrane overhead_crane_minimal();

// 5.3.2 (set B) and 4.4.2 (set A).
enum class RotarySet { A, B };
ServoCrane rotary_crane_dependent(RotarySet);
ServoCrane rotary_crane_minimal(RotarySet);
// The crane of section 2.4 (rotary_crane.hpp) with drives, in three kinds of coordinates: a tree, a tree and a particle
// on a rope, and 42 coordinates of director bodies. Inputs: slewing moment, force on the trolley, force on the rope.
enum class RotaryCoordinates { joints, rope, directors };
ServoCrane rotary_crane_of_section_2(RotaryCoordinates);

// 6.1, 6.2. The third (fourth) output of cranes with a pulley mass is its height.
ServoCrane navy_planar(double pulley_mass);
ServoCrane navy_spatial(double pulley_mass);

// 6.3: the platform moved, turned, or both. The seventh output keeps the shape of the triangle of trolleys, (6.81).
struct CablevMotion {
  bool translate = true;
  double turn = 0;            // rad
  Vec3 axis = Vec3::UnitZ();  // in the world
  double winch_inertia = -1;  // kg m²; negative: as printed, 0.75, 0.75, 1.5
};
ServoCrane cablev(const CablevMotion& = {});

}  // namespace davit::verify
