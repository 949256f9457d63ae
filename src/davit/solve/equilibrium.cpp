// Where equilibrium is looked for: steps downhill, pseudo-transient continuation, Newton's method; why there is none.
#include "davit/solve/equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "davit/math/linear_algebra.hpp"
#include "davit/solve/rest.hpp"
#include "davit/solve/static_steps.hpp"
#include "davit/solve/stepper.hpp"

namespace davit {

namespace {

MatX symmetric(const MatX& A) { return 0.5 * (A + A.transpose()); }

bool positive(const MatX& A) { return positive_definite(symmetric(A)); }

// Moves along an increment and back onto the constraints, at rest.
bool move(System& system, const VecX& d, State& s) {
  VecX q = s.q;
  system.retract(s.q, d, q);
  s.q = q;
  const bool met = system.satisfy_constraints(s);
  s.u.setZero();
  return met;
}

// (αM + K) d = -R among the motions d = N y that the constraints allow, with √α for auxiliary states. In coordinates in
// which the reduced mass is one, free motions are a rank that is missing: the solution does not move along them.
struct Step {
  VecX d, z;
};
Step pseudo_transient_step(const RestPoint& p, double alpha) {
  const Eigen::Index n = p.N.cols(), nz = p.zdot.size();
  // N L⁻ᵀ, with the mass L Lᵀ.
  const MatX basis = solve_cholesky_factor(symmetric(p.reduced(p.lin.M)), p.N.transpose()).transpose();
  const MatX by_states = basis.transpose() * p.lin.F_z, of_states = p.lin.phi_q * basis;
  // Auxiliary states in a unit in which they act on the motion as much as it acts on them: a rank that is missing is
  // then not a matter of units.
  const auto size = [](const MatX& B) { return B.size() ? B.cwiseAbs().maxCoeff() : 0.0; };
  const double unit = size(by_states) > 0 && size(of_states) > 0 ? std::sqrt(size(of_states) / size(by_states)) : 1.0;
  MatX A(n + nz, n + nz);
  A.topLeftCorner(n, n) = basis.transpose() * p.lin.K * basis + alpha * MatX::Identity(n, n);
  A.topRightCorner(n, nz) = by_states * unit;
  A.bottomLeftCorner(nz, n) = -of_states / unit;
  A.bottomRightCorner(nz, nz) = std::sqrt(alpha) * MatX::Identity(nz, nz) - p.lin.phi_z;
  VecX right(n + nz);
  right << basis.transpose() * -p.residual, p.zdot / unit;
  if (right.size() == 0) return {VecX::Zero(p.residual.size()), VecX()};
  const VecX y = shortest_least_squares(A, right, 1e-13);
  return {basis * y.head(n), unit * y.tail(nz)};
}

// Pseudo-transient continuation from a state at rest, or Newton's method where that is near. `scale` is the size of
// accelerations that count as large.
constexpr double small_enough = 1e-9;
struct Search {
  State state;
  RestPoint point;
  bool balanced = false;
  int iterations = 0;
  Equilibrium steps;  // where the search began with steps
};
Search descend(System& system, State s, double scale, const VecX& support, Nearness start = Nearness::anywhere) {
  const bool near = start == Nearness::near;
  Search out;
  RestPoint p = rest_point(system, s, support);
  // Pseudo time step 1/√α.
  double alpha = near ? 0 : std::max(1.0, p.acceleration);
  const int most_iterations = near ? 30 : 500;
  for (; out.iterations < most_iterations && std::isfinite(p.acceleration) && p.acceleration > 1e-12 * scale;
       ++out.iterations) {
    const MatX K = p.reduced(p.slow_stiffness()), M = p.reduced(p.lin.M);
    // Uphill directions (an inverted pendulum) need enough α to be left downhill.
    const double floor = stiffness_floor(0);
    const bool on_ridge = !positive(K + floor * M);
    while (alpha < 1e12 && on_ridge && !positive(K + (alpha + floor) * M)) alpha = std::max(4 * alpha, 1e-6);
    Step step = pseudo_transient_step(p, alpha);
    const double largest = step.d.cwiseAbs().maxCoeff();
    if (!std::isfinite(largest)) break;
    if (largest > 0.2) {
      step.d *= 0.2 / largest;
      step.z *= 0.2 / largest;
    }
    State trial = s;
    trial.z += step.z;
    const bool met = move(system, step.d, trial);
    RestPoint next;
    if (met) next = rest_point(system, trial, support);
    const double ratio = met ? next.acceleration / p.acceleration : INFINITY;
    if (!(ratio < 10)) {
      alpha = std::max(10 * alpha, 1e-6);
      if (alpha > 1e12) break;
      continue;
    }
    // Nothing better can be represented.
    if (largest < 1e-15 && (step.z.size() == 0 || step.z.cwiseAbs().maxCoeff() < 1e-15)) break;
    // Nor is it where steps of Newton's method no longer make it smaller.
    if (alpha == 0 && ratio > 0.5 && p.acceleration <= small_enough * scale) break;
    // On a ridge accelerations grow on the way down: that is no reason to slow down.
    alpha *= std::clamp(ratio, 0.03, on_ridge ? 1.0 : 2.0);
    s = std::move(trial);
    meet_what_touches(system, s);
    p = std::move(next);
    if (alpha < 1e-14 || p.acceleration <= small_enough * scale) alpha = 0;
  }
  out.balanced = p.acceleration <= small_enough * scale;
  out.state = std::move(s);
  out.point = std::move(p);
  return out;
}

// Where the way is too long or too wild: a support that holds the model at the start is withdrawn little by little.
Search withdraw_support(System& system, const State& start, double scale) {
  constexpr int stages = 10, most_iterations = 1500;
  const VecX support = rest_point(system, start).residual;
  Search search;
  search.state = start;
  search.balanced = true;
  int iterations = 0;
  for (int left = stages - 1; left >= 0 && search.balanced; --left) {
    search = descend(system, search.state, scale, support * (static_cast<double>(left) / stages));
    iterations += search.iterations;
    if (left > 0 && iterations > most_iterations) search.balanced = false;
  }
  search.iterations = iterations;
  return search;
}

// By steps, which go downhill and do not jump, and then by Newton's method, which ends without the inertia of a step.
Search search_by_steps(System& system, const State& from, double scale) {
  Equilibrium steps = find_equilibrium_by_steps(system, from, StaticGrowth::gentle);
  Search out;
  if (steps.converged)
    out = descend(system, steps.state, scale, VecX::Zero(system.model().nu()), Nearness::near);
  else
    out.point.acceleration = steps.residual;
  out.iterations += steps.iterations;
  out.steps = std::move(steps);
  return out;
}

Search search_from(System& system, const State& from, double scale, Nearness nearness) {
  const VecX unsupported = VecX::Zero(system.model().nu());
  int iterations = 0;
  Search out;
  if (nearness == Nearness::near) {
    out = descend(system, from, scale, unsupported, Nearness::near);
    if (out.balanced) return out;
    iterations = out.iterations;
  }
  if (system.model().drives() == 0 && system.model().nu() > 0) {
    out = search_by_steps(system, from, scale);
  } else {
    out = descend(system, from, scale, unsupported);
    if (!out.balanced) {
      iterations += out.iterations;
      out = withdraw_support(system, from, scale);
    }
  }
  out.iterations += iterations;
  return out;
}

// What is left of motions without stiffness when those that auxiliary states answer to are taken out: a filter or an
// integrator may hold what no spring does.
MatX unnoticed(const MatX& motions, const MatX& phi_q) {
  if (phi_q.rows() == 0 || motions.cols() == 0) return motions;
  return motions * kernel(phi_q * motions, 1e-9);
}

// One sentence for each independent motion in a subspace, told by a speed that no other of them has.
std::vector<std::string> names_of(const MatX& motions, const std::vector<std::string>& speeds) {
  std::vector<std::string> out;
  const Eigen::Index n = motions.cols();
  if (n == 0) return out;
  const std::vector<int> order = pivot_columns(motions.transpose());
  MatX pivots(n, n);
  for (Eigen::Index i = 0; i < n; ++i) pivots.row(i) = motions.row(order[static_cast<size_t>(i)]);
  const MatX basis = motions * inverse(pivots);
  for (Eigen::Index i = 0; i < n; ++i) out.push_back(describe_shape(basis.col(i), speeds));
  return out;
}

}  // namespace

namespace {

// With contacts: implicit Euler steps from rest, each the displacement that lowers the energy most for its length in
// the metric of M, with growing steps. Contacts close and stick as in motion; friction holds what stays where it was
// placed.
Equilibrium settle(System& system, const State& start) {
  Equilibrium out;
  out.state = start;
  State s = start;
  const auto stepper = make_implicit(ImplicitMethod::implicit_euler, system.model());
  constexpr double longest = 10;  // s
  double h = 0.02;
  for (; out.iterations < 500; ++out.iterations) {
    s.u.setZero();
    s.t = start.t - h;  // loads are those of the start
    stepper->restart(s);
    const State before = s;
    if (!stepper->step(system, s, h).ok) {
      s = before;
      h /= 4;
      if (h < 1e-6) break;
      continue;
    }
    out.residual = s.u.cwiseAbs().maxCoeff() / h;
    if (out.residual < 1e-7) {
      out.converged = out.stable = true;
      out.state = s;
      out.state.u.setZero();
      out.state.t = start.t;
      out.state.step = start.step;
      out.state.integrator_history.resize(0);
      return out;
    }
    h = std::min(1.5 * h, longest);
  }
  out.why = "the bodies do not come to rest on their contacts near the start";
  return out;
}

}  // namespace

std::string no_equilibrium(double acceleration) {
  char number[32];
  std::snprintf(number, sizeof number, "%.2g", acceleration);
  return std::string("no equilibrium was found near the start (accelerations of ") + number + " remain)";
}

namespace {

// Beyond this many speeds dense matrices take too long.
constexpr int most_dense_speeds = 60;

Equilibrium search_equilibrium(System& system, const State& start, Nearness nearness) {
  if (!system.model().contacts().empty()) return settle(system, start);
  if (system.model().nu() > most_dense_speeds && system.model().drives() == 0)
    return find_equilibrium_by_steps(system, start);
  Equilibrium out;
  out.state = start;
  out.state.u.setZero();
  State from = out.state;
  if (!move(system, VecX::Zero(system.model().nu()), from)) {
    out.why = system.failure().element + ": " + system.failure().why;
    return out;
  }
  const double unbalanced = rest_point(system, from).acceleration;
  const double scale = std::max(1.0, unbalanced);
  // Long steps would carry what rests already along motions that only round-off drives.
  const Nearness start_is = unbalanced <= small_enough ? Nearness::near : nearness;
  // A search that began on a line of symmetry may end on a saddle: push it off along the direction that falls.
  for (int attempt = 0; attempt < 6; ++attempt) {
    const Search search = search_from(system, from, scale, attempt == 0 ? start_is : Nearness::anywhere);
    const RestPoint& p = search.point;
    out.iterations += search.iterations;
    out.residual = p.acceleration;
    if (!search.balanced) {
      if (out.converged) return out;  // the saddle is all there is near the start
      // Where a force has a kink, steps end on it and Newton's method does not.
      if (search.steps.converged && search.steps.stable) return search.steps;
      out.why = no_equilibrium(out.residual);
      return out;
    }
    out.converged = true;
    out.state = search.state;
    out.stable = true;
    if (p.N.cols() == 0) return out;
    const SymmetricEigen modes =
        symmetric_eigen(symmetric(p.reduced(p.slow_stiffness())), symmetric(p.reduced(p.lin.M)));
    const VecX& stiffness = modes.values;
    const double floor = stiffness_floor(stiffness.cwiseAbs().maxCoeff());
    out.stable = stiffness[0] > -floor;
    if (out.stable) {
      const auto below = std::partition_point(stiffness.begin(), stiffness.end(), [&](double k) { return k < floor; });
      const MatX loose = p.N * modes.vectors.leftCols(below - stiffness.begin());
      out.free_motions = names_of(unnoticed(loose, p.lin.phi_q), system.model().speed_names());
      return out;
    }
    VecX push = p.N * modes.vectors.col(0);
    push *= 1e-2 / push.cwiseAbs().maxCoeff();
    from = search.state;
    if (!move(system, push, from)) return out;
  }
  return out;
}

}  // namespace

std::optional<std::string> why_it_cannot_rest(System& system, const State& state) {
  system.place_bodies<double>(system.workspace(), state.t, state.q.data(), state.u.data(), state.discrete);
  for (const auto& f : system.model().forces())
    if (auto why = f.element->cannot_rest(f.context(system.workspace(), state.z.data(), state.discrete))) return why;
  return std::nullopt;
}

namespace {

double farthest_apart(System& system, const State& a, const State& b) {
  const auto places = [&](const State& s) {
    system.place_bodies<double>(system.workspace(), s.t, s.q.data(), s.u.data(), s.discrete);
    return system.workspace().kin.body;
  };
  const auto from = places(a), to = places(b);
  double out = 0;
  for (size_t i = 0; i < from.size(); ++i) out = std::max(out, (to[i].p - from[i].p).norm());
  return out;
}

// Where more friction would be needed than there is, though what touches has only settled: a box that comes down on an
// edge shortens the way between its feet. It slips as far as friction lets it; what comes to rest far away has slid.
std::optional<Equilibrium> let_slip(System& system, const Equilibrium& held) {
  constexpr double far = 0.05;  // m
  State slipping = held.state;
  hold_where_it_touches(system, slipping);
  Equilibrium out = search_equilibrium(system, slipping, Nearness::near);
  out.iterations += held.iterations;
  if (!out.converged || why_it_cannot_rest(system, out.state)) return std::nullopt;
  return farthest_apart(system, held.state, out.state) < far ? std::optional(out) : std::nullopt;
}

}  // namespace

Equilibrium find_equilibrium(System& system, const State& start, Nearness nearness) {
  Equilibrium out = search_equilibrium(system, start, nearness);
  if (!out.converged) return out;
  const auto why = why_it_cannot_rest(system, out.state);
  if (!why) return out;
  if (const auto slipped = let_slip(system, out)) return *slipped;
  out.converged = false;
  out.why = *why;
  return out;
}

}  // namespace davit
