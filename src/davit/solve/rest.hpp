// A model at rest under its constraints: what statics and modes share. Motions that the constraints allow are N y, with
// N a basis of the null space of G, so rows that follow from others do no harm.
#pragma once

#include "davit/dynamics/system.hpp"

namespace davit {

struct RestPoint {
  VecX residual;            // F - Gᵀλ
  VecX lambda;              // multipliers that leave the least acceleration; zero of dependent rows
  Linearisation lin;        // K has the change of Gᵀλ with the configuration
  MatX N;                   // nu × (nu - rank)
  VecX zdot;                // φ
  double acceleration = 0;  // largest of |u̇| under the constraints and |φ|

  MatX reduced(const MatX& A) const { return N.transpose() * A * N; }
  // K of a motion so slow that auxiliary states follow: filters and integrators hold what no spring does.
  MatX slow_stiffness() const;
};

// At the configuration, auxiliary states and time of a state that meets the constraints, with all speeds zero.
// `support` are generalised forces beside those of the model.
RestPoint rest_point(System& system, const State& state, const VecX& support);
inline RestPoint rest_point(System& system, const State& state) {
  return rest_point(system, state, VecX::Zero(system.model().nu()));
}

// What friction holds, of all elements (model/holds_by_friction.hpp).
void hold_where_it_touches(System& system, State& state);
void meet_what_touches(System& system, State& state);

// Eigenvalues ω² of K under the constraints count as zero below this.
double stiffness_floor(double stiffest);

// A shape in words: "+1.00 boom.angle, -0.31 load.angle1".
std::string describe_shape(const VecX& shape, const std::vector<std::string>& names);

}  // namespace davit
