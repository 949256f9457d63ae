// Characteristic units of a servo problem: all ranks, tolerances and convergence are judged on numbers without
// dimension, so that a crane is the same in tonnes and in grams, in the laboratory and in the yard.
#pragma once

#include "davit/inverse_dynamics/servo_equations.hpp"

namespace davit::inverse_dynamics {

// Of one unit of length L, which the model and its motion have, and the time T that is given:
//   coordinates    what moves some body by L, or turns it by one radian,
//   energy         the largest that the loads at rest do over one unit of a coordinate, or that a coordinate has with
//                  one unit of it in the time of the whole motion,
//   constraints    what one unit of a coordinate does to the row at the most; outputs likewise,
//   multipliers and inputs   what does that energy over one unit of their row or their coordinates.
struct Units {
  double length = 1, energy = 1, time = 1;
  VecX coordinates, motion, constraints, multipliers, outputs, inputs;
  VecX inertias;  // of coordinates, by the largest: from 0 to 1
};
Units units_of(const ServoProblem&, double time);

// The largest of a part of changes beside what changes, both in units.
double relative_size(const VecX& change, const VecX& of, const VecX& unit);

}  // namespace davit::inverse_dynamics
