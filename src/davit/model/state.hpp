// All that changes during a run, enough to continue bit for bit (with implicit methods after every 16th step:
// solve/stepper.hpp). Copy it and you have a snapshot.
#pragma once

#include <cstdint>

#include "davit/math/archive.hpp"
#include "davit/math/export.hpp"
#include "davit/math/types.hpp"
#include "davit/model/discrete_state.hpp"

namespace davit {

struct DAVIT_API State {
  double t = 0;
  VecX q;                   // coordinates of all blocks
  VecX u;                   // generalised speeds
  VecX z;                   // auxiliary states of forces and controllers
  VecX lambda;              // last multipliers of the constraints, then of the contacts: warm start, and contact forces
  VecX integrator_history;  // what a multi-step method keeps of the last step; empty: nothing
  DiscreteState discrete;
  std::vector<double> operation;  // how far the operation is: its own; empty where there is none
  std::int64_t step = 0;
  // What step control remembers: the step it would try next (0: none yet) and the last error in units of the tolerance.
  double next_step = 0, step_error = 1e-4;
  VecX load_peaks;  // largest load so far of every force that acts one way; empty where steps need not resolve them

  // A hash of every member: two runs are identical when their hashes are.
  std::uint64_t hash() const;

  // Whether it could be a state of the same model: the same sizes throughout.
  bool fits(const State& other) const;
  template <class A>
  void archive(A& a) {
    a(t, q, u, z, lambda, integrator_history, discrete, operation, step, next_step, step_error, load_peaks);
  }
};

}  // namespace davit
