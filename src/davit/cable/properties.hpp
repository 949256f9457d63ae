// What a mooring line is made of and where it lies.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "davit/cable/height_map.hpp"
#include "davit/math/types.hpp"
#include "davit/sea/current.hpp"
#include "davit/sea/water.hpp"

namespace davit::cable {

// A piece of one kind, per metre of its unstretched length. Sections follow one another from end A to end B.
struct Section {
  double length = 0;  // m, unstretched
  int elements = 0;   // bars of this section
  double EA = 0;      // N
  double EI = 0;      // N m², of beams; zero: it neither resists bending nor pushes
  double mass = 0;    // kg/m in air
  double displacement =
      0;  // m³/m of water: the weight in water is (mass − ρ displacement) g; added mass is C_a ρ of it
  double diameter = 0;  // m, of drag: ½ ρ d C |v| v per metre, across and along
  double drag_normal = 1.2, drag_tangential = 0.2;
  double added_mass_normal = 1.0, added_mass_tangential = 0.5;
  double axis_height = 0;      // m, of its axis above the bed on which it rests: chain lies on its links
  double damping_time = 0.01;  // s, τ of T = EA (ε + τ ε̇)
  // Of fibre, whose stiffness depends on the rate: beside EA, which is that of slow changes, a spring in a row with a
  // dashpot (Maxwell), T += q with q̇ = (EA_dynamic − EA) ε̇ − q/t_r. Fast changes meet EA_dynamic.
  double EA_dynamic = 0;       // N; zero: the same as EA
  double relaxation_time = 0;  // s, t_r
  double breaking_load = 0;    // N, zero where it is not known
};

// A clump weight or a buoy at a node of its own.
struct Attachment {
  double at = 0;            // m of unstretched length from A
  double mass = 0;          // kg in air
  double displacement = 0;  // m³
  double drag_area = 0;     // C A, m²
  double added_mass = 0;    // kg
};

// A plane on which the line lies, z = height at x = y = 0, or a map of heights in its place. Forces are per metre of
// unstretched length.
struct Bed {
  double height = 0;            // m
  Vec3 normal = Vec3::UnitZ();  // upwards
  std::shared_ptr<const HeightMap> map;
  double stiffness = 0;           // N/m per m; zero: no bed
  std::optional<double> damping;  // N s/m per m, 2 √(k m) unless given
  double ramp = 0.05;             // m of embedment over which damping sets in; it may pull
  double friction_along = 0, friction_across = 0;
  double stick_length = 0.01;  // m that a line gives before it slips under its own weight

  // Height of the bed at a place.
  double level(double x, double y) const {
    return map ? map->at(x, y).height : height - (normal.x() * x + normal.y() * y) / normal.z();
  }
};

// Velocity and acceleration (∂v/∂t) of the water and the height of its surface at given points.
struct WaterSample {
  Vec3 velocity = Vec3::Zero(), acceleration = Vec3::Zero();
  double surface = 0;
};
using Flow = std::function<void(double time, const Vec3* points, int count, WaterSample* samples)>;

// Waves that a line meets.
struct Sea {
  Flow flow;
  double window = 0;  // s, over which a cubic through four instants follows the waves at a point; zero: none
};

// The water around the line, its surface at z = 0. What waves do is added to the current.
struct Surroundings {
  sea::Water water;
  std::shared_ptr<const sea::Current> current;
  bool waves = false;  // it may come to meet some: MetWaves
};

}  // namespace davit::cable
