// Exact shapes of a uniform elastic line at rest, with engineering strain, in its vertical plane: hanging between two
// ends at any slope, slack or taut, lying on a rigid bed, or sunk into an elastic one.
#pragma once

#include <optional>
#include <vector>

#include "davit/math/types.hpp"

namespace davit::cable {

struct UniformLine {
  double length = 0;  // m, unstretched
  double weight = 0;  // N/m, submerged, positive
  double EA = 0;      // N; infinite if it does not stretch
};

// From the lower end at (0, 0) to the upper one at (span, height), height ≥ 0.
struct Catenary {
  UniformLine line;
  double H = 0;                     // N, horizontal tension
  double V_lower = 0, V_upper = 0;  // N, vertical pull upwards on the line's upper end, downwards on its lower end
  double grounded = 0;              // m of unstretched length on the bed, from the lower end
  double tension_lower() const;
  double tension_upper() const;
  Vec2 at(double s) const;  // x, z at s of unstretched length from the lower end
  double tension(double s) const;
};

// Hanging freely; nothing where there is none (the ends are farther apart than a line that does not stretch).
std::optional<Catenary> hanging_catenary(const UniformLine&, double span, double height);
// Over a rigid flat bed without friction at the height of the lower end.
std::optional<Catenary> grounded_catenary(const UniformLine&, double span, double height);

// Over an elastic flat bed (stiffness in N/m per m of unstretched length), lower end held at bed level; for lines that
// lie on the bed over many lengths √(H/k). Exact but for an integration of ordinary differential equations.
struct WinklerCatenary {
  double H = 0, tension_upper = 0, tension_lower = 0;
  double grounded = 0;      // m, unstretched, below bed level
  double embedment = 0;     // m
  std::vector<Vec3> shape;  // s, x, z from the lower end
};
std::optional<WinklerCatenary> winkler_catenary(const UniformLine&, double bed_stiffness, double span, double height);

// The unstretched length, or the span, with which the upper end of a line over a rigid bed has a given tension.
std::optional<double> length_for_tension(const UniformLine&, double span, double height, double tension);
std::optional<double> span_for_tension(const UniformLine&, double height, double tension);

}  // namespace davit::cable
