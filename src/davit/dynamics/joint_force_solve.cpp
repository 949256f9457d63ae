// Forces in joints that depend on the accelerations: of drives that make outputs follow, and of bearing friction. Both
// are found with the mass factor at hand, from the response of accelerations and wrenches to a unit force in each
// joint.
#include <algorithm>
#include <cmath>

#include "davit/dynamics/pivoted_cholesky.hpp"
#include "davit/dynamics/system.hpp"

namespace davit {

namespace {

// Servo rows of unit size whose pivot is below this cannot be met.
constexpr double singular = 1e-9;

// Gaussian elimination with partial pivoting on [A | b] in place; false when singular, which is when no pivot is above
// the smallest. Tiny systems, no allocation.
bool solve_in_place(MatX& ab, double smallest = 0) {
  const Eigen::Index n = ab.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < n; ++i)
      if (std::abs(ab(i, k)) > std::abs(ab(pivot, k))) pivot = i;
    if (!(std::abs(ab(pivot, k)) > smallest)) return false;
    if (pivot != k)
      for (Eigen::Index j = k; j <= n; ++j) std::swap(ab(k, j), ab(pivot, j));
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const double factor = ab(i, k) / ab(k, k);
      for (Eigen::Index j = k; j <= n; ++j) ab(i, j) -= factor * ab(k, j);
    }
  }
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    for (Eigen::Index j = k + 1; j < n; ++j) ab(k, n) -= ab(k, j) * ab(j, n);
    ab(k, n) /= ab(k, k);
  }
  return true;
}

}  // namespace

// The configuration at rest, for the response of wrenches under constraints.
void System::prepare_response() {
  if (model_.rows() == 0) return;
  for (size_t i = 0; i < work_.kin.body.size(); ++i) {
    const auto& k = work_.kin.body[i];
    auto& still = work_.still.kin.body[i];
    still.R = k.R;
    still.p = k.p;
    still.r = k.r;
  }
}

// The accelerations due to the generalised forces in the workspace, under the constraints, and the change of the
// transmitted wrenches. With constraints a = M⁻¹(r + Gᵀλ), G a = 0, and the wrenches are those of a and of the row's
// own wrenches on the bodies: what a joint transmits is not told by Gᵀλ alone.
void System::unit_responses(bool wrenches) {
  const bool constrained = model_.rows() > 0;
  for (size_t i = 0; i < model_.blocks().size(); ++i) {
    const auto& b = model_.blocks()[i];
    b.block->solve_mass(work_.kin, *work_.block[i], work_.generalised.data() + b.first_u,
                        work_.response.data() + b.first_u,
                        wrenches && !constrained ? work_.response_wrench.data() : nullptr);
  }
  if (!constrained) return;
  RowWork& rows = work_.rows;
  rows.correction.noalias() = -rows.G.transpose().lazyProduct(work_.response);
  pivoted_solve(rows.gram, rows.order, rows.rank, rows.correction, rows.scratch);
  work_.response.noalias() += rows.MinvG.lazyProduct(rows.correction);
  if (!wrenches) return;
  EvaluationT<double>& still = work_.still;
  still.loads.clear();
  std::copy(work_.loads.added.begin(), work_.loads.added.end(), still.loads.added.begin());
  apply_rows<double>(still, rows.jacobian, rows.correction.data());
  for (size_t i = 0; i < model_.blocks().size(); ++i) {
    const auto& b = model_.blocks()[i];
    b.block->momentum_rate(still.kin, work_.response.data() + b.first_u, still.loads, *still.block[i],
                           step_.data() + b.first_u, work_.response_wrench.data());
  }
}

// Adds the generalised forces in the workspace, and the response to them, to the evaluation.
void System::add_response(bool wrenches) {
  unit_responses(wrenches);
  work_.a += work_.response;
  for (Eigen::Index i = 0; i < work_.generalised.size(); ++i)
    work_.loads.tau[static_cast<size_t>(i)] += work_.generalised[i];
  if (model_.rows() > 0) {
    work_.rows.lambda += work_.rows.correction;
    if (wrenches) apply_rows<double>(work_, work_.rows.jacobian, work_.rows.correction.data());
  }
  if (wrenches)
    for (size_t i = 0; i < work_.transmitted.size(); ++i) work_.transmitted[i] += work_.response_wrench[i];
}

// S, its right-hand side (the last column of the equations) and what outputs are off by.
void System::collect_servo_rows(const DiscreteState& discrete) {
  ServoWork& servo = work_.servo;
  const Eigen::Index n = model_.drives();
  servo.jacobian.clear();
  Eigen::Index first = 0;
  for (const auto& s : model_.servos()) {
    const size_t entries = servo.jacobian.entries.size(), speeds = servo.jacobian.speeds.size();
    s.element->desired_accelerations(context_of(s, discrete), servo.jacobian, servo.equations.col(n).data() + first,
                                     servo.error.data() + first);
    servo.jacobian.shift_rows(entries, speeds, static_cast<int>(first));
    first += static_cast<Eigen::Index>(s.element->speeds().size());
  }
  servo.S.setZero();
  add_generalised(servo.jacobian, servo.S);
}

