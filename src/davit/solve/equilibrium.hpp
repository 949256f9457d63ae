// Static equilibrium: F = Gᵀλ and g = 0 at rest. Implicit steps from rest (solve/static_steps.hpp) go downhill in
// potential energy along the constraints from the start, so they find the stable equilibrium nearby and not just any;
// Newton's method with exact derivatives ends the search. Auxiliary states settle too (ż = 0). With servos
// pseudo-transient continuation goes downhill instead, with contacts the implicit steps of a run.
#pragma once

#include <optional>
#include <string>

#include "davit/dynamics/system.hpp"

namespace davit {

struct Equilibrium {
  State state;  // at rest; the start state where not converged
  bool converged = false;
  bool stable =
      false;  // the stiffness under the constraints is positive (semi-)definite; false: only a saddle was found
  std::vector<std::string> free_motions;  // that nothing holds and nothing drives, e.g. the surge of a vessel
  int iterations = 0;
  double residual = 0;  // largest acceleration that remains at rest (rad/s², m/s²)
  std::string why;      // when not converged
};
// Of a state in which all forces are in balance: what would slide all the same, in words.
std::optional<std::string> why_it_cannot_rest(System&, const State&);

// Whether the start is an equilibrium of nearly the same model, after a small change: then Newton's method is tried
// first.
enum class Nearness { anywhere, near };
Equilibrium find_equilibrium(System&, const State& start, Nearness = Nearness::anywhere);

}  // namespace davit
