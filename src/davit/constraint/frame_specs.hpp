// The constraints between frames and points that a file can name.
#pragma once

#include "davit/assembly/axis.hpp"
#include "davit/assembly/registry.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/held_rows.hpp"

namespace davit::constraint {

// Keys of those that may yield.
struct SoftKeys {
  std::optional<double> compliance, damping, angular_compliance, angular_damping;

  // Mistakes are reported; `both`: directions and rotations are held.
  bool check(const input::Where& where, bool both, Assembly& assembly) const;
  Softness of_directions() const { return {compliance.value_or(0), damping.value_or(0)}; }
  Softness of_rotations() const { return {angular_compliance.value_or(0), angular_damping.value_or(0)}; }
};

// The kinds that hold frames together as they are at the start, told apart by what they hold; z is their axis.
struct DAVIT_API FrameKind {
  const char *name, *help;
  FrameConstraint::Held held;
  bool has_axis = true;

  constexpr bool holds_rotation() const { return held.rotation[0] || held.rotation[1] || held.rotation[2]; }
  constexpr bool holds_all() const {
    return held.position[0] && held.position[1] && held.position[2] &&  //
           held.rotation[0] && held.rotation[1] && held.rotation[2];
  }
};
DAVIT_API inline constexpr FrameKind ball{
    "ball", "Two points stay together", {{true, true, true}, {false, false, false}}, false};
DAVIT_API inline constexpr FrameKind hinge{
    "hinge", "Two points stay together and the bodies turn about one axis", {{true, true, true}, {true, true, false}}};
DAVIT_API inline constexpr FrameKind slider{
    "slider", "The bodies slide along an axis without turning", {{true, true, false}, {true, true, true}}};
DAVIT_API inline constexpr FrameKind cylindrical{
    "cylindrical", "The bodies slide along and turn about an axis", {{true, true, false}, {true, true, false}}};
DAVIT_API inline constexpr FrameKind planar{
    "planar",
    "A point stays in a plane through the other and the bodies turn about its normal",
    {{false, false, true}, {true, true, false}}};
DAVIT_API inline constexpr FrameKind fixed{
    "fixed", "The bodies are held together as they are at the start", {{true, true, true}, {true, true, true}}, false};

template <const FrameKind& kind>
struct DAVIT_API FrameSpec : SoftKeys {
  input::Reference from, to;
  AxisSpec axis;
  input::Where where;

  static const input::Record<FrameSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};
using BallSpec = FrameSpec<ball>;
using HingeSpec = FrameSpec<hinge>;
using SliderSpec = FrameSpec<slider>;
using CylindricalSpec = FrameSpec<cylindrical>;
using PlanarSpec = FrameSpec<planar>;
using FixedSpec = FrameSpec<fixed>;

// An axis of the first body stays perpendicular to one of the second: the cross of a universal joint.
struct DAVIT_API UniversalSpec : SoftKeys {
  input::Reference from, to;
  AxisSpec axis{Vec3::UnitX()}, second_axis{Vec3::UnitY()};
  input::Where where;

  static const input::Record<UniversalSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};

struct DAVIT_API RodSpec : SoftKeys {
  input::Reference from, to;
  std::optional<double> length;
  input::Where where;

  static const input::Record<RodSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};

struct DAVIT_API SkateSpec {
  input::Reference on;
  AxisSpec across{Vec3::UnitY()};

  static const input::Record<SkateSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};

}  // namespace davit::constraint
