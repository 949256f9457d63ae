// Whether the desired motion can begin where the crane is. Methods by time steps begin there, and make up in the first
// of them for what does not fit, with whatever forces that takes.
#pragma once

#include <optional>

#include "davit/inverse_dynamics/servo_problem.hpp"

namespace davit::inverse_dynamics {

struct ConsistentStart {
  State state;             // the nearest from which the motion can begin
  double beside = 0;       // how far it is from the given one, in units of the coordinates
  std::string coordinate;  // that differs most, by so much
  double by = 0;
  // What is beside by less than this costs nothing that counts.
  bool given() const { return beside < 1e-6; }
};
// By the derivative array of an order, which all parts of the model must have (`without_series`); nothing where it has
// no solution at the start.
std::optional<ConsistentStart> find_consistent_start(const ServoProblem&, int array_order);

// How far the crane is from rest at the start with the best of multipliers and inputs: what is left of the equations of
// motion, in units of its loads.
double unrest_at_start(const ServoProblem&);

}  // namespace davit::inverse_dynamics
