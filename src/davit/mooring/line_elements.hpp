// What a mooring line is divided into: how fine for a stated accuracy, and bars or beams.
#pragma once

#include <string>
#include <vector>

#include "davit/cable/properties.hpp"

namespace davit::mooring {

// Bars have no bending; ANCF beams have it. Automatic: beams where bending counts.
enum class ElementKind { automatic, bar, ancf };

// How fine a line must be for an error of its tension (rms over its deviation) under the motion of a fairlead: length
// of bars over λ = √(H/k), H the horizontal tension and k the stiffness of the bed, and steps in a period of the
// motion.
struct Fineness {
  double bar_length, steps;
};
constexpr double finest_accuracy = 0.01, coarsest_accuracy = 0.05;
// Between the accuracies that were measured, 5, 2 and 1 %, by powers of it.
Fineness fineness_for(double accuracy);

// m, of bars and of beams; λ is taken as one metre at least. (Beams of twice the length do as well where the line moves
// much, but not in a slack line whose tension hardly changes.)
double bar_length_for(double accuracy, double horizontal_tension, double bed_stiffness);

// How a line bends at its ends and at the touchdown: over √(EI/T). Bars can stand in for it while that is short against
// them.
double bending_length(const std::vector<cable::Section>& sections, double tension);
bool bending_counts(double bending_length, double bar_length);

}  // namespace davit::mooring
