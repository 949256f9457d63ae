// What one evaluation of the equations of a step needs in one scalar.
#pragma once

#include "davit/solve/step_equations.hpp"

namespace davit {

template <class S>
struct StepEquations::Scratch {
  EvaluationT<S> point;
  KinT<S> start, end;
  std::vector<S> x, z1;  // the unknowns
  std::vector<S> q0, q_point, q_end, d, u, a, z, u0;
  KinT<S> parting;  // at the point, with the speeds of the end
  std::vector<S> F, rows;
  std::vector<JacobianT<S>> jacobian;  // by row set: the gradient by which its multipliers act
  JacobianT<S> set_jacobian;           // of one set, for its rates
  std::vector<S> set_rate;
  std::vector<S> drive_rows, drive_right, drive_error;  // S by rows, s, and what outputs are off by

  Scratch(const Model& model, size_t row_sets, int row_count) : jacobian(row_sets) {
    model.prepare(point);
    point.transmitted.resize(static_cast<size_t>(model.bodies()));
    start.body.resize(static_cast<size_t>(model.bodies()));
    end.body.resize(static_cast<size_t>(model.bodies()));
    parting.body.resize(static_cast<size_t>(model.bodies()));
    const auto nu = static_cast<size_t>(model.nu()), nz = static_cast<size_t>(model.nz());
    for (auto* v : {&x, &d, &u, &a, &u0}) v->assign(nu, S(0));
    for (auto* v : {&z1, &z}) v->assign(nz, S(0));
    for (auto* v : {&q0, &q_point, &q_end}) v->assign(static_cast<size_t>(model.nq()), S(0));
    F.assign(nu, S(0));
    rows.assign(static_cast<size_t>(row_count), S(0));
  }
};

// put(entry, mass) for all entries of the mass at the point of the residual. Momentum rates are affine in the
// accelerations: one pass per place in the groups, all groups at once.
template <class Put>
void StepEquations::find_inertia(System& system, const Put& put) {
  Scratch<double>& s = *scratch_;
  const auto pass = [&](VecX& out) {
    system.inverse_dynamics_residual<double>(s.point, unit_.data(), out.data(), nullptr);
  };
  unit_.setZero();
  pass(momentum_);
  for (size_t k = 0; k < mass_entries_.size(); ++k) {
    for (const auto& group : groups_)
      if (k < group.size()) unit_[group[k]] = 1;
    pass(inertia_);
    for (const auto& group : groups_)
      if (k < group.size()) unit_[group[k]] = 0;
    for (const MassEntry& e : mass_entries_[k]) put(e, inertia_[e.row] - momentum_[e.row]);
  }
}

template <class S>
void assign(std::vector<S>& to, const VecX& from) {
  for (size_t i = 0; i < to.size(); ++i) to[i] = S(from[static_cast<Eigen::Index>(i)]);
}

}  // namespace davit
