// A scenario as the file describes it: plain structs that describe their fields once. No mechanics here; scenario.cpp
// turns a Specification into a Model.
#pragma once

#include "davit/assembly/axis.hpp"
#include "davit/assembly/element_specs.hpp"
#include "davit/html/display_unit.hpp"
#include "davit/input/record.hpp"
#include "davit/inverse_dynamics/specification.hpp"
#include "davit/math/export.hpp"
#include "davit/model/body.hpp"
#include "davit/mooring/line_spec.hpp"
#include "davit/operation/lever_spec.hpp"
#include "davit/operation/specification.hpp"
#include "davit/rope/specification.hpp"
#include "davit/scenario/kinds.hpp"
#include "davit/scenario/rigging.hpp"
#include "davit/scenario/rotation_spec.hpp"
#include "davit/scenario/surfaces.hpp"
#include "davit/sea/current_spec.hpp"
#include "davit/sea/waves_spec.hpp"
#include "davit/sea/wind_spec.hpp"
#include "davit/solve/methods.hpp"
#include "davit/vessel/specification.hpp"

namespace davit {

struct JointSpec {
  std::optional<AxisSpec> revolute, prismatic, cylindrical, planar;
  std::optional<std::vector<AxisSpec>> universal;
  std::optional<input::Nothing> spherical, roll_pitch_yaw, free, fixed;
  static const input::Record<JointSpec>& record();
  Joint joint() const;
};

struct DenavitHartenbergSpec {
  double a = 0, alpha = 0, d = 0, offset = 0;
  bool reversed = false;
  static const input::Record<DenavitHartenbergSpec>& record();
};

struct BoxSpec {
  Vec3 size = Vec3::Zero();
  static const input::Record<BoxSpec>& record();
};
struct CylinderSpec {
  double radius = 0, length = 0;
  AxisSpec axis;
  static const input::Record<CylinderSpec>& record();
};
struct SphereSpec {
  double radius = 0;
  static const input::Record<SphereSpec>& record();
};

// What describes the motion of a body: its joint, the place of a point mass, or place and directors of a free body.
enum class BodyCoordinates { joint, particle, directors };
const char* name_of(BodyCoordinates);

struct BodySpec {
  input::Reference on{"world", {}};
  BodyCoordinates coordinates = BodyCoordinates::joint;
  Vec3 at = Vec3::Zero();
  bool level = false;
  Vec3 on_point = Vec3::Zero();  // of a level body: the point that it is on, in the axes of the body
  std::vector<RotationSpec> turn;
  std::optional<JointSpec> joint;
  std::optional<DenavitHartenbergSpec> denavit_hartenberg;
  double mass = 0;
  Vec3 centre = Vec3::Zero();
  std::optional<Vec3> inertia;
  std::optional<Vec3> products;
  std::optional<BoxSpec> box;
  std::optional<CylinderSpec> cylinder;
  std::optional<SphereSpec> sphere;
  bool weightless = false;
  input::Named<input::Quantity> start;
  input::Named<Vec3> points;
  input::Where where;
  static const input::Record<BodySpec>& record();
};

struct EnvironmentSpec {
  double gravity = 9.80665;
  double water_density = 1025;
  std::optional<double> water_depth;  // not given: deep
  std::optional<sea::WavesSpec> waves;
  std::vector<input::Reference> wave_probes;  // points at which the waves are recorded
  std::optional<sea::WindSpec> wind;
  std::optional<sea::CurrentSpec> current;
  std::optional<mooring::SeabedSpec> seabed;
  sea::Water water() const;
  static const input::Record<EnvironmentSpec>& record();
};

struct LimitSpec {
  input::Reference channel;
  std::optional<input::Threshold> below, above;
  std::optional<double> from, until;
  bool after_start_up = false;
  std::optional<input::Reference> phase;
  std::string why;
  input::Where where;
  static const input::Record<LimitSpec>& record();
};

// Whether a run begins in equilibrium: an attempt that fails begins as given, with a warning.
enum class EquilibriumWish { no, attempt, yes };

// Of the numbers of recorded channels.
enum class RecordedPrecision { rounded, full };

struct RunSpec {
  double duration = 0;
  std::optional<double> step;
  std::optional<double> output;
  std::optional<double> start_up;
  double tolerance = 1e-8;
  double spectral_radius = ImplicitOptions{}.spectral_radius;
  double dissipation = ImplicitOptions{}.dissipation;
  bool reduced = false;
  bool resolve_loads = true;
  std::string method = "auto";  // or the name of one of methods()
  int seed = 0;
  std::vector<std::string> channels;
  std::vector<std::string> plot;
  RecordedPrecision precision = RecordedPrecision::rounded;
  double frames = 10;  // of the scene, a second; 0: none
  html::UnitSystem units = html::UnitSystem::engineering;
  std::optional<EquilibriumWish> from_equilibrium;  // not given: an attempt, with vessels
  std::optional<TargetsSpec> offset;                // of joints, from where the run would begin
  std::optional<bool> modes;                        // not given: of models that are not large
  input::Where where;
  static const input::Record<RunSpec>& record();
};

// The title block of the report, and what it shows.
struct ReportSpec {
  std::string project, client, document, revision, made_by, checked_by, notes;
  bool replay = true;
  static const input::Record<ReportSpec>& record();
};

struct Specification {
  int davit = 0;
  std::string title;
  std::string description;
  EnvironmentSpec environment;
  input::Named<BodySpec> bodies;  // beside those of vessels
  ElementSpecs elements;          // of all registered sections: vessels, ropes, forces, …
  std::optional<RiggingSpec> rigging;
  std::vector<PhaseSpec> operation;
  std::optional<LeversSpec> levers;
  std::optional<inverse_dynamics::PlanSpec> plan;
  std::vector<LimitSpec> limits;
  RunSpec run;
  ReportSpec report;
  input::Where where;
  static const input::Record<Specification>& record();
};

}  // namespace davit

namespace davit::input {

template <>
struct Codec<EquilibriumWish> {
  static constexpr bool takes_unit = false;
  static Shape shape(const Unit&);
  static void read(const Node&, const Shape&, Problems&, EquilibriumWish&);
  static Node write(EquilibriumWish, const Shape&);
};

}  // namespace davit::input
