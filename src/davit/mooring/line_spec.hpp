// A mooring line as a file describes it, a force of kind `mooring_line`:
//
//   forces:
//     bow: {mooring_line: {anchor: [300 m, 0, -50 m], to: barge.bow,
//                          sections: [{type: studless_chain, diameter: 76 mm, length: 290 m}]}}
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/cable/beam.hpp"
#include "davit/input/file_path.hpp"
#include "davit/input/record.hpp"
#include "davit/mooring/catalogue.hpp"
#include "davit/mooring/line_elements.hpp"

namespace davit::mooring {

// A piece of one kind: typical properties by type and diameter, or given ones, which come first.
struct DAVIT_API SectionSpec {
  std::optional<LineKind> type;
  ChainGrade grade = ChainGrade::R3;
  std::optional<double> diameter;
  double length = 0;
  std::optional<int> elements;
  std::optional<double> EA, EI, mass, submerged_weight, mbl;
  std::optional<double> drag_normal, drag_tangential, added_mass_normal, added_mass_tangential, axis_height;
  double damping_time = 0.01;
  std::optional<double> dynamic_EA, relaxation_time;
  input::Where where;
  static const input::Record<SectionSpec>& record();
};

// A clump weight or a buoy.
struct DAVIT_API AttachmentSpec {
  double at = 0, mass = 0, volume = 0, drag_area = 0, added_mass = 0;
  input::Where where;
  static const input::Record<AttachmentSpec>& record();
};

struct DAVIT_API SeabedSpec {
  std::optional<double> depth, stiffness, damping, slope, slope_heading;
  double friction = 0;
  std::optional<double> friction_across;
  std::optional<input::FilePath> map;
  Vec2 map_origin = Vec2::Zero();
  input::Where where;
  static const input::Record<SeabedSpec>& record();
};

// In place of the line: a spring along the straight line between its ends.
struct DAVIT_API SpringSpec {
  std::optional<double> stiffness, mbl;
  std::vector<std::vector<input::Quantity>> table;
  static const input::Record<SpringSpec>& record();
};

// When a line breaks, and where.
struct DAVIT_API BreakSpec {
  std::optional<double> at, along;
  std::optional<input::Threshold> above;
  input::Where where;
  static const input::Record<BreakSpec>& record();
};

// How a line is described: with its motion, in equilibrium at every instant, or as a spring.
enum class LineModelKind { dynamic, quasi_static, spring };

struct DAVIT_API MooringLineSpec {
  std::optional<Vec3> anchor;
  std::optional<input::Reference> from;
  input::Reference to;
  std::vector<SectionSpec> sections;
  std::vector<AttachmentSpec> attachments;
  std::optional<SeabedSpec> seabed;
  std::optional<double> tension, horizontal_tension, angle;
  LineModelKind model = LineModelKind::dynamic;
  std::optional<SpringSpec> spring;
  ElementKind element = ElementKind::automatic;
  cable::Strain strain = cable::Strain::engineering;
  std::optional<Vec3> clamped_from, clamped_to;
  double accuracy = coarsest_accuracy;
  std::optional<BreakSpec> breaks;
  bool winch = false;
  input::Where where;

  bool clamped() const { return clamped_from || clamped_to; }

  // How many values at the fairlead the length is to be found for.
  int targets() const { return tension.has_value() + horizontal_tension.has_value() + angle.has_value(); }

  static const input::Record<MooringLineSpec>& record();
  void declare(const std::string& name, Assembly& assembly) const;
  void build(const std::string& name, Assembly& assembly) const;
};

}  // namespace davit::mooring
