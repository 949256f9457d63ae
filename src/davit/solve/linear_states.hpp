// Which of a model's numbers are the states of its linear model, and how all others follow from them.
#pragma once

#include "davit/linear/state_space.hpp"
#include "davit/solve/equation_point.hpp"

namespace davit {

// A signal that is an input: its derivative of this order, with those below as states.
struct SignalOrder {
  int signal = 0, derivative = 0;
};
// Nothing where the equations do not read the signal.
std::optional<int> highest_read(const EquationDerivatives&, const ArgumentPlaces&, int signal);

class LinearStates {
 public:
  LinearStates(const Model&, const ArgumentPlaces&, const EquationDerivatives&, const Unknowns&, Loop,
               const std::vector<SignalOrder>&);

  int size() const { return static_cast<int>(states_.size()); }
  int mechanical() const { return static_cast<int>(coordinates_.free.size() + speeds_.free.size()); }
  std::vector<linear::Variable> names() const;
  // Unit changes of each state, then of the inputs that `inputs` has in columns, with all that follows by constraints.
  MatX arguments(const MatX& inputs) const;
  // The rates of the states from completed arguments. `drift`: ḋ beside u, per coordinate.
  MatX rates(const MatX& arguments, const MatX& drift) const;

 private:
  struct Tie {  // rows that determine some coordinates or speeds from all other arguments
    std::vector<int> rows, dependent, free;
  };
  void clean(MatX& rates) const;
  Tie tie(const std::vector<int>& rows, const MatX& by) const;

  const Model& model_;
  ArgumentPlaces places_;
  const EquationDerivatives& derivatives_;
  Tie coordinates_, speeds_;
  std::vector<int> states_;  // places of the arguments that are states
};

}  // namespace davit
