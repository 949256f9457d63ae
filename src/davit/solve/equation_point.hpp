// An instant of a model with all that its equations need there, and how accelerations, multipliers and forces of drives
// answer to small changes. Coordinates without mass that rows tie to others are welcome.
#pragma once

#include "davit/solve/equation_derivatives.hpp"

namespace davit {

// Which multipliers and forces of drives are unknown beside the accelerations.
struct Unknowns {
  std::vector<int> rows;    // the independent ones; the others follow from them and carry nothing
  std::vector<int> drives;  // those of servos that are not sampled, in a closed loop
};

// Rows of a matrix that are independent, the most independent first.
std::vector<int> independent_rows(const MatX& rows);

class AccelerationAnswer {
 public:
  // Throws std::runtime_error when a motion has no inertia, and names it.
  AccelerationAnswer(const Model&, const ArgumentPlaces&, const EquationDerivatives&, const Unknowns&);
  // Of F, g̈ and the demands of servos that are off zero, in columns: what brings them back, as arguments.
  MatX to(const MatX& F, const MatX& second, const MatX& demand) const;
  // Completes changes of the other arguments, in columns, so that all equations still hold.
  void complete(MatX& arguments) const;

 private:
  ArgumentPlaces places_;
  const EquationDerivatives& derivatives_;
  Unknowns unknowns_;
  MatX matrix_;
  VecX row_scale_, column_scale_;
};

// Of a state that meets the constraints, with the loop closed. Throws std::runtime_error when there is no solution.
EquationPoint find_equation_point(System&, ModelEquations&, const State&, Unknowns&);

}  // namespace davit
