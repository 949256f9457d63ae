// A mooring line as a file describes it, a force of kind `mooring_line`:
//
//   forces:
//     bow: {mooring_line: {anchor: [300 m, 0, -50 m], to: barge.bow,
//                          sections: [{type: studless_chain, diameter: 76 mm, length: 290 m}]}}
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/cable/beam.hpp"
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
  std::optional<double> drag_normal, drag_tangential, added_mass_normal, added_mass_tangential;
  double damping_time = 0.01;
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
  std::optional<double> depth, stiffness, damping;
  double friction = 0;
  static const input::Record<SeabedSpec>& record();
};

struct DAVIT_API MooringLineSpec {
  std::optional<Vec3> anchor;
  std::optional<input::Reference> from;
  input::Reference to;
  std::vector<SectionSpec> sections;
  std::vector<AttachmentSpec> attachments;
  std::optional<SeabedSpec> seabed;
  std::optional<double> tension;
  ElementKind element = ElementKind::automatic;
  cable::Strain strain = cable::Strain::engineering;
  std::optional<Vec3> clamped_from, clamped_to;
  double accuracy = coarsest_accuracy;
  input::Where where;

  static const input::Record<MooringLineSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};

}  // namespace davit::mooring
