// What kind of problem a servo problem is: what a user cannot see from a file, found by the ranks of its derivative
// array (derivative_array.hpp) at a few instants of the motion.
#pragma once

#include <complex>
#include <optional>

#include "davit/inverse_dynamics/servo_problem.hpp"

namespace davit::inverse_dynamics {

// How inputs realise the outputs, Blajer; 4.1.1 of the thesis: the rank of P = S M⁻¹ Bᵀ among motions that the
// constraints allow.
enum class Realisation { orthogonal, mixed, tangential };
const char* name_of(Realisation);

struct Analysis {
  int speeds = 0, independent_constraints = 0, degrees_of_freedom = 0, massless_motions = 0;
  int inputs = 0, outputs = 0;
  int input_rank = 0, output_rank = 0, coupling_rank = 0;  // of B, S and P
  Realisation realisation = Realisation::orthogonal;

  // The differentiation index; none: inputs do not follow from the outputs within the orders that are looked at.
  std::optional<int> index;
  // Derivatives of the desired motion that inputs depend on: it must have them continuous for continuous inputs.
  int derivatives() const { return index ? *index - 1 : 0; }
  // Motion and inputs follow from the desired motion alone, (4.53). If not, internal dynamics of so many states …
  bool flat = false;
  // Flat about rest, where the linear model has no finite zeros; elsewhere what is left of internal motion is so fast
  // that the plan follows its slow part (a load on a rod whose place follows).
  bool flat_about_rest = false;
  int internal_states = 0;
  std::vector<std::complex<double>> internal_poles;  // … with these poles about the start, 1/s
  bool internal_stable() const;
  // The derivative of each output row in which inputs appear first; 0: in none that is looked at.
  std::vector<int> relative_degrees;
  // Rows of outputs that inputs cannot move at all.
  std::vector<int> unreachable;

  // The narrowest gap that ranks were decided by: what counts, by what is taken for zero.
  double least_gap = 0;
  bool ranks_clear() const { return least_gap == 0 || least_gap > 1e3; }

  std::vector<double> looked_at;       // instants
  std::vector<double> singular_times;  // among them, where ranks are lower
};
Analysis analyse(const ServoProblem&);

// Coordinates that would do as one more output, and what the problem is with each.
struct AlternativeOutput {
  std::string name;
  CoordinateIndex at;
  bool regular = false;  // flat with it
  std::optional<int> index;
};
std::vector<AlternativeOutput> alternative_outputs(const ServoProblem&);

}  // namespace davit::inverse_dynamics
