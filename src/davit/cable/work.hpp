// How a line keeps its elements, its state and its scratch. Elements are computed four at a time, so that they lie in
// packs of four; coordinates of nodes lie in one array for each axis.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <iterator>
#include <vector>

#include "davit/cable/properties.hpp"

namespace davit::cable {

constexpr int lanes = 4;
using Pack = Eigen::Array<double, lanes, 1>;

// Constants of four elements; an element that only fills up a pack is of nothing.
struct ElementPack {
  Pack length = Pack::Ones(), per_length = Pack::Ones();  // unstretched, and its inverse
  Pack EA = Pack::Zero(), EA_tau = Pack::Zero();
  Pack onset = Pack::Zero();  // N, over which tension sets in
  Pack EI = Pack::Zero(), EI_tau = Pack::Zero();
  Pack slack = Pack::Ones();             // of beams: stiffness when they push over that when they pull
  Pack straight_squared = Pack::Ones();  // κ² below which bending is not damped
  Pack mass = Pack::Zero(), added_normal = Pack::Zero(), added_tangential = Pack::Zero();  // kg/m
  Pack displaced = Pack::Zero();                                                           // kg/m of water
  Pack drag_normal = Pack::Zero(), drag_tangential = Pack::Zero();                         // ½ ρ d C
  Pack diameter = Pack::Ones();
  Pack bed_stiffness = Pack::Zero(), bed_damping = Pack::Zero();
  Pack axis_height = Pack::Zero();                                // m above the bed, where it rests
  Pack weight = Pack::Zero();                                     // N/m, submerged, or zero if it floats
  Pack EA_branch = Pack::Zero(), relaxation_time = Pack::Ones();  // of the Maxwell branch
};

// All of them, to take an element out of its pack.
constexpr Pack ElementPack::*element_constants[] = {
    &ElementPack::length,         &ElementPack::per_length,    &ElementPack::EA,
    &ElementPack::EA_tau,         &ElementPack::onset,         &ElementPack::EI,
    &ElementPack::EI_tau,         &ElementPack::slack,         &ElementPack::straight_squared,
    &ElementPack::mass,           &ElementPack::added_normal,  &ElementPack::added_tangential,
    &ElementPack::displaced,      &ElementPack::drag_normal,   &ElementPack::drag_tangential,
    &ElementPack::diameter,       &ElementPack::bed_stiffness, &ElementPack::bed_damping,
    &ElementPack::axis_height,    &ElementPack::weight,        &ElementPack::EA_branch,
    &ElementPack::relaxation_time};
static_assert(std::size(element_constants) * sizeof(Pack) == sizeof(ElementPack));

// An attachment in numbers.
struct NodeLoad {
  int node;
  double mass, added, displaced, drag;        // kg, kg, kg, ½ ρ C A
  double radius;                              // m, of a sphere of its volume, over which it comes out of the water
  double bed_stiffness = 0, bed_damping = 0;  // N/m, N s/m
};

// ∂v/∂r and ∂v̇/∂r of the scheme; in statics `acceleration` is the weight of the mass that regularises the matrix.
struct Rates {
  double velocity = 0, acceleration = 0;
};

// Force on a node that must be held, and its derivative.
struct NodeLoads {
  Vec3 residual;
  Mat3 tangent;
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
// (unstretched) and how fast that grows, and for every coordinate of every node its value and rate and what they
// changed by in the last step; then the stretch of the friction springs of every Gauss point in the plane, and the
// force of the Maxwell branch of every bar, of beams that have them of every Gauss point; moments of the ends where
// nodes have slopes; where waves are met by windows, the way of every Gauss point in the window. The first three
// coordinates of a node are its position.
struct StateLayout {
  int nodes = 0, axes = 3, points = 2;  // coordinates of a node, Gauss points of an element
  int branches = 1;                     // Maxwell branches of an element
  bool windows = false;
  static constexpr int last_step = 0, force_a = 1, force_b = 4, active = 7, last_length = 8, pay_rate = 9, header = 10;
  int position(int axis) const { return header + axis * nodes; }
  int velocity(int axis) const { return header + (axes + axis) * nodes; }
  int position_change(int axis) const { return header + (2 * axes + axis) * nodes; }
  int velocity_change(int axis) const { return header + (3 * axes + axis) * nodes; }
  int friction() const { return header + 4 * axes * nodes; }
  int friction_stride() const { return 2 * points; }
  int branch() const { return friction() + friction_stride() * (nodes - 1); }
  int moment_a() const { return branch() + branches * (nodes - 1); }
  int moment_b() const { return moment_a() + 3; }
  // Which window, the time at which it was begun, and place and velocity of every Gauss point then.
  int way() const { return moment_a() + (axes > 3 ? 6 : 0); }
  int way_size() const { return windows ? 2 + 6 * points * (nodes - 1) : 0; }
  int size() const { return way() + way_size(); }
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

// Scratch of nodes and Gauss points, an array for each coordinate.
struct NodeWork {
  int elements = 0;       // those that are out
  ElementPack last_pack;  // the pack of the last one, which has a length of its own
  int stride = 0;         // of an axis in the arrays of nodes
  std::vector<double> position, velocity, acceleration, increment, velocity_base, acceleration_base;
  std::vector<double> friction;     // trial stretches, as in the state
  std::vector<Vec3> sample_points;  // Gauss points
  std::vector<WaterSample> samples;
  std::vector<LocalPlane> planes;  // of an uneven bed at the Gauss points
  bool open = false;               // water moves, or the line reaches the surface
  std::vector<double> way, way_of_window;
  std::vector<WaterSample> window;  // of every Gauss point at four times, on `way_of_window`
  // Maxwell branches in this step, of packs of elements one after the other: q = base + slope ε.
  std::vector<Pack> branch_base, branch_slope;
  void relax() {
    for (auto* each : {&branch_base, &branch_slope}) std::fill(each->begin(), each->end(), Pack::Zero());
  }
  // Those of the Gauss points at which sums over waves are formed.
  std::vector<int> stations;
  std::vector<Vec3> station_points;
  std::vector<WaterSample> station_samples;

  Vec3 node(int i) const {
    const double* p = position.data() + i;
    return {p[0], p[stride], p[2 * stride]};
  }
  void take_at_rest(const StateLayout& layout, const double* state) {
    for (auto* array : {&velocity, &acceleration, &increment}) std::fill(array->begin(), array->end(), 0.0);
    for (int axis = 0; axis < layout.axes; ++axis)
      std::copy_n(state + layout.position(axis), layout.nodes, position.data() + axis * stride);
  }
  void resize(const StateLayout& layout, int filled) {  // `filled`: elements of whole packs
    stride = filled + lanes;
    for (auto* array : {&position, &velocity, &acceleration, &increment, &velocity_base, &acceleration_base})
      array->assign(static_cast<size_t>(layout.axes * stride), 0);
    friction.assign(static_cast<size_t>(layout.friction_stride() * filled), 0);
    sample_points.assign(static_cast<size_t>(layout.points * filled), Vec3::Zero());
    samples.resize(sample_points.size());
    way.assign(static_cast<size_t>(layout.way_size()), 0);
    way_of_window = way;
    if (layout.windows) window.resize(4 * sample_points.size());
    stations.reserve(sample_points.size());
    station_points.resize(sample_points.size());
    station_samples.resize(sample_points.size());
  }
};

struct LineWork : NodeWork {
  std::vector<EquationPack> equations;
  std::vector<Eliminated> eliminated;
  std::vector<Vec3> change;
};

}  // namespace davit::cable
