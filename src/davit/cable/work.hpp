// How a line keeps its elements, its state and its scratch. Elements are computed four at a time, so that they lie in
// packs of four; coordinates of nodes lie in one array for each axis.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "davit/cable/properties.hpp"

namespace davit::cable {

constexpr int lanes = 4;
using Pack = Eigen::Array<double, lanes, 1>;

// Constants of four elements; an element that only fills up a pack is of nothing.
struct ElementPack {
  Pack length = Pack::Ones(), per_length = Pack::Ones();  // unstretched, and its inverse
  Pack EA = Pack::Zero(), EA_tau = Pack::Zero();
  Pack mass = Pack::Zero(), added_normal = Pack::Zero(), added_tangential = Pack::Zero();  // kg/m
  Pack displaced = Pack::Zero();                                                           // kg/m of water
  Pack drag_normal = Pack::Zero(), drag_tangential = Pack::Zero();                         // ½ ρ d C, ½ ρ πd C
  Pack diameter = Pack::Ones();
  Pack bed_stiffness = Pack::Zero(), bed_damping = Pack::Zero();
  Pack weight = Pack::Zero();                                     // N/m, submerged, or zero if it floats
  Pack EA_branch = Pack::Zero(), relaxation_time = Pack::Ones();  // of the Maxwell branch
};

// An attachment in numbers.
struct NodeLoad {
  int node;
  double mass, added, displaced, drag;        // kg, kg, kg, ½ ρ C A
  double radius;                              // m, of a sphere of its volume, over which it comes out of the water
  double bed_stiffness = 0, bed_damping = 0;  // N/m, N s/m
};

// The bed near some place, as a plane: r·normal = level; `along` and `across` lie in it.
template <class Vector, class Number>
struct PlaneOf {
  Vector normal, along, across;
  Number level;
};
using LocalPlane = PlaneOf<Vec3, double>;
LocalPlane local_plane(const Vec3& normal, const Vec3& point);

struct BedOfLine {
  bool present = false;
  LocalPlane plane = local_plane(Vec3::UnitZ(), Vec3::Zero());
  std::shared_ptr<const HeightMap> map;  // in place of the plane
  double ramp = 0.05, friction_along = 0, friction_across = 0, stick_length = 0.01;
  bool rough() const { return present && (friction_along > 0 || friction_across > 0); }
  bool uneven() const { return present && map; }
  LocalPlane at(const Vec3& p) const;
  double embedment(const Vec3& p) const {
    if (!present) return -1e30;
    if (!map) return plane.level - p.dot(plane.normal);
    const LocalPlane local = at(p);
    return local.level - p.dot(local.normal);
  }
};

// The doubles of a state: last step, forces of the ends, how many elements are out, how long the last of them is
// (unstretched) and how fast that grows, and for every axis of every node position and velocity and
// what they changed by in the last step; then the stretch of the friction springs of every Gauss point in the plane,
// and the force of the Maxwell branch of every element.
struct StateLayout {
  int nodes = 0;
  static constexpr int last_step = 0, force_a = 1, force_b = 4, active = 7, last_length = 8, pay_rate = 9, header = 10;
  int position(int axis) const { return header + axis * nodes; }
  int velocity(int axis) const { return header + (3 + axis) * nodes; }
  int position_change(int axis) const { return header + (6 + axis) * nodes; }
  int velocity_change(int axis) const { return header + (9 + axis) * nodes; }
  int friction() const { return header + 12 * nodes; }
  int branch() const { return friction() + 4 * (nodes - 1); }
  int size() const { return branch() + nodes - 1; }
};

// Upper triangle of a symmetric 3×3 matrix.
enum SymIndex { XX, XY, XZ, YY, YZ, ZZ, sym_size };

// What four elements give: residual of their first and second nodes and the blocks of the tangent between them.
struct EquationPack {
  Pack first[3], second[3];
  Pack k11[sym_size], k12[sym_size], k22[sym_size];
};

// A node that is eliminated: Δ = y − G Δ of its neighbour towards the middle, G = S⁻¹U and y beside each other in rows.
struct Eliminated {
  Eigen::Array<double, 4, 1> row[3];
  double pivot[sym_size];  // S⁻¹
};

struct LineWork {
  int elements = 0;       // those that are out
  ElementPack last_pack;  // the pack of the last one, which has a length of its own
  int stride = 0;         // of an axis in the arrays of nodes
  std::vector<double> position, velocity, acceleration, increment, velocity_base, acceleration_base;
  std::vector<EquationPack> equations;
  std::vector<Eliminated> eliminated;
  std::vector<Vec3> change;
  std::vector<double> friction;  // trial stretches, as in the state
  // Maxwell branches in this step: q = base + slope ε.
  std::vector<Pack> branch_base, branch_slope;
  std::vector<Vec3> sample_points;  // Gauss points
  std::vector<WaterSample> samples;
  std::vector<LocalPlane> planes;  // of an uneven bed at the Gauss points
  bool open = false;               // water moves, or the line reaches the surface
  Vec3 force_a = Vec3::Zero(), force_b = Vec3::Zero();
};

}  // namespace davit::cable
