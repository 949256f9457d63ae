#include "davit/inverse_dynamics/internal_dynamics.hpp"

#include <stdexcept>

#include "davit/math/pencil.hpp"

namespace davit::inverse_dynamics {

std::optional<Poles> internal_poles(ServoEquations& equations, const Units& units, const Instant& at) {
  equations.linearise(at);
  const int n = equations.speeds(), m = equations.constraints(), p = equations.inputs(), size = 2 * n + m + p;
  if (equations.outputs() != p) return std::nullopt;
  const double T = units.time;
  const auto of_motion = [&](const MatX& matrix, const VecX& columns) {
    return MatX(units.motion.cwiseInverse().asDiagonal() * matrix * columns.asDiagonal());
  };
  const auto of_rows = [&](const MatX& gradient, const VecX& rows) {
    return MatX(rows.cwiseInverse().asDiagonal() * gradient * units.coordinates.asDiagonal());
  };
  const MatX &G = equations.constraint_tangent.gradient, &S = equations.output_tangent.gradient;
  // Unknowns d, u, λ, w in units; time in T.
  MatX A = MatX::Zero(size, size), E = A;
  E.topLeftCorner(n, n).setIdentity();
  A.block(0, n, n, n).setIdentity();
  E.block(n, n, n, n) = of_motion(equations.M, units.coordinates / (T * T));
  A.block(n, 0, n, n) = -of_motion(equations.K, units.coordinates);
  A.block(n, n, n, n) = -of_motion(equations.D, units.coordinates / T);
  A.block(n, 2 * n, n, m) = of_motion(G.transpose(), units.multipliers);
  A.block(n, 2 * n + m, n, p) = of_motion(equations.B, units.inputs);
  A.block(2 * n, 0, m, n) = of_rows(G, units.constraints);
  A.block(2 * n + m, 0, p, n) = of_rows(S, units.outputs);
  try {
    Poles poles = finite_eigenvalues(A, E);
    for (auto& pole : poles) pole /= T;
    return poles;
  } catch (const std::domain_error&) {
    return std::nullopt;
  }
}

}  // namespace davit::inverse_dynamics
