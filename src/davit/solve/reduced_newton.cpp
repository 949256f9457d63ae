#include "davit/solve/reduced_newton.hpp"

#include <algorithm>

namespace davit {

ReducedNewton::ReducedNewton(const Model& model, const StepEquations& equations)
    : nu_(model.nu()), nz_(model.nz()), rigid_(model.rows()), others_(equations.size() - nu_ - rigid_) {
  full_.setZero(equations.size(), equations.size());
  residual_.setZero(equations.size());
  change_.setZero(equations.size());
  rows_Q_.setIdentity(nu_, nu_);
  balance_Q_.setIdentity(nu_, nu_);
  rhs_.setZero(nu_);
  part_.setZero(rigid_);
}

// Both bases, and the matrix of what is left.
bool ReducedNewton::factor() {
  if (rigid_ > 0) {
    const Eigen::Index first = nu_ + nz_;
    constexpr double threshold = 1e-11;
    rows_qr_.compute_transposed(full_.block(first, 0, rigid_, nu_), threshold, rows_Q_);
    balance_qr_.compute(full_.block(0, first, nu_, rigid_), threshold, balance_Q_);
    rank_ = rows_qr_.rank();
    if (balance_qr_.rank() != rank_) return false;
  }
  const Eigen::Index f = nu_ - rank_, n = f + others_;
  const auto N = rows_Q_.rightCols(f), P = balance_Q_.rightCols(f);
  reduced_.resize(n, n);
  along_N_.resize(nu_, f);
  along_N_.noalias() = full_.topLeftCorner(nu_, nu_) * N;
  reduced_.topLeftCorner(f, f).noalias() = P.transpose() * along_N_;
  for (int j = 0; j < others_; ++j) {
    reduced_.col(f + j).head(f).noalias() = P.transpose() * full_.col(other(j)).head(nu_);
    reduced_.row(f + j).head(f).noalias() = full_.row(other(j)).head(nu_) * N;
    for (int i = 0; i < others_; ++i) reduced_(f + i, f + j) = full_(other(i), other(j));
  }
  if (!reduced_.allFinite()) return false;
  lu_.compute(reduced_);
  return true;
}

// The change of all unknowns for the residual, x along N.
void ReducedNewton::solve_full_step() {
  const Eigen::Index f = nu_ - rank_, first = nu_ + nz_;
  rhs_.resize(f + others_);
  rhs_.head(f).noalias() = balance_Q_.rightCols(f).transpose() * residual_.head(nu_);
  for (int i = 0; i < others_; ++i) rhs_[f + i] = residual_[other(i)];
  step_.resize(f + others_);
  lu_.solve(rhs_, step_);
  change_.setZero();
  change_.head(nu_).noalias() = rows_Q_.rightCols(f) * step_.head(f);
  for (int i = 0; i < others_; ++i) change_[other(i)] = step_[f + i];
  if (rank_ == 0) return;
  // What is left of the balance is for the multipliers; those of dependent rows stay as they are.
  residual_.head(nu_).noalias() -= along_N_ * step_.head(f);
  for (int i = 0; i < others_; ++i) residual_.head(nu_) -= step_[f + i] * full_.col(other(i)).head(nu_);
  part_.head(rank_).noalias() = balance_Q_.leftCols(rank_).transpose() * residual_.head(nu_);
  balance_qr_.solve_R(part_.head(rank_));
  for (Eigen::Index k = 0; k < rank_; ++k) change_[first + balance_qr_.column(k)] = part_[k];
}

// Brings x onto the rigid rows along their gradients, by the least change, down to round-off.
bool ReducedNewton::close(System& system, StepEquations& equations, StepEquations::Unknowns& at) {
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 30; ++iteration) {
    equations.residual(system, at, residual_);
    if (rank_ == 0) return true;
    const auto rows = residual_.segment(nu_ + nz_, rigid_);
    const double gap = rows.cwiseAbs().maxCoeff();
    if (!std::isfinite(gap)) return false;
    if (gap <= 1e-15 * (1 + at.x.cwiseAbs().maxCoeff())) return true;
    // Gaps that no longer shrink are round-off if they are small.
    if (gap >= 0.5 * last) return gap < 1e-6;
    last = gap;
    for (Eigen::Index k = 0; k < rank_; ++k) part_[k] = rows[rows_qr_.column(k)];
    rows_qr_.solve_R_transposed(part_.head(rank_));
    at.x.noalias() -= rows_Q_.leftCols(rank_) * part_.head(rank_);
  }
  return false;
}

NewtonOutcome ReducedNewton::solve(System& system, StepEquations& equations, StepEquations::Unknowns& unknowns,
                                   const NewtonOptions& options) {
  NewtonOutcome out;
  double last = 0;
  bool done = false;
  equations.matrix(system, unknowns, full_);
  if (factor())
    for (; out.iterations < options.most_iterations; ++out.iterations) {
      if (!close(system, equations, unknowns)) break;
      if (done) {
        out.converged = true;
        return out;
      }
      equations.matrix(system, unknowns, full_);
      ++out.matrices;
      if (!factor()) break;
      solve_full_step();
      if (!change_.allFinite()) break;
      unknowns.x -= change_.head(nu_);
      unknowns.z -= change_.segment(nu_, nz_);
      unknowns.lambda -= change_.tail(change_.size() - nu_ - nz_);
      out.change = change_.head(nu_ + nz_).cwiseAbs().maxCoeff() / (1 + unknowns.x.cwiseAbs().maxCoeff());
      done = out.change <= options.tolerance || (out.iterations > 2 && out.change < 1e-8 && out.change > 0.3 * last);
      last = out.change;
    }
  out.why = equations.culprit(system.model(), change_);
  return out;
}

double condition_number(const MatX& matrix) {
  const VecX s = singular_values(matrix);
  return s[0] / s[s.size() - 1];
}

}  // namespace davit
