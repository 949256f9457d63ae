// Motions that constraints allow, stiffness along them, and a motion of the model in words.
#include "davit/solve/rest.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "davit/math/linear_algebra.hpp"
#include "davit/model/forces_with.hpp"
#include "davit/model/holds_by_friction.hpp"

namespace davit {

namespace {

double largest(const VecX& x) { return x.size() ? x.cwiseAbs().maxCoeff() : 0.0; }

// Unit directions that do not move: the rows of constraints that are independent, then the joints that drives hold.
MatX held_directions(System& system, const State& s) {
  const Model& model = system.model();
  const RowWork& rows = system.rows_at(s);
  MatX held = MatX::Zero(model.nu(), rows.rank + model.drives());
  int column = 0;
  for (; column < rows.rank; ++column)
    held.col(column) = rows.G.col(rows.order[static_cast<size_t>(column)]).normalized();
  for (const auto& servo : model.servos())
    for (const int speed : servo.element->speeds()) held(speed, column++) = 1;
  return held;
}

void each_that_holds(System& system, State& state,
                     void (HoldsByFriction::*act)(const ContextT<double>&, DiscreteState&) const) {
  const auto holding = forces_with<HoldsByFriction>(system.model());
  if (holding.empty()) return;
  system.place_bodies<double>(system.workspace(), state.t, state.q.data(), state.u.data(), state.discrete);
  for (const auto& f : holding) (f.as->*act)(f.context(state, system.workspace()), state.discrete);
}

}  // namespace

RestPoint rest_point(System& system, const State& state, const VecX& support) {
  const Model& model = system.model();
  const int nu = model.nu();
  RestPoint out;
  State s = state;
  s.u.setZero();
  const VecX none = VecX::Zero(nu);
  EvaluationT<double> e;
  model.prepare(e);
  out.residual.resize(nu);
  system.residual<double>(e, s.t, s.q.data(), s.u.data(), s.z.data(), s.discrete, none.data(), out.residual.data(),
                          nullptr);
  out.residual -= support;
  out.zdot = Eigen::Map<const VecX>(e.zdot.data(), model.nz());
  const MatX held = held_directions(system, s);
  if (held.cols() > 0) {
    // H M⁻¹Hᵀ μ = H M⁻¹F leaves accelerations that nothing holds.
    const MatX answer = solve_ldlt(system.mass_matrix(s), held);
    const VecX multipliers = solve_ldlt(held.transpose() * answer, VecX(answer.transpose() * out.residual));
    out.residual -= held * multipliers;
    out.lambda = VecX::Zero(model.rows());
    const RowWork& rows = system.workspace().rows;
    for (int i = 0; i < rows.rank; ++i) {
      const int row = rows.order[static_cast<size_t>(i)];
      out.lambda[row] = multipliers[i] / rows.G.col(row).norm();
    }
    out.N = orthogonal_frame(held).rightCols(nu - held.cols());
  } else {
    out.N = MatX::Identity(nu, nu);
  }
  out.lin = system.linearise(s, none, out.lambda);
  out.acceleration = std::max(largest(solve_lu(out.lin.M, out.residual)), largest(out.zdot));
  return out;
}

// K + ∂F/∂z (s − φ_z)⁻¹ φ_q at a small s: of an integrator of gain k it is k/s.
MatX RestPoint::slow_stiffness() const {
  if (zdot.size() == 0) return lin.K;
  constexpr double slow = 1e-4;  // 1/s
  const MatX states = slow * MatX::Identity(zdot.size(), zdot.size()) - lin.phi_z;
  return lin.K + lin.F_z * solve_lu(states, MatX(lin.phi_q));
}

void hold_where_it_touches(System& system, State& state) {
  each_that_holds(system, state, &HoldsByFriction::hold_where_it_touches);
}

void meet_what_touches(System& system, State& state) {
  each_that_holds(system, state, &HoldsByFriction::meet_what_touches);
}

double stiffness_floor(double stiffest) { return 1e-9 + 1e-11 * stiffest; }

std::string describe_shape(const VecX& shape, const std::vector<std::string>& names) {
  std::vector<Eigen::Index> order(static_cast<size_t>(shape.size()));
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return std::abs(shape[a]) > std::abs(shape[b]); });
  std::string text;
  for (size_t i = 0; i < order.size() && i < 4; ++i) {
    const double x = shape[order[i]];
    if (std::abs(x) < 0.02) break;
    char number[32];
    std::snprintf(number, sizeof number, "%+.2f ", x);
    text += (i ? ", " : "") + std::string(number) + names[static_cast<size_t>(order[i])];
  }
  return text;
}

}  // namespace davit
