// All equations of a model about one instant, differentiated by everything that they depend on: what a linear model is
// made of (linear_model.hpp). Exact, by the same templates on dual numbers that a run evaluates.
#pragma once

#include "davit/dynamics/system.hpp"

namespace davit {

// Closed: controllers and servos act, and inputs are added to what they command. Open: inputs keep the values of the
// instant, but for what is added to them.
enum class Loop { closed, open };

// Where the equations are differentiated.
struct EquationPoint {
  State state;
  VecX a, lambda, drive;  // accelerations, multipliers of all rows, forces of the drives of servos
  VecX w;                 // inputs
};

// Places of the arguments among the columns of derivatives. A signal has three: its value, rate and acceleration.
struct ArgumentPlaces {
  explicit ArgumentPlaces(const Model& model);
  int d = 0, u, z, a, lambda, drive, input, signal, size;
};

struct EquationDerivatives {
  // Values, and derivatives by all arguments in columns.
  struct Part {
    VecX value;
    MatX by;
  };
  Part F;                  // M a + c - f - Gᵀλ, with the forces of drives in f
  Part phi;                // ż
  Part row, rate, second;  // g, ġ and g̈ of all rows; g of rows on speeds alone is zero
  Part demand;             // S u̇ - s of servos
  Part w;                  // inputs, within their limits
  Part y;                  // outputs
};

class ModelEquations {
 public:
  ModelEquations(System& system, std::vector<Output> outputs);

  const ArgumentPlaces& places() const { return places_; }
  EquationDerivatives derivatives(const EquationPoint&, Loop) const;
  // Puts what channels show of an instant that is off by `arguments` into the system's workspace and into `state`.
  // Signals stay off in it until `follow_signals`.
  void show(const EquationPoint&, Loop, const VecX& arguments, State& state);
  void follow_signals() { system_.workspace().kin.deviations = nullptr; }

 private:
  template <class S>
  struct Arguments;
  template <class S>
  struct Values;
  template <class S>
  void evaluate(const EquationPoint&, Loop, const Arguments<S>&, EvaluationT<S>&, Values<S>&) const;
  template <class S>
  void apply_controllers(const EquationPoint&, Loop, const Arguments<S>&, EvaluationT<S>&) const;
  template <class S>
  void apply_drives(const Arguments<S>&, EvaluationT<S>&) const;
  template <class S>
  void evaluate_rows(const Arguments<S>&, EvaluationT<S>&, Values<S>&) const;
  template <class S>
  void evaluate_servos(const EquationPoint&, const Arguments<S>&, EvaluationT<S>&, Values<S>&) const;
  VecX bias_at(const State&) const;
  void correct_bias(const EquationPoint&, EquationDerivatives::Part& second) const;

  System& system_;
  const Model& model_;
  std::vector<Output> outputs_;
  ArgumentPlaces places_;
  ActingElements forces_;  // without controllers
  std::vector<SignalDeviation<double>> shown_signals_;
};

}  // namespace davit
