// Ropes, winches and slings as a file describes them, and how they become parts of a model.
#pragma once

#include <set>

#include "davit/assembly/assembly.hpp"
#include "davit/assembly/axis.hpp"
#include "davit/input/record.hpp"
#include "davit/rope/balance.hpp"
#include "davit/rope/winch_drive.hpp"

namespace davit::rope {

// `friction: 0.2` or `friction: {static: 0.25, kinetic: 0.2}`.
struct FrictionSpec {
  double sticking = 0, slipping = 0;
};

// What a rope passes on its way: an eye, a sheave, a post; or where it is laid around.
struct PassSpec {
  std::optional<input::Reference> eye, sheave, post;
  std::optional<Vec3> around;
  std::optional<double> radius, pin_radius, bearing_friction, inertia;
  std::optional<AxisSpec> axis;
  std::optional<input::Reference> joint;
  std::optional<FrictionSpec> friction;
  input::Where where;
  static const input::Record<PassSpec>& record();
};

// What ropes and slings are made of.
struct StrandSpec {
  std::optional<double> EA, mbl, tension;
  std::vector<std::vector<input::Quantity>> table;
  double damping = 0;
};

struct RopeSpec : StrandSpec {
  input::Reference from, to;
  std::vector<PassSpec> path;
  std::optional<double> length, least_length;
  double mass = 0;
  std::vector<input::Reference> touches;
  FrictionSpec friction;
  FrictionLaw friction_law = FrictionLaw::coulomb;
  int most_nodes = 200;
  input::Where where;
  void declare(const std::string& name, Assembly&) const;
  static const input::Record<RopeSpec>& record();
  // With the winches at its ends, which were built before.
  void build(const std::string& name, Assembly&) const;
};

struct SlingsSpec : StrandSpec {
  input::Reference from;
  std::vector<input::Reference> to;
  std::optional<double> total_length;
  input::Where where;
  static const input::Record<SlingsSpec>& record();
  void build(const std::string& name, Assembly&) const;
  std::size_t parts() const { return to.size(); }
};

struct LayersSpec {
  double width = 0, rope_diameter = 0;
  static const input::Record<LayersSpec>& record();
};
struct DrumSpec {
  double radius = 0, inertia = 0, gear = 1, motor_inertia = 0;
  std::optional<AxisSpec> axis;
  std::optional<LayersSpec> layers;
  static const input::Record<DrumSpec>& record();
};
struct LimitsSpec {
  std::optional<double> speed, acceleration, torque, power, braking_power;
  static const input::Record<LimitsSpec>& record();
};
struct BrakeSpec {
  double torque = 0;
  std::vector<Vec2> closed;
  static const input::Record<BrakeSpec>& record();
};
struct PistonSpec {
  double stiffness = 0, preload = 0, damping = 0, mass = 0;
  static const input::Record<PistonSpec>& record();
};
struct HeaveSensorSpec {
  double filter = 0, delay = 0;
  static const input::Record<HeaveSensorSpec>& record();
};
struct WinchSpec {
  input::Reference rope;
  int end = 0;
  WinchMode mode = WinchMode::length;
  std::optional<DrumSpec> drum;
  std::optional<input::Quantity> target;
  double response = 0.5;
  std::optional<double> gain;
  double dead_band = 0;
  LimitsSpec limits;
  std::optional<BrakeSpec> brake;
  std::optional<PistonSpec> piston;
  std::optional<input::Reference> follows;
  HeaveSensorSpec sensor;
  std::optional<double> load, sample_time;
  input::Where where;
  static const input::Record<WinchSpec>& record();
  const char* target_unit() const;
  void declare(const std::string& name, Assembly&) const;
  // Its drum and signal; what drives it comes with its rope.
  void build(const std::string& name, Assembly&) const;
};

}  // namespace davit::rope

namespace davit::input {

template <>
struct Codec<rope::FrictionSpec> {
  static constexpr bool takes_unit = false;
  static Shape shape(const Unit&);
  static void read(const Node&, const Shape&, Problems&, rope::FrictionSpec&);
  static Node write(const rope::FrictionSpec&, const Shape&);
};

}  // namespace davit::input