// Forces f of all drives from S (a + A f) = right, with A the accelerations for unit forces. Sampled drives keep the
// forces that they hold. What exceeds a drive's limit is cut, and then the rows are missed.
bool System::solve_servos(const DiscreteState& discrete, bool wrenches) {
  ServoWork& servo = work_.servo;
  const Eigen::Index n = model_.drives();
  collect_servo_rows(discrete);
  prepare_response();
  Eigen::Index first = 0;
  for (const auto& s : model_.servos())
    for (const int speed : s.element->speeds()) {
      work_.generalised.setZero();
      work_.generalised[speed] = 1;
      unit_responses(false);
      servo.answer.col(first++) = work_.response;
    }
  servo.equations.col(n).noalias() -= servo.S.transpose().lazyProduct(work_.a);
  servo.equations.leftCols(n).noalias() = servo.S.transpose().lazyProduct(servo.answer);
  first = 0;
  for (const auto& s : model_.servos()) {
    const double* held = sampling_ ? nullptr : s.element->held(context_of(s, discrete));
    for (size_t k = 0; k < s.element->speeds().size(); ++k, ++first)
      if (held) {
        servo.equations.row(first).setZero();
        servo.equations(first, first) = 1;
        servo.equations(first, n) = held[k];
      }
  }
  for (Eigen::Index i = 0; i < n; ++i) servo.equations.row(i) /= servo.equations.row(i).head(n).cwiseAbs().maxCoeff();
  const bool solved = solve_in_place(servo.equations, singular);
  work_.generalised.setZero();
  first = 0;
  for (size_t i = 0; i < model_.servos().size(); ++i) {
    const Servo& s = *model_.servos()[i].element;
    for (size_t k = 0; k < s.speeds().size(); ++k, ++first) {
      double force = servo.equations(first, n);
      if (!solved || !std::isfinite(force)) {
        fault_ = Fault::servo;
        fault_index_ = i;
        return false;
      }
      const auto port = static_cast<size_t>(s.inputs()[k]);
      force = std::clamp(force, model_.inputs()[port].lower, model_.inputs()[port].upper);
      work_.w[port] = force;
      work_.generalised[s.speeds()[k]] += force;
    }
  }
  add_response(wrenches);
  return true;
}

// Sampled drives take the forces that would do now, and hold them.
bool System::sample_servos(State& state) {
  bool due = false;
  for (const auto& s : model_.servos()) due = due || s.element->due(context_of(s, state.discrete));
  if (!due) return false;
  sampling_ = true;
  evaluate(state, Want::accelerations);
  sampling_ = false;
  for (const auto& s : model_.servos())
    if (s.element->due(context_of(s, state.discrete))) s.element->hold(context_of(s, state.discrete), state.discrete);
  return true;
}

// Forces -φ(u) N in joints whose load N depends on the wrench they transmit. That wrench is affine in the forces:
// W_i = W⁰_i - Σ_k W_ik φ_k N_k. Newton on N_i = load_i(W_i), then one more solve adds the forces to the accelerations.
bool System::solve_reaction_forces() {
  const auto& forces = model_.reaction_forces();
  const size_t n = forces.size();
  prepare_response();
  for (size_t k = 0; k < n; ++k) {
    work_.generalised.setZero();
    work_.generalised[forces[k]->speed()] = 1;
    unit_responses(true);
    for (size_t i = 0; i < n; ++i)
      work_.load_response[i * n + k] = work_.response_wrench[static_cast<size_t>(forces[i]->body())];
  }
  const auto load_of = [&](size_t i, Wrench& wrench) {
    wrench = work_.transmitted[static_cast<size_t>(forces[i]->body())];
    for (size_t k = 0; k < n; ++k)
      wrench += (-forces[k]->factor(work_.kin) * work_.reaction_load[static_cast<Eigen::Index>(k)]) *
                work_.load_response[i * n + k];
    return forces[i]->load(work_.kin, wrench);
  };
  for (size_t i = 0; i < n; ++i)
    work_.reaction_load[static_cast<Eigen::Index>(i)] =
        forces[i]->load(work_.kin, work_.transmitted[static_cast<size_t>(forces[i]->body())]);
  bool converged = false;
  for (int iteration = 0; iteration < 50 && !converged; ++iteration) {
    double error = 0, scale = 0;
    for (size_t i = 0; i < n; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      Wrench wrench;
      const double gap = load_of(i, wrench) - work_.reaction_load[row];
      const Wrench gradient = forces[i]->load_gradient(work_.kin, wrench);
      for (size_t k = 0; k < n; ++k) {
        const Wrench& w = work_.load_response[i * n + k];
        work_.newton(row, static_cast<Eigen::Index>(k)) =
            (i == k ? 1.0 : 0.0) + forces[k]->factor(work_.kin) * (gradient.n.dot(w.n) + gradient.f.dot(w.f));
      }
      work_.newton(row, static_cast<Eigen::Index>(n)) = gap;
      error = std::max(error, std::abs(gap));
      scale = std::max(scale, std::abs(work_.reaction_load[row]));
    }
    converged = error <= 1e-13 * scale;
    if (converged || !solve_in_place(work_.newton)) break;
    work_.reaction_load += work_.newton.col(static_cast<Eigen::Index>(n));
  }
  // A negative load would turn friction into a drive: there is no physical solution.
  for (size_t i = 0; i < n; ++i)
    if (!converged || !(work_.reaction_load[static_cast<Eigen::Index>(i)] >= 0)) {
      fault_ = Fault::reaction;
      fault_index_ = i;
      return false;
    }
  work_.generalised.setZero();
  for (size_t k = 0; k < n; ++k)
    work_.generalised[forces[k]->speed()] -=
        forces[k]->factor(work_.kin) * work_.reaction_load[static_cast<Eigen::Index>(k)];
  add_response(true);
  return true;
}

}  // namespace davit
