// How exact the rigging of a lift is: tolerances of slings and of the load's centre of gravity, for statics that vary
// them (statics/skew.hpp).
#pragma once

#include <set>

#include "davit/input/record.hpp"
#include "davit/math/types.hpp"

namespace davit {

class Model;
struct Scenario;

// By how much the centre of gravity of a body may be off, either way along each of its axes.
struct CentreEnvelopeSpec {
  input::Reference of;
  double x = 0, y = 0, z = 0;
  input::Where where;
  static const input::Record<CentreEnvelopeSpec>& record();
};

enum class Skew { corners, none };

struct RiggingSpec {
  std::vector<input::Reference> slings;
  std::optional<input::Quantity> length_tolerance;  // a length, or a part of the length
  Skew skew = Skew::corners;
  std::optional<double> diagonal_split;
  std::optional<CentreEnvelopeSpec> centre_of_gravity;
  input::Where where;
  static const input::Record<RiggingSpec>& record();
};

// The same with names found.
struct Rigging {
  std::vector<std::string> slings;  // ropes and slings, in the order of the file
  double length_part = 0;           // tolerance of each: a part of its length …
  double length = 0;                // … and metres, of which one is zero
  std::optional<double> diagonal_split;
  struct Centre {
    size_t body;  // of the specification
    Vec3 by = Vec3::Zero();
  };
  std::optional<Centre> centre;

  bool varies_lengths() const { return length_part > 0 || length > 0; }
};

// Mistakes are reported; `doubtful`: elements that have mistakes of their own.
std::optional<Rigging> resolve_rigging(const Scenario&, const Model&, const std::set<std::string>& doubtful,
                                       input::Problems&);

}  // namespace davit
