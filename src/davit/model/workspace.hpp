// Scratch of one running model: kinematics, loads, factors, results of the last evaluation. Nothing in it carries over
// from step to step; a fresh one at every step gives the same bits (a test).
#pragma once

#include <memory>
#include <vector>

#include "davit/model/block.hpp"
#include "davit/model/row.hpp"

namespace davit {

// What one evaluation of the model needs in one scalar.
template <class S>
struct EvaluationT {
  KinT<S> kin;
  LoadsT<S> loads;
  std::vector<S> w;     // control inputs
  std::vector<S> zdot;  // ż
  std::vector<std::unique_ptr<BlockWork>> block;
  std::vector<std::unique_ptr<ElementWork>> element;  // by ElementPlace::index
  std::vector<WrenchT<S>> transmitted;                // per body: the wrench its inboard joint exerts on it
};

// The motion along which the rates of rows are differentiated, see System::rate_bias.
struct RowRateWork {
  KinT<Dual8> kin;
  JacobianT<Dual8> jacobian;
  std::vector<Dual8> start, q, d, u, rate;
};

// The rows of all constraints at one configuration.
struct RowWork {
  JacobianT<double> jacobian;
  MatX G, MinvG;  // columns: generalised forces of unit multipliers, and the accelerations they cause
  MatX gram;      // G M⁻¹ Gᵀ, then its pivoted factor
  std::vector<int> order;
  std::vector<double> diagonal;  // of gram, before it was factored
  int rank = 0;
  VecX lambda;      // of the last evaluation
  VecX correction;  // multipliers of a projection onto the constraints
  VecX g, scratch;
  RowRateWork rates;  // of models whose bodies are not all rigid by their coordinates
};

// The rows of all servos and what their drives can do about them.
struct ServoWork {
  JacobianT<double> jacobian;
  MatX S;          // columns: coefficients of u̇
  MatX answer;     // columns: accelerations for a unit force of each drive
  MatX equations;  // [S response | right-hand side]
  VecX error;      // of the outputs
};

// What a step found, by whoever solved it, at one instant in it: what recorder, channels and energy show.
struct Solution {
  double t = 0;
  VecX a;                           // u̇
  VecX lambda;                      // of the constraints
  std::vector<double> w;            // inputs, with the forces of drives
  std::vector<Wrench> transmitted;  // per body
  VecX reaction_load;               // per reaction force
  template <class A>
  void archive(A& archive) {
    archive(t, a, lambda, w, transmitted, reaction_load);
  }
};

struct Workspace : EvaluationT<double> {
  VecX a;             // u̇
  Loads other_loads;  // of some forces alone, for the energy balance

  RowWork rows;
  JacobianT<double> contact_jacobian;  // of one contact

  VecX generalised, response;           // a right-hand side and the accelerations that follow from it
  std::vector<Wrench> response_wrench;  // per body
  ServoWork servo;

  // Joint forces that depend on reactions: load measures and the sensitivities they are solved with.
  VecX reaction_load;
  std::vector<Wrench> load_response;  // [i * n + k]: wrench in joint i per unit force in joint k
  MatX newton;                        // [matrix | right-hand side]
  EvaluationT<double> still;  // the configuration without velocities: for the response of wrenches under constraints
};

// Where an element is: among all of them, in z and in the discrete state.
struct ElementPlace {
  int index = 0, first_z = 0, first_slot = 0;

  // `z`: of all elements.
  template <class S>
  ContextT<S> context(const EvaluationT<S>& e, const S* z, const DiscreteState& discrete) const {
    return {e.kin, z + first_z, e.w.data(), discrete, first_slot, e.element[static_cast<size_t>(index)].get()};
  }
  // For channels.
  ContextT<double> context(const State& s, const Workspace& w) const {
    return context<double>(w, s.z.data(), s.discrete);
  }
};

}  // namespace davit
